"""Keeps the text of a file from controlling the terminal that shows it."""

import re

_COMMANDS = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
"""Control characters except tab and newline, and characters that change the direction of text."""
_COLOURS = "(\x1b\\[[0-9;:]*m)|\x1b\\[[0-2]?K"
"""The sequences of a coloured log: colours, and erasing the rest of a line, which programs send along with them."""
_NO_COLOUR = "\x1b[0m"


def escape_controls(text: str) -> str:
    """Replace every control character by a visible one: ESC becomes ␛."""
    return re.sub(_COMMANDS, _picture, text)


def escape_all_but_colours(line: str, *, coloured: bool) -> str:
    """Escape a line of a file, and keep its colours or remove them. They end with the line."""
    if "\x1b" not in line:
        return escape_controls(line)
    parts, end = [], 0
    for sequence in re.finditer(_COLOURS, line):
        parts += [escape_controls(line[end : sequence.start()]), sequence[1] or "" if coloured else ""]
        end = sequence.end()
    rest = escape_controls(line[end:])
    if any(parts[1::2]):
        rest = rest.removesuffix("\n") + _NO_COLOUR + "\n" * rest.endswith("\n")
    return "".join([*parts, rest])


def escape_in_json(text: str) -> str:
    """Rewrite JSON with every control character written as `\\u` and its code."""
    return re.sub(_COMMANDS, lambda character: f"\\u{ord(character[0]):04x}", text)


def _picture(command: re.Match[str]) -> str:
    code = ord(command[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"<U+{code:04X}>"
