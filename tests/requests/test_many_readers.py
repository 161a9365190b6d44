"""Many threads read files that others keep changing: every answer is one state, never a mixture."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from forge_daemon.reading.files import disk
from forge_daemon.requests.read_file import read_file
from forge_protocol.errors import ErrorCode, ReadError
from forge_protocol.read_file import ReadFileParams, ReadFileResult
from tests.reading.sources import no_progress
from tests.workspace.readers import reader_of
from tests.workspace.workspaces import folder

pytestmark = pytest.mark.slow


def state(number: int) -> str:
    """As many lines as its number, all alike, so that a mixture shows."""
    return f"state {number}\n" * number


def by_rename(path: Path, text: str) -> None:
    path.with_suffix(".new").write_text(text)
    path.with_suffix(".new").replace(path)


def in_place(path: Path, text: str) -> None:
    path.write_text(text)


@pytest.mark.parametrize("held", [0, disk.HELD_BYTES])
@pytest.mark.parametrize("change", [by_rename, in_place])
def test_every_answer_is_one_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: int, change: Callable[[Path, str], None]
) -> None:
    monkeypatch.setattr(disk, "HELD_BYTES", held)
    reader = reader_of(folder(tmp_path / "ws"))
    path = tmp_path / "ws" / "file.txt"
    path.write_text(state(1))
    finished = Event()

    def write() -> None:
        try:
            for turn in range(120):
                change(path, state(1 + turn % 100))
        finally:
            finished.set()

    def read() -> int:
        answers = 0
        while not finished.is_set():
            try:
                check(read_file(reader, ReadFileParams(path="file.txt"), no_progress))
            except ReadError as error:
                if error.code != ErrorCode.CONTENT_MODIFIED:
                    raise
                continue
            answers += 1
        return answers

    def check(answer: ReadFileResult) -> None:
        # Emptied before it is written again, a file may be seen as far as it got.
        assert answer.meta.line_count == answer.meta.returned_line_count
        assert answer.meta.byte_length == len(answer.content)
        lines = answer.content.splitlines()
        assert len(set(lines)) <= 1
        if change is by_rename:
            assert answer.content == state(len(lines))

    with ThreadPoolExecutor(4) as threads:
        readings = [threads.submit(read) for _ in range(3)]
        threads.submit(write).result()
        assert sum(reading.result() for reading in readings) > 0
    check(read_file(reader, ReadFileParams(path="file.txt"), no_progress))
