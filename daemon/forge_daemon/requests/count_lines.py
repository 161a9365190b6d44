"""`forge/countLines`."""

from forge_daemon.reading.files.file_bytes import FileBytes, Progress
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.reading.window.read import LineCount
from forge_daemon.reading.window.read import count_lines as count_lines_of
from forge_daemon.reading.window.window import WindowRequest
from forge_daemon.workspace.reader import Reader
from forge_protocol.count_lines import CountLinesParams, CountLinesResult

from .filter import filter_of
from .request import read_text


def count_lines(reader: Reader, params: CountLinesParams, progress: Progress) -> CountLinesResult:
    wanted = filter_of(params.filter)

    def count(snapshot: FileBytes, form: TextForm) -> LineCount:
        return count_lines_of(snapshot, WindowRequest(filter=wanted, form=form), progress)

    read = read_text(reader, params, count)
    return CountLinesResult(
        path=read.file.path,
        workspace_folder=read.file.workspace_folder,
        line_count=read.found.lines,
        matched_lines=read.found.matched,
        byte_length=read.byte_length,
        etag=read.etag,
    )
