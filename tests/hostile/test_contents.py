"""Whatever bytes a file holds, its window is exact, and its pages put together are the file."""

import base64
from pathlib import Path
from typing import Any

import pytest

from forge_daemon.requests.read_file import read_file
from forge_daemon.workspace.reader import Reader
from forge_protocol.conversion import structure, unstructure
from forge_protocol.errors import ReadError
from forge_protocol.read_file import ReadFileParams
from tests.hostile.conftest import Figure
from tests.hostile.contents import Case, cases
from tests.workspace.readers import reader_of
from tests.workspace.workspaces import folder

CASES = cases()


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    return reader_of(folder(tmp_path / "ws"))


def ask(reader: Reader, **params: Any) -> Any:
    typed = structure({"path": "file", **params}, ReadFileParams)
    return unstructure(read_file(reader, typed, lambda done, total: None))


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in CASES])
def test_the_window_is_exact(tmp_path: Path, reader: Reader, case: Case) -> None:
    (tmp_path / "ws/file").write_bytes(case.file)
    if case.refused:
        with pytest.raises(ReadError) as refusal:
            ask(reader, **case.ask)
        assert refusal.value.code == case.refused
        return
    window = ask(reader, **case.ask)
    assert window["content"] == case.content
    assert (window["truncated_by"], window["next_start_line"]) == (case.truncated_by, case.next_start_line)
    assert window["truncated"] == (case.truncated_by is not None) == (window["next_cursor"] is not None)
    assert {key: window["meta"][key] for key in case.meta} == case.meta
    assert window["meta"]["byte_length"] == len(case.file)
    assert (window["binary"] is None) == (case.binary is None)
    if case.binary is not None:
        assert {key: window["binary"][key] for key in case.binary} == case.binary


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in CASES])
def test_the_pages_put_together_are_the_file(tmp_path: Path, reader: Reader, case: Case) -> None:
    (tmp_path / "ws/file").write_bytes(case.file)
    page = ask(reader, max_lines=10_000)
    is_binary = page["meta"]["encoding"] == "binary"
    contents = [page["content"]]
    data = [page["binary"]["data"]] if is_binary else []
    while page["next_cursor"]:
        page = ask(reader, max_lines=10_000, cursor=page["next_cursor"])
        contents.append(page["content"])
        data += [page["binary"]["data"]] if is_binary else []
    if is_binary:
        assert b"".join(map(base64.b64decode, data)) == case.file
    else:
        text = case.file.decode(page["meta"]["encoding"], errors="replace").removeprefix("\ufeff").replace("\r\n", "\n")
        assert "".join(contents) == text


def test_there_are_at_least_60_hostile_contents(figure: Figure) -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 60
    figure("hostile contents, hand-written", f"{len(CASES)}, every window exact")
