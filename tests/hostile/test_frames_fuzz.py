"""A generated stream ends in a `FrameError`, or each id in it is answered exactly once with a correct code."""

import asyncio
import json
import logging
import struct
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from forge_daemon.rpc import json_text
from forge_daemon.rpc.framing import FrameError, FrameParser
from forge_daemon.server.server import ForgeServer
from forge_daemon.workspace.folder import folder_from_path
from tests.hostile.conftest import Figure
from tests.hostile.frame_mutations import Answer, answers_to, frame
from tests.hostile.scale import FUZZ, scaled

CANCELLED = -32800
FRAMES_IN_A_STREAM = 50
FRAMES = scaled(20_000, 1_000_000)
PATIENCE = 60.0


class Endpoint:
    """A daemon without a process: bodies in, answers out."""

    def __init__(self, root: Path) -> None:
        self.server = ForgeServer()
        self.answers: list[Any] = []
        self.server.dispatcher.send = self._take
        self.server.on_exit = lambda _: None
        params: dict[str, object] = {"processId": None, "rootUri": folder_from_path(str(root)).uri, "capabilities": {}}
        self.receive(json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}).encode())
        assert "result" in self.answers.pop()

    @classmethod
    async def started(cls, root: Path) -> "Endpoint":
        """On the loop that it lives on."""
        return cls(root)

    def receive(self, body: bytes) -> None:
        self.server.dispatcher.receive(body)

    def _take(self, body: bytes) -> None:
        message = json.loads(body)
        if "method" not in message:
            self.answers.append(message)

    async def settle(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while self.server.dispatcher.has_unanswered:
            assert time.monotonic() < deadline, "a request is never answered"
            await asyncio.sleep(0.001)
        self.server.session.follows.remove_all()  # they would never end


def expected_of(endpoint: Endpoint, bodies: Iterator[bytes]) -> list[Answer]:
    """Pass the bodies on. Returns the expected answers."""
    expected: list[Answer] = []
    for body in bodies:
        expected += answers_to(body)
        endpoint.receive(body)
    return expected


def bodies_in(numbers: tuple[int, ...]) -> Iterator[bytes]:
    """The bodies a parser finds in the stream, until it gives up: as far as the frames are sound, exactly theirs."""
    parser = FrameParser()
    in_doubt = False
    for header, body, is_one in map(frame, numbers):
        in_doubt = in_doubt or not is_one
        middle = len(header) + len(body) // 2
        stream = header + body
        found: list[bytes] = []
        try:
            for part in (stream[:middle], stream[middle:]):
                for found_body in parser.feed(part):
                    found.append(found_body)
        except FrameError:
            assert in_doubt
            yield from found
            return
        assert in_doubt or found == [body]
        yield from found


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("workspace")
    (folder / "a.txt").write_text("one\ntwo\n")
    (folder / "link").symlink_to("a.txt")
    return folder


@pytest.mark.parametrize("faster_json", [True, False], ids=["orjson", "json"])
def test_every_id_of_a_made_up_stream_is_answered_once(
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    figure: Figure,
    faster_json: bool,
) -> None:
    caplog.set_level(logging.CRITICAL, "forge_daemon")
    if not faster_json:
        monkeypatch.setattr(json_text, "orjson", None)
    count = 0

    async def converse(numbers: tuple[int, ...]) -> None:
        endpoint.answers.clear()
        expected = expected_of(endpoint, bodies_in(numbers))
        await endpoint.settle()
        answered = Counter(json.dumps(answer["id"]) for answer in endpoint.answers)
        assert answered == Counter(answer.msg_id for answer in expected)
        allowed: dict[str, set[int | None]] = {}
        for msg_id, codes in expected:
            # Another frame of the stream may cancel it.
            allowed.setdefault(msg_id, {CANCELLED}).update(codes)
        for answer in endpoint.answers:
            assert answer.get("error", {}).get("code") in allowed[json.dumps(answer["id"])], answer

    @settings(
        max_examples=FRAMES // FRAMES_IN_A_STREAM // 2,
        deadline=None,
        database=None,
        derandomize=not FUZZ,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.binary(min_size=4 * FRAMES_IN_A_STREAM, max_size=4 * FRAMES_IN_A_STREAM))
    def run(noise: bytes) -> None:
        nonlocal count
        count += FRAMES_IN_A_STREAM
        loop.run(converse(struct.unpack(f"<{FRAMES_IN_A_STREAM}I", noise)))

    with asyncio.Runner() as loop:
        endpoint = loop.run(Endpoint.started(root))
        run()
    assert count >= FRAMES // 2
    figure("hostile frames, generated", "each id answered once, or the stream given up", count)


PLACES = (
    '{"jsonrpc":"2.0","id":1,"method":"forge/readFile","params":%s}',
    '{"jsonrpc":"2.0","id":1,"method":"forge/readFile","params":{"path":"a.txt","around":%s}}',
    '{"jsonrpc":"2.0","id":1,"method":"forge/readFiles","params":{"files":[%s]}}',
    (
        '{"jsonrpc":"2.0","id":1,"method":"workspace/executeCommand","params":{"command":"forge.tools.call",'
        '"arguments":[{"name":"Read","arguments":{"path":%s}}]}}'
    ),
    '{"jsonrpc":"2.0","id":1,"method":%s}',
    '{"jsonrpc":"2.0","id":%s,"method":"forge/readFile"}',
    '{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"forge":{"tools":%s}}}}',
    '{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":%s}}',
)


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")], ids=["arrays", "objects"])
async def test_nesting_just_short_of_too_deep_is_answered_like_any_other(
    root: Path, caplog: pytest.LogCaptureFixture, opening: str, closing: str
) -> None:
    """Where reading still succeeds, something later could run out of stack."""
    caplog.set_level(logging.CRITICAL, "forge_daemon")
    endpoint = Endpoint(root)
    for depth in range(600, 1010, 3):
        nested = opening * depth + "1" + closing * depth
        for place in PLACES:
            endpoint.answers.clear()
            endpoint.receive((place % nested).encode())
            await endpoint.settle()
            codes = [answer.get("error", {}).get("code") for answer in endpoint.answers]
            assert codes in ([-32700], [-32600], [-32602], [None]) or (codes == [] and '"id"' not in place)
