"""The few processes in which regular expressions run, bounded in time and memory.

Python's expressions cannot be interrupted and let no other thread run meanwhile, so a runaway one would block the whole
daemon. Each question names its expression, so that any process can answer it, and a long search does not occupy a
process.
"""

import os
import sys
from collections.abc import Callable
from functools import cache
from threading import BoundedSemaphore
from typing import IO, TYPE_CHECKING, Any

from forge_protocol.errors import ReadError, invalid_argument

from . import line_matching

if TYPE_CHECKING:
    from subprocess import Popen

Proceed = Callable[[], None]
"""Called now and then while a search waits; raises to stop it."""

MOST_PROCESSES = max(2, min(4, os.cpu_count() or 1))
_A_WHILE = 0.05
_PROGRAM = (
    f"import sys; sys.path.append(sys.argv[1]); from {line_matching.__name__} import main; main(int(sys.argv[2]))"
)


class MatchingProcesses:
    """Starts processes when they are needed, and keeps them for the next question."""

    def __init__(self, most: int = MOST_PROCESSES) -> None:
        self._free = BoundedSemaphore(most)
        self._idle: list[Popen[bytes]] = []

    def ask(self, *question: Any, proceed: Proceed) -> Any:
        """The answer of `line_matching.answer_to`; `INVALID_ARGUMENT` if it takes too much time or memory."""
        while not self._free.acquire(timeout=_A_WHILE):
            proceed()
        try:
            proceed()  # a request cancelled while waiting starts no process
            process = self._take()
            try:
                answer = _answer(process, question, proceed)
            except BaseException:
                _end(process)
                raise
            self._idle.append(process)
            return answer
        except (BrokenPipeError, EOFError):
            raise _stopped(process.returncode) from None
        finally:
            self._free.release()

    def close(self) -> None:
        while self._idle:
            _end(self._idle.pop())

    def _take(self) -> "Popen[bytes]":
        while self._idle:
            process = self._idle.pop()
            if process.poll() is None:
                return process
            _end(process)
        return _start()


@cache
def matching_processes() -> MatchingProcesses:
    """Those of this daemon."""
    import atexit

    processes = MatchingProcesses()
    atexit.register(processes.close)
    return processes


def _start() -> "Popen[bytes]":
    import subprocess

    packages = os.path.dirname(__file__)
    for _ in line_matching.__name__.split(".")[1:]:
        packages = os.path.dirname(packages)
    return subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _PROGRAM, packages, str(os.getpid())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


def _answer(process: "Popen[bytes]", question: Any, proceed: Proceed) -> Any:
    import marshal  # both ends are the same interpreter, and it costs nothing to import

    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(marshal.dumps(question))
    process.stdin.flush()
    _wait_for(process.stdout, proceed)
    return marshal.load(process.stdout)


def _end(process: "Popen[bytes]") -> None:
    import contextlib

    process.kill()
    # What was being written when it died cannot be flushed any more.
    with contextlib.suppress(BrokenPipeError):
        process.__exit__(None, None, None)


if sys.platform == "win32":

    def _wait_for(stream: IO[bytes], proceed: Proceed) -> None:
        """A pipe cannot be polled there, so a thread waits for its first byte, or for its end."""
        from io import BufferedReader
        from threading import Thread

        assert isinstance(stream, BufferedReader)
        waiting = Thread(target=stream.peek, args=(1,), name="answer", daemon=True)
        waiting.start()
        waiting.join(_A_WHILE)
        while waiting.is_alive():
            proceed()
            waiting.join(_A_WHILE)

else:

    def _wait_for(stream: IO[bytes], proceed: Proceed) -> None:
        import select

        answers = select.poll()
        answers.register(stream, select.POLLIN)
        while not answers.poll(_A_WHILE * 1000):
            proceed()


def _stopped(code: int) -> ReadError:
    if code == line_matching.OUT_OF_MEMORY:
        reason = f"took more than {line_matching.MEMORY >> 20} MiB of memory"
    else:
        reason = f"took longer than {line_matching.SECONDS} seconds of processor time"
    return invalid_argument(
        f"pattern: {reason}, and was stopped",
        hint="avoid nested repetitions such as (a+)+, or search for a literal",
    )
