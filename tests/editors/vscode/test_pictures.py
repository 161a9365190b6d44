"""The pictures of the documents, taken of what the viewer really shows.

`FORGE_LOG_BYTES` says how large the log is: 1,073,741,824 for the documents.
"""

import gzip
import json
import re
from pathlib import Path

from playwright.sync_api import expect

from tests.editors.vscode.conftest import TakePicture
from tests.editors.vscode.logs import log_line
from tests.editors.vscode.viewer import Viewer

_SCAN_MS = 120_000
"""For every line of a large file."""
_RED, _GREEN, _BOLD, _OFF = "\x1b[31m", "\x1b[38;5;42m", "\x1b[1m", "\x1b[0m"
_COLORED = (
    f"{_RED}connection{_OFF} {_GREEN}refused{_OFF} by {_BOLD}db-{_RED}7{_OFF}\n"
    "see \x1b]8;;https://example.org/runbook\x1b\\the runbook\x1b]8;;\x1b\\ first\n"
    f"{_GREEN}GET{_OFF} /orders \x1b[48;2;0;60;90m 200 {_OFF} \x1b[2min 12 ms{_OFF}\n"
    f"{_BOLD}POST{_OFF} /orders \x1b[41m 500 {_OFF} \x1b[3;4mretried\x1b[0m \x1b[7mtwice\x1b[0m\n"
)


def test_a_picture_of_a_search(server_log: Viewer, take_picture: TakePicture) -> None:
    server_log.go_to("1204113")
    server_log.wait_until_current(1_204_113)
    server_log.page.keyboard.press("m")
    server_log.find("slow query")
    expect(server_log.part("#find output")).to_contain_text("lines", timeout=_SCAN_MS)
    server_log.window.status("1,204,114 / ").wait_for()
    take_picture(server_log, "viewer.png")
    server_log.page.keyboard.press("Escape")
    server_log.go_to("1204113")
    server_log.wait_until_current(1_204_113)
    server_log.page.keyboard.press("m")


def test_pictures_of_a_filter_and_of_a_linked_view(viewer: Viewer, take_picture: TakePicture) -> None:
    viewer.open("times.log")
    keyboard = viewer.page.keyboard
    keyboard.press("Control+Home")
    viewer.wait_until_current(1)
    viewer.page.set_viewport_size({"width": 900, "height": 500})  # the chips are where they are in the picture
    keyboard.press("Control+Alt+F")
    chips = viewer.part("#filter .chip")
    for count, (pattern, role) in enumerate((("timed out", "or"), ("slow query", "or"), ("worker-3", "not")), 1):
        keyboard.type(pattern)
        while viewer.part("#filter .field .role").text_content() != role:
            keyboard.press("Alt+O")
        keyboard.press("Enter")
        expect(chips).to_have_count(count)
    expect(viewer.part("#filter output")).to_contain_text(re.compile(r"^[\d,]+ of"))
    viewer.part("#filter .chips").evaluate("chips => { chips.scrollLeft = 0; }")
    keyboard.press("ArrowDown")
    take_picture(viewer, "filter.png")
    viewer.window.run("Forge: Open Linked View to the Side")
    frames = viewer.page.frame_locator("iframe.webview.ready")
    left, right = (frames.nth(side).frame_locator("#active-frame") for side in (0, 1))
    expect(right.locator("#rows .row").first).to_be_visible()
    for _ in range(9):
        keyboard.press("ArrowDown")
    expect(right.locator(".row.current .number")).not_to_have_text("7")
    take_picture(viewer, "linked.png")
    for _ in range(3):
        left.locator("#filter .chip .switch").last.focus()
        keyboard.press("Delete")
    left.locator("#filter .close").click()
    expect(left.locator("#filter")).to_be_hidden()


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


def test_a_picture_of_a_colored_log(viewer: Viewer, folder: Path, take_picture: TakePicture) -> None:
    (folder / "terminal.log").write_text(_COLORED * 8)
    viewer.open("terminal.log")
    viewer.find("connection refused")
    expect(viewer.part("#find output")).to_have_text("1 of 8 lines")
    take_picture(viewer, "colors.png")
    viewer.page.keyboard.press("Escape")
    (folder / "terminal.log").unlink()


