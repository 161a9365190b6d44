"""The files that one client follows, each on its own thread. An event is sent after the last one is answered."""

import itertools
import logging
import threading
from concurrent.futures import CancelledError, Future

from forge_daemon.reading.window.cursor import encode_cursor
from forge_daemon.reading.window.window import Window
from forge_daemon.requests.following import Event, Following, Look
from forge_daemon.requests.pace import IDLE_SECONDS, Pace
from forge_daemon.rpc.dispatcher import RpcError
from forge_protocol.conversion import structure
from forge_protocol.error_data import ErrorData
from forge_protocol.errors import ErrorCode, ReadError, invalid_argument
from forge_protocol.follow import FollowedParams

from .client import Client

logger = logging.getLogger(__name__)

MAX_FOLLOWS = 64
FOLLOWED = "forge/followed"


class Follows:
    """Usable from any thread."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._lock = threading.Lock()
        self._by_id: dict[str, _Follow] = {}
        self._ids = itertools.count(1)

    def add(self, following: Following) -> str:
        """Start checking the file. Returns the id of the follow; `INVALID_ARGUMENT` if there are too many."""
        follow_id = f"follow-{next(self._ids)}"
        with self._lock:
            self._by_id = {each: follow for each, follow in self._by_id.items() if follow.is_alive()}
            if len(self._by_id) >= MAX_FOLLOWS:
                raise invalid_argument(
                    f"limit of {MAX_FOLLOWS} followed files reached", hint="end one with forge/unfollow"
                )
            follow = self._by_id[follow_id] = _Follow(follow_id, following, self._client)
            follow.start()
        return follow_id

    def remove(self, follow_id: str) -> None:
        """Nothing is sent for it once this has returned. May block."""
        with self._lock:
            follow = self._by_id.pop(follow_id, None)
        if follow is not None:
            follow.stop()
            with follow.sending:
                pass

    def remove_all(self) -> None:
        """Without waiting for events that are being sent."""
        for follow in list(self._by_id.values()):
            follow.stop()

    def hurry(self) -> None:
        """The client reported changed files: check now."""
        for follow in list(self._by_id.values()):
            follow.woken.set()


class _Follow(threading.Thread):
    def __init__(self, follow_id: str, following: Following, client: Client) -> None:
        super().__init__(name=follow_id, daemon=True)
        self._follow_id = follow_id
        self._following = following
        self._client = client
        self._was_stopped = False
        self._answer: Future[None] | None = None
        """The client's answer to the last event."""
        self.woken = threading.Event()
        self.sending = threading.Lock()
        """Held while an event is sent, without the wait for its answer."""

    def stop(self) -> None:
        self._was_stopped = True
        self.woken.set()
        if self._answer is not None:
            self._answer.cancel()

    def run(self) -> None:
        pace = Pace()
        try:
            while not self._was_stopped:
                self.woken.wait(pace.rest())
                self.woken.clear()
                while (found := self._look()) is not None:
                    pace.hurry()
                    if not self._tell(found) or found.error is not None:
                        return
        finally:
            self._following.close()

    def _progress(self, _done: int, _total: int) -> None:
        if self._was_stopped:
            raise ReadError(ErrorCode.CANCELLED, "no longer followed")

    def _look(self) -> Look | None:
        try:
            return None if self._was_stopped else self._following.look(self._progress)
        except ReadError as error:
            if error.code != ErrorCode.CANCELLED:
                logger.warning("a followed file cannot be checked: %s", error.reason)
            return None
        except Exception as error:
            # The client must not wait for events that never come.
            logger.error("following a file failed: %s", type(error).__name__)
            logger.debug("following a file failed", exc_info=error)
            return Look(Event.REFUSED, error=ReadError(ErrorCode.INTERNAL, "something went wrong inside the daemon"))

    def _tell(self, found: Look) -> bool:
        """Send the event, and wait for the client's answer. Returns whether it is still followed."""
        with self.sending:
            if self._was_stopped:
                return False
            self._answer = self._client.ask(FOLLOWED, _params(self._follow_id, found))
            if self._was_stopped:
                self._answer.cancel()
        while not self._was_stopped:
            try:
                self._answer.result(IDLE_SECONDS)
                return True
            except TimeoutError:
                self._following.watch()
            except CancelledError:
                return False
            except RpcError as error:
                logger.warning("the client refused an event of a followed file: %s", error.message)
                return True
        return False


def _params(follow_id: str, found: Look) -> FollowedParams:
    window = found.window
    return FollowedParams(
        follow_id=follow_id,
        event=found.event.value,
        content=window.content if window else None,
        start_line=_first_line(window) or None if window else None,
        returned_line_count=window.returned_line_count if window else None,
        line_numbers=window.line_numbers if window else None,
        context_lines=window.context_lines if window else None,
        continues_line=found.continues_line,
        skipped_bytes=found.skipped_bytes,
        skipped_files=found.skipped_files,
        byte_length=found.byte_length,
        line_count=found.line_count,
        etag=found.etag,
        end_cursor=encode_cursor(found.end_cursor) if found.end_cursor else None,
        error=structure(found.error.data(), ErrorData) if found.error else None,
    )


def _first_line(window: Window) -> int | None:
    """The number of the first line, in the file."""
    return next(iter(window.line_numbers), None) if window.line_numbers is not None else window.start_line
