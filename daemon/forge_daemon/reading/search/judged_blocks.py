"""Remembers which lines match in recent blocks, so that a window that is read again is not searched again.

If a file cannot change unnoticed, a block is identified by its offset. Otherwise it is identified by its bytes: what
was found is true of them, whatever happens to the file.
"""

from array import array
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

Place = tuple[str, int]
"""A state of the file, by its `etag`, and an offset."""

_MOST_BLOCKS = 64
_MOST_MATCHES = 16 * 1024
_BLOCK_MEMORY = 300
"""What Python takes for a block without matches."""


class JudgedBlocks:
    """The blocks of one filter. Thread-safe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._starts: OrderedDict[tuple[int, Place | int], array[int]] = OrderedDict()
        self._matches = 0

    @property
    def memory(self) -> int:
        return _BLOCK_MEMORY * len(self._starts) + array("I").itemsize * self._matches

    def knows(self, length: int, place: Place) -> bool:
        with self._lock:
            return (length, place) in self._starts

    def matching_lines(self, block: bytes, place: Place | None, judge: Callable[[], list[int]]) -> list[int]:
        """What `judge` finds in the block, or found in it before."""
        # The hash is keyed with a secret of this process, so no file can be made to hold two blocks of one hash.
        name = len(block), place or hash(block)
        with self._lock:
            if (known := self._starts.get(name)) is not None:
                self._starts.move_to_end(name)
                return known.tolist()
        found = judge()
        with self._lock:
            if name not in self._starts and len(found) <= _MOST_MATCHES:
                self._starts[name] = array("I", found)
                self._matches += len(found)
                self._forget_the_oldest()
        return found

    def _forget_the_oldest(self) -> None:
        while len(self._starts) > _MOST_BLOCKS or self._matches > _MOST_MATCHES:
            _, starts = self._starts.popitem(last=False)
            self._matches -= len(starts)
