"""*Search in Workspace…*: from what is typed to the line in an editor."""

import re

from playwright.sync_api import Locator, expect

from tests.editors.vscode.viewer import Viewer


def _search(viewer: Viewer, text: str) -> Locator:
    """What is listed."""
    viewer.window.run("Forge: Search in Workspace")
    viewer.page.locator(".quick-input-title", has_text="Search in Workspace").wait_for()
    viewer.window.input.fill(text)
    return viewer.page.locator(".quick-input-list .monaco-list-row")


def test_what_is_typed_is_found_in_all_files_and_opens_at_its_line_in_the_editor_for_its_size(viewer: Viewer) -> None:
    rows = _search(viewer, "#40000 ")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text(re.compile(r"^40,000.* #40000 .*times\.log$"))
    expect(rows.first.locator(".highlight")).to_have_text("#40000")
    expect(rows.last).to_contain_text("Not searched: 1 binary, 1 too large")
    expect(viewer.page.locator(".quick-input-title")).to_have_text("Search in Workspace · 1 line in 1 file")
    viewer.page.keyboard.press("Enter")
    viewer.wait_for_rows("times.log")
    viewer.wait_until_current(40_000)

    rows = _search(viewer, "BETA")
    expect(rows.first).to_contain_text("notes.txt")
    viewer.page.keyboard.press("Enter")
    viewer.window.status("Ln 2, Col 5 (4 selected)").wait_for()

    rows = _search(viewer, r"(?=be)ta")
    expect(rows.first).to_contain_text("No match")
    viewer.page.get_by_role("button", name="Use Regular Expression: off").click()
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("is not supported.search for the part that is rarest")
    viewer.page.keyboard.press("Control+A")
    viewer.page.keyboard.type("^be(ta|x)$")
    expect(rows.first).to_contain_text("notes.txt")
    viewer.page.get_by_role("button", name="Use Regular Expression: on").click()
    expect(rows.first).to_contain_text("No match")
    viewer.page.keyboard.press("Escape")
