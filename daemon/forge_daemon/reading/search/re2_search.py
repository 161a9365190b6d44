"""Searching bytes with google-re2, where it is installed: in linear time, and without the interpreter's lock."""

from functools import cache

from forge_daemon.light_typing import Any

from .regions import FindNext

_MEMORY = 8 * 1024 * 1024


def re2_search(patterns: list[bytes]) -> FindNext | None:
    """Searches for the first of the patterns that RE2 accepts; None where it accepts none, or is not installed."""
    re2 = re2_module()
    if re2 is None:
        return None
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.max_mem = _MEMORY
    options.never_capture = True
    options.log_errors = False
    for pattern in patterns:
        try:
            search = re2.compile(pattern, options).search
        except re2.error:
            continue
        return lambda block, position: found.span() if (found := search(block, position)) else None
    return None


@cache
def re2_module() -> Any:
    """google-re2, or None where it is not installed. (pyre2 has the same name, but not the same interface.)"""
    try:
        import re2

        return re2 if hasattr(re2, "Options") else None
    except ImportError:
        return None
