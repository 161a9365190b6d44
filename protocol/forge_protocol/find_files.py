"""`forge/findFiles`: the matching lines of all files of a folder."""

from typing import Annotated

from attrs import define

from .fields import Between, ProgressToken
from .filter import TermParams
from .find import FindMatch

MatchCount = Annotated[int, Between(1, 10_000)]


@define(kw_only=True)
class FindFilesParams(TermParams):
    """What to search for, and in which files.

    Files are searched in the order of their paths, as `git grep` has it. Left out are what `.gitignore` files name, the
    directories `.git`, `.hg` and `.svn`, links, binary files, compressed files and files above 64 MiB. A folder that
    `path` names is searched even if it is ignored.
    """

    path: str | None = None
    """The folder to search, or one file; by default all workspace folders."""
    workspace_folder: str | None = None
    """As in `forge/readFile`."""
    glob: str | None = None
    """Only files whose path below the folder matches: `*`, `?`, `**` and `{a,b}`, upper and lower case alike. Without
    a `/` it is matched against names at any depth."""
    max_matches: MatchCount = 1000
    """The most matches in one answer."""
    max_matches_per_file: MatchCount = 100
    """The most matches of one file."""
    cursor: str | None = None
    """`next_cursor` of an earlier answer, with otherwise the same parameters."""
    work_done_token: ProgressToken | None = None
    """LSP's own: report progress under this token if the search takes long."""


@define(kw_only=True)
class FoundFile:
    """A file with matching lines."""

    path: str
    """Relative to its workspace folder."""
    workspace_folder: str
    """The name of that folder."""
    matches: list[FindMatch]
    """One for each matching line: the first match in it."""
    more: int
    """How many lines of the file match after these."""


@define(kw_only=True)
class SkippedFiles:
    """How many files, or folders with all that is in them, were left out."""

    binary: int
    """Not text, or compressed."""
    denied: int
    """By policy."""
    too_large: int
    """Above 64 MiB."""
    unreadable: int
    """The operating system refuses them, they changed while they were read, or their name is not UTF-8."""
    ignored: int
    """Named in a `.gitignore` file."""


@define(kw_only=True)
class FindFilesResult:
    """The matches, by file."""

    files: list[FoundFile]
    """Ordered by their paths. If the last one has `more` the next answer may continue with the same file."""
    searched_files: int
    """How many files were searched for this answer."""
    skipped: SkippedFiles
    """What was left out for this answer."""
    next_cursor: str | None
    """Continues after these; null at the end. An answer takes at most 10 seconds, so it may hold fewer matches than
    asked for, or none, and still continue."""
