"""A search through the files of some directories, one after the other, within a time limit."""

import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

from forge_daemon.reading.files.digest import digest
from forge_daemon.reading.files.file_bytes import FileBytes, Progress
from forge_daemon.reading.match.matcher import Matcher
from forge_daemon.reading.texts.compressions import compression_of
from forge_daemon.reading.texts.compressions.decompress import MAGIC_BYTES
from forge_daemon.reading.texts.encodings.encoding import UTF_8
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.reading.texts.opening import open_text
from forge_daemon.reading.texts.text import Text
from forge_daemon.workspace.folder import Place
from forge_daemon.workspace.open_file import OpenFile
from forge_daemon.workspace.open_tree import open_tree_entry, text_at_once, walk_tree
from forge_daemon.workspace.reader import Reader
from forge_daemon.workspace.tree import Scope, TreeRoot, TreeWalk
from forge_protocol.errors import ErrorCode, ReadError, invalid_argument

from .text_form import with_settings

T = TypeVar("T")

MAX_SECONDS = 10.0
"""For one answer. It says how to continue if there was no time for everything."""
MAX_FILE_BYTES = 64 * 1024 * 1024
"""Larger files are skipped."""
_DIGEST_BYTES = 6


class Position(NamedTuple):
    """Where an answer ended."""

    root: int = 0
    """Which of the directories."""
    after: str = ""
    """All paths up to this one are done."""
    path: str = ""
    """The file after that, if it ended inside of it."""
    line: int = 0
    """The last line of that file that was delivered."""


class TreeVisit:
    """Walks through the roots from a position on, for the time of one answer."""

    def __init__(
        self,
        reader: Reader,
        roots: Sequence[TreeRoot],
        scope: Scope,
        start: Position,
    ) -> None:
        self.reader = reader
        self.next: Position | None = None
        """Where to continue if there was no time for the rest."""
        self._roots = roots
        self._scope = scope
        self._start = start
        self._deadline = time.monotonic() + MAX_SECONDS
        self._walks: list[TreeWalk] = []

    @property
    def skipped(self) -> Counter[str]:
        return sum((walk.skipped for walk in self._walks), Counter())

    def walks(self, proceed: Callable[[], None]) -> Iterator[tuple[int, TreeWalk]]:
        for number, root in enumerate(self._roots[self._start.root :], self._start.root):
            after = self._start.after if number == self._start.root else ""
            walk = walk_tree(self.reader, root, self._scope._replace(after=after), self._deadline, proceed)
            self._walks.append(walk)
            with root.place.folder.in_use:
                yield number, walk
            if walk.continues_after is not None:
                self.next = Position(number, walk.continues_after)
                return


