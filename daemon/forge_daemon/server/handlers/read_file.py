"""`forge/readFile`."""

from collections.abc import Awaitable

from forge_daemon.requests.read_file import READ_FILE
from forge_daemon.server.session import Session
from forge_protocol.read_file import ReadFileParams, ReadFileResult


def read_file(session: Session, params: ReadFileParams) -> ReadFileResult | Awaitable[ReadFileResult]:
    return session.answer(READ_FILE, params, title="Reading", token=params.work_done_token)
