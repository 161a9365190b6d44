"""`forge/describe`."""

from forge_daemon.reading.files.file_bytes import Progress
from forge_daemon.reading.window.describe import describe as describe_text
from forge_daemon.workspace.reader import Reader
from forge_protocol.describe import DescribeParams, DescribeResult, LevelCounts

from .read_file import members_of
from .request import read_text


def describe(reader: Reader, params: DescribeParams, progress: Progress) -> DescribeResult:
    read = read_text(reader, params, lambda snapshot, form: describe_text(snapshot, form, progress, scan=params.scan))
    file, found, counts = read.file, read.found, read.found.counts
    return DescribeResult(
        path=file.path,
        workspace_folder=file.workspace_folder,
        byte_length=read.byte_length,
        compression=found.compression,
        encoding=found.encoding,
        format=found.format,
        first_time=found.first_time,
        last_time=found.last_time,
        line_count=counts.lines if counts else None,
        record_count=counts.records if counts else None,
        levels=LevelCounts(**counts.levels) if counts else None,
        etag=read.etag,
        members=members_of(file),
    )
