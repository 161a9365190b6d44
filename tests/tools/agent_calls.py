"""Calls of toolset `agent`."""

from collections.abc import Callable

Call = Callable[..., str]


def lines(count: int) -> str:
    return "".join(f"line {number}\n" for number in range(1, count + 1))
