"""How often a followed file is looked at: often while it is written to, four times a second otherwise."""

IDLE_SECONDS = 0.25
BUSY_SECONDS = 0.02


class Pace:
    def __init__(self) -> None:
        self._seconds = IDLE_SECONDS

    def hurry(self) -> None:
        """Something was new: more may follow soon."""
        self._seconds = BUSY_SECONDS

    def rest(self) -> float:
        """How long to wait before the next look."""
        seconds, self._seconds = self._seconds, min(self._seconds * 1.5, IDLE_SECONDS)
        return seconds
