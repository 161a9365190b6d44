"""The large-file viewer in a real VS Code."""

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.editors.vscode.logs import belongs, log_line
from tests.editors.vscode.viewer import Viewer


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
    server_log.window.status(f"({half:,} lines selected, ").wait_for()
    keyboard.press("Control+Shift+End")
    server_log.window.status(f"({last_line - half + 1:,} lines selected, ").wait_for()
    keyboard.press("Control+Home")
    server_log.wait_until_current(1)


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


def test_a_time_is_gone_to(viewer: Viewer) -> None:
    viewer.open("times.log")
    viewer.go_to("00:15:00")
    viewer.wait_until_current(36_000)
    assert log_line(36_000).startswith("2026-11-16T00:15:00.000Z")
    expect(viewer.part("#note")).to_have_text("00:15:00 is at line 36,000 (2026-11-16 00:15:00).")
    viewer.go_to("2027-01-01")
    expect(viewer.part("#note")).to_contain_text("times.log ends before 2027-01-01: its last line is of 2026-11-16")
    viewer.go_to("14:xx")
    expect(viewer.part("#note")).to_have_text("Not a time: '14:xx'.")


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


def test_terminal_colors_and_levels_are_shown_and_markup_is_text(viewer: Viewer) -> None:
    viewer.open("colored.log")
    assert [row.text for row in viewer.rows()] == ["red and bold", "<script>alert(1)</script>", "ERROR plain"]
    red, bold, level = (viewer.part(part) for part in ("#line-1 .content > span", "#line-1 .bold", ".level-error"))
    assert red.first.evaluate("part => part.style.color") == "var(--ansiRed)"
    expect(bold).to_have_css("color", re.compile(r"rgb\(1\d\d, 1\d\d, 1\d\d\)"))  # too dark as it is
    expect(level).to_have_text("ERROR")


def test_patterns_have_the_colors_that_the_settings_give_them(viewer: Viewer) -> None:
    viewer.open("colored.log")
    texts = """() => [...CSS.highlights.get('rule-0') ?? []].map(
      ({ startContainer, startOffset, endOffset }) => startContainer.textContent.slice(startOffset, endOffset))"""
    viewer.window.until(lambda: viewer.part("#view").evaluate(texts), lambda colored: colored == ["plain"])
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
    server_log.window.until(server_log.rows, lambda shown: shown == rows)
    server_log.page.locator(".tab", has_text="sjis.log").click()
    server_log.wait_for_rows("sjis.log")
    assert server_log.rows()[1].text == "二行目 エラー"
    server_log.reopen_with("Automatic", before="Shift JIS", after="UTF-8")
    server_log.page.locator(".tab", has_text="server.log").click()
    server_log.wait_for_rows("server.log")
    server_log.window.until(server_log.rows, lambda shown: shown == rows)
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


def test_the_current_line_keeps_the_tint_of_its_level(viewer: Viewer) -> None:
    viewer.open("times.log")
    viewer.page.keyboard.press("Control+Home")
    viewer.wait_until_current(1)
    error = next(number for number in range(1, 100) if " ERROR " in log_line(number))
    text = viewer.part(f"#line-{error} .text")
    style = "text => getComputedStyle(text).backgroundColor"
    viewer.part(f"#line-{error - 1} .content").click()
    viewer.wait_until_current(error - 1)
    tint = text.evaluate(style)
    assert tint not in ("rgba(0, 0, 0, 0)", "transparent")
    viewer.part(f"#line-{error} .content").click()
    viewer.wait_until_current(error)
    assert text.evaluate(style) == tint


def test_the_horizontal_scrollbar_covers_no_line(viewer: Viewer) -> None:
    viewer.open("trace.log")
    rows, bar = viewer.box("#rows"), viewer.box("#across")
    assert bar["height"] > 0
    assert rows["y"] + rows["height"] <= bar["y"]


def test_arrow_keys_keep_the_column(viewer: Viewer) -> None:
    viewer.open("times.log")
    viewer.page.keyboard.press("Control+Home")
    viewer.wait_until_current(1)
    viewer.part("#line-3 .content").click(position={"x": 60, "y": 5})
    status = viewer.window.status("3 / 50,000, Col ")
    status.wait_for()
    column = (status.text_content() or "").split("Col ")[1]
    assert int(column) > 1
    viewer.page.keyboard.press("ArrowDown")
    viewer.window.status(f"4 / 50,000, Col {column}").wait_for()