def test_a_picture_of_fields_and_labels(viewer: Viewer, folder: Path, take_picture: TakePicture) -> None:
    log = folder / "app.jsonl"
    lines = (
        {
            "time": f"2026-11-18T01:{n // 60:02}:{n % 60:02}Z",
            "level": (30, 30, 40, 50)[n % 4],
            "msg": ("request done", "cache miss", "slow query", "timed out")[n % 4],
            "req": {"method": "GET", "url": f"/orders/{n * 7919 % 900}", "ms": n * 31 % 1700},
        }
        for n in range(1, 101)
    )
    log.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    viewer.open("app.jsonl")
    viewer.window.run("Forge: Show Fields of Line")
    viewer.window.until(viewer.window.lines, lambda lines: lines[1:2] == ["{"])
    viewer.page.keyboard.press("ArrowDown")
    viewer.page.keyboard.press("ArrowDown")
    viewer.window.until(viewer.window.lines, lambda lines: "timed out" in "".join(lines))
    take_picture(viewer, "fields.png")
    log.unlink()


_CAUSES = (
    ("payment 4711 timed out", "java.net.SocketTimeoutException: no answer from payments:8443", "Payments.charge"),
    ("cannot reserve stock", "java.lang.IllegalStateException: negative stock of item 1203", "Stock.reserve"),
    ("order 20931 is lost", "java.sql.SQLException: deadlock found when trying to get lock", "Orders.save"),
)


def _shop_log() -> list[str]:
    """Three hours, of which the second one is the worst."""
    lines = []
    for second in range(0, 3 * 3600, 4):
        at = f"2026-11-18 {13 + second // 3600}:{second // 60 % 60:02}:{second % 60:02},{second * 37 % 1000:03}"
        if second % (600 if second // 3600 == 1 else 2400) == 400:
            text, cause, place = _CAUSES[second // 600 % 3]
            lines += [
                f"{at} ERROR [worker-{second // 4 % 8}] {text}\n",
                f"{cause}\n",
                *(f"\tat com.example.shop.{place}({place.split('.')[0]}.java:{40 + n * 17})\n" for n in range(2)),
                "\tat com.example.shop.Checkout.run(Checkout.java:88)\n",
            ]
        else:
            lines.append(f"{at} INFO  [worker-{second // 4 % 8}] GET /cart/{second * 7919 % 90_000} 200\n")
    return lines


def test_a_picture_of_an_hour_of_errors_over_rotated_files(
    viewer: Viewer, folder: Path, take_picture: TakePicture
) -> None:
    lines = _shop_log()
    cuts = [next(n for n, line in enumerate(lines) if line.startswith(f"2026-11-18 {at}")) for at in ("14:20", "14:45")]
    with gzip.open(folder / "shop.log.2.gz", "wt") as oldest:
        oldest.writelines(lines[: cuts[0]])
    (folder / "shop.log.1").write_text("".join(lines[cuts[0] : cuts[1]]))
    (folder / "shop.log").write_text("".join(lines[cuts[1] :]))
    viewer.choose("shop.log", "Open with Rotated Files")
    viewer.wait_for_rows("shop.log")
    viewer.window.status(f" / {len(lines):,}").wait_for()
    viewer.page.keyboard.press("l")
    viewer.window.pick("Error")
    figures = viewer.part("#filter output")
    expect(figures).to_contain_text(" of ")
    for number, (time, shown, key) in enumerate((("14:00", "18 14:06", "s"), ("14:56", "18 14:56", "u")), 1):
        viewer.go_to(time)
        expect(viewer.part(".row.current[data-level]")).to_contain_text(shown)
        expect(viewer.part("#rows")).to_be_focused()
        viewer.page.keyboard.press(key)
        expect(viewer.part("#filter .bound")).to_have_count(number)
    in_hour = sum(line.startswith("2026-11-18 14:") and " ERROR " in line for line in lines)
    expect(figures).to_have_text(f"{5 * in_hour} of {len(lines):,} lines")
    viewer.page.keyboard.press("Control+Home")
    viewer.page.keyboard.press("Escape")  # what was said of the time
    expect(viewer.part(".boundary")).not_to_have_count(0)
    take_picture(viewer, "errors.png")
    viewer.window.run("Forge: Filter: Any Level and Time")
    viewer.part("#filter .close").click()
    for name in ("shop.log", "shop.log.1", "shop.log.2.gz"):
        (folder / name).unlink()
