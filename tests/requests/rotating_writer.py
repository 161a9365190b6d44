"""A program that writes numbered lines to a log, now fast, now slowly, and rotates it. Run as a script.

Usage: rotating_writer.py LOG LINES EVERY MODE. MODE is `rename` (the log is renamed and made anew), `gap` (the
renamed log is written to for a while before there is a new one), `late` (there is a new one at once, but the renamed
log is written to for a while, as with logrotate's `create`) or `copytruncate` (it is emptied in place). No
program can read a file that was there for a moment between two looks, nor lines that were emptied before it looked:
so the log is rotated when its follower has begun to read it, and emptied when it has read all of it. The follower
tells how far it is with `tell`.
"""

import os
import random
import sys
import time
from typing import BinaryIO

PATIENCE = 60.0
LINES_IN_GAP = 20
"""So many are written to a log that was renamed."""


def tell(path: str, number: int) -> None:
    """The follower of this log has read so many lines."""
    with open(f"{path}.told.new", "w") as file:
        file.write(str(number))
    os.replace(f"{path}.told.new", f"{path}.told")


def write_lines(path: str, lines: int, every: int, mode: str) -> None:
    chance = random.Random(lines)
    log = _opened(path)
    for number in range(1, lines + 1):
        line = b"line %d %s\n" % (number, b"x" * chance.randint(0, 120))
        if chance.random() < 0.001:  # in two parts, as programs do that are interrupted
            log.write(line[:7])
            time.sleep(0.001)
            line = line[7:]
        log.write(line)
        if mode in ("gap", "late") and number > every and number % every <= LINES_IN_GAP:
            log = _in_gap(log, path, number, number % every)
        if number % every == 0 and number < lines:
            log = _rotated(log, path, number, every, mode)
        elif chance.random() < 0.0005:
            time.sleep(chance.random() * 0.05)
    log.close()


def _rotated(log: BinaryIO, path: str, number: int, every: int, mode: str) -> BinaryIO:
    if mode == "copytruncate":
        _wait_until_told(path, number)
        os.truncate(path, 0)
        return log
    _wait_until_told(path, number - every + 1 + (0 if mode == "rename" else LINES_IN_GAP))
    os.rename(path, f"{path}.{number}")
    if mode == "late":
        _opened(path).close()
    if mode != "rename":
        return log
    log.write(b"line %d is the last of this file\n" % number)  # a program that has not noticed yet
    log.close()
    return _opened(path)


def _in_gap(log: BinaryIO, path: str, number: int, written: int) -> BinaryIO:
    """After so many lines were written to a log that was renamed."""
    if written == 1:
        _wait_until_told(path, number)  # so the follower has seen that the name is gone, or is another's
    time.sleep(0.005)
    if written < LINES_IN_GAP:
        return log
    log.close()
    return _opened(path)


def _wait_until_told(path: str, number: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while _told(path) < number:
        if time.monotonic() > deadline:
            sys.exit("the log is not being followed")
        time.sleep(0.005)


def _told(path: str) -> int:
    try:
        with open(f"{path}.told") as file:
            return int(file.read())
    except FileNotFoundError:
        return 0


def _opened(path: str) -> BinaryIO:
    return open(path, "ab", buffering=0)


if __name__ == "__main__":
    _, path, lines, every, mode = sys.argv
    write_lines(path, int(lines), int(every), mode)
