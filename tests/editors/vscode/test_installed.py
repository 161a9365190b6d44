"""The packaged extension in a window, as a person meets it."""

import json
import os
import re
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import expect

from tests.editors.vscode.code import Code
from tests.editors.vscode.code_server import Installation
from tests.editors.vscode.conftest import DARK, OpenWindow, ShowWindow, StartCode, TakePicture
from tests.editors.vscode.viewer import Viewer
from tests.editors.vscode.window import Window

_MAX_CRASHES = 5
_FROM_PATH = "python3 on PATH"
_FROM_PYTHON_EXTENSION = "the Python extension"


class Installed(NamedTuple):
    code: Code
    window: Window


_REAL_PYTHON = f'exec "{sys.executable}" "$@"'


def _program(path: Path, *script: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(["#!/bin/sh", *script, ""]))
    path.chmod(0o755)
    return path


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("installed")
    _project(place)
    return place


def _project(place: Path) -> Path:
    folder = place / "project"
    folder.mkdir()
    (folder / "notes.txt").write_text("alpha\nbeta\n")
    return folder


def _python_extension(place: Path) -> Path:
    """A stand-in with the part of its API that is asked: the real one cannot be had here."""
    python = _program(place / "environment/python", f'touch "{place}/environment/used"', _REAL_PYTHON)
    extension = place / "python-extension"
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


def _without_compiled_packages(package: Path, place: Path) -> Path:
    """As after an update of Python, or from the universal package."""
    shutil.unpack_archive(package, place / "unpacked", "zip")
    shutil.rmtree(place / "unpacked/extension/bundled/compiled")
    return place / "unpacked/extension"


@pytest.fixture(scope="module")
def only_python(place: Path) -> Path:
    """The one on the `PATH` of `on_path`."""
    return _program(place / "bin/python3", _REAL_PYTHON)


@pytest.fixture(scope="module")
def on_path(installation: Installation, package: Path, shown: ShowWindow, only_python: Path) -> Iterator[Installed]:
    """With nothing but a `python3` on the path."""
    settings = {"forge.interpreter": "", "workbench.colorTheme": DARK}
    code = Code(installation, extensions=[package], settings=settings, environment={"PATH": str(only_python.parent)})
    with code, shown(code) as window:
        window.open(code.url(only_python.parents[1] / "project"))
        yield Installed(code, window)


@pytest.fixture(scope="module")
def beside_python(installation: Installation, package: Path, shown: ShowWindow, place: Path) -> Iterator[Window]:
    """Beside the Python extension, with a setting that makes no sense, and without the compiled packages."""
    settings = {"forge.interpreter": "", "forge.tools.read_file.max_scan_bytes": -1}
    extensions = [_without_compiled_packages(package, place), _python_extension(place)]
    code = Code(installation, extensions=extensions, settings=settings)
    with code, shown(code) as window:
        window.open(code.url(place / "project"))
        yield window


def _expect_running(window: Window, origin: str) -> None:
    label = re.compile(rf"Forge: running on Python 3\.\d+\.\d+ \({origin}\)$")
    expect(window.page.get_by_role("button", name=label)).to_be_visible()


def _daemons(code: Code) -> set[int]:
    """What serves from inside an extension of this VS Code; its own server only names the folder."""
    extensions = os.fsencode(f"{code.folder}/x/")
    found = set()
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = entry.read_bytes().split(b"\0")
            if b"serve" in words and any(word.startswith(extensions) for word in words):
                found.add(int(entry.parent.name))
        except OSError:
            continue
    return found


def test_the_package_works_with_a_python_from_the_path_and_survives_crashes(on_path: Installed) -> None:
    code, window = on_path
    _expect_running(window, _FROM_PATH)

    window.run("Forge: Show Log")
    expect(window.page.locator(".panel select").first).to_have_value("Forge")
    window.run("Forge: Show Cache Figures")
    figures = window.page.locator(".quick-input-list .monaco-list-row").first
    expect(figures).to_contain_text("project")
    expect(figures).to_contain_text("files indexed")
    window.page.keyboard.press("Escape")

    killed: set[int] = set()
    for _ in range(_MAX_CRASHES):
        alive = window.until(lambda: _daemons(code) - killed, bool)
        _expect_running(window, _FROM_PATH)
        for pid in alive:
            os.kill(pid, signal.SIGKILL)
        killed.update(alive)
    window.press("stays stopped", "Restart")
    _expect_running(window, _FROM_PATH)


