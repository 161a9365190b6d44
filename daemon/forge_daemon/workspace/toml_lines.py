"""What `tomllib` does not report about a text: the lines of its keys, and the length of its dotted keys.

The text is not validated here. Its outline is read in one pass, whatever it contains.
"""

import re
from collections.abc import Iterable, Iterator

from forge_daemon.light_typing import NamedTuple

Key = tuple[str, ...]

_KEY_PART = r"""(?:"(?:[^"\\\n]|\\[^\n])*+"|'[^'\n]*+'|[A-Za-z0-9_-]++)"""
_KEY = rf"{_KEY_PART}(?:[ \t]*+\.[ \t]*+{_KEY_PART})*+"
_STATEMENT = re.compile(rf"(?P<blank>\s*+)(?:\[\[?[ \t]*+(?P<table>{_KEY})|(?P<key>{_KEY})[ \t]*+=)?")
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
    key: Key
    is_table: bool


def lines_of(text: str, keys: Iterable[Key]) -> dict[Key, int]:
    """The 1-based lines of keys in valid TOML, or of the inline tables that contain them.

    One pass, however many keys. A key that is not there has no line.
    """
    wanted: dict[str, set[Key]] = {}
    for key in filter(None, keys):
        wanted.setdefault(key[0], set()).add(key)
    lines: dict[Key, int] = {}
    for statement in _statements(text):
        found = statement.key
        for key in list(wanted.get(found[0], ())):
            if found[: len(key)] == key or (not statement.is_table and key[: len(found)] == found):
                lines[key] = statement.line
                wanted[found[0]].remove(key)
    return lines


def longest_key(text: str) -> int:
    """How many parts the longest dotted key has. `tomllib` takes time in proportion to its square."""
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
    table: Key = ()
    position, line = 0, 1
    while position < len(text):
        match = _STATEMENT.match(text, position)
        assert match is not None  # every part of the expression may be empty
        line += match["blank"].count("\n")
        if match["table"]:
            table = _parts(match["table"])
            yield _Statement(line, table, is_table=True)
        elif match["key"]:
            yield _Statement(line, table + _parts(match["key"]), is_table=False)
        position = _end_of_statement(text, match.end())
        line += text.count("\n", match.end("blank"), position)


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


def _parts(key: str) -> Key:
    return tuple(_unquoted(part) for part in _PART.findall(key))


def _unquoted(part: str) -> str:
    if part[0] == '"' and "\\" in part:
        import tomllib

        return str(tomllib.loads(f"key = {part}")["key"])
    return part[1:-1] if part[0] in "\"'" else part
