"""How serious a record is: by a word, a letter or a number."""

from enum import IntEnum
from itertools import groupby


class Level(IntEnum):
    """In order. In lower case the names are those of the protocol."""

    TRACE = 1
    DEBUG = 2
    INFO = 3
    NOTICE = 4
    WARNING = 5
    ERROR = 6
    CRITICAL = 7

    __hash__ = int.__hash__  # that of an enumeration takes longer than to find a record


# Words are in capitals where they are prose in any other case.
_WORDS = {
    Level.TRACE: "trace trce verbose finest finer VRB",
    Level.DEBUG: "debug dbug DBG FINE",
    Level.INFO: "info information informational INF CONFIG",
    Level.NOTICE: "notice",
    Level.WARNING: "warning warn WRN",
    Level.ERROR: "error err severe",
    Level.CRITICAL: "critical crit fatal emergency emerg alert panic FTL",
}
# PostgreSQL, MySQL and the console of .NET have their words in one form only.
_MARKED = [r"DEBUG\d", r"LOG(?=:)", r"Note(?=\])", r"fail(?=:)"]
_OTHERS = {
    Level.TRACE: "v t",
    Level.DEBUG: "d debug1 debug2 debug3 debug4 debug5 .",  # Redis has signs
    Level.INFO: "i log -",
    Level.NOTICE: "n note *",
    Level.WARNING: "w #",
    Level.ERROR: "e fail",
    Level.CRITICAL: "f c a",
}
_NAMES = {
    name.lower().encode(): level
    for names in (_WORDS, _OTHERS)
    for level, each in names.items()
    for name in each.split()
}
_SYSLOG = [Level.CRITICAL] * 3 + [Level.ERROR, Level.WARNING, Level.NOTICE, Level.INFO, Level.DEBUG]
_PINO = [Level.TRACE, Level.TRACE, Level.DEBUG, Level.INFO, Level.WARNING, Level.ERROR, Level.CRITICAL]


def _expression() -> bytes:
    """Matches a level word: by first letters, which is faster, and longer words before those they begin with."""
    words = {word for each in _WORDS.values() for word in each.split()}
    forms = set(_MARKED).union(*({word} if word.isupper() else {word, word.title(), word.upper()} for word in words))
    letters = groupby(sorted(forms, key=lambda form: (form[0], -len(form))), key=lambda form: form[0])
    branches = (f"{letter}(?:{'|'.join(form[1:] for form in group)})" for letter, group in letters)
    return f"(?:{'|'.join(branches)})\\b".encode()


WORD = _expression()


def level_named(name: bytes) -> Level | None:
    """A level by its word, letter or sign, or by the number that bunyan and pino (30) or syslog (6) have for it."""
    if name.isdigit():
        return level_of_severity(int(name)) if len(name) == 1 else _PINO[min(int(name) // 10, 6)]
    return _NAMES.get(name.lower())


def level_of_severity(number: int) -> Level:
    """A level by syslog's severity, or by a priority, which has it in its lowest bits."""
    return _SYSLOG[number % 8]


def level_of_status(status: bytes) -> Level:
    """A level for an HTTP status."""
    return {b"4": Level.WARNING, b"5": Level.ERROR}.get(status[:1], Level.INFO)
