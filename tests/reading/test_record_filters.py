"""Filters by level, time and record, next to a plain implementation of the same rules; the texts also grow."""

import random
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from forge_daemon.reading.files.file_bytes import FileBytes
from forge_daemon.reading.lines import index, newlines
from forge_daemon.reading.match import filtered_lines
from forge_daemon.reading.match.combined import Terms
from forge_daemon.reading.match.filter import Filter, FilterSpec
from forge_daemon.reading.match.term import Term
from forge_daemon.reading.records import records, time_search
from forge_daemon.reading.records.levels import Level
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.reading.window import describe
from forge_daemon.reading.window.find import FindRequest, find
from forge_daemon.reading.window.read import count_lines, read_window
from forge_daemon.reading.window.selection import LastLines, Lines
from forge_daemon.reading.window.window import Window, WindowRequest
from forge_protocol.errors import ErrorCode, ReadError
from tests.reading.sources import in_memory, lines_of, no_progress

MAX_LINES = 5
LEVELS = ["TRACE", "DEBUG", "INFO", "NOTICE", "WARN", "ERROR", "FATAL"]
START = datetime(2026, 11, 18, 13, 58)


@pytest.fixture(scope="module", autouse=True)
def small_steps() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for module in (newlines, index, filtered_lines):
            patch.setattr(module, "STRIDE", 64)
        patch.setattr(filtered_lines, "STEP", 192)
        patch.setattr(filtered_lines, "MAX_RUNS", 2)
        for name, value in (("_FIRST_LOOK", 16), ("MAX_RECORD_LINES", MAX_LINES)):
            patch.setattr(records, name, value)
        for name, value in (("_BLOCK", 64), ("_NEAR", 128)):
            patch.setattr(time_search, name, value)
        yield


def random_log(chance: random.Random, length: int) -> str:
    time, lines = START, []
    if chance.random() < 0.3:
        lines += ["no time yet", " ERROR neither"]
    for _ in range(length):
        time += timedelta(seconds=chance.choice([0, 0, 1, 7, 40]))
        level = chance.choice([*LEVELS, "", ""])
        lines.append(f"{time.isoformat(' ')} {level} {chance.choice(['alpha', 'beta', 'gamma'])}".replace("  ", " "))
        lines += [
            chance.choice(["  at alpha", "  at beta", "", "plain"]) for _ in range(chance.choice([0, 0, 0, 1, 3, 13]))
        ]
    return "\n".join(lines) + chance.choice(["\n", ""])


def random_spec(chance: random.Random, lines: int) -> FilterSpec:
    def some(*words: str) -> tuple[Term, ...]:
        return tuple(Term(word) for word in words if chance.random() < 0.35)

    def clock() -> str | None:
        return None if chance.random() < 0.6 else (START + timedelta(seconds=chance.randrange(0, 600))).isoformat()

    first = None if chance.random() < 0.7 else chance.randrange(1, lines + 2)
    return FilterSpec(
        Terms(any=some("alpha", "beta"), all=some("a", "at"), none=some("gamma", "plain")),
        first_line=first,
        last_line=None if chance.random() < 0.7 else (first or 1) + chance.randrange(0, lines + 1),
        before=chance.choice([0, 0, 0, 1, 4]),
        after=chance.choice([0, 0, 0, 2]),
        level=chance.choice([None, None, *Level]),
        since=clock(),
        until=clock(),
        records=chance.random() < 0.5,
        headers=chance.random() < 0.25,
    )


def records_of(lines: list[str]) -> list[tuple[int, int, int | None, datetime | None]]:
    """First and last row (exclusive), level and time of each record."""
    found: list[tuple[int, int, int | None, datetime | None]] = []
    level, time, first = None, None, 0
    for row in range(len(lines) + 1):
        is_header = row < len(lines) and lines[row].startswith("2026-")
        if row > first and (is_header or row == len(lines) or row - first == MAX_LINES):
            found.append((first, row, level, time))
            first = row
        if is_header:
            words = lines[row].split()
            time = datetime.fromisoformat(" ".join(words[:2]))
            level = LEVELS.index(words[2]) + 1 if words[2] in LEVELS else None
    return found


def kept(text: str, spec: FilterSpec, found: Term | None = None) -> list[tuple[int, str]]:
    """Number and text of each line that passes, or is shown around one."""
    lines = lines_of(text)
    rows = set(range((spec.first_line or 1) - 1, min(spec.last_line or len(lines), len(lines))))
    parts = records_of(lines)
    if spec.since is not None:
        wanted = datetime.fromisoformat(spec.since)
        rows &= {row for first, end, _, time in parts if time and time >= wanted for row in range(first, end)}
    if spec.until is not None:
        wanted = datetime.fromisoformat(spec.until)
        rows &= {row for first, end, _, time in parts if not time or time < wanted for row in range(first, end)}

    def passes(subject: list[str]) -> bool:
        def has(term: Term) -> bool:
            return any(term.pattern in line for line in subject)

        any_, all_, none = spec.terms
        return (not any_ or any(map(has, any_))) and all(map(has, all_)) and not any(map(has, none))

    matching: set[int] = set()
    for first, end, level, _ in parts:
        if spec.level is not None and (level is None or level < spec.level):
            continue
        whole = range(first, end)
        for subject in [whole] if spec.records else [range(row, row + 1) for row in whole]:
            if passes([lines[row] for row in subject]):
                matching.update(rows.intersection(subject))
    if spec.headers:
        matching &= {row for row, line in enumerate(lines) if row == 0 or line.startswith("2026-")}
    if found is not None:
        return [(row + 1, lines[row]) for row in sorted(matching) if found.pattern in lines[row]]
    shown = {row + step for row in matching for step in range(-spec.before, spec.after + 1)} & rows
    return [(row + 1, lines[row]) for row in sorted(shown)]


