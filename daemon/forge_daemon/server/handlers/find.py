"""`forge/find`."""

from collections.abc import Awaitable

from forge_daemon.requests.find import find as search
from forge_daemon.server.session import Session
from forge_protocol.find import FindParams, FindResult


def find(session: Session, params: FindParams) -> Awaitable[FindResult]:
    return session.run(
        lambda reader, progress: search(reader, params, progress),
        title="Searching",
        token=params.work_done_token,
    )
