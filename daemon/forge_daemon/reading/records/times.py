"""Times as logs write them, and as people ask for them."""

import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache

from forge_protocol.errors import invalid_argument

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

# How times are written, as parts of expressions. Loose, which is faster: `time_of` sees whether there is such a time.
YEAR = rb"(?P<year>\d{4})"
MONTH = rb"(?P<month>\d\d)"
MONTH_NAME = f"(?P<month_name>{'|'.join(_MONTHS)})".encode()
DAY = rb"(?P<day>\d\d)"
SPACED_DAY = rb" +(?P<day>\d{1,2})"
MINUTES = rb"(?P<hour>\d{1,2}):(?P<minute>\d\d)"
SECONDS = rb":(?P<second>\d\d)(?:[.,](?P<fraction>\d{1,9})|)"
CLOCK = MINUTES + SECONDS
ZONE = rb"(?P<zone>Z| ?(?:UTC|GMT)\b| ?[+-]\d\d:?\d\d\b|[+-]\d\d\b|)"
DATE = YEAR + b"-" + MONTH + b"-" + DAY
ISO = DATE + rb"(?:T| {1,2})" + MINUTES + b"(?:" + SECONDS + b"|)" + ZONE
EPOCH = rb"(?P<epoch>\d{10}(?:\d{3}){0,3})(?!\d)(?:\.(?P<epoch_fraction>\d{1,9})|)"

FORMS = (
    "2026-11-18, 2026-11-18T14:05:31 (with a zone as in +01:00, or without), 14:05, 14:05:31, "
    "or an age as in -30m, -2h, -1d"
)
_AGE = re.compile(r"-(\d{1,9})([smhdw])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_TIME_OF_DAY = re.compile(MINUTES + b"(?:" + SECONDS + b"|)")


def time_of(match: re.Match[bytes], modified: datetime) -> datetime | None:
    """The time in a match, aware if it has a zone; None if there is no such time.

    What a log leaves out (the year, or the date) is taken from the moment it was modified, in local time.
    """
    parts = {name: value for name, value in match.groupdict().items() if value}
    try:
        if "epoch" in parts:
            if not parts["epoch"].startswith(b"1"):
                return None
            seconds = parts["epoch"][:10] + b"." + parts["epoch"][10:] + parts.get("epoch_fraction", b"")
            return datetime.fromtimestamp(float(seconds), UTC)
        hour = int(parts["hour"]) % 12 + 12 * (parts["half"] == b"PM") if "half" in parts else int(parts["hour"])
        clock = (hour, int(parts["minute"]), _second(parts.get("second")), _microsecond(parts.get("fraction")))
        if "day" not in parts:
            return _with_date(datetime(2000, 1, 1, *clock), modified)
        month = _MONTHS.index(parts["month_name"].decode()) + 1 if "month_name" in parts else int(parts["month"])
        if "year" not in parts:
            return _with_year(datetime(2000, month, int(parts["day"]), *clock), modified)  # it is a leap year
        year = int(parts["year"])
        return datetime(year if year > 99 else 2000 + year, month, int(parts["day"]), *clock, _zone(parts.get("zone")))
    except ValueError:
        return None


def _second(digits: bytes | None) -> int:
    """A leap second has no moment of its own."""
    return 59 if digits == b"60" else int(digits or 0)


def _microsecond(fraction: bytes | None) -> int:
    return int(fraction[:6].ljust(6, b"0")) if fraction else 0


def _with_date(time: datetime, modified: datetime) -> datetime:
    """On the day of the modification, or on the day before if that would be more than an hour later."""
    time = datetime.combine(modified, time.time())
    return time if time <= modified + timedelta(hours=1) else time - timedelta(days=1)


def _with_year(time: datetime, modified: datetime) -> datetime:
    """The time in the year of the modification, or in the year before if that would be more than a day later."""
    latest = modified + timedelta(days=1)
    for year in range(latest.year, latest.year - 9, -1):
        with suppress(ValueError):  # February 29
            if (dated := time.replace(year=year)) <= latest:
                return dated
    return time


@lru_cache(64)
def _zone(name: bytes | None) -> timezone | None:
    if name is None:
        return None
    name = name.strip().replace(b":", b"")
    if name[:1] not in b"+-":
        return UTC
    minutes = int(name[1:3]) * 60 + int(name[3:] or 0)
    return timezone(timedelta(minutes=-minutes if name[:1] == b"-" else minutes))


def iso_text(time: datetime) -> str:
    """ISO 8601, with as many digits as the time has, and its zone if it has one."""
    precise = "auto" if time.microsecond % 1000 else "milliseconds" if time.microsecond else "seconds"
    return time.isoformat(timespec=precise)


def is_before(time: datetime, other: datetime) -> bool:
    """Compares moments if both have a zone, else what is written."""
    if time.tzinfo is None or other.tzinfo is None:
        return time.replace(tzinfo=None) < other.replace(tzinfo=None)
    return time < other


def parse_when(text: str, last_time: datetime, now: datetime, *, name: str = "time") -> datetime:
    """What a person asks for: a date or a time, a time on the day of the last one in the text, or an age.

    `now` is aware, in the local zone. Raises `INVALID_ARGUMENT` with the forms there are.
    """
    text = text.strip()
    try:
        if (age := _AGE.fullmatch(text)) is not None:
            return now - timedelta(**{_UNITS[age[2]]: int(age[1])})
        if (clock := _TIME_OF_DAY.fullmatch(text.encode())) is not None:
            hour, minute, second = int(clock["hour"]), int(clock["minute"]), _second(clock["second"])
            microsecond = _microsecond(clock["fraction"])
            return last_time.replace(hour=hour, minute=minute, second=second, microsecond=microsecond)
        if len(text) >= len("2026-11-18"):
            return datetime.fromisoformat(text)
    except (ValueError, OverflowError):
        pass
    raise invalid_argument(f"{name}: not a time: {text!r}", hint=f"use {FORMS}")
