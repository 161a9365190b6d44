"""From a followed file that has lost its name to the one that has the name now.

A program keeps writing to a log that was renamed until it opens the new one, and of several processes one may do so
later than the others. What they write to the old file until then comes first, within limits.
"""

import time

from forge_daemon.workspace.open_file import OpenFile

OVERLAP_SECONDS = 5.0
"""How long the old file is still read, at most, where there is a new one."""
QUIET_SECONDS = 0.2
"""Once there is something in the new file, the old one is done with when it has had nothing new for so long."""
KEPT_SECONDS = 60.0
"""How long the old file is still read where there is no new one.

Not for ever: a removed file's space is not freed meanwhile, and a renamed one may lie where nothing may be read.
"""


class Handover:
    """A handover that is under way."""

    def __init__(self) -> None:
        self.successor: OpenFile | None = None
        """The first file that had the name after the one that is followed."""
        self.is_drained = False
        """The old file was read to its end after all the time it had."""
        self._since = self._last_news = time.monotonic()
        self._met = self._since
        """When the successor was first seen."""

    def meet(self, named: OpenFile | None) -> bool:
        """Look at what has the name now. Returns whether that is no longer the successor: it is late already."""
        before = self.successor
        if before is None:
            self.successor = named
            self._met = time.monotonic()
            return False
        if named is not None and is_same_file(named, before):
            self.successor = named  # as it is now
            before.close()
            return False
        if named is not None:
            named.close()
        return True

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
        if self.successor is not None:
            self.successor.close()


def is_same_file(one: OpenFile, other: OpenFile) -> bool:
    return one.identity is not None and other.identity is not None and one.identity[:2] == other.identity[:2]
