"""Which records lines belong to."""

from collections.abc import Sequence
from typing import NamedTuple

from forge_daemon.reading.files.file_bytes import FileBytes, Progress
from forge_daemon.reading.lines.columns import Columns
from forge_daemon.reading.lines.index import LineIndex
from forge_daemon.reading.records.format import Header
from forge_daemon.reading.records.levels import Level
from forge_daemon.reading.records.records import Records
from forge_daemon.reading.records.times import iso_text
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.reading.texts.text import Text

from .read import open_lines

MAX_CONTENT = 1_024


class LineRecord(NamedTuple):
    line: int
    start_line: int
    """The first line of its record."""
    time: str | None
    level: Level | None
    content: str


def line_records(file: FileBytes, lines: Sequence[int], form: TextForm, progress: Progress) -> list[LineRecord]:
    """The record of each line; lines past the end are skipped."""
    text = open_lines(file, form, progress, "read")
    index, records = LineIndex(text), Records(text)
    known: dict[int, LineRecord] = {}
    found: list[LineRecord] = []
    for line in lines:
        offset = index.start_of(line)
        if offset is None or not text.read_at(offset, 1):
            continue
        start, header = _header(records, offset)
        if start not in known:
            known[start] = _record(text, index, start, header)
        found.append(known[start]._replace(line=line))
    return found


def _header(records: Records, offset: int) -> tuple[int, Header | None]:
    """Where the record starts that a line at an offset belongs to, and what its first line says."""
    header = records.header_at(offset)
    if header is not None:
        return offset, header
    start = records.start_before(offset)
    return start, records.header_at(start)


def _record(text: Text, index: LineIndex, start: int, header: Header | None) -> LineRecord:
    content, _, _ = Columns(text).part(start, MAX_CONTENT)
    time = iso_text(header.time) if header and header.time else None
    level = header.level if header else None
    line = index.line_at(start)
    return LineRecord(line, line, time, level, content)
