"""How messages are told apart on a stream."""

import re
from collections.abc import Callable
from typing import NamedTuple

_CONTENT_LENGTH = re.compile(rb"Content-Length: (\d+)")
_BLANK_LINE = b"\r\n\r\n"


class Framing(NamedTuple):
    wrap: Callable[[bytes], bytes]
    take: Callable[[bytearray], bytes | None]
    """Removes the first whole message from what has come, if there is one."""


def _with_header(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def _take_after_header(arrived: bytearray) -> bytes | None:
    end = arrived.find(_BLANK_LINE)
    if end < 0:
        return None
    length = _CONTENT_LENGTH.search(arrived)
    assert length is not None
    start = end + len(_BLANK_LINE)
    stop = start + int(length[1])
    if len(arrived) < stop:
        return None
    body = bytes(arrived[start:stop])
    del arrived[:stop]
    return body


def _with_newline(body: bytes) -> bytes:
    return body + b"\n"


def _take_line(arrived: bytearray) -> bytes | None:
    end = arrived.find(b"\n")
    if end < 0:
        return None
    line = bytes(arrived[:end])
    del arrived[: end + 1]
    return line


HEADERS = Framing(_with_header, _take_after_header)
"""As language servers do."""
LINES = Framing(_with_newline, _take_line)
"""As servers of the Model Context Protocol do."""
