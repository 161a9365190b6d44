"""Levels, times, records and rotated files in the viewer: what people look for in a log that is not a line."""

import gzip
import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.editors.vscode.viewer import Viewer

_TRACE = [f"    at com.example.Payments.step{n}(Payments.java:{n})" for n in range(1, 41)]
_FILTERS = "#filter .conditions"


def _stamp(second: int) -> str:
    return f"2026-11-18 {14 + second // 3600:02}:{second // 60 % 60:02}:{second % 60:02},000"


def _log() -> list[str]:
    """A record each second for ten minutes; errors with traces each minute, and a silence of five minutes."""
    lines = []
    for second in range(600):
        at = second if second < 300 else second + 300
        if second % 60 == 30:
            lines += [f"{_stamp(at)} ERROR [worker-{second % 7}] payment {second} failed", *_TRACE]
        elif second % 60 == 45:
            lines.append(f"{_stamp(at)} WARN  [worker-1] slow query {second}")
        else:
            lines.append(f"{_stamp(at)} INFO  [worker-2] request {second}")
    return lines


@pytest.fixture
def app_log(viewer: Viewer, folder: Path) -> Viewer:
    (folder / "app.log").write_text("".join(f"{line}\n" for line in _log()))
    viewer.open("app.log")
    viewer.page.keyboard.press("Control+Home")
    viewer.wait_until_current(1)
    expect(viewer.part("#line-1[data-level=info]")).to_be_visible()  # the daemon has told of the records
    return viewer


def _close_filter(viewer: Viewer) -> None:
    viewer.window.run("Forge: Filter: Any Level and Time")
    viewer.part("#filter .close").click()
    expect(viewer.part("#filter")).to_be_hidden()


def _number_of(text: str) -> int:
    return next(number for number, line in enumerate(_log(), 1) if text in line)


def test_a_level_is_picked_in_the_bar_by_key_and_in_the_palette(app_log: Viewer) -> None:
    total, errors = len(_log()), 10 * (1 + len(_TRACE))
    figures = app_log.part("#filter output")
    app_log.page.keyboard.press("l")
    app_log.window.pick("Error")
    expect(figures).to_have_text(f"{errors} of {total:,} lines")
    assert all("ERROR" in row.text or row.text in _TRACE for row in app_log.rows())
    expect(app_log.part(f"{_FILTERS} .level")).to_have_value("error")
    app_log.part(f"{_FILTERS} .level").select_option("warning")
    expect(figures).to_have_text(f"{errors + 10} of {total:,} lines")
    app_log.window.run("Forge: Filter by Level")
    app_log.window.pick("All Levels")
    expect(figures).to_have_text("")
    _close_filter(app_log)


def test_lines_are_filtered_from_here_on_until_here_and_to_this_minute(app_log: Viewer) -> None:
    keyboard, figures = app_log.page.keyboard, app_log.part("#filter output")
    lines = _log()
    from_line, until_line = _number_of("request 100"), _number_of("request 110")
    app_log.go_to(str(from_line))
    app_log.wait_until_current(from_line)
    expect(app_log.part(f"#line-{from_line}[data-level]")).to_be_visible()
    keyboard.press("s")
    expect(figures).to_have_text(f"{len(lines) - from_line + 1} of {len(lines):,} lines")
    app_log.go_to(str(until_line))
    app_log.window.until(app_log.current, lambda line: line == until_line)
    expect(app_log.part(".row.current[data-level]")).to_be_visible()
    app_log.part(".row.current .content").click(button="right")
    app_log.choose_in_menu("Until Here")
    expect(figures).to_have_text(f"{until_line - from_line + 1} of {len(lines):,} lines")
    expect(app_log.part(f"{_FILTERS} .bound")).to_have_text(["from 14:01:40 ✕", "until 14:01:51 ✕"])
    app_log.part(f"{_FILTERS} .bound").first.click()
    expect(app_log.part("#rows")).to_be_focused()
    app_log.window.run("Forge: Filter: This Minute")
    in_minute = sum(" 14:01:" in line for line in lines) + len(_TRACE)
    expect(figures).to_have_text(f"{in_minute} of {len(lines):,} lines")
    _close_filter(app_log)


