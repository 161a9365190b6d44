"""What `tomllib` does not tell about a text: the lines of its keys, and how long its dotted keys are.

Nothing here judges the text. It is read by its outline alone, in one pass, whatever it holds.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_KEY_PART = r"""(?:"(?:[^"\\\n]|\\[^\n])*+"|'[^'\n]*+'|[A-Za-z0-9_-]++)"""
_KEY = rf"{_KEY_PART}(?:[ \t]*+\.[ \t]*+{_KEY_PART})*+"
_STATEMENT = re.compile(rf"[ \t]*+(?:\[\[?[ \t]*+(?P<table>{_KEY})|(?P<key>{_KEY})[ \t]*+=)")
_PART = re.compile(_KEY_PART)
# A string that never ends is taken to the end of its line (or of the text), so that no input is read twice.
_TOKEN = re.compile(
    r'"""(?:[^\\]|\\.)*?(?:"{3,5}|\Z)'
    r"|'''.*?(?:'{3,5}|\Z)"
    r'|"(?:[^"\\\n]|\\[^\n])*+"?'
    r"|'[^'\n]*+'?"
    r"|#[^\n]*+"
    r"|[\w-]++"
    r"|[ \t]++"
    r"|.",
    re.DOTALL,
)


class _Statement(NamedTuple):
    line: int
    key: tuple[str, ...]
    is_table: bool


def line_of(text: str, key: Sequence[str]) -> int | None:
    """The 1-based line where a key of valid TOML stands, or the one it is written into as an inline table."""
    wanted = tuple(key)
    for statement in _statements(text):
        found = statement.key
        if found[: len(wanted)] == wanted or (not statement.is_table and wanted[: len(found)] == found):
            return statement.line
    return None


def longest_key(text: str) -> int:
    """How many parts the longest dotted key has. `tomllib` takes the square of that in time."""
    longest = parts = 1
    for token in _TOKEN.finditer(text):
        first = token[0][0]
        if first == ".":
            parts += 1
            longest = max(longest, parts)
        elif not (first in "\"'-_ \t" or first.isalnum()):
            parts = 1
    return longest


def _statements(text: str) -> Iterator[_Statement]:
    table: tuple[str, ...] = ()
    position, line = 0, 1
    while position < len(text):
        start = position
        match = _STATEMENT.match(text, position)
        if match:
            position = match.end()
            if match["table"]:
                table = _parts(match["table"])
                yield _Statement(line, table, is_table=True)
            else:
                yield _Statement(line, table + _parts(match["key"]), is_table=False)
        position = _end_of_statement(text, position)
        line += text.count("\n", start, position)


def _end_of_statement(text: str, position: int) -> int:
    depth = 0
    for token in _TOKEN.finditer(text, position):
        if token[0] in ("[", "{"):
            depth += 1
        elif token[0] in ("]", "}"):
            depth -= 1
        elif token[0] == "\n" and depth <= 0:
            return token.end()
    return len(text)


def _parts(key: str) -> tuple[str, ...]:
    return tuple(_unquoted(part) for part in _PART.findall(key))


def _unquoted(part: str) -> str:
    if part[0] == '"':
        import tomllib

        return str(tomllib.loads(f"key = {part}")["key"])
    return part.strip("'")
