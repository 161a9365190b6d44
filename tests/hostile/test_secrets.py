"""Nothing outside the workspace is confirmed or denied: not by the text of an answer, and not by the time it takes."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.hostile.test_faults_in_the_process import strace
from tests.lsp import raw_client
from tests.lsp.raw_client import RawClient

__all__ = ["strace"]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links, FIFOs and permissions of POSIX")


def a_file(path: Path) -> None:
    path.write_text("SECRET")


def an_empty_file(path: Path) -> None:
    path.write_text("")


def a_large_file(path: Path) -> None:
    path.write_text("SECRET\n" * 500_000)


def a_directory(path: Path) -> None:
    path.mkdir()


def a_fifo(path: Path) -> None:
    os.mkfifo(path)


def a_file_nobody_may_read(path: Path) -> None:
    path.write_text("SECRET")
    path.chmod(0)


def a_link_in_a_circle(path: Path) -> None:
    path.symlink_to(path)


def a_link_into_the_workspace(path: Path) -> None:
    path.symlink_to(path.parent.parent / "ws/inside")


KINDS: list[Callable[[Path], None]] = [
    a_file,
    an_empty_file,
    a_large_file,
    a_directory,
    a_fifo,
    a_file_nobody_may_read,
    a_link_in_a_circle,
    a_link_into_the_workspace,
]


@pytest.fixture
def base(tmp_path: Path) -> Path:
    base = tmp_path.resolve()
    (base / "ws/dir").mkdir(parents=True)
    (base / "ws/inside").write_text("inside")
    (base / "ws/link").symlink_to("../outside/target")
    (base / "ws/absolute").symlink_to(base / "outside/target")
    (base / "ws/dir/link").symlink_to("../../outside")
    (base / "outside").mkdir()
    return base


def requests_for(base: Path) -> Iterator[tuple[str, Any]]:
    target = base / "outside/target"
    paths = [str(target), f"{target}/", f"{target}/x", target.as_uri(), "../outside/target", "dir/../../outside/target"]
    paths += [
        "link",
        "link/x",
        "link/",
        "absolute",
        "dir/link/target",
        "dir/link/target/x",
        f"{base}/ws/dir/link/target",
    ]
    for path in paths:
        yield "forge/readFile", {"path": path}
        yield "forge/readFile", {"path": path, "source": "disk", "tail": 1, "if_none_match": "x"}
        yield "forge/readFile", {"path": path, "workspace_folder": target.as_uri()}
        yield "forge/readFile", {"path": path, "unknown": 1}
        yield "forge/readFiles", {"files": [{"path": path}]}
        yield "forge/countLines", {"path": path}
        yield "forge/find", {"path": path, "pattern": "S"}
        for tool, toolset in (("Read", "forge"), ("read_file", "workspace")):
            call = {"name": tool, "arguments": {"path": path}, "toolset": toolset}
            yield "workspace/executeCommand", {"command": "forge.tools.call", "arguments": [call]}


def answers(client: RawClient, base: Path) -> list[Any]:
    return [{**client.request(method, params), "id": 0} for method, params in requests_for(base)]


def test_whatever_is_outside_the_answer_is_the_same(base: Path) -> None:
    target = base / "outside/target"
    with RawClient() as client:
        client.initialize(base / "ws")
        expected = answers(client, base)
        assert all("error" in answer or "results" in answer["result"] for answer in expected)
        for make in KINDS:
            make(target)
            assert answers(client, base) == expected, make.__name__
            client.open(target, "SECRET of a document")
            assert answers(client, base) == expected, make.__name__
            client.close(target)
            if target.is_dir() and not target.is_symlink():
                target.rmdir()
            else:
                target.unlink()
        shutil.rmtree(base / "outside")
        assert answers(client, base) == expected, "not even whether the directory is there"
    assert "SECRET" not in str(expected)
    assert str(base / "outside") not in str([answer for answer in expected if "called" not in str(answer)])


def test_nothing_outside_is_even_looked_at(
    strace: str, base: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that no answer can take longer for what is there than for what is not."""
    a_file(base / "outside/target")
    log = tmp_path_factory.mktemp("log") / "calls"
    # The last two lead outside, too, where the system is asked for them as they are.
    outside = ["outside", "outside/target", "ws/dir/link/target", "ws/dir/link/none"]
    looked_at = [word for path in outside for word in ("-P", str(base / path))]
    options = ["-f", "-qq", "-o", str(log), *looked_at, "-e", "trace=file,desc"]
    monkeypatch.setattr(raw_client, "SERVE", [strace, *options, *raw_client.SERVE])
    with RawClient() as client:
        client.initialize(base / "ws")
        changes = [
            {"uri": f"{(base / 'ws').as_uri()}/{name}", "type": 2} for name in ("dir/link/target", "dir/link/none")
        ]
        client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        answers(client, base)
        assert log.read_text() == ""
        client.change_folders(added=({"uri": (base / "outside").as_uri(), "name": "outside"},))
        assert client.read(base / "outside/target")["content"] == "SECRET"
        assert "target" in log.read_text(), "it would have been seen"