def test_a_match_shows_its_whole_record_lines_around_it_or_only_its_header(app_log: Viewer) -> None:
    keyboard, figures, total = app_log.page.keyboard, app_log.part("#filter output"), len(_log())
    keyboard.press("Control+Alt+F")
    field = app_log.part("#filter .field input")
    expect(field).to_be_focused()
    field.fill("Payments.step7(")
    expect(figures).to_have_text(f"10 of {total:,} lines")
    app_log.part("#rows").focus()
    keyboard.press("z")
    keyboard.press("z")
    expect(figures).to_have_text(f"50 of {total:,} lines")
    expect(app_log.part(".row.context")).not_to_have_count(0)
    assert [row.text for row in app_log.rows()[:5]] == _TRACE[4:9]
    keyboard.press("Shift+Z")
    expect(figures).to_have_text(f"30 of {total:,} lines")
    keyboard.press("Shift+Z")
    keyboard.press("r")
    expect(figures).to_have_text(f"{10 * (1 + len(_TRACE))} of {total:,} lines")
    assert "ERROR" in app_log.rows()[0].text
    keyboard.press("-")
    expect(figures).to_have_text(f"10 of {total:,} lines")
    assert all("ERROR" in row.text for row in app_log.rows())
    # Find stays among what is shown.
    app_log.find("payment 330")
    expect(app_log.part("#find output")).to_have_text("1 of 1 line")
    app_log.window.until(app_log.current, lambda line: line == _number_of("payment 330"))
    keyboard.press("Escape")
    keyboard.press("&")
    keyboard.press("Escape")
    _close_filter(app_log)


def test_all_records_are_folded_where_nothing_else_is_filtered(app_log: Viewer) -> None:
    app_log.page.keyboard.press("-")
    expect(app_log.part("#filter output")).to_have_text(f"600 of {len(_log()):,} lines")
    app_log.page.keyboard.press("-")
    expect(app_log.part("#filter output")).to_have_text("")
    _close_filter(app_log)


def test_errors_are_gone_to_record_by_record(app_log: Viewer) -> None:
    for second in (30, 90, 150):
        app_log.page.keyboard.press("F8")
        app_log.wait_until_current(_number_of(f"payment {second} "))
    app_log.page.keyboard.press("Shift+F8")
    app_log.wait_until_current(_number_of("payment 90 "))


def test_the_header_of_a_record_stays_in_sight_while_its_trace_is_read(app_log: Viewer) -> None:
    header = _number_of("payment 90 ")
    sticky = app_log.part("#sticky")
    app_log.go_to(str(header + 28))
    app_log.wait_until_current(header + 28)
    app_log.part("#rows").hover()
    app_log.page.mouse.wheel(0, 300)
    expect(sticky).to_contain_text("payment 90 failed")
    expect(sticky.locator(".number")).to_have_text(f"{header}")
    sticky.click()
    app_log.wait_until_current(header)
    expect(sticky).to_be_hidden()


def test_a_trace_has_the_tint_of_its_record(app_log: Viewer) -> None:
    header = _number_of("payment 30 ")
    app_log.go_to(str(header + 3))
    app_log.wait_until_current(header + 3)
    expect(app_log.part(f"#line-{header + 3}[data-level=error]")).to_be_visible()


def test_silences_are_marked_and_a_selection_tells_how_long_it_took(app_log: Viewer) -> None:
    line = _number_of("request 300")
    app_log.go_to(str(line))
    app_log.wait_until_current(line)
    expect(app_log.part(".row[data-above]")).to_have_count(1)
    expect(app_log.part(f"#line-{line}")).to_have_attribute("data-above", "5 min 1 s later")
    app_log.window.run("Forge: Select Lines")
    app_log.window.answer("Select Lines", f"{_number_of('request 100')}-{line}")
    count = line - _number_of("request 100") + 1
    app_log.window.status(f"({count} lines selected, 8 min 20 s)").wait_for()
    app_log.page.keyboard.press("Escape")


