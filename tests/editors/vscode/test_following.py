"""Following is switched on and off by hand, and by nothing else where the settings say so."""

from pathlib import Path

from playwright.sync_api import expect

from editors.vscode.conftest import OpenWindow, StartCode
from editors.vscode.viewer import Viewer


def test_it_is_switched_by_key_command_and_title_bar_alone(
    start_code: StartCode, package: Path, open_window: OpenWindow, tmp_path: Path
) -> None:
    log = tmp_path / "app.log"
    log.write_text("".join(f"line {number}\n" for number in range(1, 501)))
    code = start_code(extensions=[package], settings={"forge.viewer.follow": "manual"})
    viewer = Viewer(open_window(code, tmp_path))
    viewer.open("app.log")
    following = viewer.window.status("Following")
    viewer.page.keyboard.press("Control+End")
    viewer.window.status("500 / 500").wait_for()
    expect(following).to_be_hidden()
    viewer.page.keyboard.press("f")
    following.wait_for()
    with log.open("a") as file:
        file.write("line 501\n")
    viewer.window.until(viewer.rows, lambda rows: rows[-1].text == "line 501")
    viewer.page.keyboard.press("F")
    following.wait_for(state="hidden")
    viewer.window.run("Forge: Follow")
    following.wait_for()
    title_bar = viewer.page.locator(".editor-actions")
    title_bar.get_by_role("button", name="Stop Following").click()
    following.wait_for(state="hidden")
    title_bar.get_by_role("button", name="Follow", exact=True).click()
    following.wait_for()
    viewer.window.run("Forge: Stop Following")
    following.wait_for(state="hidden")
    top = viewer.rows()[0]
    with log.open("a") as file:
        file.write("line 502\n" * 10)
    viewer.window.status("/ 511").wait_for()
    assert viewer.rows()[0] == top
