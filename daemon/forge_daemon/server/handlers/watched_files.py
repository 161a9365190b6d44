"""`workspace/didChangeWatchedFiles`: an early hint, never the truth."""

from lsprotocol import types

from forge_daemon.reading.sources.source import Progress
from forge_daemon.server.session import Session
from forge_daemon.workspace.folder import path_from_uri
from forge_daemon.workspace.settings import FILE_NAME


async def did_change_watched_files(session: Session, params: types.DidChangeWatchedFilesParams) -> None:
    paths = [path for change in params.changes if (path := path_from_uri(change.uri)) is not None]

    def forget(_: Progress) -> None:
        for path in paths:
            session.reader.forget(path)
        if any(path.endswith(f"/{FILE_NAME}") for path in paths):
            session.reader.refresh_settings()

    await session.run(forget, title="Looking at changed files", token=None)
