"""Claims descriptors 0 and 1: messages in, messages out, and nothing else on either.

Pipes and sockets are read and written by the event loop itself, so that a client that stops reading stalls
neither signals nor cancellation: its answers wait here, and no further request is read meanwhile. What
the loop cannot watch (a file, a terminal, any handle on Windows) is read by a thread and written with blocking calls.
"""

import asyncio
import os
import stat
import sys
import threading
from collections.abc import Callable
from time import monotonic
from typing import NamedTuple

from .framing import FrameError, Framing

MAX_UNSENT_BYTES = 4 * 1024 * 1024
"""Above this no further request is read until the client takes its answers."""
_READ_SIZE = 32 * 1024
TURN_SECONDS = 0.01
"""After this the loop gets its turn: for signals, timers, and a client that is gone."""


class Descriptors(NamedTuple):
    reader: int
    writer: int


def claim_descriptors() -> Descriptors:
    """Reserve stdin and stdout for messages: a stray print goes to stderr, and child processes read nothing."""
    _fill_closed_descriptors()
    descriptors = Descriptors(os.dup(0), os.dup(1))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return descriptors


def _fill_closed_descriptors() -> None:
    """If the process was started with one of 0, 1 and 2 closed, the next file opened would take that number."""
    opened = os.open(os.devnull, os.O_RDWR)
    while opened <= 2:
        opened = os.open(os.devnull, os.O_RDWR)
    os.close(opened)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w")


class Stdio:
    """The connection to the one client."""

    def __init__(
        self,
        descriptors: Descriptors,
        framing: Framing,
        on_body: Callable[[bytes], None],
        on_end: Callable[[FrameError | None], None],
        on_pause: Callable[[], None],
        on_resume: Callable[[], None],
        is_busy: Callable[[], bool],
    ) -> None:
        self._descriptors = descriptors
        self._framing = framing
        self._on_body = on_body
        self._on_end = on_end
        self._on_pause = on_pause
        """The client does not take its answers: no further ones should be made."""
        self._on_resume = on_resume
        self._is_busy = is_busy
        """Whether the loop has work other than this stream."""
        self._polling = Polling()
        self._continues = False
        """What has arrived is being handled, with turns of the loop in between; meanwhile nothing more is read."""
        self._input_ended = False
        self._ended = False
        self._may_read = threading.Event()
        self._may_read.set()
        self._watching: asyncio.AbstractEventLoop | None = None
        self._socket: asyncio.Transport | None = None
        self._writing: asyncio.WriteTransport | None = None

    async def open(self) -> None:
        loop = asyncio.get_running_loop()
        if os.path.sameopenfile(*self._descriptors):
            # A write transport for pipes treats a readable descriptor as closed by the other side.
            if _loop_can_watch(self._descriptors.writer):
                await self._open_socket(loop)
            else:
                self._start_reading_thread(loop)
            return
        if _loop_can_watch(self._descriptors.writer):
            pipe = os.fdopen(self._descriptors.writer, "wb", buffering=0)
            self._writing, _ = await loop.connect_write_pipe(lambda: _Transfer(self), pipe)
            self._writing.set_write_buffer_limits(high=MAX_UNSENT_BYTES)
        if sys.platform != "win32" and _loop_can_watch(self._descriptors.reader):
            # asyncio's own transport would deliver what it read only on the loop's next turn.
            os.set_blocking(self._descriptors.reader, False)
            self._watching = loop
            self.resume_reading()
        else:
            self._start_reading_thread(loop)

    async def _open_socket(self, loop: asyncio.AbstractEventLoop) -> None:
        """One socket for both directions."""
        import socket

        both = socket.socket(fileno=self._descriptors.writer)
        both.setblocking(False)
        self._socket, _ = await loop.create_connection(lambda: _Transfer(self), sock=both)
        self._socket.set_write_buffer_limits(high=MAX_UNSENT_BYTES)
        self._writing = self._socket

    def send(self, body: bytes) -> None:
        """Only ever called on the loop's thread."""
        data = self._framing.wrap(body)
        if self._writing is not None:
            self._writing.write(data)
            if self._writing.is_closing():  # the client is gone: drop what still waits
                self.end(None)
            return
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._descriptors.writer, view) :]
        except OSError:
            self.end(None)

    async def flush(self, patience: float) -> None:
        """Wait until the client has read everything, for at most `patience` seconds."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + patience
        while self._has_unsent and loop.time() < deadline:
            await asyncio.sleep(0.005)

    @property
    def _has_unsent(self) -> bool:
        return self._writing is not None and self._writing.get_write_buffer_size() > 0

    def receive(self, data: bytes) -> None:
        if self._ended:
            return
        turn_ends = monotonic() + TURN_SECONDS
        try:
            for body in self._framing.feed(data):
                self._on_body(body)
                if self._ended:
                    return
                # Answers are far larger than requests: what has arrived already waits too.
                if not self._may_read.is_set():
                    return
                if self._watching is not None and monotonic() > turn_ends:
                    self._continues = True
                    self._watching.call_soon(self._continue)
                    return
        except FrameError as error:
            self.end(error)

    def end_of_input(self) -> None:
        self._input_ended = True
        if self._may_read.is_set():
            self._end_as_input_did()

    def _end_as_input_did(self) -> None:
        self.end(FrameError("the stream ends inside a frame") if self._framing.inside_frame else None)

    def end(self, error: FrameError | None) -> None:
        if not self._ended:
            self._ended = True
            self._on_end(error)

    def pause_reading(self) -> None:
        self._may_read.clear()
        self._on_pause()
        if self._watching is not None:
            self._watching.remove_reader(self._descriptors.reader)
        if self._socket is not None:
            self._socket.pause_reading()

    def resume_reading(self) -> None:
        self._may_read.set()
        self._on_resume()
        asyncio.get_running_loop().call_soon(self._continue)
        if self._watching is not None and not self._input_ended:
            self._watching.add_reader(self._descriptors.reader, self._read_what_is_there)
        if self._socket is not None:
            self._socket.resume_reading()

    def _continue(self) -> None:
        """Continue with what had arrived before the pause, or before the loop's turn."""
        self._continues = False
        self.receive(b"")
        if self._input_ended and self._may_read.is_set() and not self._continues:
            self._end_as_input_did()

    def _read_what_is_there(self) -> None:
        if not self._continues:
            self._polling.run(self._read_once, self._may_poll)

    def _may_poll(self) -> bool:
        """Whether the loop has nothing else to do."""
        return not (
            self._ended
            or self._input_ended
            or self._continues
            or not self._may_read.is_set()
            or self._is_busy()
            or self._has_unsent
        )

    def _read_once(self) -> bool:
        """Handle what has arrived. Returns whether there was anything."""
        try:
            data = os.read(self._descriptors.reader, _READ_SIZE)
        except (BlockingIOError, InterruptedError):
            return False
        except OSError:
            data = b""
        if data:
            self.receive(data)
        else:
            asyncio.get_running_loop().remove_reader(self._descriptors.reader)
            self.end_of_input()
        return True

    def _start_reading_thread(self, loop: asyncio.AbstractEventLoop) -> None:
        threading.Thread(target=self._read_blocking, args=(loop,), name="stdin", daemon=True).start()

    def _read_blocking(self, loop: asyncio.AbstractEventLoop) -> None:
        handled = threading.Semaphore(1)

        def hand_over(data: bytes) -> None:
            self.receive(data) if data else self.end_of_input()
            handled.release()

        data = b"-"
        while data:
            self._may_read.wait()
            try:
                data = os.read(self._descriptors.reader, _READ_SIZE)
            except OSError:
                data = b""
            handled.acquire()
            loop.call_soon_threadsafe(hand_over, data)


