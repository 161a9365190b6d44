"""`forge/records`."""

from typing import cast

from forge_daemon.reading.files.file_bytes import Progress
from forge_daemon.reading.window.line_records import LineRecord as Found
from forge_daemon.reading.window.line_records import line_records
from forge_daemon.workspace.reader import Reader
from forge_protocol.filter import LevelName
from forge_protocol.records import LineRecord, RecordsParams, RecordsResult

from .request import read_text


def records(reader: Reader, params: RecordsParams, progress: Progress) -> RecordsResult:
    read = read_text(reader, params, lambda snapshot, form: line_records(snapshot, params.lines, form, progress))
    return RecordsResult(path=read.file.path, records=[_line_record(each) for each in read.found], etag=read.etag)


def _line_record(found: Found) -> LineRecord:
    level = cast(LevelName, found.level.name.lower()) if found.level else None
    return LineRecord(line=found.line, start_line=found.start_line, time=found.time, level=level, content=found.content)
