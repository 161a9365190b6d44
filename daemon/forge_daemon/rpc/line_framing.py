"""Messages on lines of their own: JSON text holds no newline, so a newline ends a message."""

from collections.abc import Iterator

from .framing import MAX_BODY_BYTES, FrameError


class LineParser:
    """Takes bytes as they come and gives lines as they are complete."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._searched = 0

    @property
    def inside_frame(self) -> bool:
        return bool(self._buffer.strip())

    def feed(self, data: bytes) -> Iterator[bytes]:
        self._buffer += data
        while (end := self._buffer.find(b"\n", self._searched)) >= 0:
            body = bytes(self._buffer[:end]).strip()
            del self._buffer[: end + 1]
            self._searched = 0
            if body:
                yield body
        self._searched = len(self._buffer)
        if self._searched > MAX_BODY_BYTES:
            raise FrameError(f"a line is longer than {MAX_BODY_BYTES} bytes")


def line(body: bytes) -> bytes:
    return body + b"\n"