class Polling:
    """Saves wake-ups: a client that sends its next request soon after an answer is polled instead of waited for.

    Sleeping and waking up takes longer than most answers.
    """

    SOON_SECONDS = 0.0002
    """A client whose next request comes within this time is polled for as long again."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._last_read = -self.SOON_SECONDS

    def run(self, read: Callable[[], bool], may_poll: Callable[[], bool]) -> None:
        """Call `read` once, and again while requests keep coming; it returns whether there was one."""
        started = self._clock()
        expects_more = started - self._last_read < self.SOON_SECONDS
        read()
        self._last_read = now = self._clock()
        while expects_more and may_poll() and now < min(self._last_read + self.SOON_SECONDS, started + TURN_SECONDS):
            if read():
                self._last_read = self._clock()
            now = self._clock()


class _Transfer(asyncio.Protocol):
    """Receives the events of a transport: of the pipe to the client, or of a socket for both directions."""

    def __init__(self, stdio: Stdio) -> None:
        self._stdio = stdio

    def data_received(self, data: bytes) -> None:
        self._stdio.receive(data)

    def eof_received(self) -> bool:
        self._stdio.end_of_input()
        return True

    def pause_writing(self) -> None:
        self._stdio.pause_reading()

    def resume_writing(self) -> None:
        self._stdio.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stdio.end(None)


def _loop_can_watch(descriptor: int) -> bool:
    if sys.platform == "win32":
        return False
    mode = os.fstat(descriptor).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
