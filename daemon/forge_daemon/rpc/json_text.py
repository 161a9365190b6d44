"""JSON to bytes and back: UTF-8, strict, and fast where orjson is installed."""

import json
from typing import Any, NoReturn

try:
    import orjson
except ImportError:
    orjson = None  # type: ignore[assignment]


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def decode(body: bytes) -> Any:
    """Raises ValueError or RecursionError for what is not JSON in UTF-8."""
    return _DECODER.decode(body.decode())


def encode(value: Any) -> bytes:
    if orjson is not None:
        try:
            return orjson.dumps(value)
        except TypeError:
            pass  # a lone surrogate or an integer of more than 64 bits: the plain encoder knows both
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(value, allow_nan=False, separators=(",", ":")).encode()
