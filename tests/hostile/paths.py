"""The hand-written paths: `paths/layout.json` is laid out once, every other file opens folders of it and asks.

A path is a text, or a list of `[text, times]`; `{base}` stands for the directory that holds the layout. A case `holds`
the file's text, or `is` a refusal. `unless` names systems on which the case means something else.
"""

import json
import os
import socket
import stat
import sys
from pathlib import Path
from typing import Any, NamedTuple

_FOLDER = Path(__file__).parent / "paths"
_KINDS = {"character": stat.S_IFCHR, "block": stat.S_IFBLK}
SHARED_TEXT = "hard link: shared on purpose"


class Case(NamedTuple):
    group: str
    folders: tuple[str, ...]
    path: str
    workspace_folder: str | None
    expected: str
    """The code of a refusal, or the file's text after `=`."""
    unless: str | None

    def located(self, base: Path) -> "Case":
        folder = self.workspace_folder
        return self._replace(path=_with_base(self.path, base), workspace_folder=folder and _with_base(folder, base))


def cases() -> list[Case]:
    return [
        case
        for file in sorted(_FOLDER.glob("*.json"))
        if file.name != "layout.json"
        for case in _cases_in(file.stem, json.loads(file.read_text()))
    ]


def lay_out(base: Path) -> set[str]:
    """Build the layout; the names of devices that only root may make are given back where we may not."""
    missing: set[str] = set()
    for entry in json.loads((_FOLDER / "layout.json").read_text()):
        (kind, name), *_ = entry.items()
        path = base / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if kind == "file":
            path.write_text(entry["text"])
        elif kind == "raw_file":
            Path(os.fsdecode(os.fsencode(path).replace(b"\\x80", b"\x80"))).write_text(entry["text"])
        elif kind == "link":
            path.symlink_to(_with_base(entry["to"], base))
        elif kind == "hard_link":
            (base / entry["to"]).write_text(SHARED_TEXT)
            path.hardlink_to(base / entry["to"])
        elif kind == "fifo":
            os.mkfifo(path)
        elif kind == "socket":
            _leave_a_socket(path)
        elif not _make_device(path, entry):
            missing.add(path.name)
    return missing


def _cases_in(group: str, content: dict[str, Any]) -> list[Case]:
    return [
        Case(
            group,
            tuple(content["folders"]),
            _text(case["path"]),
            case.get("workspace_folder"),
            f"={case['holds']}" if "holds" in case else case["is"],
            case.get("unless"),
        )
        for case in content["cases"]
    ]


def _text(path: str | list[Any]) -> str:
    return path if isinstance(path, str) else "".join(text * times for text, times in path)


def _with_base(text: str, base: Path) -> str:
    return text.replace("{base}", str(base))


def _leave_a_socket(path: Path) -> None:
    # A socket's address is short, a test's directory may not be.
    here = os.open(path.parent, os.O_RDONLY)
    before = os.getcwd()
    try:
        os.fchdir(here)
        with socket.socket(socket.AF_UNIX) as left_behind:
            left_behind.bind(path.name)
    finally:
        os.chdir(before)
        os.close(here)


def _make_device(path: Path, entry: dict[str, Any]) -> bool:
    if sys.platform != "linux":
        return False
    try:
        os.mknod(path, _KINDS[entry["kind"]] | 0o666, os.makedev(entry["major"], entry["minor"]))
    except PermissionError:
        return False
    return True
