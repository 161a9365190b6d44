"""`forge/readFiles`."""

from collections.abc import Awaitable

from forge_daemon.requests.read_files import READ_FILES
from forge_daemon.server.session import Session
from forge_protocol.read_files import ReadFilesParams, ReadFilesResult


def read_files(session: Session, params: ReadFilesParams) -> ReadFilesResult | Awaitable[ReadFilesResult]:
    return session.answer(READ_FILES, params, title=f"Reading {len(params.files)} files", token=params.work_done_token)
