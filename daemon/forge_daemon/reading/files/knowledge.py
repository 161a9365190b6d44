"""What was learned of one file: line counts, restart points, matches. Kept while the file only grows."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Protocol, TypeVar

MAX_ITEMS = 32


class HasMemory(Protocol):
    @property
    def memory(self) -> int:
        """In bytes. May grow."""


T = TypeVar("T", bound=HasMemory)


class Knowledge:
    """Objects by key, the least recently used of which are dropped. Thread-safe; its objects must be too."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._items: OrderedDict[Hashable, HasMemory] = OrderedDict()

    @property
    def memory(self) -> int:
        with self._lock:
            return sum(item.memory for item in self._items.values())

    def get(self, key: tuple[Hashable, ...], make: Callable[[], T]) -> T:
        """The object under a key; one key always has the same type."""
        with self._lock:
            item = self._items.get(key)
            if item is None:
                item = self._items[key] = make()
                if len(self._items) > MAX_ITEMS:
                    self._items.popitem(last=False)
            self._items.move_to_end(key)
            return item  # type: ignore[return-value]
