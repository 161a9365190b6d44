"""What kind of text a file is, and what a log has in it."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from forge_daemon.reading.files.file_bytes import FileBytes, Progress
from forge_daemon.reading.records.levels import Level
from forge_daemon.reading.records.records import Records
from forge_daemon.reading.records.time_search import TimeSearch
from forge_daemon.reading.records.times import iso_text
from forge_daemon.reading.texts.concatenated import RotatedText
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.reading.texts.text import Text

from .facts import require_whole
from .read import open_lines

Span = tuple[str | None, str | None]
"""When the first and the last record of a text were written."""
_BLOCK = 64 * 1024
"""Stays in the CPU's cache."""


class Counts(NamedTuple):
    """What takes a scan of the text."""

    lines: int
    records: int
    levels: Mapping[str, int]
    """How many records of each level there are; `none` for those without."""


class Description(NamedTuple):
    encoding: str
    compression: str | None
    format: str
    first_time: str | None
    last_time: str | None
    counts: Counts | None


def describe(file: FileBytes, form: TextForm, progress: Progress, *, scan: bool) -> Description:
    text = open_lines(file, form, progress, "describe")
    records = Records(text)
    counts = _count(text, records) if scan else None
    first, last = _span(records, records) if scan else span_without_scan(text)
    if scan:
        require_whole(text)
    return Description(
        encoding=text.encoding,
        compression=text.compression,
        format=records.format.name,
        first_time=first,
        last_time=last,
        counts=counts,
    )


def span_without_scan(text: Text) -> Span:
    """As far as it is known: the end of a compressed text, and of all before the newest of a set, takes a scan."""
    newest = text.newest if isinstance(text, RotatedText) else text
    if newest is None or newest.compression is not None:
        return _span(Records(text), None)
    return _span(Records(text), Records(newest))


def _span(oldest: Records, newest: Records | None) -> Span:
    first = TimeSearch(oldest).first()
    last = TimeSearch(newest).last() if newest is not None else None
    return iso_text(first.time) if first else None, iso_text(last.time) if last else None


def _count(text: Text, records: Records) -> Counts:
    levels: Counter[Level | None] = Counter()
    lines = offset = 0
    while block := text.read_at(offset, _BLOCK):
        text.report(offset)
        if len(block) == _BLOCK:
            block = records.whole_records(block, offset)
        in_block, of_block = records.count_levels(block, offset)
        lines += in_block
        levels.update(of_block)
        offset += len(block)
    names = {level.name.lower() if level else "none": levels[level] for level in (*Level, None) if levels[level]}
    return Counts(lines, levels.total(), names)
