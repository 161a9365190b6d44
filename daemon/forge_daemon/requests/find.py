"""`forge/find`."""

from forge_daemon.reading.search.find import Finding, FindRequest, open_search
from forge_daemon.reading.search.find import find as find_in
from forge_daemon.reading.sources.source import Progress, Source
from forge_daemon.workspace.reader import Reader, Target
from forge_protocol.errors import ReadError
from forge_protocol.find import FindMatch, FindParams, FindResult


def find(reader: Reader, params: FindParams, progress: Progress) -> FindResult:
    request = FindRequest(params.start_line, params.start_column, params.direction == "backward")
    try:
        with open_search(params.pattern, regex=params.regex, ignore_case=params.ignore_case) as search:

            def look(source: Source) -> tuple[Finding, str]:
                return find_in(source, request, search, progress), source.etag

            place = reader.find(Target(params.path, params.workspace_folder, params.source))
            found = reader.read(place, params.source, look)
    except ReadError as error:
        raise error.at(reader.name_of(params.path)) from None
    (match, scanned_bytes), etag = found.answer
    return FindResult(
        path=found.path,
        match=FindMatch(**match._asdict()) if match else None,
        scanned_bytes=scanned_bytes,
        etag=etag,
    )