class TreeSearch:
    """`files` yields each text file that was searched; what was skipped is counted."""

    def __init__(
        self,
        visit: "TreeVisit",
        matcher: Matcher,
        form: TextForm,
        progress: Progress,
        others: Mapping[str, Matcher] | None = None,
    ) -> None:
        """`others`: what may have been meant, if nothing matches."""
        self.searched = 0
        self.would_match: list[str] = []
        """Which of the others match in plain files. They are not looked for once there is a match."""
        self.only_counts = False
        """Set once no more lines are wanted. Most files are then not yielded, but counted here."""
        self.counted_files = self.counted_lines = 0
        self._visit = visit
        self._reader = visit.reader
        self._matcher = matcher
        self._form = form._replace(decompress=False)
        self._progress = progress
        self._others = dict(others or {})
        self._bytes = 0
        self._skipped: Counter[str] = Counter()

    @property
    def skipped(self) -> Counter[str]:
        return self._skipped + self._visit.skipped

    @property
    def next(self) -> Position | None:
        return self._visit.next

    def files(self, look: Callable[[Place, Text], T | None]) -> Iterator[tuple[Position, Position, Place, T]]:
        """Each file that may match: where to continue inside of it, and after it; its place; what `look` returns.

        None: the file is taken for binary.
        """
        plain = self._form._replace(encoding=UTF_8, strip_ansi=False)
        is_unknown = self._form.encoding is None
        for number, walk in self._visit.walks(self._proceed):
            rules = self._reader.policies.of(walk.root.place.folder)
            for found in walk.entries(self._reader.folders):
                if not found.entry.is_file:
                    continue
                try:
                    text = text_at_once(self._reader, walk.root, found, rules) if is_unknown else None
                    if text is not None and not self._is_wanted(text):
                        self.searched += 1
                        continue
                    with open_tree_entry(self._reader, walk.root, found, rules) as file:
                        form = self._form if text is None else plain
                        looked = self.look_into(file, partial(look, file.place), form)
                except ReadError as error:
                    if error.code == ErrorCode.CANCELLED:
                        raise
                    self._skipped["denied" if error.code == ErrorCode.POLICY_DENIED else "unreadable"] += 1
                    continue
                if looked is not None:
                    inside = Position(number, walk.position, file.place.relative)
                    yield inside, Position(number, found.relative), file.place, looked

    def _is_wanted(self, text: bytes) -> bool:
        """Whether a file has lines to show. Where lines are only counted, it is done with."""
        self._bytes += len(text)
        runs = self._matcher.runs(text, 0, len(text), self._proceed)
        if not self.only_counts:
            if next(runs, None) is None:
                self._look_for_others(text)
                return False
            self._others.clear()
            return True
        if lines := sum(text.count(b"\n", start, end - 1) + 1 for start, end in runs):
            self.counted_files += 1
            self.counted_lines += lines
        return False

    def _look_for_others(self, text: bytes) -> None:
        for name, matcher in list(self._others.items()):
            if next(matcher.runs(text, 0, len(text), self._proceed), None) is not None:
                self.would_match.append(name)
                del self._others[name]

    def look_into(self, file: OpenFile, look: Callable[[Text], T | None], form: TextForm | None = None) -> T | None:
        """None if the file is skipped."""
        form = with_settings(form or self._form, file.settings)
        skipped, looked = file.read(partial(self._look_at, form, look))
        if skipped:
            self._skipped[skipped] += 1
        else:
            self.searched += 1
        return looked

    def _look_at(self, form: TextForm, look: Callable[[Text], T | None], file: FileBytes) -> tuple[str, T | None]:
        if file.size > MAX_FILE_BYTES:
            return "too_large", None
        self._bytes += file.size
        if file.kind == "disk" and compression_of(file.read_at(0, MAGIC_BYTES)) is not None:
            return "compressed", None
        text = open_text(file, form, lambda *_: self._proceed())
        looked = None if text is None else look(text)
        return "binary" if looked is None else "", looked

    def _proceed(self) -> None:
        self._progress(self._bytes, 0)


def encode_position(position: Position, request: str) -> str:
    """An opaque cursor. `request`: what it belongs to."""
    text = "\0".join((_name_of(request), *map(str, position)))
    return urlsafe_b64encode(text.encode()).decode().rstrip("=")


def decode_position(cursor: str | None, request: str) -> Position:
    if cursor is None:
        return Position()
    try:
        text = urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4)).decode()
        name, root, after, path, line = text.split("\0")
        position = Position(int(root), after, path, int(line))
        if position.root < 0 or position.line < 0:
            raise ValueError(cursor)
    except (ValueError, Base64Error):
        raise invalid_argument(
            "cursor: not a cursor of this daemon", hint="send next_cursor of an answer, unchanged"
        ) from None
    if name != _name_of(request):
        raise invalid_argument(
            "cursor: returned for other parameters", hint="send the cursor with the parameters of the same request"
        )
    return position


def _name_of(request: str) -> str:
    return digest(request.encode("utf-8", "surrogatepass"), size=_DIGEST_BYTES).hex()
