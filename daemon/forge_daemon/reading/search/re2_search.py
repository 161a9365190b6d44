"""Searching bytes with google-re2, where it is installed: in linear time, and without the interpreter's lock."""

from functools import cache

from forge_daemon.light_typing import Any

from .regions import FindNext, Region

_MEMORY = 8 * 1024 * 1024


def re2_search(pattern: bytes) -> FindNext | None:
    """Searches for a pattern; None where RE2 does not accept it, or is not installed."""
    re2 = re2_module()
    if re2 is None:
        return None
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.max_mem = _MEMORY
    options.never_capture = True
    options.log_errors = False
    try:
        compiled = re2.compile(pattern, options)
    except re2.error:
        return None
    return _direct_search(compiled) or _public_search(compiled)


def _public_search(compiled: Any) -> FindNext:
    search = compiled.search
    return lambda block, position: found.span() if (found := search(block, position)) else None


def _direct_search(compiled: Any) -> FindNext | None:
    """The same without Python's `Match` objects, which take longer than most matches; None where it is not there."""
    try:
        match, anywhere = compiled._regexp.Match, re2_module()._re2.RE2.Anchor.UNANCHORED
        match(anywhere, b"", 0, 0)[0][0]
    except (AttributeError, TypeError, LookupError):
        return None

    def find_next(block: bytes, position: int) -> Region | None:
        span: Region = match(anywhere, block, position, len(block))[0]
        return span if span[0] >= 0 else None

    return find_next


@cache
def re2_module() -> Any:
    """google-re2, or None where it is not installed. (pyre2 has the same name, but not the same interface.)"""
    try:
        import re2

        return re2 if hasattr(re2, "Options") else None
    except ImportError:
        return None
