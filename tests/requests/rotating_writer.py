"""A program that writes numbered lines to a log, now fast, now slowly, and rotates it. Run as a script.

Usage: rotating_writer.py LOG LINES EVERY MODE [SEED]. MODE is `rename` (the log is renamed and made anew),
`copytruncate` (it is emptied in place, once its follower has had time to read it) or `none`.
"""

import os
import random
import sys
import time
from typing import BinaryIO

FOLLOWERS_PAUSE = 0.8
"""Longer than a follower takes to notice what is new: nobody can read what was emptied before."""


def write_lines(path: str, lines: int, every: int, mode: str, seed: int) -> None:
    chance = random.Random(seed)
    log = _opened(path)
    for number in range(1, lines + 1):
        line = b"line %d %s\n" % (number, b"x" * chance.randint(0, 120))
        if chance.random() < 0.001:  # in two parts, as programs do that are interrupted
            log.write(line[:7])
            time.sleep(0.001)
            line = line[7:]
        log.write(line)
        if number % every == 0 and number < lines:
            log = _rotated(log, path, number, mode)
        elif chance.random() < 0.0005:
            time.sleep(chance.random() * 0.05)
    log.close()


def _rotated(log: BinaryIO, path: str, number: int, mode: str) -> BinaryIO:
    if mode == "rename":
        os.rename(path, f"{path}.{number}")
        log.write(b"line %d is the last of this file\n" % number)  # a program that has not noticed yet
        log.close()
        time.sleep(0.15)
        return _opened(path)
    if mode == "copytruncate":
        time.sleep(FOLLOWERS_PAUSE)
        os.truncate(path, 0)
    return log


def _opened(path: str) -> BinaryIO:
    return open(path, "ab", buffering=0)


if __name__ == "__main__":
    _, path, lines, every, mode, *seed = sys.argv
    write_lines(path, int(lines), int(every), mode, int(seed[0]) if seed else 0)
