"""The settings in force for a workspace folder, layer over layer, and what is wrong with the layers.

Built-in values, then the user's file, then the client's settings: each may loosen what came before. The
workspace's own `forge.toml` comes last. It arrived with the repository, so it may only tighten.

The faulty keys of a layer are left out and reported. A mistake in a policy must not allow anything: if a file is not
TOML, or a policy is not understood, its last good version stays in force, and if there was none, nothing is read. A
file that is being saved may be empty or missing for a moment: a policy stays in force for as long as that is recent.
"""

import errno
import os
import stat
import sys
import time
from collections.abc import Iterator, Mapping
from threading import Lock
from typing import Any, Literal, NamedTuple

from forge_daemon.daemon_threads import with_timeout
from forge_protocol import built_in

from .folder import normal_path

# `settings_parsing` is imported when there is something to parse: that takes longer than to print most files.

FILE_NAME = "forge.toml"
USER_CHECK_SECONDS = 1.0
"""A change of the user's own file takes effect within this time."""
MAX_WAIT_SECONDS = 1.0
"""For the storage of the user's file. Storage that works answers sooner."""

MAX_FILE_BYTES = 256 * 1024
SAVING_NS = 2_000_000_000
"""A file that was changed less than this ago may be being saved."""

Severity = Literal["error", "warning"]
Values = Mapping[str, Any]
"""The settings of a layer, by attribute of `Settings`."""


class Settings(NamedTuple):
    """The settings in force for one folder."""

    max_file_read_bytes: int = built_in.MAX_FILE_READ_BYTES
    max_scan_bytes: int = built_in.MAX_SCAN_BYTES
    show_line_numbers: bool = True
    agent_max_chars: int = built_in.AGENT_MAX_CHARS
    deny: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    workspace_deny: tuple[str, ...] = ()
    cache_max_bytes: int = built_in.CACHE_MAX_BYTES
    max_temporary_bytes: int = built_in.MAX_TEMPORARY_BYTES
    encodings: tuple[str, ...] | None = None
    """What a file may be that is not UTF-8, in the order in which it is tried."""
    closed_by: str | None = None
    """Why nothing may be read: it is not known what else a layer denies."""


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


class Parsed(NamedTuple):
    """What can be used of a layer, and what is wrong with the rest."""

    values: Values | None
    """None: nothing was understood."""
    problems: tuple[Problem, ...] = ()
    policy_problem: Problem | None = None
    """Why it is not known what the layer denies."""


_NOTHING = Parsed(None)
_POLICY = ("deny", "allow")


class SettingsStore:
    """The layers of every open folder. Usable from any thread."""

    def __init__(self) -> None:
        path = user_settings_path()
        self._user = _FileLayer(f"the user's {os.path.basename(path)}", path, is_trusted=True)
        self._user_checked = 0.0
        self._options = _Layer("the client's settings", None)
        self._client = _Layer("the client's settings", None)
        self._folders: dict[str, _FileLayer] = {}
        self._resolved: dict[str, tuple[tuple[Parsed, ...], Settings]] = {}
        self._lock = Lock()

    def for_folder(self, root: str, leads_to: str | None = None) -> Settings:
        """The settings in force now. Files are read again first: that may block.

        `leads_to`: where the root led when the folder was opened. Its own file is the one there.
        """
        with self._lock:
            layer = self._folders.get(root)
            if layer is None:
                layer = self._folders[root] = _FileLayer(FILE_NAME, os.path.join(root, FILE_NAME), is_trusted=False)
        self._refresh_user()
        layer.refresh(os.path.join(leads_to or root, FILE_NAME))
        return self._resolve(root, layer)

    def set_options(self, value: object) -> None:
        """Apply the client's `initializationOptions`: decoded JSON, or None."""
        self._options.apply(_parsed(value))

    def set_client(self, value: object) -> None:
        """Apply the client's settings, over its options: decoded JSON, or None."""
        self._client.apply(_parsed(value))

    def forget(self, root: str) -> None:
        """A folder was closed: its problems go with it."""
        with self._lock:
            self._resolved.pop(root, None)
            self._folders.pop(root, None)

    def problems(self) -> list[Problem]:
        """What is wrong with the layers as they were last read."""
        with self._lock:
            layers = [*self._trusted(), *self._folders.values()]
        problems = [problem for layer in layers for problem in layer.problems()]
        if self._user_checked and not self._user.was_read:
            problems.append(self._user.own(_problem("cannot be read: its storage does not answer")))
        return list(dict.fromkeys(problems))

    def _trusted(self) -> "tuple[_Layer, ...]":
        return self._user, self._options, self._client

    def _resolve(self, root: str, layer: "_FileLayer") -> Settings:
        states = self._user.state, self._options.state, self._client.state, layer.state
        known = self._resolved.get(root)
        if known is not None and known[0] == states:
            return known[1]
        settings = Settings()
        if any(state.values for state in states):
            from .settings_parsing import in_force

            settings = in_force([state.values or {} for state in states[:-1]], layer.state.values or {})
        closed_by = (each.closed_by() for each in (*self._trusted(), layer))
        settings = settings._replace(closed_by=next(filter(None, closed_by), None))
        with self._lock:
            if self._folders.get(root) is layer:
                self._resolved[root] = states, settings
        return settings

    def _refresh_user(self) -> None:
        """Bounded in time: a home directory may be on storage that does not answer, and nobody asked for it.

        That takes another thread, so the file is looked at once a second at most.
        """
        now, user = time.monotonic(), self._user
        if user.was_read and now < self._user_checked + USER_CHECK_SECONDS:
            return
        with_timeout(lambda: user.refresh(user.path), MAX_WAIT_SECONDS, user.path)
        self._user_checked = now


