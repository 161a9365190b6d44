"""The settings in force for a workspace folder, layer over layer, and what is wrong with the layers.

Built-in values, then the user's file, then the client's settings: each may loosen what came before. The
workspace's own `forge.toml` comes last. It arrived with the repository, so it may only tighten.

A faulty layer is left out as a whole and reported. Where an earlier version of it was good, that version
stays in force, so that a slip of the pen in `forge.toml` opens nothing.
"""

import os
import sys
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

from .watched_file import Contents, FileState, Unreadable, WatchedFile

if TYPE_CHECKING:
    # Most folders have no settings of their own, and need none of this.
    from forge_protocol.settings import SettingsFile

    from .settings_parsing import Fault

T = TypeVar("T")
Severity = Literal["error", "warning", "information"]

FILE_NAME = "forge.toml"
LIMITS = {
    "max_file_read_bytes": ("tools", "read_file", "max_file_read_bytes"),
    "max_scan_bytes": ("tools", "read_file", "max_scan_bytes"),
    "cache_max_bytes": ("cache", "max_bytes"),
}
ALLOW = ("policy", "allow")


class Settings(NamedTuple):
    """What is in force for one folder."""

    max_file_read_bytes: int = 204_800
    max_scan_bytes: int = 2_097_152
    show_line_numbers: bool = True
    deny: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    workspace_deny: tuple[str, ...] = ()
    cache_max_bytes: int = 67_108_864


class Problem(NamedTuple):
    """What the person who wrote a layer should know about it."""

    file: str | None
    """How to name the layer to that person."""
    path: str | None
    """The file's absolute path; None for the client's settings."""
    line: int | None
    key: str | None
    message: str
    severity: Severity


class SettingsStore:
    """The layers of every open folder. Any thread may ask."""

    def __init__(self) -> None:
        path = user_settings_path()
        self.generation = 0
        """Grows whenever a layer changed, and only then can `problems` have changed."""
        self._user = _FileLayer(path, path, follow_links=True)
        self._client = _ClientLayer()
        self._folders: dict[str, _Folder] = {}
        self._lock = threading.Lock()

    def for_folder(self, root: str) -> Settings:
        """The settings in force now. Files that changed are read again first."""
        folder = self._folders.get(root)
        if folder is None:
            with self._lock:
                folder = self._folders.setdefault(root, _Folder(root))
        for layer in (self._user, folder.layer):
            state = layer.look()
            if state is not None:
                # Looking may block on a remote file system, so only what cannot is done under the lock.
                with self._lock:
                    self.generation += layer.take(state)
        return folder.resolve(self._user.state, self._client.state)

    def set_client(self, value: object) -> None:
        """Put the client's settings in force: decoded JSON, or None where it has none."""
        with self._lock:
            self.generation += self._client.take(value)

    def forget(self, root: str) -> None:
        """A folder was closed: its problems go with it."""
        with self._lock:
            self.generation += self._folders.pop(root, None) is not None

    def problems(self) -> list[Problem]:
        """What is wrong with the layers as they were last read."""
        with self._lock:
            folders = [folder.layer for folder in self._folders.values()]
        base = _base(self._user.state, self._client.state)
        problems = [*self._user.state.problems, *self._client.state.problems]
        for layer in folders:
            problems += layer.state.problems or _without_effect(base, layer)
        return problems


def user_settings_path() -> str:
    """Where the user's own file is, or would be. FORGE_READ_CONFIG names another one."""
    chosen = os.environ.get("FORGE_READ_CONFIG")
    if chosen:
        return os.path.abspath(chosen)
    return os.path.join(os.path.abspath(os.sep), _configuration_folder(), "forge-read", FILE_NAME)


def _configuration_folder() -> str:
    """The platform's. Relative without a home directory; taken from the current one, which may be a workspace,
    it would let a repository bring the user's settings along, so it is joined to the top of the file system.
    """
    if sys.platform == "win32":
        return os.environ.get("APPDATA", "")
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Application Support")
    chosen = os.environ.get("XDG_CONFIG_HOME", "")
    return chosen if os.path.isabs(chosen) else os.path.expanduser("~/.config")


class _State(NamedTuple):
    """What a layer says: its values, or the last good ones beside what is wrong now."""

    values: "SettingsFile | None" = None
    text: str = ""
    problems: tuple[Problem, ...] = ()


