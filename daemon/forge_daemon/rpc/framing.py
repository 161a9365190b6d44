"""How a stream is divided into messages: by headers with their lengths (LSP), or by newlines (MCP)."""

import re
from collections.abc import Iterator
from typing import Protocol

MAX_HEADER_BYTES = 8 * 1024
MAX_BODY_BYTES = 32 * 1024 * 1024
_MAX_COPIED = 64 * 1024

_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_CONTENT_LENGTH = re.compile(rb"[0-9]{1,10}")


class FrameError(Exception):
    """The stream does not consist of messages. It cannot be read further: where the next one starts is unknown."""


class Framing(Protocol):
    """Takes bytes as they arrive and returns message bodies once they are complete."""

    @property
    def inside_frame(self) -> bool:
        """Whether the stream is in the middle of a message."""
        ...

    def feed(self, data: bytes) -> Iterator[bytes]: ...

    def wrap(self, body: bytes) -> tuple[bytes, ...]:
        """What is written for a message, in pieces: a large body is not copied."""
        ...


class FrameParser:
    """The frames of LSP's base protocol: headers, a blank line, the announced number of bytes.

    Header names may be written in any case, with or without the space, and lines may end in LF or CRLF.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._length: int | None = None

    @property
    def inside_frame(self) -> bool:
        return bool(self._buffer) or self._length is not None

    def feed(self, data: bytes) -> Iterator[bytes]:
        self._buffer += data
        while True:
            if self._length is None:
                self._length = self._take_header()
            if self._length is None or len(self._buffer) < self._length:
                return
            body = bytes(self._buffer[: self._length])
            del self._buffer[: self._length]
            self._length = None
            yield body

    def wrap(self, body: bytes) -> tuple[bytes, ...]:
        return (frame(body),) if len(body) < _MAX_COPIED else (_header(body), body)

    def _take_header(self) -> int | None:
        end = _BLANK_LINE.search(self._buffer, 0, MAX_HEADER_BYTES)
        if end is None:
            if len(self._buffer) >= MAX_HEADER_BYTES:
                raise FrameError(f"no end of header within {MAX_HEADER_BYTES} bytes")
            return None
        length = content_length(bytes(self._buffer[: end.start()]))
        del self._buffer[: end.end()]
        return length


def content_length(header: bytes) -> int:
    """The length a header block announces."""
    lengths = set()
    for line in header.split(b"\n"):
        name, colon, value = line.partition(b":")
        if not colon:
            raise FrameError("a header line without a colon")
        if name.strip().lower() == b"content-length":
            lengths.add(value.strip())
    if len(lengths) != 1:
        raise FrameError("no Content-Length" if not lengths else "more than one Content-Length")
    text = lengths.pop()
    if not _CONTENT_LENGTH.fullmatch(text):
        raise FrameError("Content-Length is not a number")
    return _within_limit(int(text))


def _within_limit(length: int) -> int:
    if length > MAX_BODY_BYTES:
        raise FrameError(f"a message is larger than {MAX_BODY_BYTES} bytes")
    return length


def frame(body: bytes) -> bytes:
    return _header(body) + body


def _header(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n" % len(body)


class LineFraming:
    """One message per line, as in MCP. JSON text never needs a newline; blank lines are ignored."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._searched = 0

    @property
    def inside_frame(self) -> bool:
        return bool(self._buffer.strip())

    def feed(self, data: bytes) -> Iterator[bytes]:
        self._buffer += data
        while (end := self._buffer.find(b"\n", self._searched)) >= 0:
            line = bytes(self._buffer[:end]).strip()
            del self._buffer[: end + 1]
            self._searched = 0
            _within_limit(len(line))
            if line:
                yield line
        self._searched = _within_limit(len(self._buffer))

    def wrap(self, body: bytes) -> tuple[bytes, ...]:
        return (body + b"\n",) if len(body) < _MAX_COPIED else (body, b"\n")
