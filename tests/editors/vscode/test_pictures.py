"""The pictures of the documents, taken of what the viewer really shows.

`FORGE_LOG_BYTES` says how large the log is: 1,073,741,824 for the documents.
"""

import re
from pathlib import Path

from playwright.sync_api import expect

from editors.vscode.conftest import TakePicture
from editors.vscode.logs import log_line
from editors.vscode.viewer import Viewer

_SCAN_MS = 120_000
"""For every line of a large file."""


def test_a_picture_of_a_search(server_log: Viewer, take_picture: TakePicture) -> None:
    server_log.go_to("1204113")
    server_log.wait_until_current(1_204_113)
    server_log.find("slow query")
    expect(server_log.part("#find output")).to_contain_text("lines", timeout=_SCAN_MS)
    server_log.window.status("1,204,114 / ").wait_for()
    take_picture(server_log, "viewer.png")


def test_a_picture_of_a_filter(viewer: Viewer, take_picture: TakePicture) -> None:
    viewer.open("times.log")
    viewer.page.keyboard.press("Control+Home")
    viewer.wait_until_current(1)
    viewer.page.keyboard.press("Control+Alt+F")
    field = viewer.part("#filter .field input")
    for count, pattern in enumerate(("timed out", "slow query", "worker-3"), 1):
        field.fill(pattern)
        if pattern == "worker-3":
            viewer.page.keyboard.press("Alt+O")
            viewer.part("#filter .name").fill("not worker 3")
        viewer.page.keyboard.press("Enter")
        expect(viewer.part("#filter .chip")).to_have_count(count)
        field.focus()
    expect(viewer.part("#filter output")).to_contain_text(re.compile(r"^[\d,]+ of"))
    take_picture(viewer, "filter.png")
    for _ in range(3):
        viewer.part("#filter .chip .switch").last.focus()
        viewer.page.keyboard.press("Delete")
    viewer.part("#filter .close").click()
    expect(viewer.part("#filter")).to_be_hidden()


def test_pictures_of_following_and_of_an_error(viewer: Viewer, folder: Path, take_picture: TakePicture) -> None:
    log = folder / "live.log"
    log.write_text("".join(map(log_line, range(1, 501))))
    viewer.open("live.log")
    viewer.page.keyboard.press("f")
    viewer.window.status("Following").wait_for()
    with log.open("a") as writer:
        writer.writelines(map(log_line, range(501, 511)))
    viewer.wait_until_current(510)
    take_picture(viewer, "follow.png")
    viewer.close()
    log.unlink()
    viewer.choose("binary.dat")
    expect(viewer.part("#failure button")).to_be_visible()
    take_picture(viewer, "failure.png")
