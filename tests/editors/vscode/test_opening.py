"""How a file gets into the viewer, and what is shown of one that cannot be shown."""

from pathlib import Path

from playwright.sync_api import expect

from tests.editors.vscode.code import Code
from tests.editors.vscode.conftest import OpenWindow, StartCode
from tests.editors.vscode.logs import belongs
from tests.editors.vscode.viewer import Viewer

_MEGABYTE = 1024 * 1024


_LARGE = "".join(f"line {number}\n" for number in range(1, 160_001))


_VERY_LARGE = "not displayed in the text editor because it is very large"


def test_the_viewer_is_offered_and_with_consent_vscode_asks_from_then_on_before_it_loads_a_large_file(
    viewer: Viewer, shared_code: Code, folder: Path
) -> None:
    assert len(_LARGE) > _MEGABYTE
    for name in ("one.log", "two.log"):
        (folder / name).write_text(_LARGE)
    viewer.window.status("Forge").wait_for()
    viewer.in_explorer("one.log").click()
    viewer.window.press("one.log has", "Open in Forge Viewer")
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
    viewer.window.press("two.log has", "Open in Forge Viewer")
    viewer.wait_for_rows("two.log")
    expect(viewer.page.locator(".tab", has_text="two.log")).to_have_count(1)
    for name in ("one.log", "two.log"):
        (folder / name).unlink()


def test_a_single_file_needs_no_folder(shared_code: Code, open_window: OpenWindow, tmp_path: Path) -> None:
    (tmp_path / "one.log").write_text(_LARGE)
    viewer = Viewer(open_window(shared_code, None))
    viewer.window.run("Forge: Open in Forge Viewer")
    viewer.window.choose_file(tmp_path / "one.log")
    viewer.wait_for_rows("one.log")
    viewer.page.keyboard.press("Control+End")
    viewer.wait_until_current(160_000)
    assert viewer.rows()[-1].text == "line 160000"


def test_the_viewer_is_offered_where_vscode_refuses_a_file(viewer: Viewer, folder: Path) -> None:
    megabytes = round((folder / "server.log").stat().st_size / 2**20)
    viewer.window.status("Forge").wait_for()
    viewer.in_explorer("server.log").click()
    viewer.window.press(f"server.log has {megabytes} MB", "Open in Forge Viewer")
    viewer.wait_for_rows("server.log")
    expect(viewer.page.locator(".tab")).to_have_count(1)
    assert all(belongs(row) for row in viewer.rows())


def test_the_viewer_is_among_the_editors_to_reopen_with(viewer: Viewer) -> None:
    viewer.window.status("Forge").wait_for()
    viewer.in_explorer("notes.txt").click()
    viewer.window.until(viewer.window.lines, lambda lines: lines[:2] == ["alpha", "beta"])
    viewer.window.run("View: Reopen Editor With...")
    viewer.window.pick("Forge Viewer")
    viewer.wait_for_rows("notes.txt")
    assert [row.text for row in viewer.rows()] == ["alpha", "beta"]
    expect(viewer.page.locator(".tab")).to_have_count(1)


def test_an_empty_file_says_so(viewer: Viewer) -> None:
    viewer.choose("empty.log")
    expect(viewer.part("#empty")).to_have_text("empty.log is empty.")
    viewer.window.status("0 / 0").wait_for()


def test_a_binary_file_says_so_and_offers_a_way_out(viewer: Viewer) -> None:
    viewer.choose("binary.dat")
    expect(viewer.part("#failure p")).to_have_text("binary.dat is a binary file: it has no lines to show.")
    viewer.part("#failure button").click()
    viewer.page.locator(".quick-input-list .monaco-list-row", has_text="Text Editor").wait_for()
    viewer.page.keyboard.press("Escape")


def test_a_denied_secret_names_the_setting_that_allows_it_and_has_a_button_for_it(viewer: Viewer, folder: Path) -> None:
    (folder / ".env").write_text("TOKEN=x\n")
    viewer.choose(".env")
    message, buttons = viewer.part("#failure p"), viewer.part("#failure button")
    expect(message).to_contain_text('add "/.env" to the setting forge.policy.allow')
    expect(buttons).to_have_text(["Open Setting", "Try Again", "Reopen Editor With…"])
    colors = [button.evaluate("button => getComputedStyle(button).backgroundColor") for button in buttons.all()]
    assert colors[0] not in colors[1:], "one button is the primary one"
    buttons.first.click()
    viewer.page.locator(".settings-editor").wait_for()
    expect(viewer.page.locator(".settings-editor")).to_contain_text("Policy: Allow")
    for _ in range(2):  # the newest VS Code shows it over everything else
        viewer.page.keyboard.press("Escape")
    (folder / ".env").unlink()


def test_logs_of_that_size_open_in_the_viewer_always_where_the_reader_says_so(
    start_code: StartCode, package: Path, open_window: OpenWindow, tmp_path: Path
) -> None:
    for name in ("one.log", "two.log"):
        (tmp_path / name).write_text(_LARGE)
    (tmp_path / "small.log").write_text("small\n")
    settings = {"forge.viewer.offerAbove": 1, "workbench.editorLargeFileConfirmation": 1}
    code = start_code(extensions=[package], settings=settings)
    viewer = Viewer(open_window(code, tmp_path))
    viewer.window.status("Forge").wait_for()
    viewer.in_explorer("one.log").click()
    viewer.window.press("one.log has 1.", "Always for *.log")
    viewer.wait_for_rows("one.log")
    viewer.in_explorer("two.log").click()
    viewer.wait_for_rows("two.log")
    viewer.in_explorer("small.log").click()
    viewer.window.until(viewer.window.lines, lambda lines: lines[:1] == ["small"])
