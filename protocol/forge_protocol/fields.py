"""The types of fields that messages are made of.

A range is part of the type, so that the converter can report it with the field's path and the generated
documentation can state it.
"""

from typing import Annotated, NamedTuple

from . import LARGEST_INTEGER


class Between(NamedTuple):
    """Inclusive bounds of an integer or of a list's length."""

    low: int
    high: int = LARGEST_INTEGER


class Items(NamedTuple):
    """Documents the items of an array that are checked one by one, so that each can have its own error."""

    message_type: type


Positive = Annotated[int, Between(1)]
NotNegative = Annotated[int, Between(0)]
PageBytes = Annotated[int, Between(1, 1024 * 1024)]
PageLines = Annotated[int, Between(1, 10_000)]
AnswerCharacters = Annotated[int, Between(1000)]
"""Less has no room for a header, a line and how to continue."""
ProgressToken = str | int
