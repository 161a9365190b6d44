"""`forge/find`."""

from forge_daemon.reading.files.file_bytes import FileBytes, Progress
from forge_daemon.reading.match.find import Position
from forge_daemon.reading.match.matcher import compile_term
from forge_daemon.reading.match.term import Term
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.reading.window.find import FindRequest, Found
from forge_daemon.reading.window.find import find as find_in
from forge_daemon.workspace.reader import Reader
from forge_protocol.find import FindMatch, FindParams, FindResult

from .filter import filter_of
from .request import read_text


def find(reader: Reader, params: FindParams, progress: Progress) -> FindResult:
    term = Term(params.pattern, params.regex, params.ignore_case, params.whole_word)
    compile_term(term)  # before anything is opened
    request = FindRequest(
        term,
        Position(params.start_line, params.start_column),
        backward=params.direction == "backward",
        filter=filter_of(params.filter),
        counts=params.count,
    )

    def look(snapshot: FileBytes, form: TextForm) -> Found:
        return find_in(snapshot, request._replace(form=form), progress)

    read = read_text(reader, params, look)
    return FindResult(
        path=read.file.path,
        match=FindMatch(**read.found.match._asdict()) if read.found.match else None,
        scanned_bytes=read.found.scanned_bytes,
        matched_lines=read.found.matched_lines,
        etag=read.etag,
    )
