"""`forge/findTime`."""

from forge_daemon.reading.files.file_bytes import Progress
from forge_daemon.reading.window.find_time import find_time as find_time_in
from forge_daemon.workspace.reader import Reader
from forge_protocol.find_time import FindTimeParams, FindTimeResult

from .request import read_text


def find_time(reader: Reader, params: FindTimeParams, progress: Progress) -> FindTimeResult:
    read = read_text(reader, params, lambda snapshot, form: find_time_in(snapshot, params.time, form, progress))
    line, time, content = read.found or (None, None, None)
    return FindTimeResult(path=read.file.path, line=line, time=time, content=content, etag=read.etag)
