"""Several texts in a row, as one source: a rotated set.

A text is opened when it is asked for, and where it starts is known once all before it were read to their ends. A last
line without newline ends where its text ends, so one is inserted. Only the last text may grow.
"""

import threading
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate

from forge_daemon.reading.files.file_bytes import FileBytes, FileChanged, Member, Progress

from .encodings.encoding import UTF_8
from .form import Format
from .source import End
from .text import Text

NEWLINE = b"\n"

OpenText = Callable[[Member, Progress], Text | None]
"""None if the file may not be read, or holds no text."""


class Starts:
    """Where the texts of a set start, as far as it is known. Shared by all requests, thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.offsets = [0]
        self.lines = {0: 1}
        """By position in the set: the number of the first line."""
        self.failures: dict[int, str] = {}
        """By position in the set: why a text ends early."""

        self.left_out: set[int] = set()
        """The positions in the set of what is not read, found when its text was asked for."""

    @property
    def memory(self) -> int:
        return 64 * (len(self.offsets) + len(self.lines))

    def add(self, index: int, offset: int) -> None:
        with self._lock:
            if len(self.offsets) == index:
                self.offsets.append(offset)

    def at(self, offset: int) -> int:
        """Which text contains an offset, if that is known; else the last one whose start is known."""
        return bisect_right(self.offsets, offset) - 1


class Concatenated:
    """One request's view of the texts. It is a source."""

    def __init__(self, members: Sequence[Member], open_text: OpenText, starts: Starts, progress: Progress) -> None:
        self.starts = starts
        self._members = members
        self._last = len(members) - 1
        self._open_text = open_text
        self._current: tuple[int, Text | None] | None = None
        self._bytes_before = [0, *accumulate(member.size for member in members)]
        self._position = 0
        self._progress = progress
        self.last = self._open(self._last)
        """The newest text, which is always open."""
        for index, reason in list(starts.failures.items()):
            members[index].reason = reason
        for index in list(starts.left_out):
            self._open(index)  # which says why

    def read_at(self, offset: int, length: int) -> bytes:
        offsets, parts = self.starts.offsets, []
        index = self.starts.at(offset)
        while length > 0 and index < self._last:
            if index + 1 == len(offsets):
                piece = self._text_at(index, offset - offsets[index], length)
                if len(piece) < length:
                    self._find_end(index)
                    continue
            elif length_here := min(length, max(0, offsets[index + 1] - offset)):
                piece = self._text_at(index, offset - offsets[index], length_here)
                piece += NEWLINE[: length_here - len(piece)]
                if len(piece) < length_here:
                    raise FileChanged
            else:
                index += 1
                continue
            parts.append(piece)
            offset, length = offset + len(piece), length - len(piece)
        if length > 0 and self.last is not None:
            self._position = self._last
            parts.append(self.last.source.read_at(offset - offsets[self._last], length))
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def end(self) -> End:
        for index in range(len(self.starts.offsets) - 1, self._last):
            self._find_end(index)
        return self._end_of_last(None if self.last is None else self.last.source.end())

    def known_end(self) -> End | None:
        end = None if self.last is None else self.last.source.known_end()
        is_known = len(self.starts.offsets) > self._last and (end is not None or self.last is None)
        return self._end_of_last(end) if is_known else None

    def reach(self) -> int:
        return self.starts.offsets[-1]

    def report(self) -> None:
        self._progress(self._bytes_before[self._position], self._bytes_before[-1])

    def _end_of_last(self, end: End | None) -> End:
        start = self.starts.offsets[self._last]
        return End(length=start) if end is None else End(end.flush, None, start + end.length)

    def _find_end(self, index: int) -> None:
        text = self._text(index)
        length = 0 if text is None else text.length()
        if text is None:
            self.starts.left_out.add(index)
        if text is not None and length and text.read_at(length - 1, 1) != NEWLINE:
            length += 1
        if text is not None and text.failure is not None:
            self._members[index].reason = self.starts.failures[index] = text.failure
        self.starts.add(index + 1, self.starts.offsets[index] + length)

    def _text_at(self, index: int, offset: int, length: int) -> bytes:
        text = self._text(index)
        return b"" if text is None else text.read_at(offset, length)

    def _text(self, index: int) -> Text | None:
        self._position = index
        if self._current is None or self._current[0] != index:
            self.report()
            self._current = index, self._open(index)
        return self._current[1]

    def _open(self, index: int) -> Text | None:
        before, total = self._bytes_before[index], self._bytes_before[-1]
        progress = self._progress  # not `self`, which would refer to itself
        return self._open_text(self._members[index], lambda done, _: progress(before + done, total))


class RotatedText(Text):
    """The text of a rotated set. It is in the encoding of the newest file, whatever the older ones are in."""

    def __init__(self, file: FileBytes, kind: str, open_text: OpenText, progress: Progress) -> None:
        self.starts = file.knowledge.get((kind, "starts"), Starts)
        source = Concatenated(file.members, open_text, self.starts, progress)
        self.newest = source.last
        """None if it is left out."""
        format_ = Format(UTF_8, False, None) if self.newest is None else self.newest.format
        super().__init__(file, source, kind, format_._replace(compression=None), progress)
