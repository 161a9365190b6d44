"""What may be read. Secrets are denied from the start; settings add to that or make exceptions."""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from typing import NamedTuple

from forge_daemon.reading.texts.compressions import name_without_ending
from forge_protocol.errors import ErrorCode, ReadError

from .built_in_policy import BUILT_IN_ALLOW, BUILT_IN_DENY
from .copied_names import originals
from .patterns import Patterns
from .private_keys import TOKEN_FILES, ReadStart, holds_private_key, holds_token
from .settings import user_settings_path

_MAX_CACHED_PATHS = 256
_MAX_CACHED_LENGTH = 1_024
_BUILT_IN_DENY = Patterns(BUILT_IN_DENY, only_files=True)
_BUILT_IN_ALLOW = Patterns(BUILT_IN_ALLOW, only_files=True)
_TOKEN_FILES = Patterns(TOKEN_FILES, only_files=True)
_USER_CAN_ALLOW = "only the user can allow it"


class PolicyDenied(ReadError):
    """`hint` is for agents too and does not say how to allow the file; `how_to_allow` is for the user."""

    def __init__(self, reason: str, *, path: str, hint: str, how_to_allow: str) -> None:
        super().__init__(ErrorCode.POLICY_DENIED, reason, path=path, hint=hint)
        self.how_to_allow = how_to_allow


class Denial(NamedTuple):
    """Why a path may not be read."""

    pattern: str | None
    """None: the policy itself is not known."""
    reason: str
    by_workspace: bool = False

    def error(self, relative: str, asked: str) -> PolicyDenied:
        """`relative`: the path that is denied, which is the one asked for or the one that leads to."""
        if self.pattern is None:
            hint = "nothing is read until that is corrected"
            return PolicyDenied(self.reason, path=asked, hint=hint, how_to_allow=hint)
        subject = "reading it" if relative == asked else "reading the file it leads to"
        reason = f"{subject} is denied by the {self.reason}"
        if not self.by_workspace:
            return PolicyDenied(reason, path=asked, hint=_USER_CAN_ALLOW, how_to_allow=_how_to_allow(relative))
        only_so = "the workspace's own forge.toml denies it: only a change of its policy.deny can allow it"
        return PolicyDenied(reason, path=asked, hint=_USER_CAN_ALLOW, how_to_allow=only_so)


class _States(NamedTuple):
    """How far the patterns of each list got above a directory."""

    workspace_deny: int
    deny: int
    allow: int
    built_in: tuple[tuple[int, int], ...]
    """Those of the built-in lists, deny and allow, for each root."""


