"""`forge/readFile`."""

import base64

from forge_daemon.reading.cursor import encode_cursor
from forge_daemon.reading.numbering import number_lines
from forge_daemon.reading.selection import select
from forge_daemon.reading.sources.source import Progress
from forge_daemon.reading.window import MAX_CONTENT_BYTES, Window, WindowRequest, read_window
from forge_daemon.workspace.reader import Found, Reader, Target
from forge_protocol.errors import ReadError
from forge_protocol.read_file import BinaryContent, Meta, ReadFileParams, ReadFileResult


def read_file(reader: Reader, params: ReadFileParams, progress: Progress) -> ReadFileResult:
    return result_of(find_window(reader, params, progress), numbered=params.show_line_numbers)


def find_window(
    reader: Reader, params: ReadFileParams, progress: Progress, max_bytes: int = MAX_CONTENT_BYTES
) -> Found[Window]:
    try:
        request = _window_request(params, max_bytes)
        place = reader.find(Target(params.path, params.workspace_folder, params.source))
        return reader.read(place, params.source, lambda source: read_window(source, request, progress))
    except ReadError as error:
        raise error.at(reader.name_of(params.path)) from None


def result_of(found: Found[Window], *, numbered: bool) -> ReadFileResult:
    window = found.answer
    facts = window.facts
    return ReadFileResult(
        path=found.path,
        workspace_folder=found.workspace_folder,
        content=number_lines(window.content, window.start_line) if numbered else window.content,
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
        ),
        truncated_by=window.truncated_by,
        next_cursor=encode_cursor(window.next_cursor) if window.next_cursor else None,
        etag=facts.etag,
        source=facts.source,
        document_version=facts.document_version,
        binary=_binary_content(window),
        not_modified=window.not_modified,
    )


def _window_request(params: ReadFileParams, max_bytes: int) -> WindowRequest:
    around = params.around
    return WindowRequest(
        selection=select(
            start_line=params.start_line,
            end_line=params.end_line,
            limit=params.limit,
            head=params.head,
            tail=params.tail,
            around=(around.line, around.before, around.after) if around else None,
            cursor=params.cursor,
            max_lines=params.max_lines,
        ),
        max_lines=params.max_lines,
        max_bytes=max_bytes,
        on_binary=params.on_binary,
        if_none_match=params.if_none_match,
    )


def _binary_content(window: Window) -> BinaryContent | None:
    if window.binary is None:
        return None
    data, offset = window.binary
    return BinaryContent(
        encoding="base64",
        data=base64.b64encode(data).decode(),
        byte_offset=offset,
        byte_count=len(data),
    )