def shown(window: Window) -> list[tuple[int, str]]:
    assert window.line_numbers is not None
    return list(zip(window.line_numbers, lines_of(window.content), strict=True))


def window(file: FileBytes, spec: FilterSpec, selection: Lines | LastLines | None = None, **rest: int) -> Window:
    return read_window(file, WindowRequest(selection, filter=Filter(spec), **rest), no_progress)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(150))
def test_windows_counts_and_finds_of_a_filtered_log_are_those_of_the_plain_rules(seed: int) -> None:
    chance = random.Random(seed)
    text = random_log(chance, chance.randrange(1, 60))
    file = in_memory(text.encode())
    for _ in range(4):
        spec = random_spec(chance, text.count("\n") + 1)
        expected = kept(text, spec)
        assert shown(window(file, spec)) == expected
        assert count_lines(file, WindowRequest(filter=Filter(spec)), no_progress).lines == len(expected)
        first, length = chance.randrange(1, 40), chance.randrange(1, 20)
        assert shown(window(file, spec, Lines(first, first + length - 1))) == expected[first - 1 : first - 1 + length]
        assert shown(window(file, spec, LastLines(length))) == expected[-length:]
        among = kept(text, spec, found=Term("alpha"))
        request = FindRequest(Term("alpha"), filter=Filter(spec), counts=True)
        answer = find(file, request, no_progress)
        assert (answer.match and answer.match.line, answer.matched_lines) == (
            among[0][0] if among else None,
            len(among),
        )


