"""Claims descriptors 0 and 1: frames in, frames out, and nothing else on either.

Pipes and sockets are read and written by the event loop itself, so that a client that stops reading stalls
neither signals nor cancellation: its answers wait here, and no further request is read meanwhile. What
the loop cannot watch (a file, a terminal, any handle on Windows) is read by a thread and written blockingly.
"""

import asyncio
import os
import stat
import sys
import threading
from collections.abc import Callable
from time import monotonic
from typing import NamedTuple

from .framing import FrameError, FrameParser, frame
from .line_framing import LineParser

MAX_UNSENT_BYTES = 4 * 1024 * 1024
"""Above this no further request is read until the client takes its answers."""
SOON_SECONDS = 0.0002
"""Who asks again within this time is in a dialogue, and is listened to for as long again."""
TURN_SECONDS = 0.01
"""Then the loop looks after signals and timers, whoever is asking."""
_READ_SIZE = 32 * 1024


class Descriptors(NamedTuple):
    reader: int
    writer: int


def claim_descriptors() -> Descriptors:
    """Keep the stream to ourselves: a stray print goes to stderr, a child process reads nothing."""
    descriptors = Descriptors(os.dup(0), os.dup(1))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return descriptors


class Stdio:
    """The connection to the one client."""

    def __init__(
        self,
        descriptors: Descriptors,
        on_body: Callable[[bytes], None],
        on_end: Callable[[FrameError | None], None],
        on_pause: Callable[[], None],
        on_resume: Callable[[], None],
        is_busy: Callable[[], bool],
        parser: FrameParser | LineParser | None = None,
        frame: Callable[[bytes], bytes] = frame,
    ) -> None:
        self._descriptors = descriptors
        self._parser = parser or FrameParser()
        self._frame = frame
        self._on_body = on_body
        self._on_end = on_end
        self._on_pause = on_pause
        """The client does not take its answers: no further ones should be made."""
        self._on_resume = on_resume
        self._is_busy = is_busy
        """Something is being done that the loop must look after."""
        self._done_since = 0.0
        self._input_ended = False
        self._ended = False
        self._may_read = threading.Event()
        self._may_read.set()
        self._watching: asyncio.AbstractEventLoop | None = None
        self._writing: asyncio.WriteTransport | None = None

    async def open(self) -> None:
        loop = asyncio.get_running_loop()
        # A writing transport takes anything readable on its descriptor for the other end's farewell.
        one_for_both = os.path.sameopenfile(*self._descriptors)
        if not one_for_both and _loop_can_watch(self._descriptors.writer):
            pipe = os.fdopen(self._descriptors.writer, "wb", buffering=0)
            self._writing, _ = await loop.connect_write_pipe(lambda: _Outgoing(self), pipe)
            self._writing.set_write_buffer_limits(high=MAX_UNSENT_BYTES)
        if sys.platform != "win32" and not one_for_both and _loop_can_watch(self._descriptors.reader):
            # asyncio's own transport would hand over what it read only on its next turn.
            os.set_blocking(self._descriptors.reader, False)
            self._watching = loop
            self.resume_reading()
        else:
            threading.Thread(target=self._read_blocking, args=(loop,), name="stdin", daemon=True).start()

    def send(self, body: bytes) -> None:
        """Only ever called on the loop's thread."""
        data = self._frame(body)
        if self._writing is not None:
            self._writing.write(data)
            if self._writing.is_closing():  # nobody is there any more: answer nothing of what still waits
                self.end(None)
            return
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._descriptors.writer, view) :]
        except OSError:
            self.end(None)

    async def flush(self, patience: float) -> None:
        """Wait until the client has taken everything, but not for ever."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + patience
        while self._writing is not None and self._writing.get_write_buffer_size() and loop.time() < deadline:
            await asyncio.sleep(0.005)

    def receive(self, data: bytes) -> None:
        if self._ended:
            return
        try:
            for body in self._parser.feed(data):
                self._on_body(body)
                if self._ended:
                    return
                # Answers are far larger than requests: what has arrived already waits too.
                if not self._may_read.is_set():
                    return
        except FrameError as error:
            self.end(error)

    def end_of_input(self) -> None:
        self._input_ended = True
        if self._may_read.is_set():
            self._end_as_input_did()

    def _end_as_input_did(self) -> None:
        self.end(FrameError("the stream ends inside a frame") if self._parser.inside_frame else None)

    def end(self, error: FrameError | None) -> None:
        if not self._ended:
            self._ended = True
            self._on_end(error)

    def pause_reading(self) -> None:
        self._may_read.clear()
        self._on_pause()
        if self._watching is not None:
            self._watching.remove_reader(self._descriptors.reader)

    def resume_reading(self) -> None:
        self._may_read.set()
        self._on_resume()
        asyncio.get_running_loop().call_soon(self._go_on)
        if self._watching is not None and not self._input_ended:
            self._watching.add_reader(self._descriptors.reader, self._read_what_is_there)

    def _go_on(self) -> None:
        """With what had arrived before the pause."""
        self.receive(b"")
        if self._input_ended and self._may_read.is_set():
            self._end_as_input_did()

    def _read_what_is_there(self) -> None:
        """Also what comes right behind it, from a client that asks one thing after the other.

        To go to sleep and be woken up takes longer than most answers.
        """
        started = monotonic()
        is_dialogue = started - self._done_since < SOON_SECONDS
        self._read_once()
        self._done_since = now = monotonic()
        while is_dialogue and self._may_linger() and now < min(self._done_since + SOON_SECONDS, started + TURN_SECONDS):
            if self._read_once():
                self._done_since = monotonic()
            now = monotonic()

    def _may_linger(self) -> bool:
        """Whether the loop has nothing else to do."""
        if self._ended or self._input_ended or not self._may_read.is_set() or self._is_busy():
            return False
        return self._writing is None or not self._writing.get_write_buffer_size()

    def _read_once(self) -> bool:
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


class _Outgoing(asyncio.BaseProtocol):
    def __init__(self, stdio: Stdio) -> None:
        self._stdio = stdio

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
