"""Following a log: what switches it on and off, how new lines come, and what becomes of the old ones."""

import os
import re
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import expect

from tests.editors.vscode.conftest import OpenWindow, StartCode
from tests.editors.vscode.viewer import Row, Viewer

# How often a row was without its text in any of the frames until a row is the last one.
_COUNT_EMPTY = """(rows, last) => new Promise(resolve => {
  let empty = 0;
  const look = () => {
    empty += [...rows.querySelectorAll('.text')].filter(text => text.textContent === '').length;
    if (rows.lastElementChild?.id === last) resolve(empty);
    else requestAnimationFrame(look);
  };
  look();
})"""


def test_following_is_switched_by_key_command_and_title_bar_alone(
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


def test_lines_that_are_appended_come_with_their_text(viewer: Viewer, folder: Path) -> None:
    log = folder / "fast.log"
    log.write_text("".join(f"line {number}\n" for number in range(1, 501)))
    viewer.open("fast.log")
    viewer.page.keyboard.press("Control+End")
    viewer.wait_until_current(500)
    viewer.rows()
    viewer.window.status("Following").wait_for()
    with subprocess.Popen([sys.executable, "-c", _FAST_WRITER, log]):
        assert viewer.part("#rows").evaluate(_COUNT_EMPTY, "line-900") == 0
    assert all(row.text == f"line {row.number}" for row in viewer.rows())
    log.unlink()


def test_who_goes_to_another_line_stays_there_while_the_log_grows(viewer: Viewer, folder: Path) -> None:
    log, keyboard = folder / "read.log", viewer.page.keyboard
    log.write_text("".join(f"line {number}\n" for number in range(1, 501)))
    viewer.open("read.log")
    following, new_lines = viewer.window.status("Following"), viewer.part("#new-lines")

    def grow() -> None:
        last = log.read_text().count("\n")
        with log.open("a") as file:
            file.writelines(f"line {number}\n" for number in range(last + 1, last + 4))
        viewer.window.status(f"/ {last + 3}").wait_for()

    keyboard.press("Control+End")
    following.wait_for()
    keyboard.press("Shift+ArrowUp")
    grow()
    expect(new_lines).to_have_text("↓ 3 new lines")
    keyboard.press("Shift+ArrowUp")
    keyboard.press("Control+C")
    viewer.window.until(viewer.clipboard, lambda text: text == "line 498\nline 499\nline 500\n")
    new_lines.click()
    following.wait_for()
    viewer.part("#line-495 .content").click()
    grow()
    assert viewer.current() == 495
    expect(new_lines).to_have_text("↓ 3 new lines")
    keyboard.press("Control+End")
    following.wait_for()
    keyboard.press("f")
    following.wait_for(state="hidden")
    keyboard.press("ArrowRight")
    viewer.window.status("506 / 506").wait_for()
    viewer.page.wait_for_timeout(300)  # longer than it takes to tell of a move
    expect(following).to_be_hidden()
    keyboard.press("Control+Home")
    log.rename(folder / "read.log.1")
    log.write_text("line 1\n")
    viewer.window.status("/ 1,").wait_for()
    for each in (log, folder / "read.log.1"):
        each.unlink()


def test_a_log_is_still_followed_after_another_tab_was_shown(viewer: Viewer, folder: Path) -> None:
    log = folder / "kept.log"
    log.write_text("".join(f"line {number}\n" for number in range(1, 501)))
    viewer.open("kept.log")
    viewer.page.keyboard.press("Control+End")
    following = viewer.window.status("Following")
    following.wait_for()
    viewer.open("notes.txt")
    following.wait_for(state="hidden")
    with log.open("a") as file:
        file.write("line 501\n")
    viewer.page.locator(".tab", has_text="kept.log").click()
    following.wait_for()
    viewer.wait_until_current(501)
    log.unlink()


def test_a_line_that_is_written_in_pieces_is_shown_as_it_grows(viewer: Viewer, folder: Path) -> None:
    log = folder / "pieces.log"
    log.write_text("started\nworking")
    viewer.open("pieces.log")
    for piece in ("...", " done\n"):
        with log.open("a") as file:
            file.write(piece)
        expect(viewer.part("#line-2 .content")).to_have_text(log.read_text().splitlines()[-1])
    assert viewer.window.status("/ 2,").is_visible()
    log.unlink()


def test_what_a_link_leads_to_is_read_and_followed_wherever_it_is(viewer: Viewer, folder: Path, tmp_path: Path) -> None:
    for name in ("pods", "containers"):
        (tmp_path / name).mkdir()
    log = tmp_path / "containers/app.log"
    log.write_text("line 1\n")
    (tmp_path / "pods/app.log").symlink_to(log)
    (folder / "latest.log").symlink_to(tmp_path / "pods/app.log")
    viewer.open("latest.log")
    with log.open("a") as file:
        file.write("line 2\n")
    viewer.window.until(viewer.rows, lambda rows: [row.text for row in rows] == ["line 1", "line 2"])
    (folder / "latest.log").unlink()


_FAST_WRITER = """
import sys, time
with open(sys.argv[1], "a") as log:
    for number in range(501, 901):
        print("line", number, file=log, flush=True)
        time.sleep(0.005)
"""


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
    keyboard.press("Escape")
    expect(viewer.part("#banner")).to_be_hidden()
    viewer.find("2")
    viewer.window.status("2 / 2, Col 6").wait_for()
    keyboard.press("Escape")
    os.truncate(log, len("line 1\n"))
    expect(viewer.part("#banner")).to_contain_text("live.log was truncated")
    expect(viewer.part("#banner button")).to_have_text("Show the Old Lines")
    viewer.window.status("1 / 1, Col 1").wait_for()
    for each in (log, folder / "live.log.1"):
        each.unlink()


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
    # What is on the screen stays until the new text is there.
    viewer.window.until(viewer.rows, lambda rows: all(row.text == f"line {row.number} after" for row in rows))
    log.unlink()
    expect(viewer.part("#banner")).to_contain_text("growing.log was deleted or moved.")
    assert all(row.text == f"line {row.number} after" for row in viewer.rows())
    viewer.page.keyboard.press("Control+End")
    expect(viewer.part("#failure p")).to_contain_text("growing.log is not there any more")
    viewer.page.keyboard.press("Control+Home")
    expect(viewer.part("#failure")).to_be_hidden()
    log.write_text("line 1 again\n")
    expect(viewer.part("#banner")).to_contain_text("start at 1 again")
    viewer.window.until(viewer.rows, lambda rows: rows == [Row(1, "line 1 again")])
    log.unlink()


def test_after_truncation_every_line_that_was_read_comes_back_with_number_color_and_find(
    viewer: Viewer, folder: Path
) -> None:
    log, keyboard = folder / "rotated.log", viewer.page.keyboard
    log.write_text("".join(f"\x1b[31mred\x1b[0m line {number}\n" for number in range(1, 5001)))
    viewer.open("rotated.log")
    viewer.go_to("2500")
    viewer.wait_until_current(2500)
    viewer.rows()
    log.write_text("new\n")
    button = viewer.part("#banner button")
    expect(button).to_have_text("Show the Old Lines")
    viewer.window.until(viewer.rows, lambda rows: [row.text for row in rows] == ["new"])
    button.click()
    expect(button).to_have_text("Back to the New Lines")
    viewer.find("line 2500")
    outcome = viewer.part("#find output")
    expect(outcome).to_contain_text("1 of 1 line")
    expect(outcome).to_have_attribute("title", re.compile("^Line 2,500,"))
    expect(viewer.part("#spoken")).to_have_text("Found in line 2,500: red line 2500")
    viewer.window.until(viewer.current, lambda line: line == 2500)
    rows = viewer.rows()
    assert len(rows) > 20
    assert all(row.text == f"red line {row.number}" for row in rows)
    red = viewer.part(".row.current .content > span").first
    assert red.evaluate("part => part.style.color") == "var(--ansiRed)"
    viewer.part("#find input").fill("line 1")
    expect(outcome).to_contain_text("lines")
    keyboard.press("Escape")
    keyboard.press("Control+Home")
    viewer.window.until(viewer.current, lambda line: line == 1)
    button.click()
    viewer.window.until(viewer.rows, lambda rows: [row.text for row in rows] == ["new"])
    keyboard.press("Escape")
    expect(viewer.part("#banner")).to_be_hidden()
    log.unlink()
