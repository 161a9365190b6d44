"""`forge/find`."""

from forge_daemon.reading.find import Finding, FindRequest, open_search
from forge_daemon.reading.find import find as find_in
from forge_daemon.reading.source import Source, Watch
from forge_daemon.workspace.reader import Reader, Target
from forge_protocol.errors import ReadError
from forge_protocol.find import FindMatch, FindParams, FindResult


def find(reader: Reader, params: FindParams, watch: Watch) -> FindResult:
    request = FindRequest(params.start_line, params.start_column, params.direction == "backward")
    try:
        with open_search(params.pattern, regex=params.regex, ignore_case=params.ignore_case) as search:

            def look(source: Source) -> tuple[Finding, str]:
                return find_in(source, request, search, watch), source.etag

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
