"""`forge/follow` and `forge/unfollow`."""

from attrs import asdict

from forge_daemon.reading.selection import select
from forge_daemon.reading.sources.source import Progress
from forge_daemon.reading.window import WindowRequest
from forge_daemon.requests.following import Following
from forge_daemon.requests.read_file import result_of
from forge_daemon.requests.request import naming
from forge_daemon.server.session import Session
from forge_daemon.workspace.reader import Target
from forge_protocol.follow import DEFAULT_TAIL, FollowParams, FollowResult, UnfollowParams
from forge_protocol.read_file import ReadFileResult


async def follow(session: Session, params: FollowParams) -> FollowResult:
    session.follows.require_room()
    with naming(session.reader, params.path):
        tail = DEFAULT_TAIL if params.tail is None and params.cursor is None else params.tail
        selection = select(tail=tail, cursor=params.cursor)
    request = WindowRequest(max_lines=params.max_lines, on_binary="refuse")
    following = Following(session.reader, Target(params.path, params.workspace_folder), request)

    def start(progress: Progress) -> ReadFileResult:
        file, window = following.start(request._replace(selection=selection), progress)
        return result_of(file, window, numbered=False)

    result = await session.run(start, title="Reading", token=params.work_done_token)
    return FollowResult(**asdict(result, recurse=False), follow_id=session.follows.add(following))


def unfollow(session: Session, params: UnfollowParams) -> None:
    session.follows.remove(params.follow_id)
