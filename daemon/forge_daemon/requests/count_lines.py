"""`forge/countLines`."""

from forge_daemon.reading.sources.source import Progress, Source
from forge_daemon.reading.windows.facts import can_count_quickly, count_lines
from forge_daemon.workspace.open_file import OpenFile
from forge_daemon.workspace.reader import Target
from forge_protocol.count_lines import CountLinesParams, CountLinesResult

from .line_filter import line_filter_of
from .request import FileRequest
from .text_form import text_form, with_candidates


class CountLinesJob:
    def __init__(self, params: CountLinesParams, progress: Progress) -> None:
        self.target = Target(params.path, params.workspace_folder, params.source)
        self._filter = line_filter_of(params.filter, progress)
        self._form = text_form(params.encoding, params.decompress, params.ansi)

    def is_quick(self, file: OpenFile) -> bool:
        return self._filter is None and can_count_quickly(file.source, self._form)

    def answer(self, file: OpenFile, progress: Progress) -> CountLinesResult:
        form = with_candidates(self._form, file.settings)

        def count(source: Source) -> tuple[int, int, str]:
            return count_lines(source, progress, self._filter, form), source.size, source.etag

        line_count, byte_length, etag = file.read(count, progress)
        return CountLinesResult(
            path=file.path,
            workspace_folder=file.workspace_folder,
            line_count=line_count,
            byte_length=byte_length,
            etag=etag,
        )


COUNT_LINES = FileRequest(CountLinesJob, may_block=lambda params: params.filter is not None)
