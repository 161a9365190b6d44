"""The text form of an answer: a header, numbered lines, and where it continues."""

import re
from typing import NamedTuple

from forge_daemon.reading.texts.text import Text
from forge_daemon.reading.window.describe import span_without_scan
from forge_daemon.reading.window.window import Facts

from .page import Line, Page

_NULS = re.compile("\0{2,}")


class Total(NamedTuple):
    """How much there is to read in all."""

    lines: int | None
    """None: not known, not even about."""
    is_exact: bool
    byte_length: int


class Wanted(NamedTuple):
    """What a call asked for."""

    last: int | None
    """The last line; None: all that follow."""
    is_whole: bool
    """No part was asked for: the file."""


def text_of_page(name: str, page: Page, wanted: Wanted, total: Total, notes: str, max_chars: int) -> list[str]:
    """As many lines of the page as fit. If not all do, or lines are cut, the header shows that it is not the file."""
    column = page.lines[0].column
    ending = [] if page.failure is None else [f"[{page.failure}]"]
    if column > 1 and not any(line.text for line in page.lines):
        first, last = page.lines[0].number, page.lines[-1].number
        which = f"{first}: the line ends" if first == last else f"{first}-{last}: the lines end"
        return [f"[{name} {which} before column {column}]", *_more(page.next_line, wanted), *ending]
    header = _header(name, page.lines, wanted, total, notes, has_more=True)
    longest_more = _more(page.lines[-1].number + 1, Wanted(None, is_whole=False))
    used = sum(len(line) + 1 for line in (header, *longest_more, *ending))
    shown: list[str] = []
    for line in page.lines:
        text = numbered(line)
        used += len(text) + 1
        if used > max_chars and shown:
            break
        shown.append(text)
    lines = page.lines[: len(shown)]
    next_line = page.next_line if len(shown) == len(page.lines) else lines[-1].number + 1
    more = _more(next_line, wanted)
    ending = ending if len(shown) == len(page.lines) else []
    return [_header(name, lines, wanted, total, notes, has_more=bool(more)), *shown, *more, *ending]


def _more(next_line: int | None, wanted: Wanted) -> list[str]:
    has_more = next_line is not None and (wanted.last is None or next_line <= wanted.last)
    return [f"[more: start_line {next_line}]"] if has_more else []


def _header(name: str, lines: list[Line], wanted: Wanted, total: Total, notes: str, *, has_more: bool) -> str:
    size, cut = readable_size(total.byte_length), sum(bool(line.omitted_bytes) for line in lines)
    if total.is_exact:
        of_all = f"/{total.lines}" + f", {size}" * (wanted.is_whole and (has_more or cut > 0))
    elif total.lines is not None:
        of_all = f" of about {total.lines:,}, {size}"
    else:
        of_all = f" and more, {size}" * has_more
    if cut:
        of_all += f", {plural(cut, 'line')} cut"
    return f"[{name} {lines[0].number}-{lines[-1].number}{of_all}{notes}]"


def numbered(line: Line, after_number: str = "\t") -> str:
    text = line.text
    if "\0\0" in text:  # a log that was truncated while it was written to begins with a run of them
        text = _NULS.sub(lambda run: f"[{len(run[0]):,} NULs]", text)
    return f"{line.number}{after_number}{text}{_rest(line)}"


def past_the_end(name: str, first: int, total: int, *, waited: bool = False, tool: str = "") -> str:
    if waited:
        return f"[{name} has {plural(total, 'line')}: there is no line {first} yet]"
    if total == 0:
        return f"[{name} is empty]"
    return (
        f"[{name} has {plural(total, 'line')}: line {first} is past the end; {tool}start_line -20 shows the last lines]"
    )


def plural(count: int, thing: str, ending: str = "s") -> str:
    return f"{count:,} {thing}{ending * (count != 1)}"


def readable_size(size: int) -> str:
    """Such as `999 bytes`, `12 kB`, `1.4 MB`."""
    if size < 1000:
        return plural(size, "byte")
    amount, units = size / 1000, iter(("kB", "MB", "GB", "TB"))
    unit = next(units)
    while amount >= 999.5 and unit != "TB":
        amount, unit = amount / 1000, next(units)
    return f"{amount:.1f} {unit}" if amount < 9.95 else f"{amount:,.0f} {unit}"


def notes_of(facts: Facts, decode_errors: int, encodings: str) -> str:
    """What is unusual about a text. `encodings` is what may help where bytes could not be decoded."""
    said = ["unsaved"] if facts.source == "buffer" else []
    if facts.encoding != "utf-8":
        said.append(facts.encoding)
    if decode_errors:
        advice = f", try encoding {encodings}" if encodings else ""
        said.append(f"{plural(decode_errors, 'undecodable byte')}{advice}")
    return "".join(f" {note}" for note in said)


def span_of_times(text: Text) -> str:
    """When the first and the last record of a log were written, as far as that takes no scan."""
    first, last = span_without_scan(text)
    return f" logged {first} to {last}" if first is not None and last is not None else ""


def _rest(line: Line) -> str:
    if not line.omitted_bytes:
        return ""
    column = line.column + len(line.text)
    return f"… [+{line.omitted_bytes:,} bytes: start_line {line.number}, start_column {column}]"
