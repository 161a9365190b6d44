"""Calls that must fail."""

from collections.abc import Callable
from typing import Any

import pytest

from forge_daemon.tools import ReadError
from forge_daemon.tools.tool import Tool


def refusal(call: Callable[..., object] | Tool[Any, Any], *arguments: Any, **named: Any) -> ReadError:
    with pytest.raises(ReadError) as caught:
        call(*arguments, **named)
    return caught.value


def code(call: Callable[..., object] | Tool[Any, Any], *arguments: Any, **named: Any) -> str:
    return refusal(call, *arguments, **named).code.value
