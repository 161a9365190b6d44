"""Text that a stage makes from a source, at any offset.

A stage only goes forward: it decompresses, converts, or strips. To read at an offset, a reader continues where an
earlier one stopped, or starts from a restart point, and skips what lies between. What was learned is kept with the
file and shared by all requests. It stays true while the file only grows, because what a stage makes before its end
depends on nothing that comes later.
"""

import sys
import threading
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any, NamedTuple

from .source import End, Input, Source
from .spill import Spill, open_spill

MAX_KEPT = 1024 * 1024
"""Bytes of text that a reader keeps behind it."""
MAX_PARKED = 2
MAX_POINT_BYTES = 24 * 1024 * 1024
MAX_POINTS = 8192


class Point(NamedTuple):
    """Where a stage can start: an offset of its text, and what it needs to know there."""

    offset: int
    state: Any


class Step(NamedTuple):
    text: bytes = b""
    state: Any = None
    """For a restart point after this text; None where there can be none."""


class Stage:
    """Makes bytes from bytes."""

    spacing = 1024 * 1024
    """Bytes of text between two restart points, to begin with."""
    point_bytes = 256
    """Memory of a restart point."""
    reader_bytes = 4096
    """Memory of a reader, without its text."""
    max_spilled_bytes = 0
    """For a stage that has no restart points inside a long text: bytes in temporary files, in the whole process."""

    def steps(self, source: Input, start: Point) -> Iterator[Step | End]:
        """Never stops: after an `End` it looks whether the source has grown."""
        raise NotImplementedError


START = Point(0, None)


class _Port:
    """The source of a reader. Each request has its own."""

    source: Input

    def read_at(self, offset: int, length: int) -> bytes:
        return self.source.read_at(offset, length)

    def end(self) -> End:
        return self.source.end()


class Reader:
    """A stage on its way, with the text that it made last. Used by one thread at a time."""

    def __init__(self, stage: Stage, start: Point) -> None:
        self._port = _Port()
        self._steps = stage.steps(self._port, start)
        self._kept = bytearray()
        self.start = start.offset
        self.is_intact = True
        """Not left in the middle of a step by an error."""

    @property
    def offset(self) -> int:
        return self.start + len(self._kept)

    def step(self, source: Input) -> Step | End:
        self._port.source = source
        self.is_intact = False
        step = next(self._steps)
        self.is_intact = True
        del self._port.source
        if isinstance(step, Step):
            self._kept += step.text
        return step

    def text(self, offset: int, length: int) -> bytes:
        start = offset - self.start
        return bytes(memoryview(self._kept)[start : start + length])

    def forget_before(self, offset: int) -> None:
        if (length := offset - self.start) > 0:
            del self._kept[:length]
            self.start = offset


class State:
    """What is known of a text while its file has one size. Thread-safe."""

    def __init__(self, stage: Stage, size: int) -> None:
        self.size = size
        self.stage = stage
        self.end: End | None = None
        self._lock = threading.Lock()
        self._points = [START]
        self._spacing = stage.spacing
        self._parked: list[Reader] = []
        self._spill: Spill | None = None

    def grown(self, size: int) -> "State":
        """This state for the file when it is larger. Requests that read it before keep to what it was."""
        state = State(self.stage, size)
        with self._lock:
            state._points, state._spacing = self._points[:], self._spacing
            state._parked, self._parked = self._parked, []
            state._spill = self._spill
        return state

    @property
    def memory(self) -> int:
        with self._lock:
            points = self.stage.point_bytes * len(self._points)
            readers = sum(self.stage.reader_bytes + reader.offset - reader.start for reader in self._parked)
            # An open file is a resource too, of which there must not be too many.
            return points + readers + (MAX_KEPT if self._spill else 0)

    @property
    def reach(self) -> int:
        with self._lock:
            return max(self._points[-1].offset, self._spilled, *(reader.offset for reader in self._parked))

    def take(self, offset: int) -> Reader:
        """A reader at or before an offset, the nearest there is; for the caller alone."""
        with self._lock:
            point = self._points[bisect_right(self._points, offset, key=lambda point: point.offset) - 1]
            usable = [reader for reader in self._parked if reader.start <= offset and reader.offset >= point.offset]
            if usable:
                nearest = max(usable, key=lambda reader: reader.offset)
                self._parked.remove(nearest)
                return nearest
        return Reader(self.stage, point)

    def park(self, reader: Reader) -> None:
        """Leave a reader to whoever continues there."""
        if reader.is_intact:
            reader.forget_before(reader.offset - MAX_KEPT)
            with self._lock:
                self._parked.append(reader)
                del self._parked[:-MAX_PARKED]

    def learn(self, reader: Reader, state: Any) -> None:
        """Keep a restart point, if the last one is far enough away, and spill what was not spilled before."""
        with self._lock:
            if state is not None and reader.offset >= self._points[-1].offset + self._spacing:
                self._points.append(Point(reader.offset, state))
                if len(self._points) > min(MAX_POINTS, MAX_POINT_BYTES // self.stage.point_bytes):
                    self._spacing *= 2
                    del self._points[1::2]
            # A short text is kept by its reader.
            if reader.offset > MAX_KEPT and reader.start <= self._spilled < reader.offset:
                self._spill = self._spill or open_spill(self.stage.max_spilled_bytes)
                if self._spill is not None:
                    start = self._spill.size
                    self._spill.append(start, reader.text(start, reader.offset - start))

    def spilled_at(self, offset: int, length: int) -> bytes:
        spill, length = self._spill, min(length, self._spilled - offset)
        return spill.read_at(offset, length) if spill is not None and length > 0 else b""

    @property
    def _spilled(self) -> int:
        return self._spill.size if self._spill else 0


class Derived:
    """One request's view of the text. It is a source itself."""

    def __init__(self, source: Source, state: State) -> None:
        self._source = source
        self._state = state

    def read_at(self, offset: int, length: int) -> bytes:
        spilled = self._state.spilled_at(offset, length)
        return spilled + self._made_at(offset + len(spilled), length - len(spilled))

    def end(self) -> End:
        if self._state.end is None:
            self._made_at(sys.maxsize, 1)
        assert self._state.end is not None
        return self._state.end

    def known_end(self) -> End | None:
        return self._state.end

    def reach(self) -> int:
        return self._state.reach

    def report(self) -> None:
        self._source.report()

    def _made_at(self, offset: int, length: int) -> bytes:
        if (end := self._state.end) is not None:
            length = min(length, end.length - offset)
        if length <= 0:
            return b""
        reader = self._state.take(offset)
        try:
            while reader.offset < offset + length:
                self._source.report()
                step = reader.step(self._source)
                if isinstance(step, End):
                    self._state.end = step._replace(length=reader.offset)
                    break
                self._state.learn(reader, step.state)
                reader.forget_before(min(offset, reader.offset) - MAX_KEPT)
            return reader.text(offset, length)
        finally:
            self._state.park(reader)
