"""`forge/find`."""

from collections.abc import Awaitable

from forge_daemon.requests.find import FIND
from forge_daemon.server.session import Session
from forge_protocol.find import FindParams, FindResult


def find(session: Session, params: FindParams) -> FindResult | Awaitable[FindResult]:
    return session.answer(FIND, params, title="Searching", token=params.work_done_token)
