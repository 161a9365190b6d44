"""`filter`: read a file as if it had only the lines that pass."""

from typing import Annotated, Literal

from attrs import define

from .fields import Between, Positive

MAX_CONTEXT = 20
MAX_TERMS = 64

LevelName = Literal["trace", "debug", "info", "notice", "warning", "error", "critical"]
Context = Annotated[int, Between(0, MAX_CONTEXT)]


@define(kw_only=True)
class TermParams:
    """What a line may contain."""

    pattern: str
    """As in `forge/find`."""
    regex: bool = False
    """As in `forge/find`."""
    ignore_case: bool = False
    """As in `forge/find`."""
    whole_word: bool = False
    """As in `forge/find`."""


@define(kw_only=True)
class FilterParams:
    """Which lines of a file count. Selectors and cursors count only these; `line_numbers` has their own numbers.

    Either one term (`pattern` and the four fields after it), or lists of terms: a line passes if one of `any` matches
    (if given), all of `all`, and none of `none`. `level`, `since`, `until`, `headers`, `first_line` and `last_line` can
    be given with terms or without.
    """

    pattern: str | None = None
    """As in `forge/find`. Exclusive with `any`, `all` and `none`."""
    regex: bool = False
    """As in `forge/find`."""
    ignore_case: bool = False
    """As in `forge/find`."""
    whole_word: bool = False
    """As in `forge/find`."""
    invert: bool = False
    """Select the lines that do not match `pattern` instead."""
    any: list[TermParams] | None = None
    """One of these matches. At most 64 terms in all three lists together."""
    all: list[TermParams] | None = None
    """Each of these matches."""
    none: list[TermParams] | None = None
    """None of these matches."""
    first_line: Positive | None = None
    """Ignore the lines before this one."""
    last_line: Positive | None = None
    """Ignore the lines after this one. Must not be less than `first_line`."""
    before: Context = 0
    """Also that many lines before each line that passes; they are in `context_lines`."""
    after: Context = 0
    """Also that many lines after each line that passes; they are in `context_lines`."""
    level: LevelName | None = None
    """Only lines of records of this level or a higher one. See "Records, levels, times"."""
    since: str | None = None
    """Only what was logged at this time or later: an ISO 8601 date or time, a time of day (`14:05`: on the day of the
    last time in the text), or an age (`-2h`, `-30m`, `-1d`: before now)."""
    until: str | None = None
    """Only what was logged before this time."""
    records: bool = False
    """Match terms against whole records: a record passes or fails as a whole, as a stack trace with its header. A term
    matches a record if it matches one of its lines."""
    headers: bool = False
    """Only the first line of each record that passes."""
