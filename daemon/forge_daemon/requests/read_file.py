"""`forge/readFile`."""

import base64
from collections.abc import Sequence

from forge_daemon.reading.files.file_bytes import Progress
from forge_daemon.reading.window.cursor import encode_cursor
from forge_daemon.reading.window.pager import number_lines
from forge_daemon.reading.window.read import read_window
from forge_daemon.reading.window.selection import select
from forge_daemon.reading.window.window import MAX_CONTENT_BYTES, Columns, Window, WindowRequest
from forge_daemon.workspace.open_file import OpenFile
from forge_daemon.workspace.reader import Reader
from forge_protocol.read_file import BinaryContent, ClippedLine, Member, Meta, ReadFileParams, ReadFileResult

from .filter import filter_of
from .request import open_target, target_of
from .text_form import text_form, with_settings


def read_file(reader: Reader, params: ReadFileParams, progress: Progress) -> ReadFileResult:
    request = window_request(params, MAX_CONTENT_BYTES)
    with open_target(reader, target_of(params)) as file:
        return result_of(file, window_of(file, request, progress), numbered=params.show_line_numbers)


def window_of(file: OpenFile, request: WindowRequest, progress: Progress) -> Window:
    request = request._replace(form=with_settings(request.form, file.settings))
    return file.read(lambda snapshot: read_window(snapshot, request, progress))


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
        context_lines=window.context_lines,
        members=members_of(file),
    )


def members_of(file: OpenFile) -> list[Member] | None:
    return None if file.members is None else [Member(**member._asdict()) for member in file.members]


def _numbers_of(window: Window) -> Sequence[int]:
    if window.line_numbers is not None:
        return window.line_numbers
    return range(window.start_line, window.start_line + window.returned_line_count)


def window_request(params: ReadFileParams, max_bytes: int) -> WindowRequest:
    """The window that is asked for; `INVALID_ARGUMENT` if the parameters are wrong."""
    around = params.around
    wanted = filter_of(params.filter)
    return WindowRequest(
        selection=select(
            params,
            around=(around.line, around.before, around.after) if around else None,
            max_lines=params.max_lines,
            filter_name=wanted.name if wanted else "",
        ),
        max_lines=params.max_lines,
        max_bytes=min(params.max_bytes, max_bytes),
        on_binary=params.on_binary,
        if_none_match=params.if_none_match,
        filter=wanted,
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
