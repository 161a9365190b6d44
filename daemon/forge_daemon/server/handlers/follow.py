"""`forge/follow` and `forge/unfollow`."""

from attrs import asdict

from forge_daemon.reading.cursor import Cursor, decode_cursor
from forge_daemon.reading.selection import Selectors, select
from forge_daemon.reading.sources.source import Progress
from forge_daemon.reading.windows.window import WindowRequest
from forge_daemon.requests.following import Following
from forge_daemon.requests.line_filter import line_filter_of
from forge_daemon.requests.read_file import result_of
from forge_daemon.requests.request import naming
from forge_daemon.requests.text_form import text_form
from forge_daemon.server.session import Session
from forge_daemon.workspace.reader import Target
from forge_protocol.follow import DEFAULT_TAIL, FollowParams, FollowResult, UnfollowParams
from forge_protocol.read_file import ReadFileResult
from forge_protocol.registry import BY_NAME


async def follow(session: Session, params: FollowParams) -> FollowResult:
    following: Following | None = None

    def start(progress: Progress) -> ReadFileResult:
        nonlocal following
        with naming(session.reader, params.path):
            first = _first_window(params, progress)
        following = Following(session.reader, Target(params.path, params.workspace_folder), first)
        file, window = following.start(first, progress)
        return result_of(file, window, numbered=False)

    with session.follows.room():
        result = await session.run(start, title=BY_NAME["forge/follow"].title, token=params.work_done_token)
        assert following is not None
        return FollowResult(**asdict(result, recurse=False), follow_id=session.follows.add(following))


def _first_window(params: FollowParams, progress: Progress) -> WindowRequest:
    line_filter = line_filter_of(params.filter, progress)
    tail = DEFAULT_TAIL if params.tail is None and params.cursor is None else params.tail
    # The end_cursor of an event is a place in the whole file, and is sent back with the filter or without.
    is_filtered = params.cursor is not None and decode_cursor(params.cursor).filtered is not None
    selection = select(
        Selectors(tail=tail, cursor=params.cursor),
        filter_name=line_filter.name if line_filter and (is_filtered or params.cursor is None) else None,
    )
    if isinstance(selection, Cursor):
        selection = selection._replace(last=None)  # a followed file has no end
    return WindowRequest(
        selection=selection,
        max_lines=params.max_lines,
        on_binary="refuse",
        line_filter=line_filter,
        form=text_form(params.encoding, "auto", params.ansi),
    )


def unfollow(session: Session, params: UnfollowParams) -> None:
    session.follows.remove(params.follow_id)
