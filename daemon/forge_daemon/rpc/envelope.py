"""What a message must look like before its method is looked up."""

import math
from typing import Any


def fault_in_envelope(message: Any) -> str | None:
    if not isinstance(message, dict):
        return "a message must be an object"
    if message.get("jsonrpc") != "2.0":
        return 'jsonrpc must be "2.0"'
    if "id" in message and not is_id(message["id"]):
        if "method" not in message and message["id"] is None:
            return None if "error" in message else "a response must have an id"
        return "an id must be a string or an integer"
    if "method" in message:
        return None if isinstance(message["method"], str) else "a method must be a string"
    if "id" not in message or not ("result" in message or "error" in message):
        return "neither a method nor a response"
    return None


def is_id(value: Any) -> bool:
    return type(value) in (str, int)


def is_scalar(value: Any) -> bool:
    # A float too large to be one is read as infinity, which cannot be written again.
    return value is None or isinstance(value, (str, int)) or (isinstance(value, float) and math.isfinite(value))
