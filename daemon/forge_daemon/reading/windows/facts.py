"""The lines of a text, and the other facts that describe all of it."""

from forge_daemon.light_typing import TYPE_CHECKING
from forge_daemon.reading.sources.source import Progress, Source
from forge_daemon.reading.text import (
    AUTOMATIC,
    TextForm,
    counts_lines,
    find_end,
    how_to_read,
    is_compressed,
    no_lines,
    open_text,
    progress_of,
    require_whole,
)
from forge_protocol.errors import invalid_argument

from .window import Facts

if TYPE_CHECKING:
    from forge_daemon.reading.search.line_filter import LineFilter


def can_count_quickly(source: Source, form: TextForm) -> bool:
    """Whether counting takes no longer than a bounded read."""
    return not is_compressed(source, form) and (source.is_small or source.line_index.is_counted())


def count_lines(
    source: Source, progress: Progress, line_filter: "LineFilter | None" = None, form: TextForm = AUTOMATIC
) -> int:
    """Every line of a text file, however large, or every one that matches."""
    text = open_text(source, form, progress)
    if text is None:
        raise invalid_argument(no_lines(source, "count"), hint=how_to_read(source))
    progress = progress_of(text, progress)
    if line_filter is None:
        lines = number_of_lines(text, progress)
    else:
        from forge_daemon.reading.search.filtered_window import count_matches

        find_end(text, progress)
        lines = count_matches(text, line_filter, progress)
    require_whole(text)
    return lines


def text_facts(source: Source, count_lines_up_to: int, progress: Progress) -> Facts:
    findings = source.findings
    if findings is None:
        return _text_facts(source, count_lines_up_to, progress)
    known = findings.facts
    if known is None or known[0] != count_lines_up_to:
        known = findings.facts = count_lines_up_to, _text_facts(source, count_lines_up_to, progress)
    return known[1]


def _text_facts(source: Source, count_lines_up_to: int, progress: Progress) -> Facts:
    counted = counts_lines(source, count_lines_up_to)
    newlines = source.line_index.count(source.read_at, progress) if counted else None
    # The end of a long compressed text is not looked for.
    is_terminated = ends_with_newline(source) if counted or source.unpacked is None else False
    line_count = None if newlines is None or source.failure else _lines(source, newlines, is_terminated)
    return Facts(
        byte_length=source.origin.size,
        line_count=line_count,
        mtime_ms=source.mtime_ms,
        encoding=source.file_encoding.name,
        bom=source.has_bom,
        ends_with_newline=is_terminated,
        etag=source.etag,
        source=source.kind,
        document_version=source.document_version,
        changed_ms=source.changed_ms,
        compression="gzip" if source.unpacked else None,
        text_byte_length=source.unpacked.size if source.unpacked and counted else None,
    )


def ends_with_newline(source: Source) -> bool:
    if source.derived is not None and source.unpacked is None:
        # The end of the file shows it without searching for the end of its text.
        newline = "\n".encode(source.file_encoding.codec)
        file = source.origin
        return file.size % len(newline) == 0 and file.read_at(max(0, file.size - len(newline)), len(newline)) == newline
    return source.size > 0 and source.read_at(source.size - 1, 1) == b"\n"


def number_of_lines(source: Source, progress: Progress) -> int:
    newlines = source.line_index.count(source.read_at, progress)
    return _lines(source, newlines, ends_with_newline(source))


def _lines(source: Source, newlines: int, is_terminated: bool) -> int:
    return 0 if source.size <= source.bom else newlines + (not is_terminated)
