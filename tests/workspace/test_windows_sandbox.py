"""What Windows has opened is judged by its final path. Windows itself is played by the tests here."""

import os
from pathlib import Path

import pytest

from forge_daemon.workspace import windows
from forge_daemon.workspace.folder import Place, folder_from_path
from forge_protocol.errors import ErrorCode
from workspace.workspaces import open_descriptors, read, refusal, write

WS = folder_from_path("/ws")


def opens(monkeypatch: pytest.MonkeyPatch, file: Path, final: str) -> None:
    monkeypatch.setattr(windows, "ACTIVE", True)
    monkeypatch.setattr(windows, "open_and_name", lambda path: (os.open(file, os.O_RDONLY), final))


@pytest.mark.parametrize(
    ("final", "leads_to"),
    [("/ws/dir/long name.txt", Place(WS, "dir/long name.txt")), ("/ws/dir/LONGNA~1.TXT", None)],
)
def test_a_file_inside_is_opened_and_its_long_name_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, final: str, leads_to: Place | None
) -> None:
    opens(monkeypatch, write(tmp_path / "file", "hello"), final)
    assert read(Place(WS, "dir/LONGNA~1.TXT")) == ("hello", leads_to)


def test_a_file_outside_is_closed_and_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opens(monkeypatch, write(tmp_path / "file", "SECRET"), "/ws-evil/file")
    before = open_descriptors()
    error = refusal(Place(WS, "link"))
    assert (error.code, error.path) == (ErrorCode.SANDBOX_VIOLATION, "link")
    assert open_descriptors() == before
