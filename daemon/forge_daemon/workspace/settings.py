"""The settings in force for a workspace folder, layer over layer, and what is wrong with the layers.

Built-in values, then the user's file, then the client's settings: each may loosen what came before. The
workspace's own `forge.toml` comes last. It arrived with the repository, so it may only tighten.

The faulty keys of a layer are left out and reported. A mistake in a policy must not allow anything: if a file is not
TOML, or a policy is not understood, its last good version stays in force, and if there was none, nothing is read. A
file that is being saved may be incomplete or missing for a moment: a policy stays in force for as long as that is
recent.
"""

import os
import stat
import sys
import time
from collections.abc import Mapping
from threading import Lock
from typing import Any, Literal, NamedTuple

from forge_daemon.daemon_threads import with_timeout
from forge_protocol import built_in

from .sandbox import open_settings
from .walk import release

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

    file: str | None = None
    """How to name the layer to that person."""
    path: str | None = None
    """The file's absolute path; None for the client's settings."""
    line: int | None = None
    key: str | None = None
    message: str = ""
    severity: Severity = "error"


class Parsed(NamedTuple):
    """What can be used of a layer, and what is wrong with the rest."""

    values: Values | None = None
    """None: nothing was understood, or there is nothing."""
    problems: tuple[Problem, ...] = ()
    policy_problem: Problem | None = None
    """Why it is not known what the layer denies."""

    @property
    def policy(self) -> Values:
        return {name: value for name, value in (self.values or {}).items() if name in _POLICY}


_NOTHING = Parsed()
_POLICY = ("deny", "allow")


def not_understood(message: str, line: int | None = None) -> Parsed:
    """For a layer of which not even the policy is known."""
    problem = Problem(line=line, message=message)
    return Parsed(None, (problem,), problem)


class SettingsStore:
    """The layers of every open folder. Usable from any thread."""

    def __init__(self) -> None:
        path = user_settings_path()
        self._user = _Layer(f"the user's {os.path.basename(path)}", path)
        self._user_checked = 0.0
        self._options = _Layer("the client's settings")
        self._client = _Layer("the client's settings")
        self._trusted = self._user, self._options, self._client
        self._folders: dict[str, _Layer] = {}
        self._lock = Lock()

    def for_folder(self, root: str, leads_to: str | None = None) -> Settings:
        """The settings in force now. Files are read again first: that may block.

        `leads_to`: where the root led when the folder was opened. Its own file is the one there.
        """
        with self._lock:
            layer = self._folders.get(root)
            if layer is None:
                layer = self._folders[root] = _Layer(FILE_NAME, os.path.join(root, FILE_NAME))
        self._refresh_user()
        layer.refresh(os.path.join(leads_to or root, FILE_NAME), follow_links=False)
        states = *(each.state for each in self._trusted), layer.state
        if layer.in_force is None or layer.in_force[0] != states:
            layer.in_force = states, _in_force(states)
        return layer.in_force[1]

    def set_options(self, value: object) -> None:
        """Apply the client's `initializationOptions`: decoded JSON, or None."""
        self._options.apply(_parsed(value))

    def set_client(self, value: object) -> None:
        """Apply the client's settings, over its options: decoded JSON, or None."""
        self._client.apply(_parsed(value))

    def forget(self, root: str) -> None:
        """A folder was closed: its problems go with it."""
        with self._lock:
            self._folders.pop(root, None)

    def problems(self) -> list[Problem]:
        """What is wrong with the layers as they were last read."""
        with self._lock:
            layers = *self._trusted, *self._folders.values()
        problems = [problem for layer in layers for problem in layer.state.problems]
        if self._user_checked and not self._user.was_read:
            problems.append(self._user.own(Problem(message="cannot be read: its storage does not answer")))
        return list(dict.fromkeys(problems))

    def _refresh_user(self) -> None:
        """Bounded in time: a home directory may be on storage that does not answer, and nobody asked for it.

        That takes another thread, so the file is looked at once a second at most.
        """
        now, user, path = time.monotonic(), self._user, self._user.path or ""
        if user.was_read and now < self._user_checked + USER_CHECK_SECONDS:
            return
        with_timeout(lambda: user.refresh(path, follow_links=True), MAX_WAIT_SECONDS, path)
        self._user_checked = now


