"""What kind of text a file is, and what a log has in it."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from forge_daemon.reading.files.file_bytes import FileBytes, Progress
from forge_daemon.reading.lines.index import LineIndex
from forge_daemon.reading.records.levels import Level
from forge_daemon.reading.records.records import Records
from forge_daemon.reading.records.time_search import TimeSearch
from forge_daemon.reading.records.times import iso_text
from forge_daemon.reading.texts.concatenated import RotatedText
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.reading.texts.opening import open_text
from forge_daemon.reading.texts.text import Text

from .facts import require_whole
from .read import no_lines

_BLOCK = 256 * 1024


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
    text = open_text(file, form, progress)
    if text is None:
        raise no_lines(file, form, "describe")
    records = Records(text)
    times = TimeSearch(records)
    counts = _count(text, records) if scan else None
    first = times.first()
    # The end of a compressed text, or of a rotated set, is only known after a scan.
    newest = text.newest if isinstance(text, RotatedText) else text
    if not scan and newest is not None:
        times = TimeSearch(Records(newest))
    last = times.last() if scan or (newest is not None and newest.compression is None) else None
    if scan:
        require_whole(text)
    return Description(
        encoding=text.encoding,
        compression=text.compression,
        format=records.format.name,
        first_time=iso_text(first.time) if first else None,
        last_time=iso_text(last.time) if last else None,
        counts=counts,
    )


def _count(text: Text, records: Records) -> Counts:
    index = LineIndex(text)
    levels: Counter[Level | None] = Counter()
    offset = 0
    while block := text.read_at(offset, _BLOCK):
        text.report(offset)
        if len(block) == _BLOCK:
            last_line_end = index.end_of_line_at(offset + max(0, block.rfind(b"\n")))
            end = records.start_before(last_line_end)
            block = text.read_at(offset, (end if end > offset else last_line_end) - offset)
        levels += records.count_levels(block, offset)
        offset += len(block)
    names = {level.name.lower() if level else "none": levels[level] for level in (*Level, None) if levels[level]}
    return Counts(index.count(), levels.total(), names)
