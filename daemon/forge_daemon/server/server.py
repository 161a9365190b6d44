"""The language server: its features, its commands, and which of them may be used when."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from forge_daemon import __version__
from forge_daemon.rpc.dispatcher import INVALID_REQUEST, Dispatcher, Method, RpcError, method_not_found
from forge_daemon.rpc.workers import Work, Workers
from forge_protocol import PROTOCOL_VERSION
from forge_protocol.conversion import structure
from forge_protocol.errors import ReadError, invalid_argument
from forge_protocol.registry import COMMANDS, REQUESTS, Entry, Kind

from .client import Client, ProgressToken
from .handlers.configuration import did_change_configuration
from .handlers.initialize import initialize, initialized
from .handlers.notifications import (
    cancel_progress,
    did_change,
    did_change_folders,
    did_change_watched_files,
    did_close,
    did_open,
)
from .messages import NOTIFICATIONS, LspMessages
from .progress import ProgressReport
from .protocol import ForgeProtocol
from .session import Session

NOT_INITIALIZED = -32002


class ForgeServer(LanguageServer):
    """Serves what is registered in `__init__`, and nothing else."""

    protocol: ForgeProtocol

    def __init__(self) -> None:
        super().__init__("forge-read", __version__, protocol_cls=ForgeProtocol)
        self._messages = LspMessages(self.protocol.fm.converter)
        self.workers = Workers()
        self.dispatcher = self.protocol.dispatcher = Dispatcher(self, self.workers, self._messages.to_json)
        self.session = session = Session(Client(self.protocol))
        self.on_exit: Callable[[int], None] = _exit_nowhere
        """Set by the owner of the stream."""
        self._is_initialized = False
        self._is_shut_down = False

        # LSP's own. Ours are the rows of forge_protocol.registry.
        features: dict[str, Callable[[Any], Any]] = {
            types.INITIALIZE: self._initialize,
            types.INITIALIZED: partial(initialized, session),
            types.SHUTDOWN: self._shut_down,
            types.EXIT: lambda _: self.on_exit(self.exit_code),
            types.CANCEL_REQUEST: lambda params: self.dispatcher.cancel(params.id),
            types.SET_TRACE: lambda params: self._set_trace(params.value),
            types.TEXT_DOCUMENT_DID_OPEN: partial(did_open, session),
            types.TEXT_DOCUMENT_DID_CHANGE: partial(did_change, session),
            types.TEXT_DOCUMENT_DID_CLOSE: partial(did_close, session),
            types.WORKSPACE_DID_CHANGE_CONFIGURATION: partial(did_change_configuration, session),
            types.WORKSPACE_DID_CHANGE_WATCHED_FILES: partial(did_change_watched_files, session),
            types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: partial(did_change_folders, session),
            types.WINDOW_WORK_DONE_PROGRESS_CANCEL: partial(cancel_progress, session),
        }
        # pygls marks what it registers, which a bound method does not allow.
        for name, handler in features.items():
            self.feature(name)(partial(handler))
        self._methods = {name: Method(self._messages.with_types(name, run)) for name, run in features.items()}
        for entry in REQUESTS:
            self._methods[entry.name] = self._method(entry)
            self.feature(entry.name)(partial(self._methods[entry.name].run))
        self._commands = {entry.name: self._method(entry) for entry in COMMANDS}
        for name, command in self._commands.items():
            self.command(name)(partial(command.run))

    def _method(self, entry: Entry) -> Method:
        """A request or a command of ours."""
        session, function = self.session, _load(entry.function)
        # Handlers of this package work with the session, requests with its reader.
        is_handler = function.__module__.startswith(f"{__package__}.")
        run: Callable[..., Any] = partial(function, session if is_handler else session.reader)
        if entry.at_once:
            return Method(lambda given: run(structure(given, entry.params)))

        def run_on_worker(given: Any, work: Work, token: ProgressToken | None = None) -> Any:
            try:
                params: Any = structure({} if given is None and entry.kind is Kind.REQUEST else given, entry.params)
                title = entry.title or getattr(params, "name", "")
                token = token if entry.kind is Kind.COMMAND else getattr(params, "work_done_token", None)
                work.report_to(ProgressReport(session.client, token, title, work))
                return run(params, work.progress)
            except ReadError as error:
                path = given.get("path") if isinstance(given, dict) else None
                raise error.at(session.reader.name_of(path if isinstance(path, str) else "")) from None
            finally:
                session.show_problems()

        return Method(run_on_worker, on_worker=True)

    # What may be used when -----------------------------------------------------------------------

    def request(self, name: str, params: Any) -> Method:
        """For the dispatcher."""
        if self._is_shut_down:
            raise RpcError(INVALID_REQUEST, "the server is shutting down")
        if self._is_initialized == (name == types.INITIALIZE):
            if self._is_initialized:
                raise RpcError(INVALID_REQUEST, "the server is already initialized")
            raise RpcError(NOT_INITIALIZED, "the first request must be initialize")
        if name == types.WORKSPACE_EXECUTE_COMMAND:
            return self._command(params)
        method = self._methods.get(name)
        if method is None or name in NOTIFICATIONS:
            raise method_not_found(name)
        return method

    def notification(self, name: str) -> Method | None:
        """For the dispatcher."""
        is_served = self._is_initialized and not self._is_shut_down
        return self._methods.get(name) if name in NOTIFICATIONS and (is_served or name == types.EXIT) else None

    @property
    def exit_code(self) -> int:
        """The exit code if the client leaves now."""
        return 0 if self._is_shut_down else 1

    def _initialize(self, params: types.InitializeParams) -> types.InitializeResult:
        """pygls negotiates. It has no hook for experimental capabilities, so those are added here."""
        result: types.InitializeResult = _returned(self.protocol.lsp_initialize(_without_folders(params)))
        self._is_initialized = True
        self._set_trace(params.trace)
        encoding = result.capabilities.position_encoding
        self.session.client.position_encoding = encoding or types.PositionEncodingKind.Utf16
        initialize(self.session, params)
        result.capabilities.experimental = _experimental_capabilities()
        return result

    def _shut_down(self, _params: None) -> None:
        """What is running may still be answered, until `exit`."""
        self.session.follows.remove_all()
        self._is_shut_down = True

    def _set_trace(self, value: types.TraceValue | None) -> None:
        self.dispatcher.on_answered = None if value in (None, types.TraceValue.Off) else self._trace

    def _trace(self, method: str, msg_id: str | int, seconds: float) -> None:
        message = f"answered {method} ({msg_id}) in {1000 * seconds:.1f} ms"
        self.protocol.notify(types.LOG_TRACE, {"message": message})

    def _command(self, params: Any) -> Method:
        """The command that `workspace/executeCommand` names: with one object, checked like any other parameters."""
        asked = self._messages.command(params)
        command = self._commands.get(asked.command)
        if command is None:
            known = ", ".join(sorted(self._commands))
            raise invalid_argument(f"unknown command {asked.command}", hint=f"known: {known}")
        if len(asked.arguments) > 1:
            raise invalid_argument(f"{asked.command} takes one argument, an object; got {len(asked.arguments)}")
        argument = asked.arguments[0] if asked.arguments else {}
        token = {"token": asked.work_done_token} if command.on_worker else {}
        return command._replace(run=lambda _, *work: command.run(argument, *work, **token))


def _load(function: str | None) -> Any:
    """Import what a row of the registry names as `module:name`."""
    assert function is not None, "only what the server sends has no function"
    module, _, name = function.partition(":")
    return getattr(import_module(module), name)


def _without_folders(params: types.InitializeParams) -> types.InitializeParams:
    """pygls would keep a workspace of its own, which is not used here, and would fail because of one odd URI."""
    return types.InitializeParams(capabilities=params.capabilities, process_id=params.process_id)


def _returned(handshake: Any) -> Any:
    """What pygls' own handler returns. It is a generator, which yields the handler registered for the same method for
    pygls to call; here that handler is the caller."""
    try:
        while True:
            next(handshake)
    except StopIteration as end:
        return end.value


def _experimental_capabilities() -> dict[str, Any]:
    """What a client can learn about the daemon before its first request."""
    return {
        "forge": {
            "version": __version__,
            "protocol_version": PROTOCOL_VERSION,
            "requests": [entry.name for entry in REQUESTS],
            "commands": [entry.name for entry in COMMANDS],
        }
    }


def _exit_nowhere(_: int) -> None:
    raise RuntimeError("the stream is not open")
