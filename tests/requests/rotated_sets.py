"""Logs with rotated files, made at random, and the text that they are together."""

import bz2
import gzip
import lzma
import random
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

_zstd = import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".zst": _zstd.compress,
    ".xz": lzma.compress,
    ".bz2": bz2.compress,
}


def write_set(root: Path, texts: list[bytes], endings: list[str]) -> list[str]:
    """Write the texts, the oldest first, as `app.log.2.gz`, `app.log.1`, `app.log`. Returns the lines."""
    compressed: dict[tuple[bytes, str], bytes] = {}
    for age, (text, ending) in enumerate(zip(reversed(texts), reversed(endings), strict=True)):
        name = f"app.log.{age}{ending}" if age else f"app.log{ending}"
        if (text, ending) not in compressed:
            compressed[text, ending] = COMPRESS[ending](text)
        (root / name).write_bytes(compressed[text, ending])
    together = b"".join(text + b"\n" * (text != b"" and not text.endswith(b"\n")) for text in texts[:-1]) + texts[-1]
    return together.decode().splitlines(keepends=True)


def random_set(root: Path, chance: random.Random) -> list[str]:
    number = chance.randint(1, 9)
    texts = [_random_text(chance, file) for file in range(number)]
    return write_set(root, texts, [chance.choice(["", *COMPRESS]) for _ in range(number - 1)] + [""])


def _random_text(chance: random.Random, file: int) -> bytes:
    lines = chance.choice([0, 0, 1, 3, 40, 400, 3000])
    text = b"".join(
        b"%d.%d %s%s\n" % (file, line, chance.choice([b"INFO", b"ERROR", b"warn"]), b" x" * chance.choice([0, 5, 60]))
        for line in range(lines)
    )
    if chance.random() < 0.1:
        text += b"long " + b"y" * chance.randint(1, 300_000) + b"\n"
    return text if chance.random() < 0.6 else text[:-1]
