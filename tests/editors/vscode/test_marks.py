"""Bookmarks, labels and the marks on the scrollbar."""

from pathlib import Path

from playwright.sync_api import expect

from tests.editors.vscode.logs import log_line
from tests.editors.vscode.viewer import Viewer


def test_matches_and_bookmarks_are_marked_on_the_whole_scrollbar(viewer: Viewer) -> None:
    viewer.open("times.log")
    viewer.page.keyboard.press("Control+Home")
    viewer.wait_until_current(1)
    viewer.find("#2500")  # 25,000 to 25,009, and 2,500
    expect(viewer.part("#find output")).to_have_text("1 of 11 lines")
    shares = viewer.window.until(lambda: viewer.marks(0.5), lambda shares: len(shares) > 3)
    assert {round(share - 0.004, 2) for share in shares} <= {0.04, 0.05, 0.49, 0.5}
    assert max(shares) - min(shares) > 0.4
    viewer.page.keyboard.press("Escape")
    for line in ("40,000", "40,001"):
        viewer.go_to(line)
        viewer.wait_until_current(int(line.replace(",", "")))
        viewer.page.keyboard.press("Control+F2")
    assert viewer.window.until(lambda: viewer.marks(0.1), bool)[0] > 0.75
    # Of the lines that are shown, 40,000 is the last but one, and 40,001 is none.
    viewer.page.keyboard.press("Control+Alt+F")
    viewer.part("#filter .regex").click()
    viewer.part("#filter .field input").fill("#([123]|40000|50000) ")
    expect(viewer.part("#filter output")).to_have_text("5 of 50,000 lines")
    shares = viewer.window.until(lambda: viewer.marks(0.1), bool)
    assert all(0.55 < share < 0.65 for share in shares)
    viewer.page.keyboard.press("Escape")
    viewer.part("#filter .regex").click()
    viewer.part("#filter .close").click()
    for line in ("40,000", "40,001"):
        viewer.go_to(line)
        viewer.wait_until_current(int(line.replace(",", "")))
        viewer.page.keyboard.press("Control+F2")
    expect(viewer.part(".bookmarked")).to_have_count(0)


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


def test_bookmarks_are_listed_with_their_text(viewer: Viewer) -> None:
    viewer.open("times.log")
    for line in (40_000, 25):
        viewer.go_to(str(line))
        viewer.wait_until_current(line)
        viewer.page.keyboard.press("m")
    viewer.window.run("Forge: Go to Bookmark")
    rows = viewer.page.locator(".quick-input-list .monaco-list-row")
    expect(rows).to_have_count(2)
    for row, line in zip(rows.all(), (25, 40_000), strict=True):
        expect(row).to_contain_text(f"{line:,}")
        expect(row).to_contain_text(log_line(line)[:40])
    viewer.page.keyboard.press("ArrowDown")
    viewer.wait_until_current(40_000)  # it is shown before it is chosen
    viewer.page.keyboard.press("Escape")
    viewer.wait_until_current(25)
    viewer.window.run("Forge: Go to Bookmark")
    viewer.window.input.fill(log_line(40_000)[30:40])
    expect(rows).to_have_count(1)
    viewer.page.keyboard.press("Enter")
    viewer.wait_until_current(40_000)
    viewer.page.keyboard.press("m")
    viewer.go_to("25")
    viewer.wait_until_current(25)
    viewer.page.keyboard.press("m")
    expect(viewer.part(".bookmarked")).to_have_count(0)


def test_a_bookmark_leaves_its_number_free(server_log: Viewer) -> None:
    server_log.page.keyboard.press("Control+End")
    server_log.window.status("Following").wait_for()
    server_log.page.keyboard.press("m")
    look = """number => {
      const dot = getComputedStyle(number, '::before'), text = document.createRange();
      text.selectNodeContents(number);
      const { left } = number.getBoundingClientRect();
      return [parseFloat(dot.left) + parseFloat(dot.width), text.getBoundingClientRect().left - left];
    }"""
    expect(server_log.part(".bookmarked")).to_have_count(1)
    dot, digits = server_log.part(".bookmarked .number").evaluate(look)
    server_log.page.keyboard.press("m")
    assert 0 < dot < digits


def test_errors_are_marked_on_the_scrollbar(viewer: Viewer, folder: Path) -> None:
    log = folder / "errors.log"
    lines = ["INFO all is well\n"] * 1000
    lines[249] = lines[749] = "ERROR it is not\n"
    log.write_text("".join(lines))
    viewer.open("errors.log")
    shares = viewer.window.until(lambda: viewer.marks(0.85), bool)
    assert {round(share, 1) for share in shares} == {0.2, 0.7} or {round(share, 2) for share in shares} <= {0.25, 0.75}
    with log.open("a") as file:
        file.write("ERROR again\n")
    viewer.window.until(lambda: viewer.marks(0.85), lambda shares: max(shares) > 0.95)
    viewer.page.keyboard.press("&")
    viewer.part("#filter .field input").fill("not")
    expect(viewer.part("#filter output")).to_have_text("2 of 1,001 lines")
    viewer.window.until(lambda: viewer.marks(0.85), lambda shares: bool(shares) and min(shares) < 0.1)
    viewer.page.keyboard.press("Escape")
    viewer.page.keyboard.press("Escape")
    log.unlink()


_LABELED = """(view, name) => [...CSS.highlights.get(name) ?? []].map(
  ({ startContainer, startOffset, endOffset }) => startContainer.textContent.slice(startOffset, endOffset))"""


def test_a_text_is_labeled_wherever_it_occurs_in_every_viewer_of_the_file(viewer: Viewer) -> None:
    def labeled(name: str) -> list[str]:
        texts: list[str] = viewer.part("#view").evaluate(_LABELED, name)
        return texts

    viewer.open("trace.log")
    keyboard = viewer.page.keyboard
    viewer.part("#line-1 .content").dblclick(position={"x": 20, "y": 5})
    keyboard.press("3")
    viewer.window.until(lambda: labeled("label-3"), lambda texts: texts == ["started"])
    keyboard.press("9")
    viewer.window.until(lambda: labeled("label-9"), lambda texts: texts == ["started"])
    assert labeled("label-3") == []
    viewer.close()
    viewer.open("trace.log")
    viewer.window.until(lambda: labeled("label-9"), lambda texts: texts == ["started"])
    viewer.window.run("Forge: Label Selection")
    viewer.window.pick("Green")
    viewer.window.until(lambda: labeled("label-2"), lambda texts: texts == ["started"])
    viewer.window.run("Forge: Clear Labels")
    viewer.window.until(lambda: labeled("label-2"), lambda texts: texts == [])
