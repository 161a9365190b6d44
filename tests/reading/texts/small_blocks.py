"""Small blocks, so that short texts have as many seams as long ones."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from forge_daemon.reading.texts import derived, to_utf8
from forge_daemon.reading.texts.compressions import decompress
from forge_daemon.reading.texts.compressions.decompress import Decompress
from forge_daemon.reading.texts.encodings import encoding
from forge_daemon.reading.texts.strip_ansi import StripAnsi
from forge_daemon.reading.texts.to_utf8 import ToUtf8


@contextmanager
def small_blocks() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for module, name, value in [
            (decompress, "INPUT", 16),
            (decompress, "OUTPUT", 16),
            (decompress, "SPACING", 32),
            (Decompress, "spacing", 32),
            (derived, "MAX_KEPT", 48),
            (encoding, "ASCII_PIECE", 9),
            (encoding, "PIECE", 14),
            (to_utf8, "PIECE", 21),
            (ToUtf8, "spacing", 16),
            (StripAnsi, "spacing", 16),
        ]:
            patch.setattr(module, name, value)
        yield