class Policy:
    """The deny and allow patterns in force for one workspace folder.

    A workspace's own deny patterns override everything. The others, the user's and the built-in ones, are overridden
    by the user's allow patterns. Built-in patterns apply to whole paths: `credentials` is a secret in a folder called
    `.aws`. All others are relative to the folder.
    """

    def __init__(
        self,
        deny: Iterable[str] = (),
        allow: Iterable[str] = (),
        workspace_deny: Iterable[str] = (),
        *,
        roots: Iterable[str] = ("",),
        closed_by: str | None = None,
    ) -> None:
        """`roots`: every absolute path of the folder. `closed_by`: why it is not known what else is denied."""
        self._deny = Patterns(deny)
        self._allow = Patterns(allow)
        self._workspace_deny = Patterns(workspace_deny)
        self.roots = tuple(roots)
        self._closed_by = closed_by
        self._cached_denial = lru_cache(_MAX_CACHED_PATHS)(self._find_denial)

    def check(self, relative: str, *, asked: str) -> None:
        """Raise `PolicyDenied` if `relative` is denied: the path asked for, or the one it leads to."""
        denial = self.denial(relative)
        if denial is not None:
            raise denial.error(relative, asked)

    def check_contents(self, relative: str, read: ReadStart, *, asked: str) -> None:
        """Raise `PolicyDenied` if the file holds a private key or a token. `read(n)` gives its first `n` bytes."""
        if holds_private_key(relative, read):
            secret = "a private key"
        elif _is_token_file(relative) and holds_token(read):
            secret = "a token or a password"
        else:
            return
        if self._allow.first_match(relative) is None:
            reason = f"reading it is denied: it holds {secret}"
            raise PolicyDenied(reason, path=asked, hint=_USER_CAN_ALLOW, how_to_allow=_how_to_allow(relative))

    def denial(self, relative: str) -> Denial | None:
        """Why a path may not be read; None if it may. One that ends in `/` is a directory."""
        return self._cached_denial(relative) if len(relative) <= _MAX_CACHED_LENGTH else self._find_denial(relative)

    def denies_all_below(self, directory: str) -> bool:
        """Whether nothing in a directory, however deep, may be read. False if that is not certain."""
        denial = self.denial(f"{directory}/" if directory else "")
        if denial is None or self._closed_by is not None or denial.by_workspace:
            return denial is not None
        return not self._states(directory).allow

    def _find_denial(self, relative: str) -> Denial | None:
        directory, _, name = relative.rpartition("/")
        states = self._states(directory)
        if not relative:  # the folder itself lies in no folder, but on a whole path
            states = states._replace(workspace_deny=0, deny=0, allow=0)
        return self._denial_in(states, name)

    def denials_in(self, directory: str) -> Callable[[str], Denial | None]:
        """`denial` for the names of files in a directory."""
        return partial(self._denial_in, self._states(directory))

    def _denial_in(self, states: _States, name: str) -> Denial | None:
        is_allowed = self._allow.match(states.allow, name) is not None
        for spelling in _uncompressed(name):
            denial = self._judge(states, spelling, is_allowed)
            if denial is not None:
                return denial
        return None if self._closed_by is None else Denial(None, f"the policy is not known: {self._closed_by}")

    def _judge(self, states: _States, name: str, is_allowed: bool) -> Denial | None:
        """`is_allowed`: whether the name asked for is allowed."""
        if (pattern := self._workspace_deny.match(states.workspace_deny, name)) is not None:
            return Denial(pattern, f"pattern {pattern!r}", by_workspace=True)
        if is_allowed or self._allow.match(states.allow, name) is not None:
            return None
        if (pattern := self._deny.match(states.deny, name)) is not None:
            return Denial(pattern, f"pattern {pattern!r}")
        return _built_in_denial(states.built_in, name)

    def _states(self, directory: str) -> _States:
        names = directory.split("/") if directory else []
        roots = dict.fromkeys(root.strip("/") for root in self.roots)
        whole_paths = ([*filter(None, root.split("/")), *names] for root in roots)
        return _States(
            self._workspace_deny.descend(names),
            self._deny.descend(names),
            self._allow.descend(names),
            tuple((_BUILT_IN_DENY.descend(path), _BUILT_IN_ALLOW.descend(path)) for path in whole_paths),
        )


def denial_outside(path: str) -> Denial | None:
    """Why a path outside every folder may not be read. Only the built-in patterns are not relative to a folder."""
    *above, name = path.strip("/").split("/")
    states = ((_BUILT_IN_DENY.descend(above), _BUILT_IN_ALLOW.descend(above)),)
    return next(filter(None, (_built_in_denial(states, spelling) for spelling in _uncompressed(name))), None)


def _built_in_denial(states: tuple[tuple[int, int], ...], name: str) -> Denial | None:
    names = originals(name)
    for deny, allow in states:
        for each in names:
            if (pattern := _BUILT_IN_DENY.match(deny, each)) is None:
                continue
            if pattern.endswith("/") or not any(_BUILT_IN_ALLOW.match(allow, each) for each in names):
                return Denial(pattern, f"pattern {pattern!r} ({BUILT_IN_DENY[pattern]})")
            break  # an exception for one name of a file holds for all of them
    return None


def _is_token_file(relative: str) -> bool:
    name = relative.rpartition("/")[2]
    lower = name.lower()
    if name.isascii() and "npmrc" not in lower and "yarnrc" not in lower:
        return False  # a file system may take another name for one of these only if it is not ASCII
    return any(map(_TOKEN_FILES.first_match, originals(name)))


def _uncompressed(name: str) -> Iterator[str]:
    """A name, and the name without the suffix of a compressed file."""
    yield name
    if (decompressed := name_without_ending(name)) is not None:
        yield decompressed


def _how_to_allow(relative: str) -> str:
    quoted = relative.replace("\\", "\\\\").replace('"', '\\"')
    return f'to allow it, add "/{quoted}" to policy.allow in your own settings, {user_settings_path()}'
