"""Logs for the tests of the viewer. Every line of the large one carries its own number."""

import itertools
import os
from pathlib import Path

from tests.editors.vscode.viewer import Row

BIG_BYTES = int(os.environ.get("FORGE_LOG_BYTES", "120_000_000"))
"""More than VS Code opens by itself, with more than 1.3 million lines."""
_EVENTS = (
    "INFO  worker-{w} GET /api/orders/{n} 200 in {ms} ms",
    "DEBUG worker-{w} cache hit for session {n}",
    "INFO  worker-{w} POST /api/login 200 in {ms} ms",
    "DEBUG worker-{w} connection {n} returned to the pool",
    "INFO  worker-{w} GET /assets/app.css 304 in {ms} ms",
    "WARN  worker-{w} slow query: SELECT * FROM orders WHERE id = {n} took {ms} ms",
    "INFO  worker-{w} job {n} finished in {ms} ms",
    "INFO  worker-{w} GET /api/stock/{n} 200 in {ms} ms",
    "ERROR worker-{w} timed out after {ms} ms while waiting for payment {n}",
)
# Of lengths without a common divisor: a repeating block would hide errors by a block.
_TIMES = [
    f"2026-11-16T{n // 144_000:02}:{n // 2400 % 60:02}:{n // 40 % 60:02}.{n * 25 % 1000:03}Z" for n in range(99_991)
]
_ENDS = [
    _EVENTS[n * n % 7919 % 41 % 9].format(w=n % 8, n=n * 7919 % 900_000, ms=n * 31 % 1700) + "\n" for n in range(9973)
]


def log_line(number: int) -> str:
    return f"{_TIMES[number % 99_991]} #{number} {_ENDS[number % 9973]}"


def belongs(row: Row) -> bool:
    return f" #{row.number} " in row.text


def lay_out(folder: Path) -> None:
    colored = "\x1b[31mred\x1b[0m and \x1b[1;38;2;1;2;3mbold\x1b[0m\n<script>alert(1)</script>\nERROR plain\n"
    (folder / "colored.log").write_text(colored)
    (folder / "endless.txt").write_text("first\n" + "0123456789" * 300_000 + "the end\nlast\n")
    (folder / "binary.dat").write_bytes(b"\0\1\2")
    (folder / "empty.log").write_text("")
    (folder / "sjis.log").write_bytes("一行目\n二行目 エラー\n".encode("cp932"))
    (folder / "notes.txt").write_text("alpha\nbeta\n")
    (folder / "times.log").write_text("".join(map(log_line, range(1, 50_001))))
    (folder / "trace.log").write_text(
        "started\n  at run (colored.log:2:3) see https://example.org/a?b=1.\n" + "x" * 900
    )
    big = folder / "server.log"
    with big.open("w", buffering=1 << 20) as log:
        for first in itertools.count(1, 10_000):
            log.writelines(map(log_line, range(first, first + 10_000)))
            if log.tell() > BIG_BYTES:
                break
