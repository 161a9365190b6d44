"""The settings in force for a workspace folder, layer over layer, and what is wrong with the layers.

Built-in values, then the user's file, then the client's settings: each may loosen what came before. The
workspace's own `forge.toml` comes last. It arrived with the repository, so it may only tighten.

The faulty keys of a layer are left out and reported. A mistake in `forge.toml` must not allow anything: if the
file is not TOML, or its policy is not understood, its last good version stays in force, and if there was none,
nothing in that folder is read.
"""

import os
import sys
from _thread import allocate_lock as Lock
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from operator import attrgetter
from types import MappingProxyType

from forge_daemon.light_typing import TYPE_CHECKING, Any, Literal, NamedTuple
from forge_protocol import built_in

from .storage import IsLocal
from .watched_file import Contents, FileState, MustWait, Unreadable, WatchedFile

if TYPE_CHECKING:
    # Most folders have no settings of their own, and need none of this.
    from forge_protocol.settings import Setting, SettingsFile

    from .settings_parsing import Fault, Parsed
    from .toml_lines import Key

Severity = Literal["error", "warning", "information"]

FILE_NAME = "forge.toml"


class Settings(NamedTuple):
    """The settings in force for one folder."""

    max_file_read_bytes: int = built_in.MAX_FILE_READ_BYTES
    max_scan_bytes: int = built_in.MAX_SCAN_BYTES
    show_line_numbers: bool = True
    deny: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    workspace_deny: tuple[str, ...] = ()
    cache_max_bytes: int = built_in.CACHE_MAX_BYTES
    encodings: tuple[str, ...] | None = None
    """What a file may be that is not UTF-8, in the order in which it is tried."""
    closed_by: str | None = None
    """Why nothing may be read: what the workspace denies is not known."""


class Problem(NamedTuple):
    """A mistake in a layer, for the user who wrote it."""

    file: str | None
    """How to name the layer to that person."""
    path: str | None
    """The file's absolute path; None for the client's settings."""
    line: int | None
    key: str | None
    message: str
    severity: Severity


class SettingsStore:
    """The layers of every open folder. Usable from any thread."""

    def __init__(self) -> None:
        path = user_settings_path()
        self.generation = 0
        """Grows whenever a layer changed, and only then can `problems` have changed."""
        self._user = _FileLayer(path, path, follow_links=True)
        self._options = _ClientLayer()
        self._client = _ClientLayer()
        self._trusted = (self._user, self._options, self._client)
        self._folders: dict[str, _Folder] = {}
        self._lock = Lock()

    def for_folder(self, root: str, leads_to: str | None = None) -> Settings:
        """The settings in force now. Files that changed are read again first: that may take a moment.

        `leads_to`: where the root led when the folder was opened. Its own file is the one there.
        """
        folder = self._folder(root, leads_to)
        for layer in (self._user, folder.layer):
            state = layer.file.look_briefly()
            if state is not None:
                self._take(layer, state)
        return folder.resolve(self._trusted)

    def known_for(self, root: str, leads_to: str | None = None, local_now: IsLocal | None = None) -> Settings | None:
        """The settings in force now; None where they must be read first, which `for_folder` does."""
        folder = self._folder(root, leads_to)
        for layer in (self._user, folder.layer):
            try:
                state = layer.file.look_inline(local_now)
            except MustWait:
                return None
            if state is not None:
                if layer.file.is_news(state):
                    return None
                self._take(layer, state)
        return folder.resolve(self._trusted)

    def _take(self, layer: "_FileLayer", state: FileState) -> None:
        if layer.take(state):
            with self._lock:
                self.generation += 1

    def _folder(self, root: str, leads_to: str | None) -> "_Folder":
        folder = self._folders.get(root)
        if folder is None:
            with self._lock:
                folder = self._folders.setdefault(root, _Folder(root))
        folder.lead_to(leads_to or root)
        return folder

    def set_options(self, value: object) -> None:
        """Apply the client's `initializationOptions`: decoded JSON, or None."""
        with self._lock:
            self.generation += self._options.take(value)

    def set_client(self, value: object) -> None:
        """Apply the client's settings, over its options: decoded JSON, or None."""
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
        base = _base(self._trusted)
        problems = [problem for layer in self._trusted for problem in layer.state.problems]
        for layer in folders:
            problems += (*layer.state.problems, *_without_effect(base, layer))
        return list(dict.fromkeys(problems))


def user_settings_path() -> str:
    """Where the user's own file is, or would be. FORGE_READ_CONFIG names another one."""
    chosen = os.environ.get("FORGE_READ_CONFIG")
    if chosen:
        return os.path.abspath(chosen)
    return os.path.join(os.path.abspath(os.sep), _configuration_folder(), "forge-read", FILE_NAME)


def _configuration_folder() -> str:
    """The platform's folder for settings. Relative without a home directory: joined to the current directory, which
    may be a workspace, it would let a repository supply the user's settings, so it is joined to the file system root.
    """
    if sys.platform == "win32":
        return os.environ.get("APPDATA", "")
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Application Support")
    chosen = os.environ.get("XDG_CONFIG_HOME", "")
    return chosen if os.path.isabs(chosen) else os.path.expanduser("~/.config")


class _State(NamedTuple):
    """The values of a layer, with the last good ones in place of what is wrong now."""

    values: "SettingsFile | None" = None
    problems: tuple[Problem, ...] = ()
    lines: "Mapping[Key, int]" = MappingProxyType({})
    closed_by: Problem | None = None
    """What makes its policy unknown. None where it is known, now or from an earlier version."""

    @property
    def has_policy(self) -> bool:
        return self.values is not None and self.closed_by is None


