"""What a client is told of a followed file when the daemon itself is at fault, which no file can bring about."""

import threading
from concurrent.futures import Future
from typing import Any, cast

from forge_daemon.requests.following import Following
from forge_daemon.server.client import Client
from forge_daemon.server.follows import Follows
from forge_protocol.follow import FollowedParams

PATIENCE = 30.0


class FaultyFollowing:
    def __init__(self) -> None:
        self.closed = threading.Event()

    def look(self, _progress: object) -> None:
        raise ZeroDivisionError

    def close(self) -> None:
        self.closed.set()


class ListeningClient:
    def __init__(self) -> None:
        self.told: list[FollowedParams] = []

    def ask(self, _name: str, params: Any) -> "Future[None]":
        self.told.append(params)
        answer: Future[None] = Future()
        answer.set_result(None)
        return answer


def test_a_fault_ends_the_follow_with_an_event_that_says_so() -> None:
    client, following = ListeningClient(), FaultyFollowing()
    follows = Follows(cast("Client", client))
    follows.add(cast("Following", following))
    assert following.closed.wait(PATIENCE)
    (told,) = client.told
    assert (told.event, told.error and told.error.code) == ("refused", "INTERNAL")
