"""Compressions: one row of the table and one file each, whose name is the format's. Nothing else knows the formats."""

import re
from importlib import import_module
from typing import NamedTuple

from .decompress import MAGIC_BYTES, Decompress, Library


class Compression(NamedTuple):
    name: str
    magic: bytes
    """How a file begins, and each of its members: an expression."""
    ending: str
    package: str
    """What to install where the library is missing."""


COMPRESSIONS = (
    Compression("gzip", rb"\x1f\x8b\x08", ".gz", "a Python with zlib"),
    # The second is that of a frame to skip, as pzstd writes before each of its own.
    Compression("zstd", rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18", ".zst", "backports.zstd"),
    Compression("xz", rb"\xfd7zXZ\0", ".xz", "a Python with lzma"),
    Compression("bzip2", rb"BZh[1-9](?:1AY&SY|\x17\x72\x45\x38\x50\x90)", ".bz2", "a Python with bz2"),
)
_ANY_MAGIC = re.compile(b"|".join(b"(%b)" % each.magic for each in COMPRESSIONS), re.DOTALL)
_ENDINGS = tuple(each.ending for each in COMPRESSIONS)


def compression_of(start: bytes) -> Compression | None:
    """By a file's first bytes."""
    found = _ANY_MAGIC.match(start[:MAGIC_BYTES])
    return COMPRESSIONS[found.lastindex - 1] if found and found.lastindex else None


def name_without_ending(name: str) -> str | None:
    """The name that a file has when it is decompressed, by its ending; None if that is of no compression."""
    return name[: name.rindex(".")] if name.lower().endswith(_ENDINGS) else None


def decompression(compression: Compression, max_temporary_bytes: int) -> Decompress | None:
    """The stage; None if the library is not installed. It is loaded when the first such file is opened."""
    try:
        library: Library = import_module(f"{__name__}.{compression.name}").LIBRARY
    except ImportError:
        return None
    return Decompress(compression.name, compression.magic, library, max_temporary_bytes)