class _Layer:
    """One source of settings."""

    def __init__(self, name: str, path: str | None = None) -> None:
        self.name = name
        self.path = path
        self.state = _State()

    def _taken(self, parse: "Callable[[], Parsed]") -> _State:
        from attrs import evolve

        from .settings_parsing import NotSettings

        before = self.state
        try:
            values, faults, policy_fault, lines = parse()
        except NotSettings as error:
            problem = self._problem(error.fault)
            return before._replace(problems=(problem,), closed_by=None if before.has_policy else problem)
        problems = tuple(map(self._problem, faults))
        if policy_fault is None:
            return _State(values, problems, lines)
        if before.values is not None and before.has_policy:
            return _State(evolve(values, policy=before.values.policy), problems, lines)
        return _State(values, problems, lines, self._problem(policy_fault))

    def _problem(self, fault: "Fault") -> Problem:
        return Problem(self.name, self.path, fault.line, fault.shown_key, fault.message, fault.severity)


class _ClientLayer(_Layer):
    def __init__(self) -> None:
        super().__init__("the client's settings")

    def take(self, value: object) -> bool:
        """Apply new values. True if that changed anything."""
        from .settings_parsing import parse_settings

        before = self.state
        self.state = _State() if value is None else self._taken(lambda: parse_settings(value))
        return self.state != before


class _FileLayer(_Layer):
    def __init__(self, path: str, name: str, *, follow_links: bool) -> None:
        super().__init__(name, path)
        self.file = WatchedFile(path, follow_links=follow_links)
        self._taking = Lock()
        """Of this file alone: to understand a hostile one takes time for which no other folder should wait."""

    def take(self, state: FileState) -> bool:
        """Apply what was read. True if that changed anything."""
        with self._taking:
            if self.file.is_outdated(state):
                return False
            is_news = self.file.is_news(state)
            if is_news:
                self.state = self._parse(state.contents)
            self.file.remember(state)
            return is_news

    def _parse(self, contents: Contents) -> _State:
        if contents is None:
            return _State()
        from .settings_parsing import Fault, NotSettings, parse_file

        def parse() -> "Parsed":
            if isinstance(contents, Unreadable):
                raise NotSettings(Fault(contents.reason))
            return parse_file(contents)

        return self._taken(parse)


class _Folder:
    def __init__(self, root: str) -> None:
        self._root = root
        self.layer = _FileLayer(os.path.join(root, FILE_NAME), FILE_NAME, follow_links=False)
        self._resolved: tuple[tuple[_State, ...], Settings] = ((), Settings())

    def lead_to(self, root: str) -> None:
        """Its own file is the one at this root from now on."""
        if root != self._root:
            self._root = root
            self.layer.file.watch(os.path.join(root, FILE_NAME))

    def resolve(self, layers: "Sequence[_Layer]") -> Settings:
        states = (*map(_state_of, layers), self.layer.state)
        known, settings = self._resolved
        if known != states:
            settings = _tightened(_base(layers), self.layer.state)
            self._resolved = (states, settings)
        return settings


_state_of: "Callable[[_Layer], _State]" = attrgetter("state")


def _base(layers: "Sequence[_Layer]") -> Settings:
    return reduce(_changed, (layer.state.values for layer in layers), Settings())


def _changed(settings: Settings, values: "SettingsFile | None") -> Settings:
    """The settings after a layer of the user's own: it overrides what came before, and lists are extended."""
    if values is None:
        return settings
    from forge_protocol.settings import Workspace

    changes = {}
    for setting, value in _given_in(values):
        before = getattr(settings, setting.in_force)
        changes[setting.in_force] = before + value if setting.workspace is Workspace.EXTENDS else value
    return settings._replace(**changes)


def _tightened(base: Settings, state: _State) -> Settings:
    """The settings after the workspace's own file, which may only tighten them."""
    settings = base._replace(closed_by=None if state.closed_by is None else sentence(state.closed_by))
    if state.values is None:
        return settings
    from forge_protocol.settings import Workspace

    changes = {}
    for setting, value in _given_in(state.values):
        name, before = setting.in_force, getattr(base, setting.in_force)
        match setting.workspace:
            case Workspace.LOWERS:
                changes[name] = min(before, value)
            case Workspace.EXTENDS:
                changes[f"workspace_{name}"] = value
            case Workspace.SETS:
                changes[name] = value
            case Workspace.SUGGESTS:
                changes[name] = value if before is None else before
            case Workspace.IGNORED:
                pass
    return settings._replace(**changes)


def _given_in(values: "SettingsFile") -> "Iterator[tuple[Setting, Any]]":
    """The settings that a layer has, with their values."""
    from forge_protocol.settings import declared_settings

    for setting in declared_settings():
        value = setting.given_in(values)
        if value is not None:
            yield setting, tuple(value) if isinstance(value, list) else value


def sentence(problem: Problem) -> str:
    """The problem as one sentence, with file, line and key."""
    where = f"{problem.file}, line {problem.line}" if problem.line else problem.file
    return ": ".join(part for part in (where, problem.key, problem.message) if part)


def _without_effect(base: Settings, layer: _FileLayer) -> Iterator[Problem]:
    """The settings in a workspace's file that have no effect."""
    values, _, lines, _ = layer.state
    if values is None:
        return
    from forge_protocol.settings import Workspace

    severity: Severity
    for setting, value in _given_in(values):
        in_force = getattr(base, setting.in_force)
        if setting.workspace is Workspace.IGNORED and value:
            message = "ignored: a workspace may not allow what is denied; only your own settings may"
            severity = "warning"
        elif setting.workspace is Workspace.LOWERS and value > in_force:
            message = f"no effect: a workspace may only lower this limit, which is {in_force}"
            severity = "information"
        else:
            continue
        yield Problem(FILE_NAME, layer.path, lines.get(setting.key), ".".join(setting.key), message, severity)
