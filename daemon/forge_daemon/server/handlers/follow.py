"""`forge/follow` and `forge/unfollow`."""

from attrs import asdict

from forge_daemon.reading.files.file_bytes import Progress
from forge_daemon.reading.window.cursor import Cursor
from forge_daemon.reading.window.selection import Selectors, select
from forge_daemon.reading.window.window import WindowRequest
from forge_daemon.requests.filter import filter_of
from forge_daemon.requests.read_file import result_of
from forge_daemon.requests.rotated_following import following_of
from forge_daemon.requests.text_form import text_form
from forge_daemon.server.session import Session
from forge_daemon.workspace.reader import Target
from forge_protocol.errors import ReadError
from forge_protocol.follow import DEFAULT_TAIL, FollowParams, FollowResult, UnfollowParams


def follow(session: Session, params: FollowParams, progress: Progress) -> FollowResult:
    first = _first_window(params, progress)
    target = Target(params.path, params.workspace_folder, rotated=params.rotated)
    following = following_of(session.reader, target, first)
    file, window = following.start(first, progress)
    result = result_of(file, window, numbered=False)
    try:
        return FollowResult(**asdict(result, recurse=False), follow_id=session.follows.add(following))
    except ReadError:
        following.close()
        raise


def _first_window(params: FollowParams, progress: Progress) -> WindowRequest:
    wanted = filter_of(params.filter)
    tail = DEFAULT_TAIL if params.tail is None and params.cursor is None else params.tail
    selection = select(Selectors(tail=tail, cursor=params.cursor), filter_name=wanted.name if wanted else "")
    if isinstance(selection, Cursor):
        selection = selection._replace(last=None)  # a followed file has no end
    return WindowRequest(
        selection=selection,
        max_lines=params.max_lines,
        on_binary="refuse",
        filter=wanted,
        form=text_form(params.encoding, "auto", params.ansi),
    )


def unfollow(session: Session, params: UnfollowParams, _progress: Progress) -> None:
    session.follows.remove(params.follow_id)
