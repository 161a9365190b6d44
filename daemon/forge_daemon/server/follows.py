"""The files that one client follows. Each is checked by itself, and an event is sent after the last one is answered."""

import asyncio
import itertools
import logging
from collections.abc import Iterator
from contextlib import contextmanager

from forge_daemon.reading.cursor import encode_cursor
from forge_daemon.requests.following import Event, Following, Look
from forge_daemon.requests.pace import Pace
from forge_daemon.rpc.dispatcher import RpcError
from forge_daemon.rpc.offload import NoReport, Offload
from forge_protocol.conversion import structure
from forge_protocol.error_data import ErrorData
from forge_protocol.errors import ErrorCode, ReadError, invalid_argument
from forge_protocol.follow import FollowedParams

from .client import Client

logger = logging.getLogger(__name__)

MOST_FOLLOWS = 64
FOLLOWED = "forge/followed"


class Follows:
    def __init__(self, client: Client, offload: Offload) -> None:
        self._client = client
        self._offload = offload
        self._by_id: dict[str, _Follow] = {}
        self._starting = 0
        self._ids = itertools.count(1)

    @contextmanager
    def room(self) -> Iterator[None]:
        """Reserves a place for a follow that is being started; `INVALID_ARGUMENT` if there are too many."""
        if len(self._by_id) + self._starting >= MOST_FOLLOWS:
            raise invalid_argument(
                f"{MOST_FOLLOWS} files are followed already, and no more can be", hint="end one with forge/unfollow"
            )
        self._starting += 1
        try:
            yield
        finally:
            self._starting -= 1

    def add(self, following: Following) -> str:
        """Start checking the file. Returns the id of the follow."""
        follow_id = f"follow-{next(self._ids)}"
        follow = self._by_id[follow_id] = _Follow(follow_id, following, self._client, self._offload)
        follow.task.add_done_callback(lambda _: self._by_id.pop(follow_id, None))
        return follow_id

    def remove(self, follow_id: str) -> None:
        if (follow := self._by_id.pop(follow_id, None)) is not None:
            follow.task.cancel()

    def remove_all(self) -> None:
        for follow_id in list(self._by_id):
            self.remove(follow_id)

    def hurry(self) -> None:
        """The client reported changed files: check now."""
        for follow in self._by_id.values():
            follow.hurried.set()


class _Follow:
    def __init__(self, follow_id: str, following: Following, client: Client, offload: Offload) -> None:
        self._follow_id = follow_id
        self._following = following
        self._client = client
        self._offload = offload
        self._is_looking = False
        self.hurried = asyncio.Event()
        self.task = asyncio.ensure_future(self._run())

    async def _run(self) -> None:
        pace = Pace()
        try:
            while True:
                await self._rest(pace.rest())
                while (found := await self._look()) is not None:
                    pace.hurry()
                    await self._tell(found)
                    if found.error is not None:
                        return
        finally:
            # What a worker is still reading is closed when the worker lets go of it.
            if not self._is_looking:
                self._offload.let_go(self._following.close)

    async def _rest(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self.hurried.wait(), seconds)
        except TimeoutError:
            return
        self.hurried.clear()

    async def _look(self) -> Look | None:
        try:
            if self._following.is_idle():
                return None
            self._is_looking = True
            found = await self._offload.run(lambda work: self._following.look(work.progress), NoReport())
        except ReadError as error:
            logger.warning("a followed file cannot be looked at: %s", error.reason)
            found = None
        except Exception as error:
            # The client must not wait for events that never come.
            logger.error("following a file failed: %s", type(error).__name__)
            logger.debug("following a file failed", exc_info=error)
            found = Look(Event.REFUSED, error=ReadError(ErrorCode.INTERNAL, "something went wrong inside the daemon"))
        self._is_looking = False
        return found

    async def _tell(self, found: Look) -> None:
        """Send the event, and wait for the client's answer."""
        try:
            await self._client.call(FOLLOWED, _params(self._follow_id, found))
        except RpcError as error:
            logger.warning("the client refused an event of a followed file: %s", error.message)


def _params(follow_id: str, found: Look) -> FollowedParams:
    window = found.window
    return FollowedParams(
        follow_id=follow_id,
        event=found.event.value,
        content=window.content if window else None,
        start_line=window.start_line if window else None,
        returned_line_count=window.returned_line_count if window else None,
        line_numbers=window.line_numbers if window else None,
        continues_line=found.continues_line,
        skipped_bytes=found.skipped_bytes,
        byte_length=found.byte_length,
        line_count=found.line_count,
        etag=found.etag,
        end_cursor=encode_cursor(found.end_cursor) if found.end_cursor else None,
        error=structure(found.error.data(), ErrorData) if found.error else None,
    )
