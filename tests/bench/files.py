"""The files that are read: generated once, kept in the cache folder, the same on every machine."""

import os
import random
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from .row import Skipped

KIB, MIB, GIB = 1024, 1024**2, 1024**3

_RECIPE = 1
"""Counted up when what is generated changes, so that nothing old is measured."""
_BLOCK_BYTES = 8 * MIB
_SPARE_BYTES = GIB
_SETTLING_SECONDS = 2.5
"""A file that was written just now may change again unseen: the daemon keeps nothing of it yet."""

_LEVELS = ("INFO ", "INFO ", "INFO ", "DEBUG", "WARN ", "ERROR")
_EVENTS = (
    "request served in {n} ms",
    "cache miss for key {n}",
    "connection {n} closed by peer",
    "retrying in {n} ms, attempt 2 of 5",
    "user {n} signed in",
    "wrote {n} bytes to segment, {n} pending",
    "timeout after {n} ms",
)
_WORDS = (
    *("the", "file", "line", "of", "a", "window", "index", "cache", "reads", "and"),
    *("when", "it", "is", "asked", "for", "bytes", "lines", "more", "than", "one"),
)
_KANA = "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをん"
_KANJI = "日本語文章読書行数計算検索結果表示編集保存開閉大小高速記録時間分秒"


def cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "forge-read-bench"


class Files:
    """Each is generated on first use."""

    def __init__(self, cache: Path) -> None:
        self.folder = cache / f"files-{_RECIPE}"
        self.folder.mkdir(parents=True, exist_ok=True)

    def module(self) -> Path:
        """As long as a longer source file: 40 kB, of which a window of 200 lines is about 8 kB."""
        return self._generated("module.txt", 40 * KIB, _text_lines)

    def text(self) -> Path:
        """1 MiB of the same lines: the largest file that is read whole for every window."""
        return self._generated("text.txt", MIB, _text_lines)

    def japanese(self) -> Path:
        return self._generated("japanese.txt", MIB, _japanese_lines)

    def log(self, size: int) -> Path:
        """Lines of about 80 bytes; a larger log starts like a smaller one."""
        return self._generated(f"log-{size // MIB}-mib.log", size, _log_lines)

    def long_line(self, size: int) -> Path:
        """A single line, without a newline."""
        path = self.folder / f"line-{size // MIB}-mib.json"
        if not path.exists():
            _require_space(self.folder, size)
            words = " ".join(random.Random("line").choices([*_WORDS, "é", "日本"], k=200_000)).encode()
            path.write_bytes((words * (size // len(words) + 1))[: size - 8] + b" the end")
            time.sleep(_SETTLING_SECONDS)
        return path

    def _generated(self, name: str, size: int, lines: Callable[[random.Random], Iterator[str]]) -> Path:
        path = self.folder / name
        if not path.exists():
            _require_space(self.folder, size)
            print(f"generating {path}", file=sys.stderr)
            unfinished = path.with_suffix(".unfinished")
            _write(unfinished, size, _block(lines(random.Random(name.partition("-")[0]))))
            unfinished.rename(path)
            time.sleep(_SETTLING_SECONDS)
        return path


def warm(path: Path) -> None:
    """Read it once, so that it is in the page cache."""
    buffer = bytearray(MIB)
    with path.open("rb", buffering=0) as file:
        while file.readinto(buffer):
            pass


def _require_space(folder: Path, size: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < size + _SPARE_BYTES:
        raise Skipped(f"{folder} has {free / GIB:.1f} GiB free, {(size + _SPARE_BYTES) / GIB:.1f} GiB are needed")


def _write(path: Path, size: int, block: bytes) -> None:
    """The block again and again, each time under another heading, up to the last whole line that fits."""
    written = 0
    with path.open("wb") as file:
        while written < size:
            piece = f"---- part {written // len(block):06d}\n".encode() + block
            if len(piece) > size - written:
                piece = piece[: piece.rindex(b"\n", 0, size - written) + 1]
                size = written + len(piece)
            written += file.write(piece)
        file.flush()
        # Or the disk would still be busy with it while others are measured.
        os.fsync(file.fileno())


def _block(lines: Iterator[str]) -> bytes:
    pieces, length = [], 0
    while length < _BLOCK_BYTES:
        pieces.append(next(lines).encode() + b"\n")
        length += len(pieces[-1])
    return b"".join(pieces)


def _log_lines(chance: random.Random) -> Iterator[str]:
    milliseconds = 0
    while True:
        milliseconds += chance.randrange(40)
        seconds, fraction = divmod(milliseconds, 1000)
        clock = f"{seconds // 3600 % 24:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{fraction:03d}"
        event = chance.choice(_EVENTS).format(n=chance.randrange(1, 10 ** chance.randrange(1, 7)))
        worker = chance.randrange(32)
        trace = f"{chance.getrandbits(40):010x}"
        yield f"2026-03-14T{clock}Z {chance.choice(_LEVELS)} [worker-{worker}] {trace} {event}"


def _text_lines(chance: random.Random) -> Iterator[str]:
    while True:
        words = chance.choices(_WORDS, k=chance.randrange(1, 16))
        yield "    " * chance.randrange(3) + " ".join(words)


def _japanese_lines(chance: random.Random) -> Iterator[str]:
    while True:
        text = chance.choices(_KANA, k=chance.randrange(5, 40)) + chance.choices(_KANJI, k=chance.randrange(20))
        chance.shuffle(text)
        yield "".join(text) + "。"
