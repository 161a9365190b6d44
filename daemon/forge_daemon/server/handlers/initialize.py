"""The handshake, and what follows it."""

from lsprotocol import types

from forge_daemon.server.client import ClientCapabilities
from forge_daemon.server.session import Session, open_folders

from .configuration import SECTION, fetch_configuration


def initialize(session: Session, params: types.InitializeParams) -> None:
    session.process_id = params.process_id
    session.client.capabilities = ClientCapabilities.of(params.capabilities)
    folders = list(params.workspace_folders or ())
    if not folders and params.root_uri:  # older clients name one root
        folders = [types.WorkspaceFolder(uri=params.root_uri, name="")]
    session.reader.settings.set_options(params.initialization_options)
    session.set_folders(open_folders(folders))


def initialized(session: Session, _params: types.InitializedParams) -> None:
    session.ready = True
    session.refresh_settings()
    registrations = _registrations(session.client.capabilities)
    if registrations:
        session.client.ask(types.CLIENT_REGISTER_CAPABILITY, types.RegistrationParams(registrations=registrations))
    fetch_configuration(session)


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
