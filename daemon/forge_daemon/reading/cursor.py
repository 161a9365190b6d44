"""Cursors: opaque strings that say where an answer ended, for the next one to continue."""

from binascii import crc32

from forge_daemon.light_typing import NamedTuple
from forge_protocol.errors import ErrorCode, ReadError, invalid_argument

from .digest import digest
from .encodings.detection import SAMPLE
from .sources.source import YOUNG, Progress, Source, ends_digest, note

MOST_TEXT_PER_BYTE = 1040
"""The most bytes of text that one byte of a compressed file can become, rounded up."""
_WITNESS_BYTES = 8
_BYTES_BEFORE = 512
"""How much of what was delivered last must still be there. Every page makes a digest of it."""


class FilteredPlace(NamedTuple):
    """A place among the lines that match a filter."""

    filter_name: str
    """Tells the filter from others."""
    number: int
    """Of the next match to deliver, or to continue; zero or negative where matches were counted from the end."""
    last: int | None
    """The selection's last match; None: all of them."""
    inside_line: bool
    """The match was delivered in part."""


class Cursor(NamedTuple):
    """A place in one file."""

    etag: str
    """Of the file the cursor was made for, as it then was."""
    offset: int
    """The next byte to deliver."""
    line: int
    """The line it belongs to; zero or negative where lines were counted from the end; 0 in a binary file."""
    last: int | None
    """The selection's last line; None: the end of the file."""
    size: int
    """Of the file when the cursor was made."""
    witness: str
    """A digest of the file's first bytes, of its last ones and of those before `offset`, as they then were."""
    filtered: FilteredPlace | None = None


def cursor_at(source: Source, offset: int, line: int, last: int | None) -> Cursor:
    size, findings = source.origin.size, source.findings
    witness = findings.witnesses.get(offset) if findings else None
    if witness is None:
        witness = _witness(source, offset, size)
        if findings:
            note(findings.witnesses, offset, witness)
    return Cursor(source.etag, offset, line, last, size, witness)


def encode_cursor(cursor: Cursor) -> str:
    text = f"{cursor.etag}.{cursor.offset}.{cursor.line}.{cursor.last or 0}.{cursor.size}.{cursor.witness}"
    if cursor.filtered is not None:
        name, number, last, inside_line = cursor.filtered
        text = f"{text}.{name}.{number}.{last or 0}.{int(inside_line)}"
    return f"{text}.{crc32(text.encode()):08x}"


def decode_cursor(text: str) -> Cursor:
    try:
        etag, offset, line, last, size, witness, *filtered, _ = text.split(".")
        place = _filtered_place(*filtered) if filtered else None
        cursor = Cursor(etag, int(offset), int(line), int(last) or None, int(size), witness, place)
        longest = cursor.size * MOST_TEXT_PER_BYTE
        within = 0 <= cursor.offset <= longest and abs(cursor.line) <= longest + 1
        is_one = within and (cursor.last or 1) > 0 and encode_cursor(cursor) == text
    except (TypeError, ValueError):
        is_one = False
    if not is_one:
        raise invalid_argument("cursor: not a cursor of this daemon", hint="send next_cursor of an answer, unchanged")
    return cursor


def _filtered_place(name: str, number: str, last: str, inside_line: str) -> FilteredPlace:
    return FilteredPlace(name, int(number), int(last) or None, inside_line == "1")


def require_filter(cursor: Cursor, filter_name: str | None) -> None:
    """Raise `INVALID_ARGUMENT` if the cursor was made with another filter."""
    given_out_with = cursor.filtered.filter_name if cursor.filtered else None
    if given_out_with != filter_name:
        raise invalid_argument(
            "cursor: returned with a different filter" if given_out_with else "cursor: returned without a filter",
            hint="send the cursor with the filter of the request that returned it",
        )


def check_cursor(cursor: Cursor, source: Source, progress: Progress) -> None:
    """Raise `CONTENT_MODIFIED` unless the file is unchanged since the cursor was made, or has only grown."""
    if not _still_holds(cursor, source, progress):
        raise ReadError(
            ErrorCode.CONTENT_MODIFIED,
            "changed since the cursor was returned",
            hint="read it again from a line number",
            retriable=True,
            etag=source.etag,
        )


def is_only_touched(cursor: Cursor, source: Source) -> bool:
    """Whether the file has the same size and, as far as can be seen without reading all of it, the same contents."""
    return source.origin.size == cursor.size and _witness(source, cursor.offset, cursor.size) == cursor.witness


def needs_scan(cursor: Cursor, source: Source) -> bool:
    """Whether lines have to be counted to check that the cursor is still valid, or to find its line."""
    if cursor.line <= 0:
        return cursor.size < source.origin.size
    return not (source.stable or source.line_index.is_counted(cursor.line))


def may_be_being_written(cursor: Cursor, source: Source) -> bool:
    """Whether a write may be under way: it sets a file's times first, and its size when it ends."""
    is_same = cursor.etag.removesuffix(YOUNG) == source.etag.removesuffix(YOUNG)
    return not is_same and source.may_be_binary and source.origin.size == cursor.size


def _still_holds(cursor: Cursor, source: Source, progress: Progress) -> bool:
    is_same = cursor.etag.removesuffix(YOUNG) == source.etag.removesuffix(YOUNG)
    if not is_same and not (source.key and source.origin.size > cursor.size):
        return False
    if _witness(source, cursor.offset, cursor.size) != cursor.witness:
        return False
    if is_same and cursor.line > 0 and (cursor.etag.endswith(YOUNG) or not source.stable):
        # It may have been written again within one tick of the clock, so the line is counted.
        return source.line_index.line_at(cursor.offset, source.read_at, progress) == cursor.line
    return True


def _witness(source: Source, offset: int, size: int) -> str:
    file = source.origin
    ends = file.ends_digest if size == file.size else ends_digest(file.read_at, size)
    before = source.read_at(max(0, offset - _BYTES_BEFORE), min(offset, _BYTES_BEFORE))
    kind = b"" if size == 0 or _reads_alike(source, offset) else source.text_kind
    return digest(source.key + kind, ends, before, size=_WITNESS_BYTES).hex()


def _reads_alike(source: Source, offset: int) -> bool:
    """Whether the text before an offset is the same in every encoding: appended text may decide which one it is."""
    if not source.text_kind or source.derived is not None or offset > SAMPLE:
        return False
    before = source.read_at(0, offset)
    return before.isascii() and b"\x1b" not in before
