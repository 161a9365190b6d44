"""`forge-read count`: the number of lines of a file of any size."""

from forge_daemon.reading.encodings.detection import AUTO
from forge_daemon.reading.windows.facts import count_lines
from forge_daemon.requests.text_form import text_form, with_candidates
from forge_daemon.workspace.reader import Reader, Target

from .arguments import Options
from .output import Output
from .progress import Progress
from .workspace import open_workspace


def count(options: Options) -> int:
    reader, path = open_workspace(options.path)
    with Progress() as progress:
        answer = (_json if options.json else _number)(reader, path, options.encoding or AUTO, progress)
    output = Output()
    output.write_json(answer + b"\n")
    output.close()
    return 0


def _number(reader: Reader, path: str, encoding: str, progress: Progress) -> bytes:
    with reader.open(Target(path, source="disk")) as file:
        form = with_candidates(text_form(encoding), file.settings)
        return b"%d" % file.read(lambda source: count_lines(source, progress, form=form), progress)


def _json(reader: Reader, path: str, encoding: str, progress: Progress) -> bytes:
    from forge_daemon.requests.count_lines import COUNT_LINES
    from forge_daemon.rpc.json_text import encode
    from forge_protocol.conversion import unstructure
    from forge_protocol.count_lines import CountLinesParams

    return encode(unstructure(COUNT_LINES.run(reader, CountLinesParams(path=path, encoding=encoding), progress)))
