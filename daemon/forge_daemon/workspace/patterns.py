"""Gitignore-like patterns: `**`, `*` and `?`, everything else literal; upper and lower case are the same.

A pattern with no `/` but a last one matches at any depth, any other from the folder down. A directory that
matches covers everything below it.

Patterns may come from an untrusted repository, and a search asks for every file of a tree. So all patterns of a list
advance together, name by name, and without backtracking: a *state* is an integer with one bit for each name of each
pattern, set where that name may come next (Shift-And, with names for letters). The state of a directory serves all
files in it.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from fnmatch import translate
from functools import cached_property, lru_cache
from unicodedata import normalize

MAX_PATTERN_LENGTH = 1_024
MAX_LIST_BYTES = 65_536
MAX_WILDCARD_NAMES = 1_000
"""Names with `*` or `?` in one list: each of them is tried on every name of a path."""

_MAX_CACHED_NAMES = 1_024
_MAX_NAME_LENGTH = 255
"""In characters; file systems take no more. Normalising takes time in proportion to the square of the length."""
_WILDCARDS = re.compile(r"[*?]+")


class Patterns:
    """A list of patterns. Usable from any thread."""

    def __init__(self, patterns: Iterable[str], *, only_files: bool = False) -> None:
        """`only_files`: a pattern that does not end in `/` covers nothing below a directory of that name."""
        self._written: dict[int, str] = {}
        self._ends = self._covering_ends = start = position = 0
        names: dict[str, int] = defaultdict(int)
        for pattern in dict.fromkeys(patterns):
            check_pattern(pattern)
            start |= 1 << position
            for name in _names_of(pattern):
                names[name] |= 1 << position
                position += 1
            self._written[position] = pattern
            self._ends |= 1 << position
            if not only_files or pattern.endswith("/"):
                self._covering_ends |= 1 << position
            position += 1
        self._any_depth = names.pop("**", 0)
        self._start = start | (start & self._any_depth) << 1
        self._any_name = names.pop("*", 0)
        self._globs = [_Glob(name, bits) for name, bits in names.items() if _WILDCARDS.search(name)]
        self._literal_names = {name: bits for name, bits in names.items() if not _WILDCARDS.search(name)}
        self._suffixes = tuple({glob.suffix for glob in self._globs if glob.suffix})
        self._prefixes = tuple({glob.prefix for glob in self._globs if not glob.suffix})
        self._cached_places_of = lru_cache(_MAX_CACHED_NAMES)(self._places_of)

    def first_match(self, relative: str) -> str | None:
        """The pattern, as written, that covers a folder-relative path; None if none does."""
        *above, name = relative.split("/")
        return self.match(self.descend(above), name) if relative else None

    def descend(self, directories: Iterable[str]) -> int:
        """The state below these directories, each in the one before. 0: no pattern covers anything there."""
        state = self._start
        for name in directories:
            state = self._advance(state, name)
        return state

    def match(self, state: int, name: str) -> str | None:
        """The pattern that covers a name, given the state of its directory; `""` is the directory with all in it."""
        matched = self._advance(state, name) & self._ends if state else 0
        return self._written[(matched & -matched).bit_length() - 1] if matched else None

    def _advance(self, state: int, name: str) -> int:
        if not state:
            return 0
        is_long = len(name) > _MAX_NAME_LENGTH
        places = self._places_of(name) if is_long else self._cached_places_of(name)
        state = (state & places) << 1 | state & (self._any_depth | self._covering_ends)
        return state | (state & self._any_depth) << 1

    def _places_of(self, name: str) -> int:
        """The places in the patterns, as bits, that a name fits."""
        name = _folded(name)
        places = self._any_name | self._literal_names.get(name, 0)
        if name.endswith(self._suffixes) or name.startswith(self._prefixes):
            for glob in self._globs:
                if glob.literal in name and glob.expression.match(name):
                    places |= glob.places
        return places


class _Glob:
    """A name with wildcards."""

    def __init__(self, text: str, places: int) -> None:
        self._text = text
        self.places = places
        pieces = _WILDCARDS.split(text)
        self.prefix, self.suffix = pieces[0], pieces[-1]
        self.literal = max(pieces, key=len)
        """Each name that matches contains it, and few others do."""

    @cached_property
    def expression(self) -> re.Pattern[str]:
        # In what `translate` writes, each `*` is an atomic group: nothing backtracks.
        return re.compile(translate(self._text.replace("[", "[[]")))


def _names_of(pattern: str) -> list[str]:
    """The names of a pattern as it is matched: from the folder down, and with something below a directory."""
    names = _folded(pattern.strip("/")).split("/")
    if "/" not in pattern.removesuffix("/"):
        names.insert(0, "**")
    covers_only_what_is_below = pattern.endswith("/") or names[-1] == "**"
    while names and names[-1] == "**":
        del names[-1]
    if covers_only_what_is_below:
        names.append("*")
    return [name for name, before in zip(names, ["", *names], strict=False) if (name, before) != ("**", "**")]


def pattern_faults(patterns: list[str]) -> Iterator[tuple[int | None, str]]:
    """What is wrong with a list of patterns: the index of a pattern, or None for the list, and why."""
    if sum(len(pattern.encode("utf-8", "surrogatepass")) for pattern in patterns) > MAX_LIST_BYTES:
        yield None, f"more than {MAX_LIST_BYTES:,} bytes of patterns"
        return
    names = {name for pattern in patterns for name in pattern.split("/")}
    if sum(1 for name in names if _WILDCARDS.search(name)) > MAX_WILDCARD_NAMES:
        yield None, f"more than {MAX_WILDCARD_NAMES:,} different names with `*` or `?`"
    for index, pattern in enumerate(patterns):
        try:
            check_pattern(pattern)
        except ValueError as error:
            yield index, str(error)


def check_pattern(pattern: str) -> None:
    """Raise `ValueError`, with a message for the user, if a pattern is not valid."""
    if len(pattern) > MAX_PATTERN_LENGTH:
        raise ValueError(f"a pattern cannot be longer than {MAX_PATTERN_LENGTH:,} characters")
    if not pattern.strip("/ "):
        raise ValueError("a pattern cannot be empty")
    if pattern.startswith("!"):
        raise ValueError("a pattern cannot start with `!`: exceptions go into `policy.allow`")
    if pattern.startswith(("~/", "file:", "//", "\\\\")) or re.match(r"[A-Za-z]:[/\\]", pattern):
        raise ValueError("a pattern is relative to the workspace folder: it cannot be a path of the machine")
    if {"", ".", ".."}.intersection(pattern.removeprefix("/").removesuffix("/").split("/")):
        raise ValueError("a pattern cannot contain `//`, `.` or `..` as a name: it would never match")


def _folded(text: str) -> str:
    """Fold names that some file system treats as the same: case, composition, invisible characters."""
    if text.isascii():
        return text.lower()
    pieces = re.findall(rf"[^/]{{1,{_MAX_NAME_LENGTH}}}|/", text)
    return "".join(normalize("NFC", re.sub(_INVISIBLE, "", normalize("NFD", piece).casefold())) for piece in pieces)


# Unicode's default-ignorable code points: file systems that ignore case leave them out when they compare names.
_INVISIBLE = (
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
