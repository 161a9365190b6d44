"""How a file gets into the viewer, beside the explorer's menu."""

from pathlib import Path

from playwright.sync_api import expect

from editors.vscode.code import Code
from editors.vscode.conftest import OpenWindow
from editors.vscode.viewer import Viewer

_MEGABYTE = 1_000_000
_LARGE = "".join(f"line {number}\n" for number in range(1, 160_001))
_VERY_LARGE = "not displayed in the text editor because it is very large"


def test_it_is_offered_and_with_consent_vscode_asks_from_then_on_before_it_loads_a_large_file(
    viewer: Viewer, shared_code: Code, folder: Path
) -> None:
    assert len(_LARGE) > _MEGABYTE
    for name in ("one.log", "two.log"):
        (folder / name).write_text(_LARGE)
    viewer.window.status("Forge").wait_for()
    viewer.in_explorer("one.log").click()
    viewer.window.press("one.log has", "Open in Viewer")
    viewer.wait_for_rows("one.log")
    viewer.window.press("Let it ask first above 1 MB?", "Ask First")
    settings = shared_code.folder / "d/User/settings.json"
    viewer.window.until(settings.read_text, lambda text: '"workbench.editorLargeFileConfirmation": 1' in text)

    def is_refused() -> bool:
        """The window learns of the setting in its own time."""
        viewer.close()
        viewer.in_explorer("two.log").click()
        viewer.page.locator(".tab.active", has_text="two.log").wait_for()
        shown = viewer.page.get_by_text(_VERY_LARGE).or_(viewer.page.locator(".editor-instance .view-line").first)
        shown.wait_for()
        return viewer.page.get_by_text(_VERY_LARGE).is_visible()

    viewer.window.until(is_refused, bool)
    viewer.window.press("two.log has", "Open in Viewer")
    viewer.wait_for_rows("two.log")
    expect(viewer.page.locator(".tab", has_text="two.log")).to_have_count(1)
    for name in ("one.log", "two.log"):
        (folder / name).unlink()


def test_a_single_file_needs_no_folder(shared_code: Code, open_window: OpenWindow, tmp_path: Path) -> None:
    (tmp_path / "one.log").write_text(_LARGE)
    viewer = Viewer(open_window(shared_code, None))
    viewer.window.run("Forge: Open in Viewer")
    viewer.window.choose_file(tmp_path / "one.log")
    viewer.wait_for_rows("one.log")
    viewer.page.keyboard.press("Control+End")
    viewer.wait_until_current(160_000)
    assert viewer.rows()[-1].text == "line 160000"
