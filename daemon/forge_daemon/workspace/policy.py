"""What may be read. Secrets are denied from the start; settings add to that or make exceptions."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache

from forge_daemon.light_typing import NamedTuple
from forge_protocol.errors import ErrorCode, ReadError

from .built_in_policy import BUILT_IN_ALLOW, BUILT_IN_DENY
from .patterns import LazyPatterns, Patterns
from .private_keys import holds_private_key
from .remembered import Remembered

OWN_SETTINGS = "your own settings"
"""In the hint of every denial that the user's own settings can lift."""

_REMEMBERED_BYTES = 512 * 1024
_SHARED_LISTS = 8
_COMPRESSED = ".gz"
_SWAP_FILES = ("swo", "swp")
_COPIES = ("bak", "backup", "copy", "old", "orig", "save", "tmp", "gz", "bz2", "xz", "zst", *_SWAP_FILES)


class _Denial(NamedTuple):
    pattern: str
    by_workspace: bool


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
        """`roots`: every absolute path of the folder. `closed_by`: why it is not known what the workspace denies."""
        self._deny = _compiled(tuple(deny))
        self._allow = _compiled(tuple(allow))
        self._workspace_deny = Patterns(workspace_deny)
        self.roots = tuple(roots)
        self._roots = tuple(dict.fromkeys(root.strip("/") for root in self.roots))
        self._closed_by = closed_by
        self._remembered = Remembered[_Denial | None](_REMEMBERED_BYTES)

    def check(self, relative: str, *, asked: str) -> None:
        """Raise `POLICY_DENIED` where `relative` is denied: the path asked for, or the one it leads to."""
        if self._closed_by is not None:
            raise ReadError(
                ErrorCode.POLICY_DENIED,
                f"the policy of this workspace folder is not known: {self._closed_by}",
                path=asked,
                hint="correct that file; nothing in the folder is read until then",
            )
        denial = self._denial(relative)
        if denial is None:
            return
        subject = "reading it" if relative == asked else "reading the file it leads to"
        raise ReadError(
            ErrorCode.POLICY_DENIED,
            f"{subject} is denied by the pattern {denial.pattern!r}",
            path=asked,
            hint=_how_to_allow(relative, denial),
        )

    def check_contents(self, relative: str, read: Callable[[int], bytes], *, asked: str) -> bool:
        """Raise `POLICY_DENIED` where the file holds a private key. `read(n)` gives its first `n` bytes.

        Returns whether it holds none: a key that is allowed now may be denied later.
        """
        if not holds_private_key(relative, read):
            return True
        if self._allow.first_match(relative) is None:
            raise ReadError(
                ErrorCode.POLICY_DENIED,
                "reading it is denied: it holds a private key",
                path=asked,
                hint=_how_to_allow(relative),
            )
        return False

    def _denial(self, relative: str) -> _Denial | None:
        try:
            return self._remembered[relative]
        except KeyError:
            is_allowed = self._allow.first_match(relative) is not None
            judged = (self._judge(spelling, is_allowed) for spelling in _uncompressed(relative))
            denial = next(filter(None, judged), None)
        self._remembered.remember(relative, denial)
        return denial

    def _judge(self, relative: str, is_allowed: bool) -> _Denial | None:
        """`is_allowed`: whether the name asked for is allowed."""
        pattern = self._workspace_deny.first_match(relative)
        if pattern is not None:
            return _Denial(pattern, by_workspace=True)
        pattern = self._deny.first_match(relative) or self._built_in_denial(relative)
        if pattern is None or is_allowed or self._allow.first_match(relative) is not None:
            return None
        return _Denial(pattern, by_workspace=False)

    def _built_in_denial(self, relative: str) -> str | None:
        paths = (f"{root}/{relative}" if root else relative for root in self._roots)
        return next(filter(None, map(_built_in_denial, paths)), None)


def denial_outside(path: str) -> str | None:
    """The pattern that denies a path outside every folder. Only the built-in ones are not relative to a folder."""
    return next(filter(None, map(_built_in_denial, _uncompressed(path.strip("/")))), None)


def _built_in_denial(path: str) -> str | None:
    names = tuple(_originals(path))
    pattern = next(filter(None, map(_built_in_deny().first_match, names)), None)
    if pattern is None or pattern.endswith("/") or not any(map(_built_in_allow().first_match, names)):
        return pattern
    return None


def _uncompressed(relative: str) -> Iterator[str]:
    """A path, and the path without the suffix of a compressed file."""
    yield relative
    if relative.lower().endswith(_COMPRESSED):
        yield relative[: -len(_COMPRESSED)]


def _originals(path: str) -> Iterator[str]:
    """A path, and the paths of files that it may be a copy of, or a copy of a copy."""
    yield path
    for original in _copied_from(path):
        yield original
        yield from _copied_from(original)


def _copied_from(path: str) -> Iterator[str]:
    folder, slash, name = path.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    ending = ending.casefold()
    is_number = ending.isdecimal() and len(ending) <= 2
    if dot and (ending in _COPIES or is_number):
        yield f"{folder}{slash}{stem}"
    if name.endswith("~"):
        yield path[:-1]
    if ending in _SWAP_FILES and stem.startswith(".") and stem != ".":
        yield f"{folder}{slash}{stem[1:]}"
    if name.startswith("#") and name.endswith("#") and len(name) > 2:
        yield f"{folder}{slash}{name[1:-1]}"
    # Browsers and file managers put a mark before the last dot, or after a name without one.
    for marked, rest in ((stem, name[len(stem) :]), (name, "")) if " " in name else ():
        if original := _without_copy_mark(marked):
            yield f"{folder}{slash}{original}{rest}"


def _without_copy_mark(name: str) -> str:
    """The name without ` (1)`, ` copy`, ` copy 2`, ` - Copy`, ` (another copy)` or `Copy of `; "" where it has none."""
    words = name.split(" ")
    if [word.casefold() for word in words[:2]] == ["copy", "of"]:
        return " ".join(words[2:])
    if len(words) > 1 and words[-1].isdecimal():
        del words[-1]
    if words[-1].casefold() == "copy":
        return " ".join(words[:-1]).removesuffix(" -")
    original, _, mark = name.rpartition(" (")
    mark = mark.casefold()
    return original if mark.endswith("copy)") or (mark.endswith(")") and mark[:-1].isdecimal()) else ""


@lru_cache(maxsize=_SHARED_LISTS)
def _compiled(patterns: tuple[str, ...]) -> Patterns:
    """The user's lists are the same for every folder, so they are compiled once."""
    return Patterns(patterns)


@cache
def _built_in_deny() -> LazyPatterns:
    return LazyPatterns(BUILT_IN_DENY, only_files=True)


@cache
def _built_in_allow() -> LazyPatterns:
    return LazyPatterns(BUILT_IN_ALLOW, only_files=True)


def _how_to_allow(relative: str, denial: _Denial | None = None) -> str:
    if denial is not None and denial.by_workspace:
        return "the workspace's own forge.toml denies it: only a change of its policy.deny can allow it"
    quoted = relative.replace("\\", "\\\\").replace('"', '\\"')
    return f'to allow it, add "/{quoted}" to policy.allow in {OWN_SETTINGS}, not in the workspace\'s file'
