"""`forge/findFiles`."""

from functools import partial

from attrs import evolve

from forge_daemon.reading.files.file_bytes import Progress
from forge_daemon.reading.match.find import Match
from forge_daemon.reading.match.matcher import compile_term
from forge_daemon.reading.match.term import Term
from forge_daemon.reading.texts.text import Text
from forge_daemon.reading.window.find import find_in_each_line
from forge_daemon.workspace.folder import Place
from forge_daemon.workspace.open_tree import tree_roots
from forge_daemon.workspace.reader import Reader, Target
from forge_daemon.workspace.tree import Scope, TreeRoot, glob_of
from forge_protocol.errors import ErrorCode, ReadError
from forge_protocol.find import FindMatch
from forge_protocol.find_files import FindFilesParams, FindFilesResult, FoundFile, SkippedFiles

from .request import open_target
from .text_form import text_form
from .tree_search import Position, TreeSearch, TreeVisit, decode_position, encode_position


def find_files(reader: Reader, params: FindFilesParams, progress: Progress) -> FindFilesResult:
    term = Term(params.pattern, params.regex, params.ignore_case, params.whole_word)
    matcher = compile_term(term)  # before anything is opened
    scope = Scope(glob=None if params.glob is None else glob_of(params.glob), as_git=True)
    roots = roots_or_file(reader, params.path, params.workspace_folder)
    request = _request_name(params, roots)
    start = decode_position(params.cursor, request)
    search = TreeSearch(TreeVisit(reader, roots, scope, start), matcher, text_form(), progress)
    page = _Page(params, term, start)
    following = _search_tree(search, page) if roots else _search_file(reader, params, search, page)
    skipped = search.skipped
    skipped["binary"] += skipped["compressed"]
    return FindFilesResult(
        files=page.files,
        searched_files=search.searched,
        skipped=SkippedFiles(**{name: skipped[name] for name in SkippedFiles.__annotations__}),
        next_cursor=None if following is None else encode_position(following, request),
    )


def _search_tree(search: TreeSearch, page: "_Page") -> Position | None:
    """Where the next answer continues."""
    for inside, after, place, found in search.files(page.look):
        page.add(inside, after, place.folder.name, found)
        if page.next is not None:
            return page.next
    return search.next


def _search_file(reader: Reader, params: FindFilesParams, search: TreeSearch, page: "_Page") -> Position | None:
    assert params.path is not None
    with open_target(reader, Target(params.path, params.workspace_folder)) as file:
        if (found := search.look_into(file, partial(page.look, file.place))) is not None:
            page.add(Position(path=file.path), None, file.workspace_folder, found)
    return page.next


def roots_or_file(reader: Reader, path: str | None, workspace_folder: str | None = None) -> list[TreeRoot]:
    """The directories that a path means; none if it means no directory, and so perhaps a file."""
    try:
        return tree_roots(reader, path, workspace_folder)
    except ReadError as error:
        if error.code != ErrorCode.NOT_FOUND or path is None:
            raise
        return []


class _Page:
    """The matches of one answer."""

    def __init__(self, params: FindFilesParams, term: Term, start: Position) -> None:
        self.files: list[FoundFile] = []
        self.next: Position | None = None
        """Where the next answer continues, if this one is full."""
        self._term = term
        self._left = params.max_matches
        self._per_file = params.max_matches_per_file
        self._start = start

    def look(self, place: Place, text: Text) -> tuple[list[Match], int]:
        first_line = self._start.line + 1 if place.relative == self._start.path else 1
        return find_in_each_line(text, self._term, first_line, min(self._per_file, self._left))

    def add(self, inside: Position, after: Position | None, folder: str, found: tuple[list[Match], int]) -> None:
        """`inside` and `after`: where to continue in this file, and after it. None: nothing follows."""
        matches, more = found
        if matches:
            shown = [FindMatch(**match._asdict()) for match in matches]
            self.files.append(FoundFile(path=inside.path, workspace_folder=folder, matches=shown, more=more))
            self._left -= len(matches)
        if self._left == 0:
            is_cut = more and len(matches) < self._per_file
            self.next = inside._replace(line=matches[-1].line) if is_cut else after


def _request_name(params: FindFilesParams, roots: list[TreeRoot]) -> str:
    """Equal for requests that page through the same matches."""
    same = evolve(params, cursor=None, work_done_token=None, max_matches=1, max_matches_per_file=1)
    return repr((same, [root.place.folder.uri for root in roots]))