def test_a_missing_python_gives_one_message_and_one_page_with_buttons_that_help(
    on_path: Installed, only_python: Path, take_picture: TakePicture
) -> None:
    window = on_path.window
    _expect_running(window, _FROM_PATH)
    window.run("Notifications: Clear All Notifications")
    only_python.unlink()
    window.run("Forge: Restart")
    message = window.notification("Forge needs Python 3.11 or newer: none was found on PATH.")
    expect(message.get_by_role("button", name="Choose Interpreter…")).to_be_visible()
    expect(message.get_by_role("button", name="Get Python")).to_be_visible()
    expect(window.page.get_by_role("button", name="Forge: stopped")).to_be_visible()
    expect(window.page.locator(".notification-list-item")).to_have_count(1)
    viewer = Viewer(window)
    viewer.choose("notes.txt")
    expect(viewer.part("#failure p")).to_contain_text("Forge needs Python 3.11 or newer: none was found on PATH.")
    choose, retry = (
        viewer.part("#failure button").filter(has_text=label) for label in ("Choose Interpreter…", "Try Again")
    )
    window.run("Notifications: Clear All Notifications")
    if window.page.locator(".part.panel").is_visible():  # it has the log
        window.run("View: Hide Panel")
    take_picture(viewer, "no-python.png")
    choose.click()
    window.page.locator(".quick-input-widget", has_text="Python").wait_for()
    window.page.keyboard.press("Escape")
    _program(only_python, _REAL_PYTHON)
    retry.click()
    viewer.wait_for_rows("notes.txt")
    _expect_running(window, _FROM_PATH)


def _expect_slow(window: Window) -> None:
    label = re.compile(rf"\({_FROM_PYTHON_EXTENSION}\)\. google-re2 cannot be loaded .* stringzilla cannot be loaded")
    expect(window.page.get_by_role("button", name=label)).to_be_visible()


def test_the_environment_of_the_python_extension_comes_before_the_path(beside_python: Window) -> None:
    expect(beside_python.page.get_by_role("button", name=_FROM_PYTHON_EXTENSION)).to_be_visible()


def test_missing_compiled_packages_are_shown_in_the_status_and_in_the_diagnostic_information(
    beside_python: Window,
) -> None:
    _expect_slow(beside_python)
    beside_python.run("Forge: Copy Diagnostic Information")
    text = beside_python.until(lambda: Viewer(beside_python).clipboard(), lambda text: "compiled" in text)
    assert "google-re2 cannot be loaded (no regular expressions)" in text


def test_a_setting_that_makes_no_sense_is_reported_and_does_no_harm(beside_python: Window) -> None:
    _expect_slow(beside_python)
    beside_python.run("Forge: Restart")
    expect(beside_python.notification("max_scan_bytes: must be at least 1")).to_be_visible()
    _expect_slow(beside_python)


def test_an_untrusted_workspace_chooses_nothing_that_is_run(
    package: Path, start_code: StartCode, open_window: OpenWindow, tmp_path: Path
) -> None:
    folder, python_extension = _project(tmp_path), _python_extension(tmp_path)
    trap = _program(folder / "trap", f'touch "{folder}/sprung"', _REAL_PYTHON)
    (folder / ".vscode").mkdir()
    (folder / ".vscode/settings.json").write_text(json.dumps({"forge.interpreter": str(trap)}))
    code = start_code(extensions=[package, python_extension], settings={"forge.interpreter": ""}, trust=True)
    window = open_window(code, folder)
    expect(window.status("Restricted Mode")).to_be_visible()
    _expect_running(window, _FROM_PATH)
    assert not (folder / "sprung").exists()
    assert not (tmp_path / "environment/used").exists()