def _parsed(value: object) -> Parsed:
    if value is None:
        return _NOTHING
    from .settings_parsing import parse_settings

    return parse_settings(value)


def _in_force(states: tuple[Parsed, ...]) -> Settings:
    settings = Settings()
    if any(state.values for state in states):
        from .settings_parsing import in_force

        settings = in_force([state.values or {} for state in states])
    problem = next(filter(None, (state.policy_problem for state in states)), None)
    # In words for any client: no path of the machine.
    return settings if problem is None else settings._replace(closed_by=sentence(problem))


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

    def __init__(self, name: str, path: str | None = None) -> None:
        self.path = path
        self.state = _NOTHING
        self.in_force: tuple[tuple[Parsed, ...], Settings] | None = None
        """Of a workspace's layer: all layers, and what they come to."""
        self.was_read = False
        self._name = name
        self._contents: bytes | Parsed = b""
        self._lock = Lock()
        """For this file alone: parsing a hostile one takes time for which no other folder should wait."""

    def apply(self, parsed: Parsed) -> None:
        """Use what is understood."""
        before = self.state
        values, problems, policy_problem = parsed.values, tuple(map(self.own, parsed.problems)), parsed.policy_problem
        if policy_problem is not None:
            policy_problem = self.own(policy_problem)
        if values is None and problems:
            values = before.values
        if policy_problem is not None and before.values is not None and before.policy_problem is None:
            others = {name: value for name, value in (values or {}).items() if name not in _POLICY}
            values, policy_problem = {**others, **before.policy}, None
        self.state = Parsed(values, problems, policy_problem)

    def own(self, problem: Problem) -> Problem:
        return problem._replace(file=self._name, path=self.path)

    def refresh(self, path: str, *, follow_links: bool) -> None:
        """Read the file again, which may be at another path by now. May block. A file of links is the user's own."""
        with self._lock:
            contents = read_settings(path, follow_links=follow_links)
            if self.was_read and contents == self._contents:
                return
            parsed = contents
            if isinstance(parsed, bytes):
                from .settings_parsing import parse_file

                parsed = parse_file(parsed, is_trusted=follow_links)
            is_gone = any(self.state.policy.values()) and not any(parsed.policy.values())
            place = os.path.realpath(path) if follow_links else path
            if is_gone and parsed.policy_problem is None and is_being_saved(place):
                return
            self._contents = contents
            self.apply(parsed)
            self.was_read = True


def sentence(problem: Problem) -> str:
    """The problem as one sentence, with file, line and key."""
    where = f"{problem.file}, line {problem.line}" if problem.line else problem.file
    return ": ".join(part for part in (where, problem.key, problem.message) if part)


def read_settings(path: str, *, follow_links: bool) -> bytes | Parsed:
    """What the file holds now, or why that is not known. May block."""
    status = None
    try:
        status = os.stat(path, follow_symlinks=follow_links)
        opened = open_settings(path, follow_links=follow_links)
        if isinstance(opened, str):
            return not_understood("a symbolic link, which is not followed")
        try:
            if not stat.S_ISREG(os.fstat(opened).st_mode):
                return not_understood("not a regular file")
            with open(opened, "rb", closefd=False) as file:
                contents = file.read(MAX_FILE_BYTES + 1)
        finally:
            release(opened)
    except (FileNotFoundError, NotADirectoryError):
        return _NOTHING
    except OSError as error:
        unreadable = not_understood(f"cannot be read: {error.strerror}")
        # A home directory that may not be entered is not a policy that cannot be understood.
        return unreadable._replace(policy_problem=None) if follow_links and status is None else unreadable
    return contents if len(contents) <= MAX_FILE_BYTES else not_understood("larger than 256 KiB")


def is_being_saved(path: str) -> bool:
    """Whether the file or link, or its directory if there is none, is so new that it may be incomplete."""
    for place in (path, os.path.dirname(path)):
        try:
            status = os.stat(place, follow_symlinks=place != path)
        except OSError:
            continue
        # Times of a file can be set, but on POSIX not the time of its change.
        changed = status.st_mtime_ns if sys.platform == "win32" else status.st_ctime_ns
        return changed > time.time_ns() - SAVING_NS
    return False
