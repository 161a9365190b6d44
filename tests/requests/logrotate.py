"""A program that writes numbered lines to a log, and rotates it as logrotate does. Run as a script.

Usage: logrotate.py LOG LINES EVERY MODE. MODE is `delaycompress` (the log is renamed and a new one made, the program
writes to the old one a little longer, and the file before it is compressed), `compress` (at once) or `copytruncate`
(the log is copied and emptied).
"""

import gzip
import os
import shutil
import sys
import time
from typing import BinaryIO


def write_lines(path: str, lines: int, every: int, mode: str) -> None:
    log = _opened(path)
    for start in range(1, lines + 1, 50):
        end = min(start + 50, lines + 1)
        log.write(b"".join(b"line %d of some text\n" % number for number in range(start, end)))
        time.sleep(0.0005)
        if (end - 1) % every == 0 and end - 1 < lines:
            log = _rotated(log, path, mode)
    log.close()


def _rotated(log: BinaryIO, path: str, mode: str) -> BinaryIO:
    _shift(path)
    if mode == "copytruncate":
        shutil.copyfile(path, f"{path}.1")
        os.truncate(path, 0)
        return log
    os.rename(path, f"{path}.1")
    _opened(path).close()
    if mode == "compress":
        log.close()
        _compress(f"{path}.1")
        return _opened(path)
    log.write(b"written after it was renamed\n")
    if os.path.exists(f"{path}.2"):
        _compress(f"{path}.2")
    log.close()
    return _opened(path)


def _shift(path: str) -> None:
    for number in range(50, 0, -1):
        for ending in ("", ".gz"):
            if os.path.exists(f"{path}.{number}{ending}"):
                os.rename(f"{path}.{number}{ending}", f"{path}.{number + 1}{ending}")


def _compress(path: str) -> None:
    with open(path, "rb") as file, gzip.open(f"{path}.gz", "wb") as compressed:
        shutil.copyfileobj(file, compressed)
    os.unlink(path)


def _opened(path: str) -> BinaryIO:
    return open(path, "ab", buffering=0)


if __name__ == "__main__":
    _, path, lines, every, mode = sys.argv
    write_lines(path, int(lines), int(every), mode)
