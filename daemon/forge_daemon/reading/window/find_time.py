"""Find the first line that was logged at or after a time."""

from typing import NamedTuple

from forge_daemon.reading.files.file_bytes import FileBytes, Progress
from forge_daemon.reading.lines.columns import Columns
from forge_daemon.reading.lines.index import LineIndex
from forge_daemon.reading.match.find import MAX_CONTENT
from forge_daemon.reading.records.records import Records
from forge_daemon.reading.records.time_search import TimeSearch
from forge_daemon.reading.records.times import iso_text
from forge_daemon.reading.texts.form import TextForm

from .read import open_lines


class LineAtTime(NamedTuple):
    line: int
    time: str
    content: str


def find_time(file: FileBytes, when: str, form: TextForm, progress: Progress) -> LineAtTime | None:
    """None: nothing was logged at that time or later."""
    text = open_lines(file, form, progress, "search")
    times = TimeSearch(Records(text))
    found = times.since(times.parse(when, "time"))
    if found is None:
        return None
    content, _, _ = Columns(text).part(found.offset, MAX_CONTENT)
    return LineAtTime(LineIndex(text).line_at(found.offset), iso_text(found.time), content)
