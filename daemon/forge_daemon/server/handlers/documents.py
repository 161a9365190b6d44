"""Open documents: the overlay over the disk."""

import logging

from lsprotocol import types

from forge_daemon.reading.files.document import Document
from forge_daemon.server.session import Session
from forge_daemon.server.text_changes import apply_changes
from forge_daemon.workspace.folder import path_from_uri

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
