"""A sparse index: how many things (newlines, matching lines) begin before each stride of a text."""

import threading
from array import array
from collections.abc import Callable, Sequence

STRIDE = 32 * 1024


class StrideCounts:
    """Covers as much of the text as was needed so far, and is extended as the text grows.

    Only whole strides are counted: what follows them may still change. Several readers may extend the same counts;
    they take turns, so that nothing is counted twice.
    """

    def __init__(self) -> None:
        self.before = array("Q", [0])
        """Element i: how many begin before offset i * STRIDE."""
        self._lock = threading.Lock()

    @property
    def memory(self) -> int:
        return self.before.itemsize * len(self.before)

    @property
    def covered(self) -> int:
        """How many bytes of the text are counted."""
        return (len(self.before) - 1) * STRIDE

    def extend(self, count_from: Callable[[int], Sequence[int]]) -> bool:
        """Count further: `count_from` gets an offset, and returns the counts of the next strides.

        Returns whether there were any.
        """
        with self._lock:
            counts = count_from(self.covered)
            total = self.before[-1]
            for count in counts:
                total += count
                self.before.append(total)
        return bool(counts)
