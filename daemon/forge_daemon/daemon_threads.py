"""A look at storage on a thread of its own, which may get stuck there: nothing waits for it when the process ends."""

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_unanswered: set[str] = set()
"""Storage that has not answered a look yet."""


def with_timeout(look: Callable[[], T], seconds: float, storage: str) -> T | None:
    """What `look` returns or raises; None if the storage does not answer in time.

    For storage that the caller did not ask for, such as that of another folder. While it owes an answer it is not
    looked at again, so that no more threads get stuck there.
    """
    if storage in _unanswered:
        return None
    answers: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            answers.append(look())
        except BaseException as error:
            errors.append(error)
        finally:
            _unanswered.discard(storage)

    thread = threading.Thread(target=run, name="look", daemon=True)
    thread.start()
    thread.join(seconds)
    if not (answers or errors):
        _unanswered.add(storage)
        if not (answers or errors):
            return None
        _unanswered.discard(storage)  # a moment too late
    if errors:
        raise errors.pop()
    return answers[0]
