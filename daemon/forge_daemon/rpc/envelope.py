"""What a message must look like before its method is looked up."""

import math
from typing import Any

_WRONG_ID = "an id must be a string or an integer"


def fault_in_envelope(message: Any) -> str | None:
    if not isinstance(message, dict):
        return "a message must be an object"
    if message.get("jsonrpc") != "2.0":
        return 'jsonrpc must be "2.0"'
    if "method" in message:
        if "id" in message and not is_id(message["id"]):
            return _WRONG_ID
        return None if isinstance(message["method"], str) else "a method must be a string"
    return _fault_in_response(message)


def _fault_in_response(message: dict[str, Any]) -> str | None:
    if message.get("id", "") is None:  # the other side could not read the id of what it answers
        return None if "error" in message else "a response must have an id"
    if not is_id(message.get("id", "")):
        return _WRONG_ID
    return None if "id" in message and message.keys() & {"result", "error"} else "neither a method nor a response"


def is_id(value: Any) -> bool:
    return type(value) in (str, int)


def is_scalar(value: Any) -> bool:
    # A float too large to be one is read as infinity, which cannot be written again.
    return value is None or isinstance(value, (str, int)) or (isinstance(value, float) and math.isfinite(value))
