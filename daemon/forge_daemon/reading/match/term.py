"""What one term of a filter or a search looks for."""

import re
from typing import NamedTuple

from forge_protocol.errors import ReadError, invalid_argument

from .required_literal import required_literal

MAX_CHARACTERS = 10_000
"""Enough for 500 alternatives."""
_BARE_CLASS_OR_OTHER = re.compile(
    r"\\. | \[(\^?:[a-z]+:)\] | \[\^?\]?(?>(?:\[:\^?\w+:\]|\\.|[^\]\\])*)\]", re.VERBOSE | re.DOTALL
)
"""The group: a named class without the brackets around it, which would be a set of its letters, as in grep."""


class Term(NamedTuple):
    """A literal, or an expression in RE2's syntax. Matched within one line, whose ending is not part of it."""

    pattern: str
    regex: bool = False
    ignore_case: bool = False
    whole_word: bool = False

    def checked(self) -> "Term":
        """This term, or a literal if it is an expression of plain characters.

        Raises `INVALID_ARGUMENT` for what is wrong in literals and expressions alike.
        """
        length = len(self.pattern)
        if not 1 <= length <= MAX_CHARACTERS:
            raise invalid_argument(f"pattern: must have 1 to {MAX_CHARACTERS:,} characters, got {length:,}")
        if any("\ud800" <= character <= "\udfff" for character in self.pattern):
            raise invalid_argument("pattern: contains a lone surrogate (half a character)")
        is_literal = not self.regex or required_literal(self.pattern) == self.pattern
        if is_literal and "\n" in self.pattern:
            raise contains_newline()
        if not is_literal and (bare := next((m[1] for m in _BARE_CLASS_OR_OTHER.finditer(self.pattern) if m[1]), None)):
            raise invalid_argument(f"pattern: [{bare}] is a set of its letters", hint=f"write [[{bare}]] for the class")
        return self._replace(regex=not is_literal)


def contains_newline() -> ReadError:
    return invalid_argument(
        "pattern: contains a newline, but lines are searched one by one",
        hint="search for a part that stands in one line; ^ and $ are the ends of a line",
    )
