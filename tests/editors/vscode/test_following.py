"""Following a log: what switches it on and off, and how new lines come."""

import subprocess
import sys
from pathlib import Path

from playwright.sync_api import expect

from editors.vscode.conftest import OpenWindow, StartCode
from editors.vscode.viewer import Viewer

_WRITER = """
import sys, time
with open(sys.argv[1], "a") as log:
    for number in range(501, 901):
        print("line", number, file=log, flush=True)
        time.sleep(0.005)
"""
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


def test_lines_that_are_appended_come_with_their_text(viewer: Viewer, folder: Path) -> None:
    log = folder / "fast.log"
    log.write_text("".join(f"line {number}\n" for number in range(1, 501)))
    viewer.open("fast.log")
    viewer.page.keyboard.press("Control+End")
    viewer.wait_until_current(500)
    viewer.rows()
    viewer.window.status("Following").wait_for()
    with subprocess.Popen([sys.executable, "-c", _WRITER, log]):
        assert viewer.part("#rows").evaluate(_COUNT_EMPTY, "line-900") == 0
    assert all(row.text == f"line {row.number}" for row in viewer.rows())
    log.unlink()


def test_a_filter_that_no_line_matches_yet_is_followed(viewer: Viewer, folder: Path) -> None:
    log, keyboard = folder / "quiet.log", viewer.page.keyboard
    log.write_text("INFO quiet\n" * 500)
    viewer.open("quiet.log")
    keyboard.press("Control+End")
    following = viewer.window.status("Following")
    following.wait_for()
    keyboard.press("&")
    field = viewer.part("#filter .field input")
    expect(field).to_be_focused()
    field.fill("ERROR")
    expect(viewer.part("#filter output")).to_have_text("No line matches")
    for count in (1, 100):
        with log.open("a") as file:
            file.write("ERROR loud\n" * count)
        last = log.read_text().count("\n")
        expect(viewer.part(".row .number").last).to_have_text(str(last))
        expect(following).to_be_visible()
    keyboard.press("Escape")
    keyboard.press("Escape")
    expect(viewer.part("#filter")).to_be_hidden()
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
