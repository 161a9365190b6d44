"""`workspace/didChangeWatchedFiles`: an early hint; nothing depends on it."""

from lsprotocol import types

from forge_daemon.server.session import Session
from forge_daemon.workspace.folder import path_from_uri
from forge_daemon.workspace.settings import FILE_NAME


def did_change_watched_files(session: Session, params: types.DidChangeWatchedFilesParams) -> None:
    session.follows.hurry()
    paths = (path_from_uri(change.uri) for change in params.changes)
    if any(path is not None and path.endswith(f"/{FILE_NAME}") for path in paths):
        session.refresh_settings()
