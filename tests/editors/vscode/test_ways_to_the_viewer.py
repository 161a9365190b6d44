"""How a file gets into the viewer, beside the explorer's menu."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from editors.vscode.code import Code
from editors.vscode.code_server import Installation
from editors.vscode.conftest import OpenWindow
from editors.vscode.viewer import Viewer

_MEGABYTE = 1_000_000
_LARGE = "".join(f"line {number}\n" for number in range(1, 160_001))
_SETTINGS = {"forge.viewer.offerAbove": 1}


@pytest.fixture(scope="module")
def code(installation: Installation, package: Path) -> Iterator[Code]:
    with Code(installation, extensions=[package], settings=_SETTINGS) as code:
        yield code


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    assert len(_LARGE) > _MEGABYTE
    for name in ("one.log", "two.log"):
        (folder / name).write_text(_LARGE)
    return folder


def test_it_is_offered_and_with_consent_vscode_asks_from_then_on_before_it_loads_a_large_file(
    code: Code, open_window: OpenWindow, folder: Path
) -> None:
    viewer = Viewer(open_window(code, folder))
    viewer.window.status("Forge").wait_for()
    viewer.in_explorer("one.log").click()
    viewer.window.press("one.log has", "Open in Viewer")
    viewer.wait_for_rows("one.log")
    viewer.window.press("Let it ask first above 1 MB?", "Ask First")
    settings = code.folder / "d/User/settings.json"
    viewer.window.until(settings.read_text, lambda text: '"workbench.editorLargeFileConfirmation": 1' in text)

    # A window that is open learns of it in its own time.
    viewer = Viewer(open_window(code, folder))
    viewer.window.status("Forge").wait_for()
    viewer.in_explorer("two.log").click()
    expect(viewer.page.get_by_text("not displayed in the text editor because it is very large")).to_be_visible()
    viewer.window.press("two.log has", "Open in Viewer")
    viewer.wait_for_rows("two.log")
    expect(viewer.page.locator(".tab", has_text="two.log")).to_have_count(1)


def test_a_single_file_needs_no_folder(code: Code, open_window: OpenWindow, folder: Path) -> None:
    viewer = Viewer(open_window(code, None))
    viewer.window.run("Forge: Open in Viewer")
    viewer.window.choose_file(folder / "one.log")
    viewer.wait_for_rows("one.log")
    viewer.page.keyboard.press("Control+End")
    viewer.wait_until_current(160_000)
    assert viewer.rows()[-1].text == "line 160000"
