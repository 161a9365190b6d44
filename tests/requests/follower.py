"""One who follows `app.log`, look by look."""

from collections.abc import Callable
from pathlib import Path

from forge_daemon.reading.files.file_bytes import no_progress
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.reading.window.selection import LastLines
from forge_daemon.reading.window.window import WindowRequest
from forge_daemon.requests.following import Event, Look
from forge_daemon.requests.rotated_following import following_of
from forge_daemon.workspace.reader import Reader, Target

Pass = Callable[[float], None]
"""Lets so many seconds pass."""


class Follower:
    def __init__(
        self,
        reader: Reader,
        tail: int = 2,
        *,
        path: str = "app.log",
        may_skip: bool = True,
        rotated: bool = False,
        **request: object,
    ) -> None:
        window = WindowRequest(**{"form": TextForm(decompress=rotated), **request})  # type: ignore[arg-type]
        self.following = following_of(reader, Target(path, rotated=rotated), window, may_skip=may_skip)
        first = window._replace(selection=LastLines(tail), max_lines=None)
        _, self.first = self.following.start(first, no_progress)

    def look(self) -> Look | None:
        return self.following.look(no_progress)

    def text(self) -> str | None:
        """What one look found appended."""
        found = self.look()
        assert found is None or found.event is Event.APPENDED
        return found.window.content if found is not None and found.window is not None else None

    def event(self) -> Event | None:
        found = self.look()
        return found.event if found else None


def append(log: Path, text: str) -> None:
    with log.open("a", newline="\n") as file:
        file.write(text)
