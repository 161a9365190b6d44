"""Gitignore-like patterns: `**`, `*` and `?`, everything else literal; upper and lower case are the same.

A pattern with no `/` but a last one matches at any depth, any other from the folder down. A directory that
matches covers everything below it. Patterns may come from a repository nobody vetted, so none can make
matching run away: what a `*` or `**` has found first is never reconsidered.
"""

import re
from collections.abc import Iterable

_ANY_DEPTH = "(?:[^/]+/)*?"
_DIRECTORY_END = "(?=/)"
_NAME_END = r"(?=/|\Z)"


class Patterns:
    """A list of patterns, compiled into one expression."""

    def __init__(self, patterns: Iterable[str]) -> None:
        floating: list[str] = []
        anchored: list[str] = []
        self._written: list[str] = []
        parsed = [(_parse(pattern), pattern) for pattern in dict.fromkeys(patterns)]
        for (floats, expression), pattern in sorted(parsed, key=lambda item: not item[0][0]):
            (floating if floats else anchored).append(f"({expression})")
            self._written.append(pattern)
        # Those that match at any depth share one prefix: compiling is what a short-lived process pays for.
        expressions = [f"{_ANY_DEPTH}(?:{'|'.join(floating)})"] if floating else []
        self._expression = re.compile("|".join(expressions + anchored)) if parsed else None

    def first_match(self, relative: str) -> str | None:
        """The pattern, as written, that covers a folder-relative path; None where none does."""
        if self._expression is None or not relative:
            return None
        match = self._expression.match(_folded(relative))
        return None if match is None or match.lastindex is None else self._written[match.lastindex - 1]


def check_pattern(pattern: str) -> None:
    """Raise `ValueError`, with a sentence for whoever wrote it, where a pattern cannot mean anything."""
    if not pattern.strip("/ "):
        raise ValueError("a pattern cannot be empty")
    if pattern.startswith("!"):
        raise ValueError("a pattern cannot start with `!`: exceptions go into `policy.allow`")
    if re.match(r"[A-Za-z]:[/\\]|~/|file:|//|\\\\", pattern):
        raise ValueError("a pattern is relative to the workspace folder: it cannot be a path of the machine")
    if {"", ".", ".."}.intersection(pattern.removeprefix("/").removesuffix("/").split("/")):
        raise ValueError("a pattern cannot contain `//`, `.` or `..` as a name: it would never match")


def _parse(pattern: str) -> tuple[bool, str]:
    """Whether a pattern may start at any depth, and its expression from where it starts."""
    check_pattern(pattern)
    segments = _folded(pattern).removeprefix("/").removesuffix("/").split("/")
    floats = "/" not in pattern.removesuffix("/") or segments[0] == "**"
    end = _DIRECTORY_END if pattern.endswith("/") or segments[-1] == "**" else _NAME_END
    runs = _runs_between_double_stars(segments)
    if not runs:
        return floats, "[^/]"
    # Where a run is found first leaves the most room for what follows, so the first find is kept (atomic).
    first, *later = [f"{run}/" for run in runs[:-1]] + [runs[-1] + end]
    return floats, first + "".join(f"(?>{_ANY_DEPTH}{run})" for run in later)


def _runs_between_double_stars(segments: list[str]) -> list[str]:
    runs: list[list[str]] = [[]]
    for segment in segments:
        if segment == "**":
            runs.append([])
        else:
            runs[-1].append(_segment_expression(segment))
    return ["/".join(run) for run in runs if run]


def _segment_expression(segment: str) -> str:
    first, *rest = (_without_stars(text) for text in re.split(r"\*+", segment))
    if not rest:
        return first
    *middle, last = rest
    return first + "".join(f"(?>[^/]*?{text})" for text in middle) + f"[^/]*{last}"


def _without_stars(text: str) -> str:
    return "".join("[^/]" if character == "?" else re.escape(character) for character in text)


def _folded(text: str) -> str:
    """Names that a case-insensitive, normalising file system takes for the same are the same here."""
    if text.isascii():
        return text.lower()
    from unicodedata import normalize

    return normalize("NFC", normalize("NFC", text).casefold())
