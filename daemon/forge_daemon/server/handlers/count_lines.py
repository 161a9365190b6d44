"""`forge/countLines`."""

from collections.abc import Awaitable

from forge_daemon.requests.count_lines import COUNT_LINES
from forge_daemon.server.session import Session
from forge_protocol.count_lines import CountLinesParams, CountLinesResult


def count_lines(session: Session, params: CountLinesParams) -> CountLinesResult | Awaitable[CountLinesResult]:
    return session.answer(COUNT_LINES, params, title="Counting lines", token=params.work_done_token)
