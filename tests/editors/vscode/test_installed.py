"""The packaged extension in a window, as a person meets it."""

import json
import os
import re
import signal
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from editors.vscode.code import Code
from editors.vscode.conftest import OpenWindow, StartCode
from editors.vscode.window import Window

_MOST_CRASHES = 5
_FROM_PATH = "python3 on PATH"
_FROM_PYTHON_EXTENSION = "the Python extension"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "notes.txt").write_text("alpha\nbeta\n")
    return folder


@pytest.fixture
def python_extension(tmp_path: Path) -> Path:
    """A stand-in with the part of its API that is asked: the real one cannot be had here."""
    python = _program(tmp_path / "environment/python", f'touch "{tmp_path}/environment/used"', _REAL_PYTHON)
    extension = tmp_path / "python-extension"
    extension.mkdir()
    manifest = {
        "name": "python",
        "publisher": "ms-python",
        "version": "1.0.0",
        "main": "./main.js",
        "engines": {"vscode": "^1.99.0"},
        "activationEvents": ["onStartupFinished"],
        "capabilities": {"untrustedWorkspaces": {"supported": True}},
    }
    (extension / "package.json").write_text(json.dumps(manifest))
    (extension / "main.js").write_text(
        f"""
        const uri = require("vscode").Uri.file({str(python)!r});
        exports.activate = () => ({{ environments: {{
          getActiveEnvironmentPath: () => ({{ path: uri.fsPath }}),
          resolveEnvironment: async () => ({{ executable: {{ uri }} }}),
        }} }});
        """
    )
    return extension


_REAL_PYTHON = f'exec "{sys.executable}" "$@"'


def _program(path: Path, *script: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(["#!/bin/sh", *script, ""]))
    path.chmod(0o755)
    return path


def _expect_running(window: Window, origin: str) -> None:
    label = re.compile(rf"Forge: running on Python 3\.\d+\.\d+ \({origin}\)")
    expect(window.page.get_by_role("button", name=label)).to_be_visible()


def _daemons(code: Code) -> set[int]:
    """What runs a program from inside an extension of this VS Code; its own server only names the folder."""
    extensions = os.fsencode(f"{code.folder}/x/")
    found = set()
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if any(word.startswith(extensions) for word in entry.read_bytes().split(b"\0")):
                found.add(int(entry.parent.name))
        except OSError:
            continue
    return found


def test_the_package_works_with_a_python_from_the_path_and_survives_crashes(
    package: Path, start_code: StartCode, open_window: OpenWindow, folder: Path, tmp_path: Path
) -> None:
    _program(tmp_path / "bin/python3", _REAL_PYTHON)
    code = start_code(
        extensions=[package],
        settings={"forge.interpreter": ""},
        environment={"PATH": f"{tmp_path}/bin:/usr/bin:/bin"},
    )
    window = open_window(code, folder)
    _expect_running(window, _FROM_PATH)

    window.run("Forge: Show Log")
    expect(window.page.locator(".panel select").first).to_have_value("Forge")
    window.run("Forge: Show Cache Figures")
    figures = window.page.locator(".quick-input-list .monaco-list-row").first
    expect(figures).to_contain_text("project")
    expect(figures).to_contain_text("files indexed")
    window.page.keyboard.press("Escape")

    killed: set[int] = set()
    for _ in range(_MOST_CRASHES):
        alive = window.until(lambda: _daemons(code) - killed, bool)
        _expect_running(window, _FROM_PATH)
        for pid in alive:
            os.kill(pid, signal.SIGKILL)
        killed.update(alive)
    window.press("stays stopped", "Restart")
    _expect_running(window, _FROM_PATH)


def test_a_missing_python_gives_one_message_with_buttons_that_help(
    package: Path, start_code: StartCode, open_window: OpenWindow, folder: Path, tmp_path: Path
) -> None:
    code = start_code(extensions=[package], settings={"forge.interpreter": ""}, environment={"PATH": str(tmp_path)})
    window = open_window(code, folder)
    message = window.notification("Forge needs Python 3.11 or newer: none was found on PATH.")
    expect(message.get_by_role("button", name="Choose Interpreter…")).to_be_visible()
    expect(message.get_by_role("button", name="Get Python")).to_be_visible()
    expect(window.page.get_by_role("button", name="Forge: stopped")).to_be_visible()
    expect(window.page.locator(".notification-list-item")).to_have_count(1)


def test_a_setting_that_makes_no_sense_is_told_and_does_no_harm(
    package: Path, start_code: StartCode, open_window: OpenWindow, folder: Path
) -> None:
    code = start_code(extensions=[package], settings={"forge.tools.read_file.max_scan_bytes": -1})
    window = open_window(code, folder)
    expect(window.notification("max_scan_bytes: must be at least 1")).to_be_visible()
    _expect_running(window, "the setting forge.interpreter")


def test_the_environment_of_the_python_extension_comes_before_the_path(
    package: Path, python_extension: Path, start_code: StartCode, open_window: OpenWindow, folder: Path
) -> None:
    code = start_code(extensions=[package, python_extension], settings={"forge.interpreter": ""})
    window = open_window(code, folder)
    _expect_running(window, _FROM_PYTHON_EXTENSION)


def test_an_untrusted_workspace_chooses_nothing_that_is_run(
    package: Path,
    python_extension: Path,
    start_code: StartCode,
    open_window: OpenWindow,
    folder: Path,
    tmp_path: Path,
) -> None:
    trap = _program(folder / "trap", f'touch "{folder}/sprung"', _REAL_PYTHON)
    (folder / ".vscode").mkdir()
    (folder / ".vscode/settings.json").write_text(json.dumps({"forge.interpreter": str(trap)}))
    code = start_code(extensions=[package, python_extension], settings={"forge.interpreter": ""}, trust=True)
    window = open_window(code, folder)
    expect(window.status("Restricted Mode")).to_be_visible()
    _expect_running(window, _FROM_PATH)
    assert not (folder / "sprung").exists()
    assert not (tmp_path / "environment/used").exists()
