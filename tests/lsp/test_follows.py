"""What a client is told of a followed file when the daemon itself is at fault, which no file can bring about."""

import asyncio
from typing import Any, cast

from forge_daemon.requests.following import Following
from forge_daemon.rpc.offload import Offload
from forge_daemon.server.client import Client
from forge_daemon.server.follows import Follows
from forge_protocol.follow import FollowedParams

PATIENCE = 30.0


class FaultyFollowing:
    def __init__(self) -> None:
        self.closed = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    def is_idle(self) -> bool:
        return False

    def look(self, _progress: object) -> None:
        raise ZeroDivisionError

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self.closed.set)


class ListeningClient:
    def __init__(self) -> None:
        self.told: list[FollowedParams] = []

    async def call(self, _name: str, params: Any) -> None:
        self.told.append(params)


def test_a_fault_ends_the_follow_with_an_event_that_says_so() -> None:
    async def follow() -> list[FollowedParams]:
        client, following = ListeningClient(), FaultyFollowing()
        follows = Follows(cast("Client", client), Offload())
        follows.add(cast("Following", following))
        await asyncio.wait_for(following.closed.wait(), PATIENCE)
        return client.told

    (told,) = asyncio.run(follow())
    assert (told.event, told.error and told.error.code) == ("refused", "INTERNAL")
