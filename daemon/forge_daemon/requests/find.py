"""`forge/find`."""

from functools import partial

from forge_daemon.reading.search.find import Finding, FindRequest, open_search
from forge_daemon.reading.search.find import find as find_in
from forge_daemon.reading.sources.source import Progress, Source
from forge_daemon.workspace.reader import Reader, Target
from forge_protocol.find import FindMatch, FindParams, FindResult

from .request import WorkerRequest, naming
from .text_form import text_form, with_candidates


def find(reader: Reader, params: FindParams, progress: Progress) -> FindResult:
    with naming(reader, params.path):
        form = text_form(params.encoding, params.decompress, params.ansi)
    with (
        naming(reader, params.path),
        open_search(
            params.pattern, regex=params.regex, ignore_case=params.ignore_case, proceed=partial(progress, 0, 0)
        ) as search,
        reader.open(Target(params.path, params.workspace_folder, params.source)) as file,
    ):
        request = FindRequest(
            params.start_line,
            params.start_column,
            params.direction == "backward",
            with_candidates(form, file.settings),
        )

        def look(source: Source) -> tuple[Finding, str]:
            return find_in(source, request, search, progress), source.etag

        (match, scanned_bytes), etag = file.read(look, progress)
        return FindResult(
            path=file.path,
            match=FindMatch(**match._asdict()) if match else None,
            scanned_bytes=scanned_bytes,
            etag=etag,
        )


FIND = WorkerRequest(find)
