"""Gitignore-like patterns: `**`, `*` and `?`, everything else literal; upper and lower case are the same.

A pattern with no `/` but a last one matches at any depth, any other from the folder down. A directory that
matches covers everything below it.

Patterns may come from an untrusted repository. So all patterns of a list are matched together, in one pass over
the path and without backtracking (the Shift-And algorithm): each byte of the path costs a few operations on
integers that have about one bit for each byte of the patterns, whatever the patterns and the path are.
"""

import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property

MOST_PATTERNS = 1_000
LONGEST_PATTERN = 1_024
MOST_PATTERN_BYTES = 65_536
"""Of a whole list, in UTF-8."""

_SHORT_PATH = 1_024
_SLASH = ord("/")
_ANY_TEXT, _ONE_CHARACTER = b"*?"
_PATH_END = 256
"""Follows the last byte of every path."""
_LONGEST_NAME = 255
"""No file system takes more characters. Normalising takes the square of their number."""


class Patterns:
    """A list of patterns, compiled into one automaton."""

    def __init__(self, patterns: Iterable[str], *, only_files: bool = False) -> None:
        """`only_files`: a pattern that does not end in `/` covers nothing below a directory of that name."""
        self._written = list(dict.fromkeys(patterns))
        if not self._written:
            return
        positions = _Positions(only_files)
        self._ends = [positions.add(pattern) for pattern in self._written]
        self._start = positions.mask(positions.first)
        self._end = positions.mask(self._ends)
        # In these positions the automaton may stay while it reads on: at any byte, at any but `/`, and at the
        # bytes of one character.
        self._stay_anywhere = positions.mask(positions.any_depth)
        self._stay_in_name = self._stay_anywhere | positions.mask(positions.any_text)
        self._stay_in_character = self._stay_in_name | positions.mask(positions.after_one)
        self._not_inside_a_name = ~positions.mask(positions.only_at_names)
        one = positions.mask(positions.one_character)
        self._enter = [one if _begins_a_character(byte) else 0 for byte in range(_PATH_END + 1)]
        for byte, reached in positions.byte.items():
            self._enter[byte] |= positions.mask(reached)

    def first_match(self, relative: str) -> str | None:
        """The pattern, as written, that covers a folder-relative path; None where none does."""
        if not self._written or not relative:
            return None
        state, at_name = self._start, True
        for byte in (*_folded(_in_utf8(relative)), _PATH_END):
            moving = state if at_name else state & self._not_inside_a_name
            at_name = byte == _SLASH
            if at_name:
                staying = state & self._stay_anywhere
            elif _is_continuation(byte):
                staying = state & self._stay_in_character
            else:
                staying = state & self._stay_in_name
            state = (moving << 1) & self._enter[byte] | staying
            if matched := state & self._end:
                return self._written[self._ends.index((matched & -matched).bit_length() - 1)]
        return None


class LazyPatterns:
    """A built-in list, compiled once a path contains all literal text of a pattern: in most commands none does."""

    def __init__(self, patterns: Iterable[str], *, only_files: bool = False) -> None:
        self._written = list(patterns)
        self._only_files = only_files
        texts = (_folded(pattern).replace(b"?", b"*").replace(b"/", b"*").split(b"*") for pattern in self._written)
        self._texts = [(max(of_one, key=len), of_one) for of_one in texts]
        """Of each pattern, the longest first: it decides for most paths."""

    def first_match(self, relative: str) -> str | None:
        """As `Patterns` has it."""
        folded = _folded(_in_utf8(relative))
        # Searching for many texts in a long path may take longer than matching it.
        if len(folded) <= _SHORT_PATH and not any(
            longest in folded and all(text in folded for text in texts) for longest, texts in self._texts
        ):
            return None
        return self._compiled.first_match(relative)

    @cached_property
    def _compiled(self) -> Patterns:
        return Patterns(self._written, only_files=self._only_files)


