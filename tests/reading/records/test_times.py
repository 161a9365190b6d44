"""What people ask for, what logs leave out, and how times compare."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from forge_daemon.reading.records.format import detect_format
from forge_daemon.reading.records.times import is_before, iso_text, parse_when
from forge_protocol.errors import ErrorCode, ReadError

CET = timezone(timedelta(hours=1))
NOW = datetime(2026, 11, 18, 12, 30, tzinfo=CET)
LAST = datetime(2026, 11, 16, 20, 1, 2, 345_000)


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2026-11-16", "2026-11-16T00:00:00"),
        ("2026-11-16 14:05", "2026-11-16T14:05:00"),
        ("2026-11-16T14:05:31", "2026-11-16T14:05:31"),
        ("2026-11-16T14:05:31.25", "2026-11-16T14:05:31.250"),
        ("2026-11-16T14:05:31Z", "2026-11-16T14:05:31+00:00"),
        ("2026-11-16T14:05:31+09:00", "2026-11-16T14:05:31+09:00"),
        ("14:05", "2026-11-16T14:05:00"),
        ("9:05", "2026-11-16T09:05:00"),
        (" 14:05:31 ", "2026-11-16T14:05:31"),
        ("14:05:31.25", "2026-11-16T14:05:31.250"),
        ("-90s", "2026-11-18T12:28:30+01:00"),
        ("-30m", "2026-11-18T12:00:00+01:00"),
        ("-2h", "2026-11-18T10:30:00+01:00"),
        ("-1d", "2026-11-17T12:30:00+01:00"),
        ("-1w", "2026-11-11T12:30:00+01:00"),
    ],
)
def test_a_time_is_a_date_a_time_of_day_or_an_age(text: str, time: str) -> None:
    assert iso_text(parse_when(text, LAST, NOW)) == time


@pytest.mark.parametrize(
    "text",
    ["", " ", "noon", "25:00", "1405", "2026", "2026-02-30", "2026-11-16T25:00", "-1y", "-h", "2h", "-999999999d"],
)
def test_anything_else_is_refused_with_the_forms_there_are(text: str) -> None:
    with pytest.raises(ReadError) as refused:
        parse_when(text, LAST, NOW, name="since")
    assert refused.value.code == ErrorCode.INVALID_ARGUMENT
    assert refused.value.reason == f"since: not a time: {text.strip()!r}"
    for form in ("2026-11-18", "2026-11-18T14:05:31", "14:05", "-30m", "-2h", "-1d"):
        assert form in (refused.value.hint or "")


def test_a_time_of_day_is_in_the_zone_of_the_log() -> None:
    assert iso_text(parse_when("14:05", LAST.replace(tzinfo=CET), NOW)) == "2026-11-16T14:05:00+01:00"


def test_moments_are_compared_where_both_have_a_zone() -> None:
    noon = datetime(2026, 11, 18, 12)
    assert is_before(noon.replace(tzinfo=CET), noon.replace(tzinfo=UTC))
    assert not is_before(noon.replace(tzinfo=UTC), noon.replace(tzinfo=CET))


def test_times_are_compared_as_written_where_one_has_no_zone() -> None:
    noon = datetime(2026, 11, 18, 12)
    for one, other in ((noon, noon.replace(tzinfo=CET)), (noon.replace(tzinfo=CET), noon), (noon, noon)):
        assert not is_before(one, other)
        assert is_before(one - timedelta(seconds=1), other)


@pytest.mark.parametrize(
    ("modified", "line", "time"),
    [
        ("2026-11-18T12:00", "Nov 18 01:02:03 host a", "2026-11-18T01:02:03"),
        ("2026-11-18T12:00", "Nov 19 11:00:00 host a", "2026-11-19T11:00:00"),
        ("2026-11-18T12:00", "Nov 19 13:00:00 host a", "2025-11-19T13:00:00"),
        ("2026-12-31T23:59", "Jan  1 00:00:01 host a", "2027-01-01T00:00:01"),
        ("2027-01-01T00:10", "Dec 31 23:59:59 host a", "2026-12-31T23:59:59"),
        ("2026-03-01T00:10", "Feb 29 23:59:59 host a", "2024-02-29T23:59:59"),
        ("2026-11-18T12:00", "11:59:59 a", "2026-11-18T11:59:59"),
        ("2026-11-18T12:00", "12:30:00 a", "2026-11-18T12:30:00"),
        ("2026-11-18T12:00", "13:30:00 a", "2026-11-17T13:30:00"),
    ],
)
def test_what_a_time_leaves_out_is_that_of_the_modification_or_before(modified: str, line: str, time: str) -> None:
    header = detect_format(line.encode(), True, datetime.fromisoformat(modified)).header(line.encode())
    assert header is not None
    assert header.time is not None
    assert iso_text(header.time) == time


def test_a_leap_second_is_the_last_second_of_the_minute() -> None:
    line = b"2016-12-31T23:59:60Z leap"
    header = detect_format(line, True, LAST).header(line)
    assert header is not None
    assert header.time == datetime(2016, 12, 31, 23, 59, 59, tzinfo=UTC)


def test_a_zone_that_does_not_exist_makes_no_time() -> None:
    line = b"2026-11-18T01:02:03+99:99 x"
    header = detect_format(line, True, LAST).header(line)
    assert header is not None
    assert header.time is None
