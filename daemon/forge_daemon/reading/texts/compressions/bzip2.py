"""bzip2, by the standard library."""

import bz2

from .decompress import Library

LIBRARY = Library(bz2.BZ2Decompressor, OSError, memory=4 * 1024 * 1024)
