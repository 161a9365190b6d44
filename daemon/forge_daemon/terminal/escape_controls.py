"""Keeps the text of a file from controlling the terminal that shows it."""

import re

_COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Control characters except tab and newline, and characters that change the direction of text."""


def escape_controls(text: str) -> str:
    """Replace every control character by a visible one: ESC becomes ␛."""
    return _COMMANDS.sub(_picture, text)


def escape_in_json(text: str, *, ascii_only: bool) -> str:
    """The same JSON with every control character, or all but ASCII, written as `\\u` and its code."""
    escaped = _COMMANDS.sub(_escape, text)
    return re.sub(r"[^\x00-\x7f]", _escape, escaped) if ascii_only else escaped


def _escape(character: re.Match[str]) -> str:
    units = character[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))


def _picture(command: re.Match[str]) -> str:
    code = ord(command[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"<U+{code:04X}>"
