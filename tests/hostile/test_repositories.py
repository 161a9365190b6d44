"""Whatever a repository contains, every request is answered soon, and no other request waits for it."""

import statistics
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.hostile.conftest import Figure
from tests.hostile.repositories import REPOSITORIES, Make
from tests.hostile.scale import FUZZ, scaled
from tests.hostile.test_load import resident
from tests.hostile.undisturbed import Undisturbed
from tests.lsp.raw_client import RawClient

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")

LONGEST_SECONDS = 2.0
BESIDE_MILLISECONDS = 100.0
NOT_INITIALIZED = -32002
MOST_GROWTH = 128 << 20
SMALL_READS = scaled(20, 500)
PAUSE_SECONDS = 0.005
"""A person beside it, not a flood."""


class Watched:
    """A client that reads a small file over and over while it waits for another answer."""

    def __init__(self, client: RawClient, small: Path) -> None:
        self._client = client
        self._small = small
        self.slowest = 0.0
        self.slowest_request = ""
        self.beside: list[float] = []

    def ask(self, method: str, params: Any) -> None:
        asked = Undisturbed(self._client.process.pid)
        msg_id = self._client.start_request(method, params)
        self.read_small()
        while not any(answer["id"] == msg_id for answer in self._client.answers_set_aside()):
            time.sleep(PAUSE_SECONDS)
            self.read_small()
        took = max(asked.seconds(), asked.processor_seconds())
        if took > self.slowest:
            self.slowest, self.slowest_request = took, f"{method} {params!r:.100}"
        answer = self._client.answer_to(msg_id)
        assert answer.get("error", {}).get("data", {}).get("code") != "INTERNAL" or "gzip" in str(answer), answer

    def read_small(self) -> None:
        asked = Undisturbed(self._client.process.pid)
        assert self._client.read(self._small)["content"] == "small\n"
        self.beside.append(1000 * asked.seconds())


@pytest.mark.parametrize("make", REPOSITORIES.values(), ids=REPOSITORIES)
def test_every_request_is_answered_soon_and_nobody_waits_for_it(make: Make, tmp_path: Path, figure: Figure) -> None:
    repository, beside = tmp_path.resolve() / "repository", tmp_path.resolve() / "beside"
    repository.mkdir()
    beside.mkdir()
    (beside / "small").write_text("small\n")
    with RawClient() as client:
        requests = make(repository)
        first = [next(requests)]
        assert client.error("forge/readFile", {"path": "small"})["code"] == NOT_INITIALIZED, "the process has started"
        asked = Undisturbed(client.process.pid)
        client.initialize(repository, beside)
        took = asked.seconds()
        watched = Watched(client, beside / "small")
        before = resident(client.process.pid)
        for method, params in (*first, *requests):
            if params.get("path"):
                watched.ask(method, {**params, "path": f"{repository}/{params['path']}"[:32_000]})
            watched.ask(method, params)
        while len(watched.beside) < SMALL_READS:
            watched.read_small()
        grown = resident(client.process.pid) - before
        assert client.shut_down() == 0
        client.check_that_everything_was_answered_once()
    p99 = statistics.quantiles(watched.beside, n=100)[98]
    assert grown < MOST_GROWTH
    figure("request about a hostile repository, slowest", f"{max(took, watched.slowest):.2f} s")
    figure("small read beside it, p99", f"{p99:.1f} ms")
    if FUZZ:
        assert max(took, watched.slowest) < LONGEST_SECONDS, watched.slowest_request
        assert p99 < BESIDE_MILLISECONDS
