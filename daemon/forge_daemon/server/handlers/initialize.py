"""The handshake, and what follows it."""

import logging

from lsprotocol import types

from forge_daemon.server.client import ClientCapabilities
from forge_daemon.server.session import Session, open_folders
from forge_protocol.errors import ReadError

from .configuration import SECTION, fetch_configuration

logger = logging.getLogger(__name__)


def initialize(session: Session, params: types.InitializeParams) -> None:
    session.process_id = params.process_id
    session.client.capabilities = ClientCapabilities.of(params.capabilities)
    folders = params.workspace_folders or _single_root(params)
    session.set_folders(open_folders(folders))
    session.reader.settings.set_options(params.initialization_options)


def initialized(session: Session, _params: types.InitializedParams) -> None:
    session.ready = True
    session.settings_may_have_changed()
    registrations = _registrations(session.client.capabilities)
    if registrations:
        session.client.ask(types.CLIENT_REGISTER_CAPABILITY, types.RegistrationParams(registrations=registrations))
    fetch_configuration(session)


def _single_root(params: types.InitializeParams) -> list[types.WorkspaceFolder]:
    """Older clients name one root, in one of two ways."""
    if params.root_uri:
        return [types.WorkspaceFolder(uri=params.root_uri, name="")]
    if params.root_path:
        from forge_daemon.workspace.folder import check_encodable, folder_from_path, split_anchor

        try:
            check_encodable(params.root_path)
        except ReadError as error:
            logger.warning("rootPath cannot be served: %s", error.reason)
        else:
            if split_anchor(params.root_path)[0]:
                return [types.WorkspaceFolder(uri=folder_from_path(params.root_path).uri, name="")]
            logger.warning("rootPath cannot be served: it is not absolute")
    return []


def _registrations(capabilities: ClientCapabilities) -> list[types.Registration]:
    registrations = []
    if capabilities.registers_configuration:
        registrations.append(
            types.Registration(
                id="forge-configuration",
                method=types.WORKSPACE_DID_CHANGE_CONFIGURATION,
                register_options={"section": SECTION},
            )
        )
    if capabilities.registers_watched_files:
        everything = types.FileSystemWatcher(glob_pattern="**/*")
        registrations.append(
            types.Registration(
                id="forge-watched-files",
                method=types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
                register_options=types.DidChangeWatchedFilesRegistrationOptions(watchers=[everything]),
            )
        )
    return registrations
