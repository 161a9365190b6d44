"""A program that appends numbered lines to a log as fast as it can, then more slowly. Run as a script.

Usage: appending_writer.py LOG FAST_BYTES. Some lines are written in two parts. It ends when it is killed.
"""

import os
import random
import sys
import time


def line(number: int) -> bytes:
    return b"%09d the quick brown fox number %d\n" % (number, number % 97)


def write_forever(path: str, fast_bytes: int) -> None:
    chance = random.Random(fast_bytes)
    log = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    number = written = 0
    while True:
        is_fast = written < fast_bytes
        last = number + (chance.choice((1, 1, 2, 20, 500)) if is_fast else 1)
        block = b"".join(map(line, range(number + 1, last + 1)))
        number = last
        cut = chance.randrange(len(block)) if chance.random() < 0.3 else len(block)
        os.write(log, block[:cut])
        if cut < len(block):
            os.write(log, block[cut:])
        written += len(block)
        if not is_fast or chance.random() < 0.05:
            time.sleep(0.001)


if __name__ == "__main__":
    _, path, fast_bytes = sys.argv
    write_forever(path, int(fast_bytes))
