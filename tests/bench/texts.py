"""Text that is not plain UTF-8: other encodings, gzip, escape sequences, a long line. Real encoders make the files."""

import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from .contest import WINDOW_LINES, Contest, window
from .files import MIB, warm
from .row import Bar, Figures, Row, Skipped
from .timing import alternate, processor_seconds, processor_seconds_of_command

_ENCODINGS = {"shift_jis": "CP932", "euc-jp": "EUC-JP", "iso-2022-jp": "ISO-2022-JP", "gb18030": "GB18030"}
_BLOCK = 25
_MANY = 50
"""The clock of processor time is too coarse for one window."""
_LONG_LINE = 200 * MIB


def _wide(contest: Contest) -> Figures:
    return _in_encoding(contest, "utf-16le", "UTF-16LE")


def _narrow(contest: Contest) -> Figures:
    """The slowest of the others."""
    measured = {name: _in_encoding(contest, name, iconv) for name, iconv in _ENCODINGS.items()}
    slowest = max(measured, key=lambda name: measured[name].ratio)
    return measured[slowest]._replace(remark=f"the slowest: {slowest}")


def _in_encoding(contest: Contest, name: str, iconv: str) -> Figures:
    plain = contest.files.japanese()
    encoded = _made(plain.with_name(f"japanese-{name}.txt"), "iconv", "-f", "UTF-8", "-t", iconv, str(plain))
    asked = {**window(encoded, 2000), "encoding": name}
    return _compared(contest, asked, window(plain, 2000))


def _packed(contest: Contest, program: str) -> Path:
    log = contest.log
    return _made(log.with_name(f"{log.name}.{program}"), program, "-c", str(log))


def _unpacked(contest: Contest, program: str, packed: Path) -> Callable[[], list[float]]:
    first = contest.deep_line
    pipeline = f"{program} -dc '{packed}' | sed -n '{first},{first + WINDOW_LINES - 1}p'"
    return lambda: processor_seconds_of_command("sh", "-c", pipeline)


def _cold(contest: Contest, program: str) -> Figures:
    packed = _packed(contest, program)
    warm(packed)

    def read() -> list[float]:
        contest.forget()
        before = processor_seconds(contest.forge.pid)
        contest.forge.request("forge/readFile", window(packed, contest.deep_line))
        return [processor_seconds(contest.forge.pid) - before]

    ours, theirs = alternate(contest.repeat(5), read, _unpacked(contest, program, packed))
    return Figures(ours, theirs)


def _warm(contest: Contest, program: str) -> Figures:
    packed = _packed(contest, program)
    asked = window(packed, contest.deep_line)
    contest.forge.request("forge/readFile", asked)
    elsewhere = window(packed, contest.deep_line // 2)

    def read() -> list[float]:
        before = processor_seconds(contest.forge.pid)
        for _ in range(_MANY):
            contest.forge.time("forge/readFile", elsewhere)
            contest.forge.time("forge/readFile", asked)
        return [(processor_seconds(contest.forge.pid) - before) / (2 * _MANY)]

    ours, theirs = alternate(contest.repeat(5), read, _unpacked(contest, program, packed))
    return Figures(ours, theirs)


def _long_line(contest: Contest) -> Figures:
    line = contest.files.long_line(_LONG_LINE)
    part = {"path": line.name, "columns": {"start": _LONG_LINE // 2, "count": 8000}}
    contest.forge.request("forge/readFile", part)
    return _compared(contest, part, {**window(contest.log), "columns": {"count": 8000}})


def _strip_window(contest: Contest) -> Figures:
    asked = window(contest.files.text())
    return _compared(contest, {**asked, "ansi": "strip"}, asked)


def _strip_find(contest: Contest) -> Figures:
    log = contest.log
    warm(log)

    def find(**more: str) -> list[float]:
        contest.forget()
        before = processor_seconds(contest.forge.pid)
        contest.forge.request("forge/find", {"path": log.name, "pattern": "stands nowhere", **more})
        return [processor_seconds(contest.forge.pid) - before]

    ours, theirs = alternate(contest.repeat(9), lambda: find(ansi="strip"), find)
    return Figures(ours, theirs)


def _compared(contest: Contest, ours: dict[str, Any], theirs: dict[str, Any]) -> Figures:
    """Two windows that were read before."""
    for asked in (ours, theirs):
        contest.forge.request("forge/readFile", asked)
    our_seconds, their_seconds = alternate(
        contest.repeat(60),
        lambda: contest.forge.time("forge/readFile", ours, _BLOCK),
        lambda: contest.forge.time("forge/readFile", theirs, _BLOCK),
    )
    return Figures(our_seconds, their_seconds)


def _made(path: Path, *command: str) -> Path:
    """A file as a program wrote it."""
    if not path.exists():
        unfinished = path.with_suffix(".unfinished")
        try:
            with unfinished.open("wb") as file:
                subprocess.run(command, stdout=file, check=True)
        except (FileNotFoundError, subprocess.CalledProcessError):
            raise Skipped(f"needs {command[0]}") from None
        unfinished.rename(path)
    return path


ROWS = [
    Row("utf-16", "a window in UTF-16, read before, against the same in UTF-8", Bar(2), _wide),
    Row("encodings", "the same in Shift_JIS, EUC-JP, ISO-2022-JP, GB18030", Bar(1.5), _narrow),
    *(
        row
        for program, cold, warmer in (("gzip", 0.9, 0.01), ("zstd", 1.5, 0.02), ("xz", 1.1, 0.02), ("bzip2", 1.1, 0.02))
        for row in (
            Row(
                f"{program}-cold",
                f"a window deep in a file of {program}, cold, against {program} -dc | sed -n",
                Bar(cold),
                partial(_cold, program=program),
            ),
            Row(
                f"{program}-warm",
                "the same, read before, from two places in turn",
                Bar(warmer),
                partial(_warm, program=program),
            ),
        )
    ),
    Row("long-line", "8,000 characters amid a line of 200 MB, read before, against short lines", Bar(2), _long_line),
    Row("ansi-window", "ansi: strip, without any sequence, against ansi: keep", Bar(1.1), _strip_window),
    Row("ansi-find", "the same for a literal in the whole log", Bar(1.2), _strip_find),
]
