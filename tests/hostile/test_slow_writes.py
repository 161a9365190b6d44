"""A write that is under way is waited for: its time stamp is that of its beginning, so the file may look old."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from forge_daemon.reading.files.disk import HELD_BYTES
from forge_daemon.reading.files.file_bytes import no_progress
from forge_daemon.requests.count_lines import count_lines
from forge_daemon.requests.read_file import read_file
from forge_daemon.workspace.reader import Reader
from forge_protocol.count_lines import CountLinesParams, CountLinesResult
from forge_protocol.read_file import ReadFileParams
from tests.hostile import stalled_writer, storages
from tests.reading.passing_time import let_time_pass
from tests.workspace.readers import reader_of
from tests.workspace.workspaces import folder

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a file system is asked in Linux's way")

LINES = HELD_BYTES // 8
MOMENT = 0.2
"""A daemon that does not wait would have answered by then."""


@pytest.fixture(params=storages.THAT_LET_WAIT)
def path(request: pytest.FixtureRequest) -> Iterator[Path]:
    with storages.ALL[request.param]() as root:
        (root / "file").write_bytes(b"old line of text\n" * LINES)
        yield root / "file"


@contextmanager
def stalled(path: Path, old: str, new: str) -> Iterator[None]:
    """A write that is half done; it ends with the block."""
    command = [sys.executable, stalled_writer.__file__, str(path), old, new]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as writer:
        assert writer.stdin is not None
        assert writer.stdout is not None
        assert writer.stderr is not None
        if writer.stdout.readline() != b"stalled\n":
            pytest.skip(writer.stderr.read().decode().strip())
        yield
        writer.stdin.write(b"\n")
        writer.stdin.close()
        assert writer.wait() == 0


def test_what_is_counted_meanwhile_is_what_was_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = reader_of(folder(path.parent))
    counted: list[CountLinesResult] = []
    counting = threading.Thread(target=lambda: counted.append(count(reader)))
    with stalled(path, "old ", "NEW\n"):
        let_time_pass(monkeypatch)
        counting.start()
        counting.join(MOMENT)
    counting.join()
    assert [result.line_count for result in counted] == [2 * LINES]
    assert count(reader) == counted[0]
    window = read_file(reader, ReadFileParams(path="file", start_line=LINES + 1, limit=2), no_progress)
    assert window.content == "NEW\nline of text\n"


def test_an_etag_of_before_does_not_hold_after_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = reader_of(folder(path.parent))
    before = count(reader).etag
    with stalled(path, "old ", "NEW\n"):
        let_time_pass(monkeypatch)
    window = read_file(reader, ReadFileParams(path="file", limit=1, if_none_match=before), no_progress)
    assert (window.not_modified, window.content) == (False, "NEW\n")


def count(reader: Reader) -> CountLinesResult:
    return count_lines(reader, CountLinesParams(path="file"), no_progress)
