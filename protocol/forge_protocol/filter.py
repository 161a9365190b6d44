"""`filter`: read a file as if it had only the lines that match."""

from attrs import define

from .fields import Positive


@define(kw_only=True)
class FilterParams:
    """Which lines of a file count. Selectors and cursors count only these; `line_numbers` has their own numbers."""

    pattern: str
    """As in `forge/find`."""
    regex: bool = False
    """As in `forge/find`."""
    ignore_case: bool = False
    """As in `forge/find`."""
    invert: bool = False
    """Select the lines that do not match instead."""
    first_line: Positive | None = None
    """Ignore the lines before this one."""
    last_line: Positive | None = None
    """Ignore the lines after this one. Must not be less than `first_line`."""
