"""A walk through everything below a directory, in path order: what a search reads and a listing shows.

Each directory is opened by its name in the one above it, and never through a link, so a walk stays where it started.
The order is that of the whole paths, as git has it, so a walk can continue after any path without what comes before.
"""

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from forge_daemon.reading.files.disk import read_small
from forge_protocol.errors import ReadError, invalid_argument

from . import windows
from .entries import Entry, entries
from .folder import Folder, Place
from .ignore_files import EXCLUDE_FILE, IGNORE_FILE, IgnoreRules
from .patterns import Patterns
from .policies import TreePolicy
from .sandbox import open_place, open_unlinked
from .walk import release

MAX_DEPTH = 100
"""Of directories in each other. Each one is open while what is below it is walked."""
_VERSION_CONTROL = frozenset({".git", ".hg", ".svn"})


class TreeRoot(NamedTuple):
    """A directory that is walked."""

    place: Place
    """As asked for."""
    target: Place
    """Where links led from there."""

    def places_of(self, relative: str) -> tuple[Place, Place]:
        """Both for a path below it."""
        return (
            Place(self.place.folder, beneath(self.place.relative, relative)),
            Place(self.target.folder, beneath(self.target.relative, relative)),
        )


Kind = Literal["file", "folder", "link"]


class TreeEntry(NamedTuple):
    """What a walk came to."""

    entry: Entry
    relative: str
    """Its path below the root, with U+FFFD for bytes of names that are not UTF-8. That of a directory ends in `/`."""
    directory: int
    """Lists it. Open until the walk continues."""


class Scope(NamedTuple):
    """Which part of a tree is walked."""

    after: str = ""
    """Only what follows this path."""
    glob: Patterns | None = None
    max_depth: int = MAX_DEPTH
    as_git: bool = False
    """Without what git ignores, and without the directories of version control."""


class _TimeIsUp(Exception):
    pass


