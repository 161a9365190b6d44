"""The large-file viewer in a real VS Code."""

import os
import re
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import expect

from editors.vscode.code import EXTENSION
from editors.vscode.logs import belongs, log_line
from editors.vscode.viewer import Row, Viewer

_MOST_COPIED = 32 * 1024 * 1024


def test_every_number_belongs_to_its_line_wherever_the_file_is_scrolled_to(server_log: Viewer, last_line: int) -> None:
    seen = []
    for share in (0.0, 0.137, 0.5, 0.951, 1.0, 0.3):
        server_log.drag_thumb_to(share)
        server_log.page.mouse.move(700, 400)
        server_log.page.mouse.wheel(0, -70)
        rows = server_log.rows()
        assert len(rows) > 20
        assert [row for row in rows if not belongs(row)] == []
        assert [row.number for row in rows] == list(range(rows[0].number, rows[-1].number + 1))
        seen.append(rows[0].number)
    assert seen[0] == 1
    assert abs(seen[2] - last_line // 2) < last_line // 100
    assert last_line - 60 < seen[4] < last_line


def test_the_keyboard_alone_reaches_every_line(server_log: Viewer, last_line: int) -> None:
    keyboard = server_log.page.keyboard
    keyboard.press("Control+End")
    server_log.wait_until_current(last_line)
    assert server_log.rows()[-1].number == last_line
    server_log.window.status(f"{last_line:,} / {last_line:,}").wait_for()
    keyboard.press("ArrowUp")
    server_log.wait_until_current(last_line - 1)
    server_log.go_to("1,204,113")
    server_log.wait_until_current(1_204_113)
    server_log.window.status(f"1,204,113 / {last_line:,}").wait_for()
    keyboard.press("ArrowDown")
    server_log.wait_until_current(1_204_114)
    page = len(server_log.rows()) - 3
    keyboard.press("PageDown")
    assert server_log.window.until(server_log.current, lambda line: line > 1_204_114) >= 1_204_114 + page
    assert all(belongs(row) for row in server_log.rows())
    keyboard.press("PageUp")
    server_log.wait_until_current(1_204_114)
    half = round(last_line / 2)
    server_log.go_to("50%")
    server_log.wait_until_current(half)
    keyboard.press("Control+Shift+Home")
    server_log.window.status(f"({half:,} lines selected)").wait_for()
    keyboard.press("Control+Shift+End")
    server_log.window.status(f"({last_line - half + 1:,} lines selected)").wait_for()
    keyboard.press("Control+Home")
    server_log.wait_until_current(1)


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


def test_going_to_a_line_centres_it_and_returns_to_its_start(server_log: Viewer) -> None:
    keyboard = server_log.page.keyboard
    for _ in range(60):
        keyboard.press("ArrowRight")
    server_log.window.until(lambda: "2026" in server_log.part("#line-1 .text").inner_text(), bool)
    server_log.go_to("5000")
    server_log.wait_until_current(5000)
    grid, row, content = (server_log.box(part) for part in ("#rows", "#line-5000", "#line-5000 .content"))
    assert abs(row["y"] - grid["y"] - grid["height"] / 2) < 2 * row["height"]
    assert content["x"] > row["x"]


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
    entry = server_log.page.locator(".monaco-menu .action-label", has_text="Copy with Line Numbers")
    entry.wait_for()
    server_log.page.wait_for_timeout(300)
    entry.click()
    server_log.window.until(server_log.clipboard, lambda text: text == f"3: {log_line(3)}4: {log_line(4)}")
    server_log.window.run("Forge: Copy Path with Line")
    server_log.window.until(server_log.clipboard, lambda text: text == "server.log:4")


def test_bookmarks_and_errors_are_reached_by_keys(server_log: Viewer) -> None:
    keyboard = server_log.page.keyboard
    for line in ("200", "100"):
        server_log.go_to(line)
        server_log.wait_until_current(int(line))
        keyboard.press("Control+F2")
        expect(server_log.part(f"#line-{line}.bookmarked")).to_be_visible()
    keyboard.press("F2")
    server_log.wait_until_current(200)
    keyboard.press("Shift+F2")
    server_log.wait_until_current(100)
    keyboard.press("m")
    keyboard.press("F2")
    server_log.wait_until_current(200)
    keyboard.press("m")
    expect(server_log.part(".bookmarked")).to_have_count(0)
    errors = [number for number in range(201, 2000) if " ERROR " in log_line(number)]
    keyboard.press("F8")
    server_log.wait_until_current(errors[0])
    for _ in range(5):
        keyboard.press("F8")
    server_log.wait_until_current(errors[5])
    keyboard.press("Shift+F8")
    server_log.wait_until_current(errors[4])
    for key in ("Alt+ArrowDown", "Alt+PageDown"):  # those with Alt are VS Code's own
        keyboard.press(key)
    server_log.page.wait_for_timeout(300)
    assert server_log.current() == errors[4]


def test_two_viewers_of_a_file_have_the_same_bookmarks(viewer: Viewer) -> None:
    viewer.open("notes.txt")
    page, bookmarked = viewer.page, viewer.part(".row.bookmarked .number")
    page.keyboard.press("m")
    expect(bookmarked).to_have_text(["1"])
    viewer.window.run("View: Split Editor Right")
    frames = page.frame_locator("iframe.webview.ready")
    sides = [frames.nth(side).frame_locator("#active-frame") for side in (0, 1)]
    expect(sides[1].locator("#rows")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("m")
    for side in sides:
        expect(side.locator(".row.bookmarked .number")).to_have_text(["1", "2"])
    page.keyboard.press("m")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("m")
    for side in sides:
        expect(side.locator(".row.bookmarked")).to_have_count(0)


def test_a_time_is_gone_to(viewer: Viewer) -> None:
    viewer.open("times.log")
    viewer.go_to("00:15:00")
    viewer.wait_until_current(36_000)
    assert log_line(36_000).startswith("2026-11-16T00:15:00.000Z")
    expect(viewer.part("#note")).to_have_text("00:15:00 is at line 36,000 (2026-11-16 00:15:00).")
    viewer.go_to("2027-01-01")
    expect(viewer.part("#note")).to_contain_text("times.log ends before 2027-01-01: its last line is of 2026-11-16")


def test_ranges_are_copied_from_the_file_not_from_the_screen(server_log: Viewer) -> None:
    server_log.part("#line-2 .number").click()
    server_log.drag_thumb_to(0.004)
    last = server_log.rows()[5].number
    server_log.part(f"#line-{last} .number").click(modifiers=["Shift"])
    server_log.page.keyboard.press("Control+C")
    lines = "".join(map(log_line, range(2, last + 1)))
    assert lines.count("\n") > 1000
    server_log.window.until(server_log.clipboard, lambda text: text == lines)


def test_of_a_selection_too_large_for_the_clipboard_the_beginning_can_be_copied(server_log: Viewer) -> None:
    server_log.page.keyboard.press("Control+A")
    server_log.page.keyboard.press("Control+C")
    server_log.window.press("larger than 33.6 MB, the most that can be copied", "Copy the Beginning")
    beginning = "navigator.clipboard.readText().then(text => [text.length, text.slice(0, 100)])"
    copied = [_MOST_COPIED, "".join(map(log_line, (1, 2)))[:100]]
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


def test_a_changed_file_is_read_again_at_the_same_line(viewer: Viewer, folder: Path) -> None:
    log = folder / "growing.log"
    log.write_text("".join(f"line {number} before\n" for number in range(1, 1001)))
    viewer.open("growing.log")
    viewer.go_to("500")
    viewer.wait_until_current(500)
    log.write_text("".join(f"line {number} after\n" for number in range(1, 2001)))
    expect(viewer.part("#note")).to_contain_text("changed on disk")
    viewer.window.status("500 / 2,000").wait_for()
    assert viewer.current() == 500
    assert all(row.text == f"line {row.number} after" for row in viewer.rows())
    log.unlink()
    expect(viewer.part("#banner")).to_contain_text("growing.log was deleted or moved.")
    assert all(row.text == f"line {row.number} after" for row in viewer.rows())
    viewer.page.keyboard.press("Control+End")
    expect(viewer.part("#failure p")).to_contain_text("growing.log is not there any more")
    viewer.page.keyboard.press("Control+Home")
    expect(viewer.part("#failure")).to_be_hidden()
    log.write_text("line 1 again\n")
    expect(viewer.part("#banner")).to_contain_text("start at 1 again")
    assert viewer.window.until(viewer.rows, lambda rows: len(rows) == 1) == [Row(1, "line 1 again")]
    log.unlink()


_WRITER = """
import itertools, sys, time
with open(sys.argv[1], "a", buffering=1) as log:
    for number in itertools.count(501):
        log.write(f"line {number}\\n")
        time.sleep(0.05)
"""


def test_a_growing_log_is_followed_searched_and_copied_and_scrolling_up_pauses(viewer: Viewer, folder: Path) -> None:
    log, keyboard = folder / "live.log", viewer.page.keyboard
    log.write_text("".join(f"line {number}\n" for number in range(1, 501)))
    viewer.open("live.log")
    keyboard.press("Control+End")
    following, new_lines = viewer.window.status("Following"), viewer.part("#new-lines")
    following.wait_for()
    with subprocess.Popen([sys.executable, "-c", _WRITER, log]) as writer:
        rows = viewer.window.until(viewer.rows, lambda rows: rows[-1].number > 510)
        assert all(row.text == f"line {row.number}" for row in rows)
        keyboard.press("PageUp")
        expect(new_lines).to_contain_text("new line")
        expect(following).to_be_hidden()
        line, top = viewer.current(), viewer.rows()[0]
        said = new_lines.text_content()
        viewer.window.until(new_lines.text_content, lambda text: text != said)
        assert viewer.rows()[0] == top, "what is read stays where it is while the file grows"
        viewer.part(f"#line-{line} .content").click(click_count=3)
        viewer.window.status("(1 line selected)").wait_for()
        keyboard.press("Control+C")
        viewer.window.until(viewer.clipboard, lambda text: text == f"line {line}\n")
        viewer.find("line 77")
        viewer.wait_until_current(77)
        keyboard.press("Escape")
        assert viewer.current() == 77
        expect(viewer.part("#note")).to_be_hidden()
        for go, line in ((viewer.go_to, 100), (lambda text: viewer.find(f"line {text}"), 200)):
            new_lines.click()
            expect(viewer.part("#rows")).to_be_focused()
            following.wait_for()
            go(str(line))
            expect(new_lines).to_contain_text("new line")
            expect(following).to_be_hidden()
            assert viewer.current() == line
        keyboard.press("Escape")
        new_lines.click()
        following.wait_for()
        writer.kill()
    last = log.read_text().count("\n")
    viewer.window.until(viewer.rows, lambda rows: rows[-1].number == last)
    log.rename(folder / "live.log.1")
    log.write_text("line 1\nline 2\n")
    expect(viewer.part("#banner")).to_contain_text("live.log was replaced by another file of that name")
    viewer.window.until(viewer.rows, lambda rows: [row.text for row in rows] == ["line 1", "line 2"])
    old_lines = viewer.part("#banner .old")
    old_lines.click()
    expect(viewer.part("#old")).to_contain_text(f"line {last}")
    expect(viewer.part("#old")).to_be_focused()
    keyboard.press("Escape")
    expect(viewer.part("#rows")).to_be_focused()
    expect(viewer.part("#banner")).to_be_hidden()
    viewer.find("2")
    viewer.window.status("2 / 2, Col 6").wait_for()
    keyboard.press("Escape")
    os.truncate(log, len("line 1\n"))
    expect(viewer.part("#banner")).to_contain_text("live.log was truncated")
    expect(old_lines).to_have_text("Show the Old Lines")
    viewer.window.status("1 / 1, Col 1").wait_for()
    for each in (log, folder / "live.log.1"):
        each.unlink()


def test_an_empty_file_says_so(viewer: Viewer) -> None:
    viewer.choose("empty.log")
    expect(viewer.part("#empty")).to_have_text("empty.log is empty.")
    viewer.window.status("0 / 0").wait_for()


def test_a_place_in_a_stack_trace_opens_in_an_editor(viewer: Viewer) -> None:
    viewer.open("trace.log")
    box = viewer.part("#line-2 .content").bounding_box()
    assert box
    viewer.page.mouse.move(box["x"] + 12 * box["width"] / 66, box["y"] + 5)
    viewer.page.keyboard.down("Control")
    viewer.page.mouse.click(box["x"] + 14 * box["width"] / 66, box["y"] + 5)
    viewer.page.keyboard.up("Control")
    viewer.window.status("Ln 2, Col 3").wait_for()
    viewer.page.locator(".tab", has_text="trace.log").click()
    viewer.wait_for_rows("trace.log")


def test_terminal_colours_and_levels_are_shown_and_markup_is_text(viewer: Viewer) -> None:
    viewer.open("coloured.log")
    assert [row.text for row in viewer.rows()] == ["red and bold", "<script>alert(1)</script>", "ERROR plain"]
    red, bold, level = (viewer.part(part) for part in ("#line-1 .content > span", "#line-1 .bold", ".level-error"))
    assert red.first.evaluate("part => part.style.color") == "var(--ansiRed)"
    expect(bold).to_have_css("color", re.compile(r"rgb\(1\d\d, 1\d\d, 1\d\d\)"))  # too dark as it is
    expect(level).to_have_text("ERROR")


def test_patterns_have_the_colours_that_the_settings_give_them(viewer: Viewer) -> None:
    viewer.open("coloured.log")
    texts = """() => [...CSS.highlights.get('rule-0') ?? []].map(
      ({ startContainer, startOffset, endOffset }) => startContainer.textContent.slice(startOffset, endOffset))"""
    viewer.window.until(lambda: viewer.part("#view").evaluate(texts), lambda coloured: coloured == ["plain"])
    expect(viewer.part(".tinted")).to_have_attribute("id", "line-2")


def test_a_line_longer_than_any_answer_is_followed_to_its_end(viewer: Viewer) -> None:
    viewer.open("endless.txt")
    viewer.page.keyboard.press("ArrowDown")
    viewer.wait_until_current(2)

    def further() -> str:
        viewer.page.keyboard.press("End")
        return viewer.part("#line-2 .text").text_content() or ""

    assert viewer.window.until(further, lambda text: text.endswith("the end"))
    viewer.find("the end")
    expect(viewer.part("#find output")).to_have_text("1 of 1 line")
    viewer.page.keyboard.press("Escape")
    viewer.page.keyboard.press("Home")
    assert viewer.window.until(lambda: viewer.rows()[1].text, lambda text: text.startswith("0123456789"))


def test_the_place_and_a_chosen_encoding_are_kept_over_reloads_and_tab_switches(server_log: Viewer) -> None:
    server_log.open("sjis.log")
    server_log.reopen_with("shiftjis", before="UTF-8", after="Shift JIS")
    server_log.page.locator(".tab", has_text="server.log").click()
    server_log.wait_for_rows("server.log")
    server_log.go_to("1,234,567")
    server_log.wait_until_current(1_234_567)
    rows = server_log.rows()
    # A reload sooner than that loses the tab itself, or the place.
    for stored in (server_log.window.kept, server_log.window.remembered):
        server_log.window.until(stored, lambda state: re.search(r"line\W+1234567", state) is not None)
    assert "shiftjis" in server_log.window.remembered()
    server_log.page.reload()
    server_log.wait_for_rows("server.log")
    assert server_log.rows() == rows
    server_log.page.locator(".tab", has_text="sjis.log").click()
    server_log.wait_for_rows("sjis.log")
    assert server_log.rows()[1].text == "二行目 エラー"
    server_log.reopen_with("Automatic", before="Shift JIS", after="UTF-8")
    server_log.page.locator(".tab", has_text="server.log").click()
    server_log.wait_for_rows("server.log")
    assert server_log.rows() == rows
    assert server_log.current() == 1_234_567


def test_font_and_theme_are_followed_live(server_log: Viewer) -> None:
    view, before = server_log.part("#view"), len(server_log.rows())
    light = view.evaluate("view => getComputedStyle(view).backgroundColor")
    server_log.window.run("Preferences: Toggle between Light/Dark Themes")
    expect(view).not_to_have_css("background-color", light)
    # As VS Code does when the setting changes, which it does not notice from outside here.
    set_font = "view => view.ownerDocument.documentElement.style.setProperty('--vscode-editor-font-size', '28px')"
    view.evaluate(set_font)
    assert server_log.window.until(lambda: len(server_log.rows()), lambda rows: rows < 0.6 * before)
    assert all(belongs(row) for row in server_log.rows())
    server_log.window.run("Preferences: Toggle between Light/Dark Themes")


def test_a_binary_file_says_so_and_offers_a_way_out(viewer: Viewer) -> None:
    viewer.choose("binary.dat")
    expect(viewer.part("#failure p")).to_have_text("binary.dat is a binary file: it has no lines to show.")
    viewer.part("#failure button").click()
    viewer.page.locator(".quick-input-list .monaco-list-row", has_text="Text Editor").wait_for()
    viewer.page.keyboard.press("Escape")


def test_rows_and_messages_are_told_to_screen_readers(server_log: Viewer, last_line: int) -> None:
    server_log.go_to("77")
    server_log.wait_until_current(77)
    grid = server_log.part("#rows")
    expect(grid).to_have_role("grid")
    expect(grid).to_have_attribute("aria-rowcount", str(last_line))
    expect(grid).to_have_attribute("aria-activedescendant", "line-77")
    expect(server_log.part("#line-77")).to_have_attribute("aria-rowindex", "77")
    expect(server_log.part("#line-77")).to_have_accessible_name(f"77 {log_line(77).rstrip()}")
    expect(server_log.part("#spoken")).to_have_text(f"Line 77 of {last_line:,}")


def test_the_viewer_is_offered_where_vscode_refuses_a_file(viewer: Viewer, folder: Path) -> None:
    megabytes = round((folder / "server.log").stat().st_size / 1e6)
    viewer.window.status("Forge").wait_for()
    viewer.in_explorer("server.log").click()
    viewer.window.press(f"server.log has {megabytes} MB", "Open in Viewer")
    viewer.wait_for_rows("server.log")
    expect(viewer.page.locator(".tab")).to_have_count(1)
    assert all(belongs(row) for row in viewer.rows())


def test_it_is_among_the_editors_to_reopen_with(viewer: Viewer) -> None:
    viewer.window.status("Forge").wait_for()
    viewer.in_explorer("notes.txt").click()
    viewer.window.until(viewer.window.lines, lambda lines: lines[:2] == ["alpha", "beta"])
    viewer.window.run("View: Reopen Editor With...")
    viewer.window.pick("Forge Viewer")
    viewer.wait_for_rows("notes.txt")
    assert [row.text for row in viewer.rows()] == ["alpha", "beta"]
    expect(viewer.page.locator(".tab")).to_have_count(1)


_THEMES = ("Dark Modern", "Light Modern", "Dark High Contrast", "Light High Contrast")
_READABLE = 4.49
"""4.5, but for rounding to whole colours."""
_AXE = EXTENSION / "node_modules/axe-core/axe.min.js"
_VIOLATIONS = """async () => (await axe.run(document, { resultTypes: ['violations'] })).violations.map(
  each => `${each.id}: ${each.nodes.map(node => node.html + ' ' + node.failureSummary)}`)"""
# What axe cannot see: text in highlights. The same formula, in a few lines.
_CONTRASTS = """view => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d');
  const style = getComputedStyle(document.body);
  const painted = (...names) => {
    for (const name of names) {
      canvas.fillStyle = style.getPropertyValue(name) || 'transparent';
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const luminance = rgb => rgb.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (text, ...behind) => {
    const [a, b] = [luminance(painted(text)), luminance(painted('--vscode-editor-background', ...behind))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  };
  return {
    match: contrast('--match-foreground', '--vscode-editor-findMatchHighlightBackground'),
    current: contrast('--current-match-foreground', '--vscode-editor-findMatchBackground'),
    selection: contrast('--selection-foreground', '--vscode-editor-selectionBackground'),
    ...Object.fromEntries(['error', 'warning', 'info', 'time'].map(name => [name, contrast(`--${name}-foreground`)])),
    ...Object.fromEntries(['Black', 'Red', 'Green', 'Yellow', 'Blue', 'Magenta',
      'Cyan', 'White'].map(name => [name, contrast(`--ansi${name}`)])),
  };
}"""


def test_everything_is_named_and_readable_in_every_default_theme(viewer: Viewer) -> None:
    viewer.open("times.log")
    viewer.page.keyboard.press("Control+Alt+F")
    viewer.part("#filter .field input").fill("worker")
    viewer.page.keyboard.press("Enter")
    expect(viewer.part("#filter .chip")).to_be_visible()
    viewer.window.status("lines").wait_for()  # they are filtered
    viewer.find("worker")
    expect(viewer.part("#find output")).to_contain_text("of")
    frame = viewer.part("#view").element_handle().owner_frame()
    assert frame
    frame.evaluate(_AXE.read_text())
    for theme in (*_THEMES[1:], _THEMES[0]):
        _choose_theme(viewer, theme)
        contrasts = viewer.part("#view").evaluate(_CONTRASTS)
        assert {name: value for name, value in contrasts.items() if value < _READABLE} == {}, theme
        assert frame.evaluate(_VIOLATIONS) == [], theme
    viewer.part("#filter .chip .switch").focus()
    viewer.page.keyboard.press("Delete")
    viewer.part("#filter .close").click()


def _choose_theme(viewer: Viewer, theme: str) -> None:
    viewer.page.keyboard.press("Control+K")
    viewer.page.keyboard.press("Control+T")
    viewer.page.locator(".quick-input-list .monaco-list-row", has_text="Modern").first.wait_for()
    viewer.window.input.fill(theme)
    viewer.page.locator(".quick-input-list .monaco-list-row.focused", has_text=theme).wait_for()
    viewer.page.keyboard.press("Enter")
    name = "view => document.body.dataset.vscodeThemeName"
    viewer.window.until(lambda: viewer.part("#view").evaluate(name), lambda now: now == theme)
