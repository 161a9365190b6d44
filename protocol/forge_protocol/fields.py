"""The few kinds of field that messages are made of.

A range belongs to the type, so that the converter can check it with the field's path at hand and the
generated documentation can state it.
"""

from typing import Annotated, NamedTuple

from . import LARGEST_INTEGER

SINCE_1_1 = {"since": "1.1"}
"""Metadata of a field that protocol version 1.1 brought. Without it a field is as old as its message."""


class Between(NamedTuple):
    """Inclusive bounds of an integer or of a list's length."""

    low: int
    high: int = LARGEST_INTEGER


class Items(NamedTuple):
    """Documents the items of an array that are checked one by one, each answered for itself."""

    message_type: type


Positive = Annotated[int, Between(1)]
NotNegative = Annotated[int, Between(0)]
PageBytes = Annotated[int, Between(1, 1024 * 1024)]
PageLines = Annotated[int, Between(1, 10_000)]
ProgressToken = str | int
