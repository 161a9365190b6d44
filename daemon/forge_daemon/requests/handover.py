"""From a followed file that has lost its name to the one that has the name now.

A program keeps writing to a log that was renamed until it opens the new one, and of several processes one may do so
later than the others. What they write to the old file until then comes first, within limits.
"""

import time
from collections import deque

from forge_daemon.reading.files.same_file import Identity
from forge_daemon.workspace.open_file import OpenFile

OVERLAP_SECONDS = 5.0
"""How long the old file is still read, at most, where there is a new one."""
QUIET_SECONDS = 0.2
"""Once there is something in the new file, the old one is done with when it has had nothing new for so long."""
KEPT_SECONDS = 60.0
"""How long the old file is still read where there is no new one.

Not for ever: a removed file's space is not freed meanwhile, and a renamed one may lie where nothing may be read.
"""


MAX_WAITING = 16
"""Files that had the name meanwhile, and are kept open for a client that takes its time."""


class Handover:
    """A handover that is under way."""

    def __init__(self, before: "Handover | None" = None) -> None:
        """`before`: the last one, whose successors but the first wait for this one."""
        self.successors: deque[OpenFile] = before.successors if before else deque()
        """The files that had the name after the one that is followed."""
        self.skipped_files: int = before.skipped_files if before else 0
        """How many more there were that are not read."""
        self._last_skipped: Identity | None = before._last_skipped if before else None
        self.is_drained = False
        """The old file was read to its end after all the time it had."""
        self._since = self._last_news = time.monotonic()
        self._met = self._since
        """When the successor was first seen."""

    @property
    def successor(self) -> OpenFile | None:
        return self.successors[0] if self.successors else None

    def meet(self, named: OpenFile | None) -> bool:
        """Look at what has the name now. Returns whether that is no longer the successor: it is late already."""
        if named is None:
            return bool(self.successors)
        if self.successors and is_same_file(named, self.successors[-1]):
            self.successors.pop().close()
            self.successors.append(named)  # as it is now
        elif len(self.successors) < MAX_WAITING:
            if not self.successors:
                self._met = time.monotonic()
            self.skipped_files -= self._is_last_skipped(named)
            self._last_skipped = None
            self.successors.append(named)
        else:
            self.skipped_files += not self._is_last_skipped(named)
            self._last_skipped = named.identity
            named.close()
        return len(self.successors) > 1

    def _is_last_skipped(self, named: OpenFile) -> bool:
        last, identity = self._last_skipped, named.identity
        return last is not None and identity is not None and last.is_same_file(identity)

    def note_news(self, *, is_all: bool) -> None:
        """There was something new in the old file, and whether that was all of it."""
        self._last_news = time.monotonic()
        self.is_drained = is_all and self.successor is not None and self._last_news - self._met >= OVERLAP_SECONDS

    def is_over(self) -> bool:
        """Whether to continue with the new file, if there is nothing new in the old one."""
        if self.successor is None:
            return False
        now = time.monotonic()
        has_begun = self.successor.identity is not None and self.successor.identity.size > 0
        return now - self._met >= OVERLAP_SECONDS or (has_begun and now - self._last_news >= QUIET_SECONDS)

    def is_in_vain(self) -> bool:
        """Whether the old file was kept long enough without a new one."""
        return self.successor is None and time.monotonic() - self._since >= KEPT_SECONDS

    def close(self) -> None:
        for file in self.successors:
            file.close()


def is_same_file(one: OpenFile, other: OpenFile) -> bool:
    return one.identity is not None and other.identity is not None and one.identity[:2] == other.identity[:2]