def test_a_linked_view_to_the_side_goes_along_and_leaves_the_focus(viewer: Viewer) -> None:
    viewer.open("times.log")
    viewer.page.keyboard.press("&")
    viewer.part("#filter .field input").fill(" ERROR ")
    expect(viewer.part("#filter output")).to_contain_text(" of 50,000 lines")
    viewer.window.run("Forge: Open Linked View to the Side")
    frames = viewer.page.frame_locator("iframe.webview.ready")
    left, right = (frames.nth(side).frame_locator("#active-frame") for side in (0, 1))
    expect(right.locator("#rows .row").first).to_be_visible()
    errors = [number for number in range(1, 2000) if " ERROR " in log_line(number)]
    for error in errors[4:7]:
        left.locator(".row", has_text=f" #{error} ").locator(".content").click()
        expect(right.locator(".row.current .number")).to_have_text(str(error))
        expect(left.locator("#rows")).to_be_focused()
    viewer.page.keyboard.press("ArrowDown")
    expect(right.locator(".row.current .number")).to_have_text(str(errors[7]))
    left.locator("#filter .close").click()


def test_the_fields_of_the_current_line_are_laid_out_to_the_side(viewer: Viewer, folder: Path) -> None:
    log = folder / "fields.jsonl"
    log.write_text("".join(f'{{"id":1234567890123456789{number},"at":{{"x":[{number}]}}}}\n' for number in range(10)))
    viewer.open("fields.jsonl")
    viewer.window.run("Forge: Show Fields of Line")
    wanted = ["{", '  "id": 12345678901234567890,', '  "at": {', '    "x": [', "      0", "    ]", "  }", "}"]
    viewer.window.until(viewer.window.lines, lambda lines: lines[1:9] == wanted)
    expect(viewer.part("#rows")).to_be_focused()
    viewer.page.keyboard.press("ArrowDown")
    viewer.window.until(viewer.window.lines, lambda lines: lines[2:3] == ['  "id": 12345678901234567891,'])
    expect(viewer.part("#rows")).to_be_focused()
    log.unlink()


def test_links_tell_how_they_are_opened_and_the_menu_offers_it_where_there_is_one(viewer: Viewer) -> None:
    viewer.open("trace.log")
    second = viewer.part("#line-2 .content")
    second.hover(position={"x": 130, "y": 5})
    expect(viewer.part("#rows")).to_have_attribute("title", "Ctrl+click opens the link")
    viewer.part("#line-1 .content").hover(position={"x": 20, "y": 5})
    expect(viewer.part("#rows")).to_have_attribute("title", "")
    menu = viewer.page.locator(".monaco-menu .action-label")
    for line, offered in ((1, 0), (2, 1)):
        viewer.part(f"#line-{line} .content").click(button="right", position={"x": 20, "y": 5})
        expect(menu.filter(has_text="Filter by Selection")).to_be_visible()
        expect(menu.filter(has_text="Open Link of Line")).to_have_count(offered)
        viewer.page.keyboard.press("Escape")
        expect(menu).to_have_count(0)
        expect(viewer.part("#rows")).to_be_focused()


def test_the_item_in_the_status_bar_tells_what_the_cache_holds_also_once_it_was_emptied(viewer: Viewer) -> None:
    viewer.open("times.log")
    viewer.window.status(" / 50,000").wait_for()
    viewer.close()
    told = viewer.page.locator(".monaco-hover", has_text="indexed")

    def hovered() -> str:
        viewer.page.mouse.move(640, 300)
        viewer.window.status("Forge").hover()
        told.wait_for()
        return told.inner_text().replace("\xa0", " ")

    viewer.window.until(hovered, lambda text: " 0 files indexed" not in text)
    viewer.window.run("Forge: Clear Cache")
    viewer.window.until(hovered, lambda text: " 0 files indexed" in text)
    viewer.page.mouse.move(640, 300)
