"""Terminal escape sequences (ECMA-48): left out of a text, so that the rest is what a terminal shows.

A sequence lies within one line. The rest contains no ESC: of a sequence that is unfinished or too long, only the
introducer is left out.
"""

from functools import cache

from forge_daemon.light_typing import TYPE_CHECKING

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

ESC = "\x1b"
LONGEST_SEQUENCE = 5000
"""In characters, rounded up."""
_LONGEST_STRING = 4096
"""The most characters that OSC, DCS and the like may carry."""
_STRING = rf"{{0,{_LONGEST_STRING}}}"

_SEQUENCE = rf"""(?x)\x1b(?:
      \[ [0-?]{{0,256}} [\ -/]{{0,16}} [@-~]          # CSI: colours, cursor movements
    | \] [^\x07\x1b\n]{_STRING} (?: \x07 | \x1b\\ )  # OSC: titles, links
    | [PX^_] [^\x1b\n]{_STRING} \x1b\\               # DCS, SOS, PM, APC
    | [\ -/]{{1,16}} [0-~]                           # such as the choice of a character set
    | [0-~]?                                         # two characters; and what is none of these
    )"""
_STRIPPED = r"(?x) \x1b+ (?=\x1b) | " + _SEQUENCE.removeprefix("(?x)")
"""The same, with what has an ESC after each of its own in one match."""
_BOUNDARY = r"\n|\x1b(?!\\)"
"""Where no sequence continues: only the end of a string has an ESC inside one, with a backslash after it."""
_PIECE = 32 * 1024
"""Characters stripped in one call, which keeps other threads waiting: `re` does not release the GIL."""
_UNFINISHED = rf"""(?x)\x1b(?:
      \[ [0-?]{{0,256}} [\ -/]{{0,16}}
    | \] [^\x07\x1b\n]{_STRING} \x1b?
    | [PX^_] [^\x1b\n]{_STRING} \x1b?
    | [\ -/]{{0,16}}
    )\Z"""


# Compiled, and `re` imported, on first use: most files contain no sequence.
@cache
def _compiled(pattern: str) -> "re.Pattern[str]":
    import re

    return re.compile(pattern)


def strip(text: str) -> str:
    """The text without its sequences. A text that has none is returned as it is."""
    if ESC not in text:
        return text
    sequence = _compiled(_STRIPPED)
    return "".join([sequence.sub("", piece) for piece in _pieces(text)])


def _pieces(text: str) -> "Iterator[str]":
    start = 0
    while len(text) - start > _PIECE:
        boundary = _compiled(_BOUNDARY).search(text, start + _PIECE)
        end = boundary.start() if boundary else len(text)
        yield text[start:end]
        start = end
    yield text[start:]


def length_of_shown(text: str, shown: int) -> int:
    """How many characters of `text` hold the first `shown` visible ones, with the sequences before each."""
    end = 0
    for sequence in _compiled(_SEQUENCE).finditer(text):
        before = sequence.start() - end
        if shown <= before:
            break
        shown -= before
        end = sequence.end()
    return end + shown


def end_of_first(text: str) -> int:
    """Where the sequence at the start of the text ends; 0 if there is none."""
    sequence = _compiled(_SEQUENCE).match(text)
    return sequence.end() if sequence else 0


def end_of_finished(text: str) -> int:
    """Where a sequence starts that the text's end may have cut; else the text's length.

    A sequence at the very start is not considered: something must precede the cut.
    """
    if ESC not in text:
        return len(text)
    unfinished = _compiled(_UNFINISHED).search(text, max(1, len(text) - LONGEST_SEQUENCE))
    return unfinished.start() if unfinished else len(text)
