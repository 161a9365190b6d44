"""`window/workDoneProgress/cancel`: the person stopped what is being shown."""

from lsprotocol import types

from forge_daemon.server.session import Session


def cancel_progress(session: Session, params: types.WorkDoneProgressCancelParams) -> None:
    stop = session.client.stoppable.get(params.token)
    if stop is not None:
        stop()
