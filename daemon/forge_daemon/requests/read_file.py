"""`forge/readFile`."""

import base64
from collections.abc import Sequence

from forge_daemon.reading.cursor import encode_cursor
from forge_daemon.reading.numbering import number_lines
from forge_daemon.reading.selection import select
from forge_daemon.reading.sources.source import Progress
from forge_daemon.reading.windows.read import is_quick, read_window
from forge_daemon.reading.windows.window import MAX_CONTENT_BYTES, Columns, Window, WindowRequest
from forge_daemon.workspace.open_file import OpenFile
from forge_daemon.workspace.reader import Target
from forge_protocol.read_file import BinaryContent, ClippedLine, Meta, ReadFileParams, ReadFileResult

from .line_filter import line_filter_of, may_block
from .request import FileRequest
from .text_form import text_form, with_candidates


class ReadFileJob:
    def __init__(self, params: ReadFileParams, progress: Progress, max_bytes: int = MAX_CONTENT_BYTES) -> None:
        self.target = Target(params.path, params.workspace_folder, params.source)
        self._request = _window_request(params, max_bytes, progress)
        self._numbered = params.show_line_numbers

    def is_quick(self, file: OpenFile) -> bool:
        return is_quick(file.source, self._request_for(file))

    def answer(self, file: OpenFile, progress: Progress) -> ReadFileResult:
        return self.result(file, self.window(file, progress))

    def window(self, file: OpenFile, progress: Progress) -> Window:
        request = self._request_for(file)
        return file.read(lambda source: read_window(source, request, progress), progress)

    def _request_for(self, file: OpenFile) -> WindowRequest:
        if not file.settings.encodings:  # as nearly everywhere
            return self._request
        return self._request._replace(form=with_candidates(self._request.form, file.settings))

    def result(self, file: OpenFile, window: Window) -> ReadFileResult:
        return result_of(file, window, numbered=self._numbered)


READ_FILE = FileRequest(ReadFileJob, may_block=lambda params: may_block(params.filter))


def result_of(file: OpenFile, window: Window, *, numbered: bool) -> ReadFileResult:
    facts = window.facts
    return ReadFileResult(
        path=file.path,
        workspace_folder=file.workspace_folder,
        content=number_lines(window.content, _numbers_of(window)) if numbered else window.content,
        truncated=window.truncated_by is not None,
        next_start_line=window.next_start_line,
        meta=Meta(
            byte_length=facts.byte_length,
            line_count=facts.line_count,
            returned_line_count=window.returned_line_count,
            mtime_ms=facts.mtime_ms,
            start_line=window.start_line,
            encoding=facts.encoding,
            bom=facts.bom,
            ends_with_newline=facts.ends_with_newline,
            eol=window.eol,
            decode_errors=window.decode_errors,
            compression=facts.compression,
            text_byte_length=facts.text_byte_length,
        ),
        truncated_by=window.truncated_by,
        next_cursor=encode_cursor(window.next_cursor) if window.next_cursor else None,
        end_cursor=encode_cursor(window.end_cursor) if window.end_cursor else None,
        etag=facts.etag,
        source=facts.source,
        document_version=facts.document_version,
        clipped_lines=_clipped_lines(window.clipped_lines) if window.clipped_lines is not None else None,
        binary=_binary_content(*window.binary) if window.binary else None,
        not_modified=window.not_modified,
        line_numbers=window.line_numbers,
    )


def _numbers_of(window: Window) -> Sequence[int]:
    if window.line_numbers is not None:
        return window.line_numbers
    return range(window.start_line, window.start_line + window.returned_line_count)


def _window_request(params: ReadFileParams, max_bytes: int, progress: Progress) -> WindowRequest:
    around = params.around
    line_filter = line_filter_of(params.filter, progress)
    return WindowRequest(
        selection=select(
            params,
            around=(around.line, around.before, around.after) if around else None,
            max_lines=params.max_lines,
            filter_name=line_filter.name if line_filter else None,
        ),
        max_lines=params.max_lines,
        max_bytes=min(params.max_bytes, max_bytes),
        on_binary=params.on_binary,
        if_none_match=params.if_none_match,
        line_filter=line_filter,
        form=text_form(params.encoding, params.decompress, params.ansi),
        columns=Columns(params.columns.start - 1, params.columns.count) if params.columns else None,
    )


def _clipped_lines(lines: Sequence[tuple[int, int]]) -> list[ClippedLine]:
    return [ClippedLine(line=line, omitted_bytes=omitted) for line, omitted in lines]


def _binary_content(data: bytes, offset: int) -> BinaryContent:
    return BinaryContent(
        encoding="base64",
        data=base64.b64encode(data).decode(),
        byte_offset=offset,
        byte_count=len(data),
    )
