"""Workspace folders that come and go."""

from lsprotocol import types

from forge_daemon.server.session import Session, open_folders
from forge_daemon.workspace.folder import path_from_uri


def did_change_folders(session: Session, params: types.DidChangeWorkspaceFoldersParams) -> None:
    removed = {path_from_uri(folder.uri) for folder in params.event.removed}
    kept = [folder for folder in session.reader.folders if folder.root not in removed]
    session.set_folders([*kept, *open_folders(params.event.added)])
