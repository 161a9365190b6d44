"""xz, by the standard library."""

import lzma

from .decompress import Library

MAX_MEMORY = 128 * 1024 * 1024
"""`xz -9` needs 65 MiB."""

LIBRARY = Library(
    lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MAX_MEMORY), lzma.LZMAError, memory=9 * 1024 * 1024
)
