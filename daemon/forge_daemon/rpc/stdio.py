"""The client on descriptors 0 and 1: messages in, messages out, and nothing else on either.

The thread that has an answer writes it. While the client does not take an answer, nothing more is read: the thread that
writes waits, and so does the one that reads. The event loop never waits: what it sends is written by a thread.
"""

import logging
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from time import monotonic
from typing import NamedTuple

from .framing import FrameError, Framing

logger = logging.getLogger(__name__)

_READ_SIZE = 32 * 1024
_WRITE_SIZE = 64 * 1024


class Descriptors(NamedTuple):
    reader: int
    writer: int


def claim_descriptors() -> Descriptors:
    """Reserve stdin and stdout for messages: a stray print goes to stderr, and child processes read nothing."""
    if _is_closed(1):
        raise SystemExit(1)  # nobody would get an answer
    _fill_closed_descriptors()
    descriptors = Descriptors(os.dup(0), os.dup(1))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    if sys.platform != "win32":
        for descriptor in descriptors:
            os.set_blocking(descriptor, True)
    return descriptors


def _is_closed(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return True
    return False


def _fill_closed_descriptors() -> None:
    """If the process was started with one of 0, 1 and 2 closed, the next file opened would take that number."""
    opened = os.open(os.devnull, os.O_RDWR)
    while opened <= 2:
        opened = os.open(os.devnull, os.O_RDWR)
    os.close(opened)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w")


class Output:
    """Writes whole messages. Usable from any thread."""

    def __init__(self, descriptor: int, framing: Framing, on_broken: Callable[[], None]) -> None:
        """To be made on the event loop's thread."""
        self._descriptor = descriptor
        self._framing = framing
        self._on_broken = on_broken
        self._loop_thread = threading.get_ident()
        self._writing = threading.Lock()
        self._posted: deque[bytes] = deque()
        """Messages of the event loop."""
        self._has_posted = threading.Semaphore(0)
        self._is_broken = False
        self.last_progress = monotonic()
        """When the client last took something, or something was first there to be taken."""
        threading.Thread(target=self._write_posted, name="stdout", daemon=True).start()

    def send(self, body: bytes) -> None:
        """The caller waits until the client has taken it, except the event loop."""
        if threading.get_ident() == self._loop_thread:
            self._posted.append(body)
            self._has_posted.release()
            return
        with self._writing:
            self._write_all_posted()
            self._write(body)

    @property
    def is_idle(self) -> bool:
        return not self._posted and not self._writing.locked()

    def wait(self) -> None:
        """Wait until the client has taken what is being written."""
        with self._writing:
            pass

    def _write_posted(self) -> None:
        while True:
            self._has_posted.acquire()
            with self._writing:
                self._write_all_posted()

    def _write_all_posted(self) -> None:
        while self._posted:
            self._write(self._posted[0])
            self._posted.popleft()

    def _write(self, body: bytes) -> None:
        self.last_progress = monotonic()
        try:
            for piece in self._framing.wrap(body):
                view = memoryview(piece)
                while view and not self._is_broken:
                    view = view[os.write(self._descriptor, view[:_WRITE_SIZE]) :]
                    self.last_progress = monotonic()
        except OSError:
            self._is_broken = True
            self._on_broken()


class Input:
    """Reads messages and hands them over one by one. Used by one thread at a time."""

    def __init__(
        self,
        descriptor: int,
        framing: Framing,
        output: Output,
        on_body: Callable[[bytes], None],
        on_end: Callable[[FrameError | None], object],
    ) -> None:
        self._descriptor = descriptor
        self._framing = framing
        self._output = output
        self._on_body = on_body
        self._on_end = on_end
        self._bodies = self._read_bodies()

    def receive_next(self) -> bool:
        """Wait for the next message and hand it over. Returns False at the end of the stream."""
        try:
            body = next(self._bodies, None)
            error = None
        except FrameError as fault:
            body, error = None, fault
        if body is None:
            self._on_end(error)
            return False
        # Answers are far larger than requests: what has arrived already waits too.
        self._output.wait()
        try:
            self._on_body(body)
        except Exception as error:  # of ours; the next message may be handled
            logger.error("a message failed: %s", type(error).__name__)
            logger.debug("a message failed", exc_info=error)
        return True

    def _read_bodies(self) -> Iterator[bytes]:
        while data := self._read():
            yield from self._framing.feed(data)
        if self._framing.inside_frame:
            raise FrameError("the stream ends inside a frame")

    def _read(self) -> bytes:
        try:
            return os.read(self._descriptor, _READ_SIZE)
        except OSError:
            return b""
