"""Workspace folders that come and go."""

from lsprotocol import types

from forge_daemon.server.session import Session, open_folders


def did_change_folders(session: Session, params: types.DidChangeWorkspaceFoldersParams) -> None:
    removed = {folder.uri for folder in params.event.removed}
    kept = [folder for folder in session.reader.folders if folder.uri not in removed]
    known = {folder.uri for folder in kept}
    added = [folder for folder in open_folders(params.event.added) if folder.uri not in known]
    session.set_folders([*kept, *added])
