"""How a file is to be understood, and how it was."""

from typing import NamedTuple

from .compressions import Compression
from .encodings.encoding import Encoding


class TextForm(NamedTuple):
    """How a file is to be understood."""

    encoding: Encoding | None = None
    """None: as detected."""
    candidates: tuple[Encoding, ...] = ()
    """What it may be in that is not UTF-8, where it is detected."""
    decompress: bool = False
    strip_ansi: bool = False
    max_temporary_bytes: int = 8 * 1024**3
    """For texts that are unpacked into temporary files, in the whole process; 0: never."""


class Format(NamedTuple):
    """What a file that holds text is in."""

    encoding: Encoding
    has_bom: bool
    compression: Compression | None
