"""A log in a workspace, and one who follows it."""

import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from forge_daemon.workspace.reader import Reader
from tests.requests.follower import Follower, Pass
from tests.workspace.readers import reader_of
from tests.workspace.workspaces import folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "ws").mkdir()
    return (tmp_path / "ws").resolve()


@pytest.fixture
def log(root: Path) -> Path:
    log = root / "app.log"
    log.write_text("one\ntwo\nthree\n")
    return log


@pytest.fixture
def reader(root: Path) -> Reader:
    return reader_of(folder(root))


@pytest.fixture
def follower(reader: Reader, log: Path) -> Iterator[Follower]:
    follower = Follower(reader)
    yield follower
    follower.following.close()


@pytest.fixture
def pass_time(monkeypatch: pytest.MonkeyPatch) -> Pass:
    """Only so much time passes: it stands still otherwise."""
    now = Fraction(time.monotonic())  # exact: with floats, now + 0.2 - now may be less than 0.2

    def pass_time(seconds: float) -> None:
        nonlocal now
        now += Fraction(seconds)

    monkeypatch.setattr(time, "monotonic", lambda: now)
    return pass_time