def _parsed(value: object) -> Parsed:
    if value is None:
        return _NOTHING
    from .settings_parsing import parse_settings

    return parse_settings(value)


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


class _Layer:
    """One source of settings: its values, with the last good ones in place of what is wrong now."""

    def __init__(self, name: str, path: str | None) -> None:
        self.state = _NOTHING
        self._name = name
        self._shown_path = path

    def problems(self) -> Iterator[Problem]:
        return map(self.own, self.state.problems)

    def closed_by(self) -> str | None:
        """Why it is not known what this layer denies, in words for any client: no path of the machine."""
        problem = self.state.policy_problem
        return None if problem is None else sentence(self.own(problem))

    def apply(self, parsed: Parsed) -> None:
        """Use what is understood."""
        before = self.state
        if parsed.values is None and parsed.problems:
            parsed = parsed._replace(values=before.values)
        if before.values is not None and before.policy_problem is None and parsed.policy_problem is not None:
            policy = {name: value for name, value in before.values.items() if name in _POLICY}
            others = {name: value for name, value in (parsed.values or {}).items() if name not in _POLICY}
            parsed = parsed._replace(values=policy | others, policy_problem=None)
        self.state = parsed

    def own(self, problem: Problem) -> Problem:
        return problem._replace(file=self._name, path=self._shown_path)


class Unreadable(NamedTuple):
    """A file that could not be read, and why."""

    reason: str
    is_there: bool = True
    """False: not even that could be found out."""


_LINK = Unreadable("a symbolic link, which is not followed")
_OTHER_KIND = Unreadable("not a regular file")

Contents = bytes | Unreadable | None
"""None: there is no such file."""


class _FileLayer(_Layer):
    def __init__(self, name: str, path: str, *, is_trusted: bool) -> None:
        super().__init__(name, path)
        self.path = path
        self.was_read = False
        self._is_trusted = is_trusted
        self._contents: Contents = None
        self._lock = Lock()
        """For this file alone: parsing a hostile one takes time for which no other folder should wait."""

    def refresh(self, path: str) -> None:
        """Read the file again, which may be at another path by now. May block."""
        with self._lock:
            contents = read_settings(path, follow_links=self._is_trusted)
            if self.was_read and contents == self._contents:
                return
            is_blank = contents is None or (isinstance(contents, bytes) and not contents.strip())
            if is_blank and self._has_policy() and is_being_saved(path):
                return
            self._contents = contents
            self.apply(self._parsed(contents))
            self.was_read = True

    def _has_policy(self) -> bool:
        return any((self.state.values or {}).get(name) for name in _POLICY)

    def _parsed(self, contents: Contents) -> Parsed:
        if contents is None:
            return _NOTHING
        if isinstance(contents, Unreadable):
            problem = _problem(contents.reason)
            # A home directory that may not be entered is not a policy that cannot be understood.
            is_policy_unknown = contents.is_there or not self._is_trusted
            return Parsed(None, (problem,), problem if is_policy_unknown else None)
        from .settings_parsing import parse_file

        return parse_file(contents, is_trusted=self._is_trusted)


def _problem(message: str) -> Problem:
    return Problem(None, None, None, None, message, "error")


def sentence(problem: Problem) -> str:
    """The problem as one sentence, with file, line and key."""
    where = f"{problem.file}, line {problem.line}" if problem.line else problem.file
    return ": ".join(part for part in (where, problem.key, problem.message) if part)


def read_settings(path: str, *, follow_links: bool) -> Contents:
    """What the file holds now. May block."""
    status = None
    try:
        status = os.stat(path, follow_symlinks=follow_links)
        if not stat.S_ISREG(status.st_mode):
            return _LINK if stat.S_ISLNK(status.st_mode) else _OTHER_KIND
        return _read_regular(path, follow_links=follow_links)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if error.errno == errno.ELOOP and not follow_links:
            return _LINK
        return Unreadable(f"cannot be read: {error.strerror}", is_there=status is not None)


def is_being_saved(path: str) -> bool:
    """Whether the file, or its directory if there is none, changed so recently that it may be incomplete."""
    for place in (path, os.path.dirname(path)):
        try:
            status = os.stat(place)
        except OSError:
            continue
        # Times of a file can be set, but on POSIX not the time of its change.
        changed = status.st_mtime_ns if sys.platform == "win32" else status.st_ctime_ns
        return changed > time.time_ns() - SAVING_NS
    return False


def _read_regular(path: str, *, follow_links: bool) -> Contents:
    """What was a regular file a moment ago may be a FIFO or a link by now."""
    if sys.platform == "win32":
        from .windows_entries import open_path

        # It shares everything: an editor may replace the file meanwhile.
        descriptor = open_path(normal_path(path), follow_links=follow_links)
    else:
        flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
        descriptor = os.open(path, flags if follow_links else flags | os.O_NOFOLLOW)
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return _OTHER_KIND
        contents = file.read(MAX_FILE_BYTES + 1)
    return contents if len(contents) <= MAX_FILE_BYTES else Unreadable("larger than 256 KiB")
