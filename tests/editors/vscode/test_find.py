"""Find in the viewer, in a real VS Code, compared with what the lines are."""

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.editors.vscode.logs import belongs
from tests.editors.vscode.viewer import Viewer

# Whether all of the match is between the left and the right edge.
_IS_IN_SIGHT = """rows => {
  const edges = rows.querySelector('.text').getBoundingClientRect();
  const matches = [...CSS.highlights.get('current-match')].map(match => {
    const range = document.createRange();
    range.setStart(match.startContainer, match.startOffset);
    range.setEnd(match.endContainer, match.endOffset);
    return range.getBoundingClientRect();
  });
  return matches.length > 0 && matches.every(({ left, right }) => left >= edges.left && right <= edges.right);
}"""


def test_find_goes_through_the_whole_file_and_tells_which_of_how_many(server_log: Viewer, last_line: int) -> None:
    keyboard, outcome = server_log.page.keyboard, server_log.part("#find output")
    server_log.find("#100000")
    server_log.wait_until_current(100_000)
    expect(outcome).to_have_text("1 of 11 lines")
    keyboard.press("Enter")
    server_log.wait_until_current(1_000_000)
    expect(outcome).to_have_text("2 of 11 lines")
    keyboard.press("Enter")
    server_log.wait_until_current(1_000_001)
    keyboard.press("Shift+Enter")
    keyboard.press("Shift+Enter")
    server_log.wait_until_current(100_000)
    keyboard.press("Shift+Enter")
    expect(outcome).to_have_text("11 of 11 lines, from the end")
    server_log.part("#find .word").click()
    expect(outcome).to_have_text(re.compile("1 of 1 line"))
    server_log.wait_until_current(100_000)
    server_log.part("#find .word").click()
    server_log.part("#find .regex").click()
    server_log.part("#find input").fill(rf"#{last_line}\b.*worker-\d")
    server_log.wait_until_current(last_line)
    assert all(belongs(row) for row in server_log.rows())
    server_log.part("#find input").fill("worker (")
    expect(server_log.part("#find-problem")).to_have_text("A ) is missing.")
    expect(server_log.part("#find input")).to_have_attribute("aria-invalid", "true")
    server_log.part("#find .regex").click()
    server_log.part("#find input").press("ArrowUp")
    expect(server_log.part("#find input")).to_have_value("#100000")
    expect(server_log.part("#find-problem")).to_be_hidden()
    server_log.part("#find input").press("ArrowDown")
    expect(server_log.part("#find input")).to_have_value("worker (")
    keyboard.press("Escape")
    keyboard.press("Escape")
    expect(server_log.part("#find")).to_be_hidden()
    expect(server_log.part("#rows")).to_be_focused()


def test_what_is_selected_is_looked_for_and_counted_at_once(viewer: Viewer) -> None:
    viewer.open("trace.log")
    outcome, field = viewer.part("#find output"), viewer.part("#find input")
    viewer.find("x")
    viewer.part("#find .regex").click()
    viewer.page.keyboard.press("Escape")
    text = viewer.part("#line-2 .content")
    box = text.bounding_box()
    assert box
    width = box["width"] / 66
    viewer.page.mouse.move(box["x"] + 9 * width, box["y"] + 5)
    viewer.page.mouse.down()
    viewer.page.mouse.move(box["x"] + 31.4 * width, box["y"] + 5, steps=4)
    viewer.page.mouse.up()
    viewer.window.status("selected)").wait_for()
    viewer.page.keyboard.press("Control+F")
    expect(field).to_be_focused()
    expect(field).to_have_value(re.compile(r"\\\(colored\\\.log:2:3\\\)"))
    expect(outcome).to_have_text("1 of 1 line")
    viewer.part("#find .regex").click()
    viewer.page.keyboard.press("Escape")
    viewer.page.keyboard.press("Escape")


def test_a_search_shows_how_far_it_is_and_can_be_stopped(server_log: Viewer) -> None:
    outcome = server_log.part("#find output")
    server_log.find("x")
    server_log.part("#find .regex").click()
    server_log.part("#find input").fill("[0-4].{50}[?!]")  # slow: it has more states than RE2 keeps
    expect(outcome).to_contain_text("%")
    server_log.page.keyboard.press("Escape")
    expect(outcome).to_have_text("Stopped")
    expect(server_log.part("#find .stop")).to_be_hidden()
    server_log.part("#find .regex").click()
    server_log.page.keyboard.press("Escape")