class _ClientLayer:
    def __init__(self) -> None:
        self.state = _State()

    def take(self, value: object) -> bool:
        """True if that changed anything."""
        from .settings_parsing import FaultySettings, parse_settings

        before = self.state
        try:
            self.state = _State() if value is None else _State(parse_settings(value))
        except FaultySettings as error:
            problems = _problems("the client's settings", None, error.faults)
            self.state = before._replace(problems=problems)
        return self.state != before


class _FileLayer:
    def __init__(self, path: str, name: str, *, follow_links: bool) -> None:
        self.path = path
        self.name = name
        self.state = _State()
        self._file = WatchedFile(path, follow_links=follow_links)
        self.look = self._file.look

    def take(self, state: FileState) -> bool:
        """Put what was seen in force. True if that changed anything. One thread at a time."""
        if self._file.is_outdated(state):
            return False
        is_news = self._file.is_news(state)
        if is_news:
            self.state = self._parse(state.contents)
        self._file.remember(state)
        return is_news

    def _parse(self, contents: Contents) -> _State:
        if contents is None:
            return _State()
        from .settings_parsing import Fault, FaultySettings, parse_file

        if isinstance(contents, Unreadable):
            return self._faulty(Fault(contents.reason))
        try:
            return _State(*parse_file(contents))
        except FaultySettings as error:
            return self._faulty(*error.faults)

    def _faulty(self, *faults: "Fault") -> _State:
        return self.state._replace(problems=_problems(self.name, self.path, faults))


class _Folder:
    def __init__(self, root: str) -> None:
        self.layer = _FileLayer(os.path.join(root, FILE_NAME), FILE_NAME, follow_links=False)
        self._resolved: tuple[tuple[_State, ...], Settings] = ((), Settings())

    def resolve(self, user: _State, client: _State) -> Settings:
        states = (user, client, self.layer.state)
        known, settings = self._resolved
        if known != states:
            settings = _tightened(_base(user, client), self.layer.state.values)
            self._resolved = (states, settings)
        return settings


def _problems(name: str, path: str | None, faults: "tuple[Fault, ...]") -> tuple[Problem, ...]:
    return tuple(Problem(name, path, fault.line, fault.shown_key, fault.message, "error") for fault in faults)


def _base(user: _State, client: _State) -> Settings:
    return _changed(_changed(Settings(), user.values), client.values)


def _changed(settings: Settings, values: "SettingsFile | None") -> Settings:
    if values is None:
        return settings
    read = values.tools.read_file
    return settings._replace(
        max_file_read_bytes=_given(read.max_file_read_bytes, settings.max_file_read_bytes),
        max_scan_bytes=_given(read.max_scan_bytes, settings.max_scan_bytes),
        show_line_numbers=_given(read.show_line_numbers, settings.show_line_numbers),
        deny=settings.deny + tuple(values.policy.deny),
        allow=settings.allow + tuple(values.policy.allow),
        cache_max_bytes=_given(values.cache.max_bytes, settings.cache_max_bytes),
    )


def _given(value: T | None, otherwise: T) -> T:
    return otherwise if value is None else value


def _tightened(base: Settings, values: "SettingsFile | None") -> Settings:
    if values is None:
        return base
    wanted = _changed(base, values)
    return base._replace(
        max_file_read_bytes=min(base.max_file_read_bytes, wanted.max_file_read_bytes),
        max_scan_bytes=min(base.max_scan_bytes, wanted.max_scan_bytes),
        show_line_numbers=wanted.show_line_numbers,
        workspace_deny=tuple(values.policy.deny),
        cache_max_bytes=min(base.cache_max_bytes, wanted.cache_max_bytes),
    )


def _without_effect(base: Settings, layer: _FileLayer) -> Iterator[Problem]:
    """What a workspace's file asks for and does not get."""
    values, text, _ = layer.state
    if values is None:
        return
    from .toml_lines import line_of

    if values.policy.allow:
        message = "ignored: a workspace may not allow what is denied; only your own settings may"
        yield Problem(FILE_NAME, layer.path, line_of(text, ALLOW), ".".join(ALLOW), message, "warning")
    wanted = _changed(base, values)
    for name, key in LIMITS.items():
        in_force = getattr(base, name)
        if getattr(wanted, name) > in_force:
            message = f"no effect: a workspace may only lower this limit, which is {in_force}"
            yield Problem(FILE_NAME, layer.path, line_of(text, key), ".".join(key), message, "information")
