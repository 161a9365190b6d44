"""`forge/readFiles`."""

from collections.abc import Awaitable

from forge_daemon.requests.read_files import read_files as read
from forge_daemon.server.session import Session
from forge_protocol.read_files import ReadFilesParams, ReadFilesResult


def read_files(session: Session, params: ReadFilesParams) -> Awaitable[ReadFilesResult]:
    return session.run(
        lambda reader, progress: read(reader, params, progress),
        title=f"Reading {len(params.files)} files",
        token=params.work_done_token,
    )
