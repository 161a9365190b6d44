"""`window/workDoneProgress/cancel`: the user cancelled work whose progress is shown."""

from lsprotocol import types

from forge_daemon.server.session import Session


def cancel_progress(session: Session, params: types.WorkDoneProgressCancelParams) -> None:
    stop = session.client.stoppable.get(params.token)
    if stop is not None:
        stop()
