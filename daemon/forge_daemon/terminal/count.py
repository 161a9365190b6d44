"""`forge-read count`: the number of lines of a file of any size."""

import sys
import time

from forge_daemon.reading.encodings.detection import AUTO
from forge_daemon.reading.windows.facts import count_lines
from forge_daemon.requests.text_form import text_form, with_candidates
from forge_daemon.workspace.reader import Reader, Target

from .arguments import Options
from .output import Output
from .workspace import open_workspace

_PATIENCE_SECONDS = 0.4
"""Work that takes less time shows no progress bar."""
_REDRAW_SECONDS = 0.1
_BAR_WIDTH = 30


def count(options: Options) -> int:
    reader, path = open_workspace(options.path)
    progress = Progress()
    try:
        encoding = options.encoding or AUTO
        answer = (_json if options.json else _number)(reader, path, encoding, progress)
    finally:
        progress.clear()
    output = Output()
    output.write_json(answer + b"\n")
    output.close()
    return 0


def _number(reader: Reader, path: str, encoding: str, progress: "Progress") -> bytes:
    with reader.open(Target(path, source="disk")) as file:
        form = with_candidates(text_form(encoding), file.settings)
        return b"%d" % file.read(lambda source: count_lines(source, progress, form=form), progress)


def _json(reader: Reader, path: str, encoding: str, progress: "Progress") -> bytes:
    from forge_daemon.requests.count_lines import COUNT_LINES
    from forge_daemon.rpc.json_text import encode
    from forge_protocol.conversion import unstructure
    from forge_protocol.count_lines import CountLinesParams

    return encode(unstructure(COUNT_LINES.run(reader, CountLinesParams(path=path, encoding=encoding), progress)))


class Progress:
    """A progress bar on stderr, if that is a terminal and the work takes long."""

    def __init__(self) -> None:
        self._next_drawing = time.monotonic() + _PATIENCE_SECONDS if sys.stderr.isatty() else float("inf")
        self._drawn = False

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now < self._next_drawing:
            return
        self._next_drawing = now + _REDRAW_SECONDS
        self._drawn = True
        filled = _BAR_WIDTH * done // total
        bar = "#" * filled + "." * (_BAR_WIDTH - filled)
        print(
            f"\r[{bar}] {100 * done // total:3} % of {total / 1e6:,.0f} MB",
            end="",
            file=sys.stderr,
            flush=True,
        )

    def clear(self) -> None:
        if self._drawn:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
