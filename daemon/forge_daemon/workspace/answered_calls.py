"""What this session was answered before, so that an unchanged answer need not be sent again."""

import threading
from collections import OrderedDict
from collections.abc import Hashable

MAX_CALLS = 1_000


class AnsweredCalls:
    """The digest of the last answer to each of the last calls. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._digests: OrderedDict[Hashable, bytes] = OrderedDict()

    def has(self, call: Hashable, digest: bytes) -> bool:
        with self._lock:
            return self._digests.get(call) == digest

    def remember(self, call: Hashable, digest: bytes) -> None:
        with self._lock:
            self._digests[call] = digest
            self._digests.move_to_end(call)
            if len(self._digests) > MAX_CALLS:
                self._digests.popitem(last=False)
