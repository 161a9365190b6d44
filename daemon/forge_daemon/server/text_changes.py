"""LSP's edits to a document's text.

A line ends in `\\n`, `\\r\\n` or `\\r` here, as LSP says, and in nothing else; positions count UTF-16 units unless
another encoding was agreed. pygls also breaks lines at form feeds and the like, and edits the wrong place.
"""

import re
from collections.abc import Sequence

from lsprotocol import types

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_ENDS = ("\r", "\n")
_CODECS = {
    types.PositionEncodingKind.Utf8: ("utf-8", 1),
    types.PositionEncodingKind.Utf16: ("utf-16-le", 2),
    types.PositionEncodingKind.Utf32: ("utf-32-le", 4),
}


def apply_changes(
    text: str, changes: Sequence[types.TextDocumentContentChangeEvent], encoding: types.PositionEncodingKind | str
) -> str:
    """The text after all changes. To replace a word everywhere, an editor sends thousands of them at once."""
    lines: list[str] | None = None
    for change in changes:
        if isinstance(change, types.TextDocumentContentChangePartial):
            if lines is None:
                lines = _lines_to_the_end(text)
            _replace(lines, change.range, change.text, encoding)
        else:
            text, lines = change.text, None
    return text if lines is None else "".join(lines)


def _replace(lines: list[str], range_: types.Range, text: str, encoding: types.PositionEncodingKind | str) -> None:
    start = _position(lines, range_.start, encoding)
    end = max(start, _position(lines, range_.end, encoding))
    (first, before), (last, after) = start, end
    edited = f"{lines[first][:before]}{text}{lines[last][after:]}"
    if first:  # it may end in a `\r` that the `\n` of the new text belongs to
        first -= 1
        edited = lines[first] + edited
    is_end = last == len(lines) - 1
    lines[first : last + 1] = _lines_to_the_end(edited) if is_end else _lines(edited)


def _position(
    lines: list[str], position: types.Position, encoding: types.PositionEncodingKind | str
) -> tuple[int, int]:
    """A position after the end of its line means the line's end, and one after the last line the text's."""
    if position.line >= len(lines):
        return len(lines) - 1, len(lines[-1])
    line = lines[position.line].rstrip("\r\n")
    if line.isascii():
        return position.line, min(position.character, len(line))
    codec, width = _CODECS[types.PositionEncodingKind(encoding)]
    units = line[: position.character].encode(codec, "replace")[: position.character * width]
    return position.line, len(units.decode(codec, "ignore"))


def _lines_to_the_end(text: str) -> list[str]:
    """The last line is the one that does not end, if only an empty one."""
    lines = _lines(text)
    if not lines or lines[-1].endswith(_ENDS):
        lines.append("")
    return lines


def _lines(text: str) -> list[str]:
    """With their ends."""
    lines = text.splitlines(keepends=True)
    number = text.count("\n") + text.count("\r") - text.count("\r\n") + (not text.endswith(_ENDS) and text != "")
    # Python breaks lines at other characters, too. Where there are none this is the fastest way.
    return lines if len(lines) == number else _LINE.findall(text)
