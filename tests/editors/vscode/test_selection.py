"""Selecting lines and text, copying and saving them."""

from pathlib import Path

from playwright.sync_api import expect

from tests.editors.vscode.logs import log_line
from tests.editors.vscode.viewer import Viewer

_MAX_COPIED = 32 * 1024 * 1024


def test_three_clicks_take_the_line_and_the_status_bar_tells_position_and_selection(server_log: Viewer) -> None:
    server_log.part("#line-7 .content").click(position={"x": 100, "y": 5}, click_count=3)
    server_log.window.status("(1 line selected)").wait_for()
    server_log.page.keyboard.press("Control+C")
    server_log.window.until(server_log.clipboard, lambda text: text == log_line(7))
    server_log.part("#line-9 .content").dblclick(position={"x": 20, "y": 5})
    server_log.window.status("(4 selected)").wait_for()
    server_log.window.status("UTF-8").wait_for()
    server_log.window.status("LF").wait_for()
    server_log.page.keyboard.press("Escape")


def test_lines_are_copied_with_their_numbers_and_with_the_path(server_log: Viewer) -> None:
    server_log.part("#line-3 .number").click()
    server_log.part("#line-4 .number").click(modifiers=["Shift"])
    server_log.part("#line-4 .content").click(button="right")
    server_log.choose_in_menu("Copy with Line Numbers")
    server_log.window.until(server_log.clipboard, lambda text: text == f"3: {log_line(3)}4: {log_line(4)}")
    server_log.window.run("Forge: Copy Path with Line")
    server_log.window.until(server_log.clipboard, lambda text: text == "server.log:4")


def test_ranges_are_copied_from_the_file_not_from_the_screen(server_log: Viewer) -> None:
    server_log.part("#line-2 .number").click()
    server_log.drag_thumb_to(0.004)
    last = server_log.rows()[5].number
    server_log.part(f"#line-{last} .number").click(modifiers=["Shift"])
    server_log.page.keyboard.press("Control+C")
    lines = "".join(map(log_line, range(2, last + 1)))
    assert lines.count("\n") > 1000
    server_log.window.until(server_log.clipboard, lambda text: text == lines)


def test_the_beginning_of_a_selection_too_large_for_the_clipboard_can_be_copied(server_log: Viewer) -> None:
    server_log.page.keyboard.press("Control+A")
    server_log.page.keyboard.press("Control+C")
    server_log.window.press("larger than 32.0 MB, the most that can be copied", "Copy the Beginning")
    beginning = "navigator.clipboard.readText().then(text => [text.length, text.slice(0, 100)])"
    copied = [_MAX_COPIED, "".join(map(log_line, (1, 2)))[:100]]
    server_log.window.until(lambda: server_log.page.evaluate(beginning), lambda text: text == copied)


def test_a_selection_by_mouse_is_copied_as_it_is_in_the_file(server_log: Viewer) -> None:
    start, end = (server_log.part(f"#line-{line} .content").bounding_box() for line in (3, 5))
    assert start
    assert end
    mouse = server_log.page.mouse
    mouse.move(start["x"] + start["width"] - 2, start["y"] + 5)
    mouse.down()
    mouse.move(end["x"] + 1, end["y"] + 5, steps=5)
    mouse.up()
    server_log.window.status("5 / ").wait_for()
    server_log.page.keyboard.press("Control+C")
    server_log.window.until(server_log.clipboard, lambda text: text == "\n" + log_line(4))
    server_log.part("#line-4 .content").dblclick(position={"x": 20, "y": 5}, delay=60)
    server_log.page.keyboard.press("Control+C")
    server_log.window.until(server_log.clipboard, lambda text: text == "2026")


def test_lines_selected_past_the_last_one_are_those_that_there_are(viewer: Viewer) -> None:
    viewer.open("notes.txt")
    box = viewer.box("#line-1 .number")
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    viewer.page.mouse.move(x, y)
    viewer.page.mouse.down()
    viewer.page.mouse.move(x, y + 10 * box["height"], steps=5)
    viewer.page.mouse.up()
    viewer.window.status("(2 lines selected)").wait_for()
    viewer.page.mouse.click(x + 200, y + 10 * box["height"], click_count=3)
    viewer.window.status("(1 line selected)").wait_for()
    viewer.page.keyboard.press("Control+C")
    viewer.window.until(viewer.clipboard, lambda text: text == "beta\n")


def test_lines_are_selected_by_their_numbers(server_log: Viewer) -> None:
    server_log.window.run("Forge: Select Lines")
    server_log.window.answer("Select Lines of server.log", "1,000,000-1,000,002")
    server_log.window.status("(3 lines selected, 50 ms)").wait_for()
    server_log.page.keyboard.press("Control+C")
    lines = "".join(map(log_line, range(1_000_000, 1_000_003)))
    server_log.window.until(server_log.clipboard, lambda text: text == lines)


def test_the_lines_of_a_filter_are_saved_to_a_file(server_log: Viewer, folder: Path, last_line: int) -> None:
    target = folder / "payments.log"
    server_log.page.keyboard.press("&")
    field = server_log.part("#filter .field input")
    expect(field).to_be_focused()
    field.fill("payment 77")
    expect(server_log.part("#filter output")).to_contain_text(" of ")
    server_log.page.keyboard.press("ArrowDown")
    server_log.page.keyboard.press("Control+S")
    server_log.window.save_as(target)
    expect(server_log.window.notification("saved as payments.log")).to_be_visible()
    lines = [line for line in map(log_line, range(1, last_line + 1)) if "payment 77" in line]
    assert target.read_text() == "".join(lines)
    assert len(lines) > 1000
    assert not target.with_name("payments.log.part").exists()
    server_log.window.run("Notifications: Clear All Notifications")
    server_log.part("#filter .close").click()
    target.unlink()


def test_a_selection_is_saved_to_a_file(server_log: Viewer, folder: Path) -> None:
    target = folder / "some.log"
    server_log.part("#line-3 .number").click()
    server_log.part("#line-5 .number").click(modifiers=["Shift"])
    server_log.window.run("Forge: Save Lines As")
    server_log.window.save_as(target)
    server_log.window.until(target.exists, bool)
    assert target.read_text() == "".join(map(log_line, (3, 4, 5)))
    target.unlink()
    server_log.window.run("Notifications: Clear All Notifications")
