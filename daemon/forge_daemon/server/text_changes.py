"""LSP's edits to a document's text.

A line ends in `\\n`, `\\r\\n` or `\\r` here, as LSP says, and in nothing else; positions count UTF-16 units unless
another encoding was agreed. pygls also breaks lines at form feeds and the like, and edits the wrong place.
"""

import re
from collections.abc import Sequence
from itertools import islice

from lsprotocol import types

_LINE_END = re.compile(r"\r\n|\r|\n")
_CODECS = {
    types.PositionEncodingKind.Utf8: ("utf-8", 1),
    types.PositionEncodingKind.Utf16: ("utf-16-le", 2),
    types.PositionEncodingKind.Utf32: ("utf-32-le", 4),
}


def apply_changes(
    text: str, changes: Sequence[types.TextDocumentContentChangeEvent], encoding: types.PositionEncodingKind | str
) -> str:
    for change in changes:
        if isinstance(change, types.TextDocumentContentChangePartial):
            start = _offset(text, change.range.start, encoding)
            end = _offset(text, change.range.end, encoding)
            text = text[:start] + change.text + text[max(start, end) :]
        else:
            text = change.text
    return text


def _offset(text: str, position: types.Position, encoding: types.PositionEncodingKind | str) -> int:
    """A position after the end of its line means the line's end, and one after the last line the text's."""
    start = _line_start(text, position.line)
    line_end = _LINE_END.search(text, start)
    line = text[start : line_end.start() if line_end else len(text)]
    if line.isascii():
        return start + min(position.character, len(line))
    codec, width = _CODECS[types.PositionEncodingKind(encoding)]
    units = line.encode(codec, "replace")[: position.character * width]
    return start + len(units.decode(codec, "ignore"))


def _line_start(text: str, line: int) -> int:
    if line == 0:
        return 0
    line_end = next(islice(_LINE_END.finditer(text), line - 1, None), None)
    return line_end.end() if line_end else len(text)
