"""`filter`: the file as if it had only the lines that match."""

from attrs import define

from .fields import Positive


@define(kw_only=True)
class FilterParams:
    """Which lines of a file count. Those of the result are numbered anew; `line_numbers` has their own numbers."""

    pattern: str
    """As in `forge/find`."""
    regex: bool = False
    """As in `forge/find`."""
    ignore_case: bool = False
    """As in `forge/find`."""
    invert: bool = False
    """The lines that do not match, instead of those that do."""
    first_line: Positive | None = None
    """No line before this one counts."""
    last_line: Positive | None = None
    """No line after this one counts; not before `first_line`."""