@pytest.mark.parametrize("seed", range(150))
def test_records_counted_by_the_block_are_those_of_the_plain_rules(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    monkeypatch.setattr(describe, "_BLOCK", chance.choice([64, 200, 1000]))
    text = random_log(chance, chance.randrange(1, 60))
    counts = describe.describe(in_memory(text.encode()), TextForm(), no_progress, scan=True).counts
    assert counts is not None
    expected = records_of(lines_of(text))
    names = Counter(Level(level).name.lower() if level else "none" for _, _, level, _ in expected)
    assert (counts.lines, counts.records, counts.levels) == (len(lines_of(text)), len(expected), names)


@pytest.mark.parametrize("seed", range(100))
def test_what_was_learned_of_a_log_stays_right_while_it_grows(seed: int) -> None:
    chance = random.Random(seed)
    lines = random_log(chance, 60).splitlines(keepends=True)
    spec = random_spec(chance, 20)
    knowledge = in_memory(b"").knowledge
    for end in sorted(chance.randrange(3, len(lines) + 1) for _ in range(6)):
        text = "".join(lines[:end])
        if not lines[end - 1].startswith("2026") and chance.random() < 0.5:
            text = text.removesuffix("\n")
        file = in_memory(text.encode())._replace(knowledge=knowledge)
        expected = kept(text, spec)
        assert count_lines(file, WindowRequest(filter=Filter(spec)), no_progress).lines == len(expected)
        assert shown(window(file, spec)) == expected
        assert shown(window(file, spec, Lines(5, None))) == expected[4:]


def test_what_was_learned_of_a_log_does_not_change_what_passes_of_a_part_of_it() -> None:
    text = "".join(f"{number:07}\n" for number in range(100)).replace("0000032", "matches")
    near = FilterSpec(Terms(any=(Term("matches"),)), before=3)
    file = in_memory(text.encode())
    assert count_lines(file, WindowRequest(filter=Filter(near)), no_progress).lines == 4
    for last_line in (31, 32):
        spec = near._replace(last_line=last_line)
        assert count_lines(file, WindowRequest(filter=Filter(spec)), no_progress).lines == 0
        assert shown(window(file, spec)) == []


def test_a_line_without_newline_counts_for_the_length_of_its_record() -> None:
    text = "2026-11-18 14:00:00 ERROR here\n" + "x\n" * (MAX_LINES - 1) + "the next record"
    counts = describe.describe(in_memory(text.encode()), TextForm(), no_progress, scan=True).counts
    assert counts is not None
    assert (counts.records, counts.levels) == (2, {"error": 2})


def test_a_line_far_from_its_header_is_a_record_of_its_own_without_a_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MAX_RECORD_BYTES", 400)
    header = "2026-11-18 14:00:00 ERROR here\n"
    text = header + "near\n" * 60 + "far\n" * 200 + header
    file = in_memory(text.encode())
    numbers = [number for number, _ in shown(window(file, FilterSpec(Terms(), level=Level.ERROR)))]
    assert numbers[0] == 1
    assert numbers[-1] == 262
    assert len(numbers) in range(70, 120), "what starts within 400 bytes of the header"
    assert numbers[:-1] == list(range(1, len(numbers)))
    for last in range(1, 200, 7):
        assert [
            number for number, _ in shown(window(file, FilterSpec(Terms(), level=Level.ERROR), LastLines(last)))
        ] == (numbers[-last:])


def test_a_text_without_times_has_levels_and_records_but_no_since() -> None:
    text = "starting\nError: failed\n    at a\nCaused by: b\ndone\n"
    file = in_memory(text.encode())
    assert shown(window(file, FilterSpec(Terms(), level=Level.WARNING))) == [
        (2, "Error: failed\n"),
        (3, "    at a\n"),
        (4, "Caused by: b\n"),
    ]
    assert [line for _, line in shown(window(file, FilterSpec(Terms(any=(Term("Caused"),)), records=True)))] == [
        "Error: failed\n",
        "    at a\n",
        "Caused by: b\n",
    ]
    with pytest.raises(ReadError, match=r"filter\.since: the text has no times") as caught:
        window(file, FilterSpec(Terms(), since="14:05"))
    assert caught.value.code == ErrorCode.INVALID_ARGUMENT


@pytest.mark.parametrize("when", ["", "yesterday", "25:00", "2026-13-01", "-2x"])
def test_a_time_that_is_none_names_the_forms_there_are(when: str) -> None:
    for text in ("2026-11-18 14:00:00 INFO a\n", "no times\n"):
        with pytest.raises(ReadError, match=r"filter\.until: not a time") as caught:
            window(in_memory(text.encode()), FilterSpec(Terms(), until=when))
        assert "-30m" in (caught.value.hint or "")


def test_a_time_of_day_is_on_the_day_of_the_last_time_in_the_text() -> None:
    text = "".join(f"2026-11-{day} {hour}:00:00 INFO x\n" for day in (17, 18) for hour in (10, 14, 18))
    assert [number for number, _ in shown(window(in_memory(text.encode()), FilterSpec(Terms(), since="13:00")))] == [
        5,
        6,
    ]


def test_an_age_is_counted_back_from_now() -> None:
    now = datetime.now()
    ages = [300, 90, 45, 10]
    text = "".join(f"{(now - timedelta(minutes=age)).isoformat(' ')} INFO {age}\n" for age in ages)
    seen = shown(window(in_memory(text.encode()), FilterSpec(Terms(), since="-1h")))
    assert [number for number, _ in seen] == [3, 4]


def test_records_slightly_out_of_order_are_within_the_bounds() -> None:
    seconds = [0, 1, 3, 2, 4, 6, 5, 7, 9, 8]
    text = "".join(f"2026-11-18 14:00:{second:02} INFO x\n" for second in seconds)
    file = in_memory(text.encode())
    assert [n for n, _ in shown(window(file, FilterSpec(Terms(), since="2026-11-18T14:00:03")))] == list(range(3, 11))
    assert [n for n, _ in shown(window(file, FilterSpec(Terms(), until="2026-11-18T14:00:06")))] == list(range(1, 8))


def test_headers_are_the_first_lines_of_records_wherever_the_part_that_counts_begins() -> None:
    text = "2026-11-18 14:00:00 ERROR a\n  at b\n  at c\n2026-11-18 14:00:01 INFO d\n  at b\n"
    file = in_memory(text.encode())
    assert [number for number, _ in shown(window(file, FilterSpec(Terms(), headers=True)))] == [1, 4]
    assert [number for number, _ in shown(window(file, FilterSpec(Terms(), headers=True, first_line=2)))] == [4]
    spec = FilterSpec(Terms(any=(Term("at b"),)), headers=True, records=True, level=Level.ERROR)
    assert [number for number, _ in shown(window(file, spec))] == [1]


@pytest.mark.parametrize(
    ("spec", "numbers"),
    [
        (FilterSpec(Terms(any=(Term("timeout"),)), first_line=2), [2, 3]),
        (FilterSpec(Terms(none=(Term("timeout"),)), first_line=2), [4]),
        (FilterSpec(Terms(any=(Term("at y"),)), last_line=2), [1, 2]),
        (FilterSpec(Terms(any=(Term("ok"),)), last_line=3, before=1), []),
        (FilterSpec(Terms(any=(Term("at y"),)), last_line=2, after=1), [1, 2]),
    ],
)
def test_a_record_that_is_cut_by_the_first_or_the_last_line_is_judged_as_a_whole(
    spec: FilterSpec, numbers: list[int]
) -> None:
    file = in_memory(b"2026-11-18 01:00:00 ERROR timeout\n  at x\n  at y\n2026-11-18 01:00:01 INFO ok\n")
    assert [number for number, _ in shown(window(file, spec._replace(records=True)))] == numbers