class _Positions:
    """The positions of the automaton. A pattern has one before each of its elements, and one at its end."""

    def __init__(self, only_files: bool) -> None:
        self._name_end = (_PATH_END,) if only_files else (_SLASH, _PATH_END)
        self._count = 0
        self.first: list[int] = []
        self.byte: dict[int, list[int]] = defaultdict(list)
        """Reached by this byte from the position before."""
        self.one_character: list[int] = []
        """Reached by the first byte of any character but `/`."""
        self.after_one: list[int] = []
        """The same, while the bytes of that character continue."""
        self.any_text: list[int] = []
        """A `*` is here."""
        self.any_depth: list[int] = []
        """A `**/` is here."""
        self.only_at_names: list[int] = []
        """The same, with a name after it that has to begin where a name begins."""

    def add(self, pattern: str) -> int:
        """Add a pattern. Returns the position that is reached when it matches."""
        check_pattern(pattern)
        names = [name.decode(*_ENCODING) for name in _folded(pattern.strip("/")).split(b"/")]
        self.first.append(self._count)
        if "/" not in pattern.removesuffix("/") and names != ["**"]:
            names.insert(0, "**")
        covers_only_what_is_below = pattern.endswith("/") or names[-1] == "**"
        while names and names[-1] == "**":
            del names[-1]
        self._add_names(names)
        if not names:
            self._reach_by_one_character()
        elif covers_only_what_is_below:
            self._reach(_SLASH)
        else:
            self._reach(*self._name_end)
        self._count += 1
        return self._count - 1

    def mask(self, positions: Iterable[int]) -> int:
        bits = bytearray(self._count // 8 + 1)
        for position in positions:
            bits[position >> 3] |= 1 << (position & 7)
        return int.from_bytes(bits, "little")

    def _add_names(self, names: list[str]) -> None:
        follows_a_name = False
        for name in names:
            if follows_a_name:
                self._reach(_SLASH)
            follows_a_name = name != "**"
            if follows_a_name:
                self._add_name(name)
            elif not self.any_depth or self.any_depth[-1] != self._count:
                self.any_depth.append(self._count)
                self.only_at_names.append(self._count)

    def _add_name(self, name: str) -> None:
        # What `**/*` leaves out may end anywhere, also inside a name.
        if name.startswith("*") and self.only_at_names[-1:] == [self._count]:
            del self.only_at_names[-1]
        for byte in name.encode(*_ENCODING):
            if byte == _ANY_TEXT:
                self.any_text.append(self._count)
            elif byte == _ONE_CHARACTER:
                self._reach_by_one_character()
            else:
                self._count += 1
                self.byte[byte].append(self._count)

    def _reach(self, *bytes_: int) -> None:
        self._count += 1
        for byte in bytes_:
            self.byte[byte].append(self._count)

    def _reach_by_one_character(self) -> None:
        self._count += 1
        self.one_character.append(self._count)
        self.after_one.append(self._count)


def check_patterns(patterns: list[str]) -> Iterator[tuple[int | None, str]]:
    """What is wrong with a list of patterns: the index of a pattern, or None for the list, and why."""
    if len(patterns) > MOST_PATTERNS:
        yield None, f"more than {MOST_PATTERNS:,} patterns"
    if sum(len(pattern.encode(*_ENCODING)) for pattern in patterns) > MOST_PATTERN_BYTES:
        yield None, f"more than {MOST_PATTERN_BYTES:,} bytes of patterns"
    for index, pattern in enumerate(patterns):
        try:
            check_pattern(pattern)
        except ValueError as error:
            yield index, str(error)


def check_pattern(pattern: str) -> None:
    """Raise `ValueError`, with a message for the user, if a pattern is not valid."""
    if len(pattern) > LONGEST_PATTERN:
        raise ValueError(f"a pattern cannot be longer than {LONGEST_PATTERN:,} characters")
    if not pattern.strip("/ "):
        raise ValueError("a pattern cannot be empty")
    if pattern.startswith("!"):
        raise ValueError("a pattern cannot start with `!`: exceptions go into `policy.allow`")
    if pattern.startswith(("~/", "file:", "//", "\\\\")) or _has_drive(pattern):
        raise ValueError("a pattern is relative to the workspace folder: it cannot be a path of the machine")
    if {"", ".", ".."}.intersection(pattern.removeprefix("/").removesuffix("/").split("/")):
        raise ValueError("a pattern cannot contain `//`, `.` or `..` as a name: it would never match")


def _has_drive(path: str) -> bool:
    return path[1:3] in (":/", ":\\") and path[0].isascii() and path[0].isalpha()


_ENCODING = ("utf-8", "surrogatepass")


def _in_utf8(path: str) -> str:
    """A path decoded as UTF-8, whatever encoding this process uses for names."""
    if path.isascii() or sys.getfilesystemencoding() == "utf-8":
        return path
    return os.fsencode(path).decode("utf-8", "surrogateescape")


def _folded(text: str) -> bytes:
    """Fold names that some file system treats as the same: case, composition, invisible characters."""
    if text.isascii():
        return text.lower().encode()
    import re
    from unicodedata import normalize

    pieces = re.findall(rf"[^/]{{1,{_LONGEST_NAME}}}|/", text)
    folded = (normalize("NFC", re.sub(_INVISIBLE, "", normalize("NFD", piece).casefold())) for piece in pieces)
    return "".join(folded).encode(*_ENCODING)


_INVISIBLE = (
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Unicode's default-ignorable code points: file systems that ignore case leave them out when they compare names."""


def _is_continuation(byte: int) -> bool:
    return 0x80 <= byte < 0xC0


def _begins_a_character(byte: int) -> bool:
    return byte not in (_SLASH, _PATH_END) and not _is_continuation(byte)
