"""What the editor tells: open documents (read in place of their files), folders, changed files, cancellation."""

import logging

from lsprotocol import types

from forge_daemon.reading.files.document import Document
from forge_daemon.server.session import Session, open_folders
from forge_daemon.server.text_changes import apply_changes
from forge_daemon.workspace.folder import path_from_uri
from forge_daemon.workspace.settings import FILE_NAME

logger = logging.getLogger(__name__)


def did_open(session: Session, params: types.DidOpenTextDocumentParams) -> None:
    document = params.text_document
    path = path_from_uri(document.uri)
    if path is not None:
        session.reader.documents.put(path, Document(document.text, document.version))


def did_change(session: Session, params: types.DidChangeTextDocumentParams) -> None:
    path = path_from_uri(params.text_document.uri)
    if path is None:
        return
    buffer = session.reader.documents.at(path)
    if buffer is None:
        logger.warning("a change to a document that is not open was ignored")
        return
    text = apply_changes(buffer.text, params.content_changes, session.client.position_encoding)
    session.reader.documents.put(path, Document(text, params.text_document.version))


def did_close(session: Session, params: types.DidCloseTextDocumentParams) -> None:
    path = path_from_uri(params.text_document.uri)
    if path is not None:
        session.reader.documents.remove(path)


def did_change_folders(session: Session, params: types.DidChangeWorkspaceFoldersParams) -> None:
    removed = {path_from_uri(folder.uri) for folder in params.event.removed}
    kept = [folder for folder in session.reader.folders if folder.root not in removed]
    session.set_folders([*kept, *open_folders(params.event.added)])


def did_change_watched_files(session: Session, params: types.DidChangeWatchedFilesParams) -> None:
    """An early hint; nothing depends on it."""
    session.follows.hurry()
    paths = (path_from_uri(change.uri) for change in params.changes)
    if any(path is not None and path.endswith(f"/{FILE_NAME}") for path in paths):
        session.refresh_settings()


def cancel_progress(session: Session, params: types.WorkDoneProgressCancelParams) -> None:
    """The user cancelled work whose progress is shown."""
    stop = session.client.stoppable.get(params.token)
    if stop is not None:
        stop()
