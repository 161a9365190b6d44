"""`forge/countLines`."""

from forge_daemon.reading.sources.source import Progress, Source
from forge_daemon.reading.window import count_lines as count_lines_of
from forge_daemon.workspace.reader import Reader, Target
from forge_protocol.count_lines import CountLinesParams, CountLinesResult
from forge_protocol.errors import ReadError


def count_lines(reader: Reader, params: CountLinesParams, progress: Progress) -> CountLinesResult:
    def count(source: Source) -> tuple[int, int, str]:
        return count_lines_of(source, progress), source.size, source.etag

    try:
        place = reader.find(Target(params.path, params.workspace_folder, params.source))
        found = reader.read(place, params.source, count)
    except ReadError as error:
        raise error.at(reader.name_of(params.path)) from None
    line_count, byte_length, etag = found.answer
    return CountLinesResult(
        path=found.path,
        workspace_folder=found.workspace_folder,
        line_count=line_count,
        byte_length=byte_length,
        etag=etag,
    )