def test_a_match_after_wide_characters_or_at_the_edge_is_in_sight(viewer: Viewer, folder: Path) -> None:
    lines = ["\t" * 60 + "needle", "\N{PARTY POPPER}" * 150 + "needle", "." * 90 + "needle in a haystack"]
    (folder / "tabs.log").write_text("".join(f"{line}\n" for line in lines))
    viewer.open("tabs.log")
    for number, pattern in ((1, "needle"), (2, "needle"), (3, "needle in a haystack")):
        viewer.go_to(str(number))
        viewer.wait_until_current(number)
        viewer.find(pattern)
        viewer.window.status(f"{number} / 3, Col {lines[number - 1].index('n') + 1}").wait_for()
        viewer.window.until(lambda: viewer.part("#rows").evaluate(_IS_IN_SIGHT), bool, seconds=5)
        viewer.page.keyboard.press("Escape")
    (folder / "tabs.log").unlink()


def test_matches_in_what_was_appended_are_counted_in_order(viewer: Viewer, folder: Path) -> None:
    log = folder / "hits.log"
    log.write_text("hit\nmiss\n" * 3)
    viewer.open("hits.log")
    viewer.find("hit")
    outcome = viewer.part("#find output")
    expect(outcome).to_have_text("1 of 3 lines")
    with log.open("a") as file:
        file.write("miss\nhit\nmiss\n")
    expect(outcome).to_have_text("1 of 4 lines")
    viewer.page.keyboard.press("Shift+Enter")
    expect(outcome).to_have_text("4 of 4 lines, from the end")
    viewer.page.keyboard.press("Escape")
    log.unlink()


def test_a_match_is_not_hidden_by_the_widget_it_was_looked_for_with(server_log: Viewer) -> None:
    server_log.go_to("1000")
    server_log.wait_until_current(1000)
    above = server_log.rows()[0].number - 1
    server_log.find(f"#{above} ")
    server_log.wait_until_current(above)
    _expect_below_the_widget(server_log, above)
    server_log.part("#find input").fill("#1 ")
    _expect_below_the_widget(server_log, 1)
    server_log.page.keyboard.press("Escape")
    server_log.window.until(lambda: server_log.box("#line-1")["y"] - server_log.box("#rows")["y"], lambda gap: gap == 0)


def _expect_below_the_widget(viewer: Viewer, line: int) -> None:
    viewer.wait_until_current(line)
    widget = viewer.box("#find")
    viewer.window.until(lambda: viewer.box(f"#line-{line}")["y"], lambda y: y >= widget["y"] + widget["height"])


def test_the_find_widget_fits_into_a_narrow_pane(server_log: Viewer) -> None:
    server_log.page.set_viewport_size({"width": 640, "height": 600})
    server_log.find("worker")
    pane, widget, field = (server_log.box(part) for part in ("#stage", "#find", "#find input"))
    rows = {server_log.box(f"#find .{button}")["y"] for button in ("previous", "next", "close")}
    server_log.page.set_viewport_size({"width": 1280, "height": 800})
    assert pane["width"] < 330
    assert widget["x"] >= pane["x"]
    assert field["width"] > 120
    assert len(rows) == 1


def test_keys_of_find_stop_there_and_letters_typed_at_once_arrive(viewer: Viewer) -> None:
    viewer.open("notes.txt")
    keyboard, field = viewer.page.keyboard, viewer.part("#find input")
    keyboard.press("Control+F")
    keyboard.type("gnm")
    expect(field).to_have_value("gnm")
    keyboard.press("Alt+R")
    expect(viewer.part("#find .regex")).to_have_attribute("aria-pressed", "true")
    viewer.page.wait_for_timeout(300)  # VS Code would open a menu
    expect(viewer.page.locator(".monaco-menu")).to_have_count(0)
    keyboard.press("Alt+R")
    keyboard.press("Escape")
    expect(viewer.part("#find")).to_be_hidden()


def test_the_palette_shows_the_keys_of_find_and_filter(viewer: Viewer) -> None:
    viewer.open("notes.txt")
    keys = {"Toggle Regular Expression": "Alt+R", "Filter Lines": "Ctrl+Alt+F", "Go to Last Line": "Ctrl+End"}
    for title, key in keys.items():
        viewer.window.choose(f"Forge: {title}")
        row = viewer.page.locator(".quick-input-list .monaco-list-row", has_text=f"Forge: {title}").first
        expect(row.locator(".monaco-keybinding").first).to_have_attribute("aria-label", key.replace("Ctrl", "Control"))
        viewer.page.keyboard.press("Escape")


def test_what_is_typed_right_after_selecting_all_in_a_field_stays(server_log: Viewer) -> None:
    keyboard = server_log.page.keyboard
    for key, selector in (("Control+F", "#find .field input"), ("Control+Alt+F", "#filter .field input")):
        keyboard.press(key)
        field = server_log.part(selector)
        expect(field).to_be_focused()
        for pattern in ("slow", "timed out after", "payment of nobody", "worker-9"):
            keyboard.press("Control+A")
            keyboard.type(pattern)
            server_log.page.wait_for_timeout(300)  # VS Code would select all by now
            expect(field).to_have_value(pattern)
        keyboard.press("Control+A")
        keyboard.press("Delete")
        keyboard.press("Escape")
