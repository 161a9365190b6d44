"""zstd: in the standard library from Python 3.14 on, before that from the package backports.zstd."""

import sys

from .decompress import Library

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

# The library itself refuses frames that need a window of more than 128 MiB, as the program `zstd` does.
LIBRARY = Library(zstd.ZstdDecompressor, zstd.ZstdError, memory=8 * 1024 * 1024)
