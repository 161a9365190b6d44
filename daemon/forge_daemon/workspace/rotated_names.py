"""Which names in a directory are those of one log and its rotated files, and in which order they were written.

    app.log                                      the log
    app.log.1  app.1.log                         numbers count down: the highest is the oldest
    app.log-20261117  app.log.2026-11-17.1       dates count up, and so do the hour or the number after one
    app-2026-11-17.log  app-2026-11-17T14-05.log

Each may be compressed. Dates come before numbers, and numbers before the log.
"""

import re
import time
from collections.abc import Iterable
from typing import NamedTuple

from forge_daemon.reading.texts.compressions import name_without_ending

_DATE = r"""
    (?P<date> (?:19|20)\d\d (?P<separator>[-._]?) (?:0[1-9]|1[0-2]) (?: (?P=separator) (?:0[1-9]|[12]\d|3[01]) )?
      (?P<rest> \d* (?: [-_.:T] \d+ )* Z? )
    | (?P<epoch> 1\d{9} ) )
"""
_NUMBER = r"\. (?P<number> \d{1,9} )"
_EXTENSION = r"(?P<extension> \. [A-Za-z]\w* )"
_DATED = rf"(?P<stem> .+? ) [-._] {_DATE} {_EXTENSION}?"
_NUMBERED = rf"(?P<stem> .+ ) {_NUMBER} {_EXTENSION}?"
_FLAGS = re.VERBOSE | re.ASCII | re.DOTALL


class Rotated(NamedTuple):
    """What a name says."""

    log: str
    """The name of the log."""
    order: tuple[int, tuple[int, ...]]
    """Sorts the files of a log, the oldest first."""


def parse(name: str) -> Rotated:
    """A name without number and date is that of a log itself."""
    name = _uncompressed(name)
    if dated := re.fullmatch(_DATED, name, _FLAGS):
        return Rotated(_log_of(dated), (0, _date_of(dated)))
    if numbered := re.fullmatch(_NUMBERED, name, _FLAGS):
        return Rotated(_log_of(numbered), (1, (-int(numbered["number"]),)))
    return Rotated(name, (2, ()))


def members_of(name: str, names: Iterable[str]) -> tuple[str, list[str]]:
    """The name of the log that `name` belongs to, and those of `names` that do too, the oldest first.

    A name that looks rotated, but has no siblings, is a log itself.
    """
    log = parse(name).log
    stem = log.rpartition(".")[0] or log
    found: dict[str, tuple[tuple[int, tuple[int, ...]], str]] = {}
    for each in names:
        if each.startswith(stem) and (rotated := parse(each)).log == log:
            plain = _uncompressed(each)
            # A file that is being compressed has both names, and only the first is complete.
            if plain not in found or each == plain:
                found[plain] = rotated.order, each
    in_order = [each for _, each in sorted(found.values())]
    return _uncompressed(name) if len(found) == 1 and _uncompressed(name) in found else log, in_order


def _uncompressed(name: str) -> str:
    return name_without_ending(name) or name


def _log_of(found: re.Match[str]) -> str:
    return found["stem"] + (found["extension"] or "")


def _date_of(found: re.Match[str]) -> tuple[int, ...]:
    if found["epoch"]:
        return tuple(time.gmtime(int(found["epoch"]))[:6])
    day, rest = found["date"][: len(found["date"]) - len(found["rest"])], found["rest"]
    digits = re.sub(r"\D", "", day)
    # After a day that is written without separators, the time may be too.
    if attached := re.match(r"(?:\d\d)+", rest):
        rest = " ".join(re.findall(r"\d\d", attached[0])) + rest[attached.end() :]
    return tuple(map(int, (digits[:4], digits[4:6], digits[6:] or 0, *re.findall(r"\d+", rest))))
