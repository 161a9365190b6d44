"""An answered request is forgotten at once: what it held is freed without a collection of garbage."""

import gc
import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from forge_daemon.requests.count_lines import count_lines
from forge_daemon.requests.find import find
from forge_daemon.requests.read_file import read_file
from forge_daemon.workspace.reader import Reader
from forge_protocol.conversion import structure
from forge_protocol.count_lines import CountLinesParams
from forge_protocol.find import FindParams
from forge_protocol.read_file import ReadFileParams
from tests.workspace.readers import reader_of
from tests.workspace.workspaces import folder

pytestmark = pytest.mark.slow

LINES = "".join(f"line {number}: é\n" for number in range(5_000))


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    reader = reader_of(folder(tmp_path / "ws"))
    (tmp_path / "ws/plain").write_text(LINES)
    (tmp_path / "ws/large").write_text(LINES * 20)
    (tmp_path / "ws/wide").write_text(LINES, "utf-16")
    (tmp_path / "ws/packed.gz").write_bytes(gzip.compress(LINES.encode()))
    return reader


def no_progress(_done: int, _total: int) -> None:
    return


def read(**params: Any) -> Callable[[Reader], object]:
    return lambda reader: read_file(reader, structure(params, ReadFileParams), no_progress)


REQUESTS: dict[str, Callable[[Reader], object]] = {
    "a window": read(path="plain", start_line=100),
    "a tail": read(path="large", tail=5),
    "columns": read(path="plain", columns={"start": 2, "count": 3}),
    "a filter": read(path="plain", filter={"pattern": "7"}),
    "UTF-16": read(path="wide"),
    "gzip": read(path="packed.gz", tail=3),
    "a count": lambda reader: count_lines(reader, CountLinesParams(path="large"), no_progress),
    "a search": lambda reader: find(reader, FindParams(path="large", pattern="none"), no_progress),
}


@pytest.mark.parametrize("request_of", REQUESTS.values(), ids=REQUESTS)
def test_an_answer_leaves_nothing_to_the_garbage_collector(
    reader: Reader, request_of: Callable[[Reader], object]
) -> None:
    request_of(reader)
    gc.collect()
    gc.disable()
    try:
        for _ in range(3):
            request_of(reader)
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        kinds = {type(found).__name__ for found in gc.garbage}
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert not kinds & {"Source", "OpenFile", "DiskFile", "Entry", "bytes", "bytearray"}