class TreeWalk:
    """One walk. `deadline` is a time of `time.monotonic`; `proceed` is called now and then, and raises to stop it."""

    def __init__(
        self,
        root: TreeRoot,
        scope: Scope,
        policies: Sequence[TreePolicy],
        deadline: float,
        proceed: Callable[[], None],
    ) -> None:
        """`policies`: for the root's place, and for its target if that is another one."""
        self.root = root
        self.skipped: Counter[str] = Counter()
        """How many entries were skipped, by reason; a directory with all below it is one."""
        self.continues_after: str | None = None
        """Where to continue if there was no time for the rest."""
        self._scope = scope
        self._policies = tuple(zip(policies, (root.place.relative, root.target.relative), strict=False))
        self._deadline = deadline
        self._proceed = proceed
        self.position = scope.after
        """The path of what came last before the entry at hand."""
        self._has_moved = False

    def entries(self, folders: Sequence[Folder]) -> Iterator[TreeEntry]:
        directory = open_place(self.root.place._replace(must_be_directory=True), folders).fd
        try:
            rules = self._rules_above(folders) if self._scope.as_git else None
            yield from self._below(directory, "", rules, 1)
        except _TimeIsUp:
            self.continues_after = self.position
        except OSError:
            self.skipped["unreadable"] += 1
        finally:
            release(directory)

    def count(self, directory: int, relative: str = "") -> Counter[Kind]:
        """How many entries a listing of a directory shows, by kind; `skipped` says how many it does not.

        `relative`: its path below the root.
        """
        kinds: Counter[Kind] = Counter()
        for key, entry in self._listed(directory):
            if self._is_denied(relative + key):
                self.skipped["denied"] += 1
            else:
                kinds[kind_of(entry)] += 1
        return kinds

    def _below(self, directory: int, path: str, rules: IgnoreRules | None, depth: int) -> Iterator[TreeEntry]:
        """`path` is that of the directory below the root, with its `/`."""
        self._proceed()
        listed = sorted(self._listed(directory))
        if rules is not None:
            rules = self._with_ignore_file(rules, directory, path, listed)
        judge = self._judge_in(path)
        for key, entry in listed:
            relative = path + key
            if self._was_walked(relative):
                continue
            self._check_time()
            is_shown, is_entered = self._is_in_scope(entry, path, depth)
            if not (is_shown or is_entered) or self._is_ignored(entry, relative, rules):
                continue
            if self._is_denied(relative) if entry.is_directory else judge(entry.name):
                self.skipped["denied"] += 1
                continue
            if is_shown and relative > self._scope.after:
                yield TreeEntry(entry, relative, directory)
            self._move_to(relative)
            if is_entered:
                yield from self._enter(entry, directory, relative, rules, depth)

    def _move_to(self, relative: str) -> None:
        """An answer may name the position, so it is never a name that is denied."""
        if relative > self.position:
            self._has_moved = True
            self.position = relative

    def _was_walked(self, relative: str) -> bool:
        """Whether a path, and all below it, come before what is wanted."""
        after = self._scope.after
        return relative <= after and not (relative.endswith("/") and after.startswith(relative))

    def _is_in_scope(self, entry: Entry, path: str, depth: int) -> tuple[bool, bool]:
        """Whether an entry is wanted, and whether something below it may be."""
        is_entered = entry.is_directory and depth < self._scope.max_depth
        glob = self._scope.glob
        if glob is None:
            return True, is_entered
        names = path.split("/")[:-1]
        is_shown = glob.match(glob.descend(names), entry.name) is not None
        return is_shown, is_entered and glob.descend([*names, entry.name]) != 0

    def _listed(self, directory: int) -> Iterator[tuple[str, Entry]]:
        """Each with the name that it is sorted by: a directory's name ends in `/`."""
        for entry in entries(directory):
            name = shown_name(entry.name)
            if entry.is_directory:
                yield f"{name}/", entry
            elif entry.is_file or entry.is_link:
                yield name, entry
            else:
                self.skipped["special"] += 1

    def _enter(
        self, entry: Entry, directory: int, relative: str, rules: IgnoreRules | None, depth: int
    ) -> Iterator[TreeEntry]:
        try:
            opened = open_unlinked(entry.name, directory)
            try:
                yield from self._below(opened, relative, rules, depth + 1)
            finally:
                release(opened)
        except OSError:
            self.skipped["unreadable"] += 1

    def _is_ignored(self, entry: Entry, relative: str, rules: IgnoreRules | None) -> bool:
        if rules is None:
            return False
        if entry.name in _VERSION_CONTROL:
            return True
        if shown_name(entry.name) != entry.name:
            self.skipped["unreadable"] += 1  # no client could ask for it
            return True
        if not rules.ignores(beneath(self.root.target.relative, relative)):
            return False
        self.skipped["ignored"] += 1
        if not self._is_denied(relative):
            self._move_to(relative)
        return True

    def _judge_in(self, path: str) -> Callable[[str], bool]:
        """Whether the file of a name in a directory is denied."""
        judges = [policy.denials_in(beneath(start, path).rstrip("/")) for policy, start in self._policies]
        return lambda name: any(judge(name) for judge in judges)

    def _is_denied(self, relative: str) -> bool:
        for policy, start in self._policies:
            path = beneath(start, relative)
            if path.endswith("/"):
                if policy.denies_all_below(path[:-1]):
                    return True
            elif policy.denial(path) is not None:
                return True
        return False

    def _check_time(self) -> None:
        if self._has_moved and time.monotonic() >= self._deadline:
            raise _TimeIsUp

    # What git ignores

    def _rules_above(self, folders: Sequence[Folder]) -> IgnoreRules:
        """Those that apply in the root. If it is ignored it is searched all the same, without the rules from above."""
        folder, path = self.root.target.folder, self.root.target.relative
        rules = IgnoreRules().with_file("", self._file_at(Place(folder, EXCLUDE_FILE), folders))
        names = path.split("/") if path else []
        for depth in range(len(names)):
            above = "/".join(names[:depth])
            rules = rules.with_file(above, self._file_at(Place(folder, beneath(above, IGNORE_FILE)), folders))
            if rules.ignores("/".join(names[: depth + 1]) + "/"):
                rules = IgnoreRules()
        return rules

    def _with_ignore_file(
        self, rules: IgnoreRules, directory: int, path: str, listed: list[tuple[str, Entry]]
    ) -> IgnoreRules:
        if not any(key == IGNORE_FILE and entry.is_file for key, entry in listed):
            return rules
        try:
            content = _content(open_unlinked(IGNORE_FILE, directory))
        except OSError:
            self.skipped["unreadable"] += 1
            return rules
        return rules.with_file(beneath(self.root.target.relative, path).rstrip("/"), content)

    def _file_at(self, place: Place, folders: Sequence[Folder]) -> bytes:
        try:
            opened = open_place(place, folders)
        except ReadError:
            return b""
        if opened.leads_to is not None:
            release(opened.fd)
            return b""  # git follows no link here
        return _content(opened.fd)


def kind_of(entry: Entry) -> Kind:
    return "folder" if entry.is_directory else "file" if entry.is_file else "link"


MAX_ALTERNATIVES = 100


def glob_of(text: str) -> Patterns:
    """The pattern of a request: `*`, `?`, `**` and `{a,b}`, which may be nested. `INVALID_ARGUMENT` if it is wrong."""
    pending, expanded = [text], list[str]()
    while pending and len(pending) + len(expanded) <= MAX_ALTERNATIVES:
        glob = pending.pop()
        if braces := re.search(r"\{([^{}]*)\}", glob):
            pending += [glob[: braces.start()] + each + glob[braces.end() :] for each in braces[1].split(",")]
        else:
            expanded.append(glob)
    if pending:
        raise invalid_argument(f"glob: has more than {MAX_ALTERNATIVES} alternatives")
    # What is below a directory is all of it, not only what is in it.
    expanded = [f"{glob}/*" if glob == "**" or glob.endswith("/**") else glob for glob in expanded]
    try:
        return Patterns(expanded, only_files=True)
    except ValueError as error:
        raise invalid_argument(f"glob: {error}") from None


def beneath(directory: str, relative: str) -> str:
    return f"{directory}/{relative}" if directory else relative


def _content(fd: int) -> bytes:
    """The content of a small file, which is closed; nothing of any other."""
    try:
        return read_small(fd) or b""
    except OSError:
        return b""
    finally:
        release(fd)


def shown_name(name: str) -> str:
    if name.isascii() or name.isprintable():  # neither has a lone surrogate
        return name
    return name.encode("utf-8", "surrogatepass" if windows.ACTIVE else "surrogateescape").decode("utf-8", "replace")