def test_a_filter_is_saved_for_the_workspace_and_applied_in_another_file(app_log: Viewer, folder: Path) -> None:
    keyboard, figures, total = app_log.page.keyboard, app_log.part("#filter output"), len(_log())
    keyboard.press("Control+Alt+F")
    expect(app_log.part("#filter .field input")).to_be_focused()
    keyboard.type("payment 9")
    app_log.part(f"{_FILTERS} .records").click()
    app_log.part(f"{_FILTERS} .level").select_option("error")
    expect(figures).to_have_text(f"{1 + len(_TRACE)} of {total:,} lines")
    app_log.window.run("Forge: Save Filter")
    app_log.window.answer("A name for the filter", "Payment 9")
    settings = folder / ".vscode/settings.json"
    app_log.window.until(settings.exists, bool)
    wanted = [{"name": "Payment 9", "any": ["payment 9"], "level": "error", "records": True}]
    app_log.window.until(
        lambda: json.loads(settings.read_text() or "{}").get("forge.viewer.filters"), lambda saved: saved == wanted
    )
    app_log.part("#filter .field input").focus()
    keyboard.press("Escape")
    _close_filter(app_log)
    app_log.close()
    app_log.open("app.log")
    app_log.window.run("Forge: Apply Filter")
    app_log.window.pick("Payment 9")
    expect(figures).to_have_text(f"{1 + len(_TRACE)} of {total:,} lines")
    expect(app_log.part("#filter .chip .switch")).to_have_text(["payment 9"])
    app_log.part("#filter .chip .switch").focus()
    keyboard.press("Delete")
    expect(app_log.part("#filter .chip")).to_have_count(0)
    _close_filter(app_log)
    settings.unlink()


def test_a_view_of_all_rotated_files_is_followed_over_a_rotation(viewer: Viewer, folder: Path) -> None:
    names = ["turn.log", "turn.log.1", "turn.log.2"]
    newest, older, oldest = (folder / name for name in names)
    older.write_text("".join(f"{_stamp(second)} INFO  old {second}\n" for second in range(100)))
    newest.write_text("".join(f"{_stamp(second)} INFO  new {second}\n" for second in range(100, 300)))
    viewer.choose("turn.log", "Open with Rotated Files")
    viewer.wait_for_rows("turn.log")
    viewer.page.keyboard.press("Control+End")
    viewer.wait_until_current(300)
    viewer.window.status("Following").wait_for()
    older.rename(oldest)
    newest.rename(older)
    newest.write_text("".join(f"{_stamp(second)} INFO  newest {second}\n" for second in range(300, 310)))
    viewer.wait_until_current(310)
    expect(viewer.part("#line-301.boundary")).to_have_attribute("data-above", "turn.log")
    expect(viewer.part("#line-310")).to_contain_text("newest 309")
    with newest.open("a") as log:
        log.write(f"{_stamp(310)} INFO  newest 310\n")
    viewer.wait_until_current(311)
    viewer.window.status("Following").wait_for()
    for name in names:
        (folder / name).unlink()


def test_a_log_is_shown_with_its_rotated_files_as_one(viewer: Viewer, folder: Path) -> None:
    lines = [f"{line}\n" for line in _log()]
    parts = [lines[:300], lines[300:700], lines[700:]]
    with gzip.open(folder / "rot.log.2.gz", "wt") as oldest:
        oldest.writelines(parts[0])
    (folder / "rot.log.1").write_text("".join(parts[1]))
    newest = folder / "rot.log"
    newest.write_text("".join(parts[2]))
    viewer.choose("rot.log", "Open with Rotated Files")
    viewer.wait_for_rows("rot.log")
    viewer.window.status(f" / {len(lines):,}").wait_for()
    expect(viewer.part("#line-1.boundary")).to_have_attribute("data-above", "rot.log.2.gz")
    for start, name in ((301, "rot.log.1"), (701, "rot.log")):
        viewer.go_to(str(start))
        viewer.wait_until_current(start)
        expect(viewer.part(f"#line-{start}.boundary")).to_have_attribute("data-above", name)
    assert [row.text for row in viewer.rows()] == [line.rstrip("\n") for line in _log()[viewer.rows()[0].number - 1 :]][
        : len(viewer.rows())
    ]
    viewer.window.run("Forge: Copy Path with Line")
    viewer.window.until(viewer.clipboard, lambda text: text == "rot.log:1")
    # It grows, and every feature of a log is one over all of them.
    with newest.open("a") as log:
        log.write(f"{_stamp(4000)} INFO  [worker-2] last\n")
    viewer.window.status(f" / {len(lines) + 1:,}").wait_for()
    viewer.page.keyboard.press("l")
    viewer.window.pick("Error")
    expect(viewer.part("#filter output")).to_have_text(f"{10 * (1 + len(_TRACE))} of {len(lines) + 1:,} lines")
    _close_filter(viewer)
    for name in ("rot.log", "rot.log.1", "rot.log.2.gz"):
        (folder / name).unlink()
