"""Work on the parts of a long text on several threads.

Not by `concurrent.futures`, which takes longer to import than a short command takes to answer.
"""

import os
from collections.abc import Callable, Sequence
from threading import Thread
from typing import TypeVar

P = TypeVar("P")
R = TypeVar("R")

MAX_THREADS = min(4, os.cpu_count() or 1)


def map_on_threads(work: Callable[[P], R], parts: Sequence[P]) -> list[R]:
    """The result for each part, in order. Each part has its thread; an error is raised once all have ended."""
    results: dict[int, R] = {}
    errors: list[BaseException] = []

    def run(index: int) -> None:
        try:
            results[index] = work(parts[index])
        except BaseException as error:
            errors.append(error)

    threads = [Thread(target=run, args=(index,)) for index in range(len(parts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return [results[index] for index in range(len(parts))]
