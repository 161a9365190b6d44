"""Strips terminal escape sequences (ECMA-48), so that the rest is what a terminal shows.

A sequence lies within one line. The rest contains no ESC: of a sequence that is unfinished or too long, only the
introducer is left out.
"""

import re
from collections.abc import Iterator

from .derived import Point, Stage, Step
from .source import End, Input

BLOCK = 32 * 1024
"""Bytes stripped together, during which other threads wait: `re` does not release the GIL."""
MAX_SEQUENCE = 17_000
"""Bytes, rounded up."""
_ESC = b"\x1b"
_CSI_START = rb"\[ [0-?]{0,256} [\ -/]{0,16}"
# Up to 4,096 characters: of each, a first byte and what continues it.
_OSC_START = rb"\] (?: [^\x07\x1b\n] [\x80-\xbf]{0,3}+ ){0,4096}"
_STRING_START = rb"[PX^_] (?: [^\x1b\n] [\x80-\xbf]{0,3}+ ){0,4096}"
_CSI = rb"(?x) \x1b" + _CSI_START + rb"[@-~]"
_SEQUENCE = (
    rb"(?x) \x1b+ (?=\x1b) | \x1b (?:"
    rb"  " + _CSI_START + rb" [@-~]"  # colours, cursor movements
    rb"| " + _OSC_START + rb" (?: \x07 | \x1b\\ )"  # titles, links
    rb"| " + _STRING_START + rb" \x1b\\"  # DCS, SOS, PM, APC
    rb"| [\ -/]{1,16} [0-~]"  # such as the choice of a character set
    rb"| [0-~]?"  # two characters; and what is none of these
    rb")"
)
_UNFINISHED = (
    rb"(?x) \x1b (?: " + _CSI_START + rb" | (?: " + _OSC_START + rb" | " + _STRING_START + rb" ) \x1b?"
    rb" | [\ -/]{0,16} ) \Z"
)


def strip(text: bytes) -> bytes:
    """The text without its sequences."""
    if _ESC not in text:
        return text
    stripped = re.sub(_CSI, b"", text)
    if _ESC not in stripped:
        return stripped
    # There are others too. The whole grammar takes several times as long, and only some lines need it.
    if b"\n" in text:
        return b"\n".join([strip(line) for line in text.split(b"\n")])
    return re.sub(_SEQUENCE, b"", text)


def end_of_finished(text: bytes) -> int:
    """Where a sequence starts that the text's end may have cut; else the text's length."""
    start = max(text.rfind(b"\n") + 1, len(text) - MAX_SEQUENCE)
    unfinished = re.search(_UNFINISHED, text[start:])
    return start + unfinished.start() if unfinished else len(text)


class StripAnsi(Stage):
    """The stage. A restart point is an offset of the source outside of a sequence."""

    def steps(self, source: Input, start: Point) -> Iterator[Step | End]:
        offset: int = start.state or 0
        while True:
            block = source.read_at(offset, BLOCK)
            if length := end_of_finished(block):
                offset += length
                yield Step(strip(block[:length]), offset)
            else:
                end = source.end()
                yield End(strip(block + end.flush), end.failure)
