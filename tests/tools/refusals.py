"""Calls that must fail."""

from collections.abc import Callable
from typing import Any

import pytest

from forge_daemon.tools import ReadError


def refusal(call: Callable[..., object], *arguments: Any, **named: Any) -> ReadError:
    with pytest.raises(ReadError) as caught:
        call(*arguments, **named)
    return caught.value


def code(call: Callable[..., object], *arguments: Any, **named: Any) -> str:
    return refusal(call, *arguments, **named).code.value
