"""The filter of the viewer, in a real VS Code, compared with what the lines are."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.editors.vscode.logs import log_line
from tests.editors.vscode.viewer import Row, Viewer

_TIMES = {number: log_line(number).rstrip("\n") for number in range(1, 50_001)}
"""The lines of `times.log`."""


def _shows(viewer: Viewer, lines: list[int]) -> list[Row]:
    """The rows, once they are the first of these lines."""
    wanted = [Row(number, _TIMES[number]) for number in lines]
    return viewer.window.until(viewer.rows, lambda rows: rows == wanted[: len(rows)])


def _keep(viewer: Viewer, pattern: str, role: str = "or", name: str = "") -> None:
    """As a chip."""
    chips = viewer.part("#filter .chip .switch")
    count = chips.count()
    field = viewer.part("#filter .field input")
    if not field.evaluate("input => input === document.activeElement"):
        viewer.page.keyboard.press("Control+Alt+F")
        expect(field).to_be_focused()
    field.fill(pattern)
    while viewer.part("#filter .field .role").text_content() != role:
        viewer.page.keyboard.press("Alt+O")
    viewer.page.keyboard.press("Enter")
    expect(chips).to_have_count(count + 1)
    expect(chips.last).to_have_text(pattern)
    if name:
        _edit(viewer, count)
        viewer.part("#filter .name").fill(name)
        viewer.page.keyboard.press("Enter")
        expect(chips.last).to_have_text(name)


def _edit(viewer: Viewer, chip: int) -> None:
    """The buttons of a chip are there while the pointer is."""
    edit = viewer.part("#filter .chip").nth(chip).locator(".edit")
    viewer.page.mouse.move(5, 5)
    expect(edit).to_be_hidden()
    viewer.part("#filter .chip .switch").nth(chip).hover()
    edit.click()


def _remove_chips(viewer: Viewer, count: int) -> None:
    chips = viewer.part("#filter .chip .switch")
    for left in reversed(range(count)):
        chips.first.focus()
        viewer.page.keyboard.press("Delete")
        expect(chips).to_have_count(left)
    expect(viewer.part("#filter output")).to_have_text("")
    viewer.part("#filter .close").click()


def test_a_filter_shows_only_the_lines_that_match_with_their_own_numbers(viewer: Viewer) -> None:
    keyboard, figures = viewer.page.keyboard, viewer.part("#filter output")
    errors = [number for number, text in _TIMES.items() if " ERROR " in text]
    without_three = [number for number in errors if "worker-3" not in _TIMES[number]]
    viewer.open("times.log")
    keyboard.press("Control+Home")
    viewer.wait_until_current(1)
    keyboard.press("Control+Alt+F")
    field = viewer.part("#filter .field input")
    expect(field).to_be_focused()
    field.fill(" ERROR ")
    expect(figures).to_have_text(f"{len(errors):,} of 50,000 lines")
    assert len(_shows(viewer, errors)) > 20
    viewer.window.status(f"{len(errors):,} lines").wait_for()
    _keep(viewer, " ERROR ")
    _keep(viewer, "worker-3", "not", "the third")
    expect(figures).to_have_text(f"{len(without_three):,} of 50,000 lines")
    _shows(viewer, without_three)

    # Find, copy, go to line and the next error stay among these.
    viewer.go_to("30,000")
    at = next(number for number in without_three if number >= 30_000)
    viewer.window.status(f"{at:,} / 50,000").wait_for()
    keyboard.press("F8")
    after = without_three[without_three.index(at) + 1]
    viewer.window.status(f"{after:,} / 50,000").wait_for()
    matching = [number for number in without_three if "payment 7" in _TIMES[number]]
    viewer.find("payment 7")
    following = next(number for number in matching if number >= after)
    expect(viewer.part("#find output")).to_have_text(f"{matching.index(following) + 1} of {len(matching)} lines")
    viewer.window.status(f"{following:,} / 50,000").wait_for()
    keyboard.press("Escape")
    keyboard.press("Shift+ArrowDown")
    viewer.window.run("Forge: Copy with Line Numbers")
    two = without_three[without_three.index(following) :][:2]
    viewer.window.until(viewer.clipboard, lambda text: text == "".join(f"{n}: {_TIMES[n]}\n" for n in two))

    # To the line in the whole file, and back.
    viewer.part(".row.current .number").click()
    keyboard.press("Escape")
    keyboard.press("Enter")
    expect(figures).to_have_text("All 50,000 lines")
    viewer.wait_until_current(two[1])
    keyboard.press("Enter")
    expect(figures).to_have_text(f"{len(without_three):,} of 50,000 lines")
    viewer.window.until(viewer.current, lambda line: line == two[1])
    viewer.part(".row.current .content").dblclick()
    expect(figures).to_have_text("All 50,000 lines")
    viewer.wait_until_current(two[1])
    _remove_chips(viewer, 2)


def test_filters_are_chips_that_are_switched_and_kept_for_the_workspace(viewer: Viewer) -> None:
    keyboard, figures = viewer.page.keyboard, viewer.part("#filter output")
    with_three = [number for number, text in _TIMES.items() if "worker-3" not in text]
    viewer.open("times.log")
    keyboard.press("Control+Home")
    viewer.wait_until_current(1)
    _keep(viewer, " ERROR ")
    _keep(viewer, "worker-3", "not", "the third")
    viewer.part("#filter .close").click()
    keyboard.press("&")
    chips = viewer.part("#filter .chip .switch")
    expect(chips).to_have_text([" ERROR ", "the third"])
    chips.first.click()
    expect(figures).to_have_text(f"{len(with_three):,} of 50,000 lines")
    _shows(viewer, with_three)
    _edit(viewer, 1)
    viewer.part("#filter .field input").fill("worker-(")
    viewer.part("#filter .regex").click()
    expect(viewer.part("#filter-problem")).to_have_text("A ) is missing.")
    field = viewer.part("#filter .field input")
    field.press("ArrowUp")
    expect(field).to_have_value("worker-3")
    field.press("ArrowUp")
    expect(field).to_have_value(" ERROR ")
    field.press("ArrowDown")
    field.press("ArrowDown")
    expect(field).to_have_value("worker-(")
    viewer.part("#rows").focus()
    keyboard.press("&")
    expect(field).to_be_focused()
    expect(viewer.part("#filter .chip.edited")).to_have_count(1)
    viewer.part("#filter .field input").fill("worker-[37]")
    viewer.part("#filter .field input").press("Enter")
    without_two = [number for number in with_three if "worker-7" not in _TIMES[number]]
    expect(figures).to_have_text(f"{len(without_two):,} of 50,000 lines")
    # A reload sooner than that loses the tab itself, its open filter, that nothing is typed into it, or the chip.
    stored = re.compile(r"open\W+true.*draft\W+query\W+pattern\W+regex.*worker-\[37\]")
    viewer.window.until(viewer.window.kept, lambda state: stored.search(state) is not None)
    viewer.window.until(viewer.window.remembered, lambda state: "worker-[37]" in state)
    viewer.page.reload()
    viewer.wait_for_rows("times.log")
    expect(figures).to_have_text(f"{len(without_two):,} of 50,000 lines")
    _remove_chips(viewer, 2)
    viewer.window.until(viewer.rows, lambda rows: rows[0].number + 1 == rows[1].number)


def test_an_expression_that_is_not_finished_leaves_the_lines_shown_before(viewer: Viewer) -> None:
    keyboard = viewer.page.keyboard
    errors = [number for number, text in _TIMES.items() if " ERROR " in text]
    viewer.open("times.log")
    keyboard.press("Control+Home")
    viewer.wait_until_current(1)
    keyboard.press("&")
    field = viewer.part("#filter .field input")
    expect(field).to_be_focused()
    viewer.part("#filter .regex").click()
    field.fill(" ERROR ")
    expect(viewer.part("#filter output")).to_have_text(f"{len(errors):,} of 50,000 lines")
    field.fill(" ERROR (")
    expect(viewer.part("#filter-problem")).to_have_text("A ) is missing.")
    viewer.part("#rows").focus()
    keyboard.press("Control+End")
    viewer.window.until(viewer.current, lambda line: line == errors[-1])
    assert all(row.text == _TIMES[row.number] and row.number in errors for row in viewer.rows())
    keyboard.press("&")
    keyboard.press("Escape")
    viewer.part("#filter .regex").click()
    keyboard.press("Escape")
    expect(viewer.part("#filter")).to_be_hidden()


def test_a_filter_stays_where_it_is_when_the_file_is_written_again(viewer: Viewer, folder: Path) -> None:
    log, keyboard = folder / "rewritten.log", viewer.page.keyboard
    log.write_text("".join(f"{'odd' if number % 2 else 'even'} {number}\n" for number in range(1, 1001)))
    viewer.open("rewritten.log")
    keyboard.press("&")
    field = viewer.part("#filter .field input")
    expect(field).to_be_focused()
    field.fill("even")
    expect(viewer.part("#filter output")).to_have_text("500 of 1,000 lines")
    viewer.go_to("600")
    viewer.window.until(viewer.current, lambda line: line == 600)
    log.write_text("".join(f"{'odd' if number % 2 else 'even'} number {number}\n" for number in range(1, 1201)))
    expect(viewer.part("#filter output")).to_have_text("600 of 1,200 lines")
    viewer.window.until(viewer.current, lambda line: line == 600)
    assert all(row.text == f"even number {row.number}" for row in viewer.rows())
    keyboard.press("&")
    keyboard.press("Escape")
    keyboard.press("Escape")
    expect(viewer.part("#filter")).to_be_hidden()
    log.unlink()


def test_a_filter_by_what_is_selected_has_no_name_of_a_chip_that_was_edited(viewer: Viewer) -> None:
    viewer.open("notes.txt")
    _keep(viewer, "beta", "not", "no beta")
    _edit(viewer, 0)
    name = viewer.part("#filter .name")
    expect(name).to_have_value("no beta")
    viewer.part("#rows").focus()
    viewer.window.run("Forge: Filter by Selection")
    expect(viewer.part("#filter .field input")).to_have_value("alpha")
    expect(name).to_have_value("")
    viewer.page.keyboard.press("Escape")
    _remove_chips(viewer, 1)


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


def test_terms_are_joined_by_or_and_and_not_as_the_menu_of_a_chip_says(viewer: Viewer) -> None:
    figures = viewer.part("#filter output")
    viewer.open("times.log")
    _keep(viewer, " ERROR ")
    _keep(viewer, "worker-3")
    counts = {
        "Or": sum(" ERROR " in text or "worker-3" in text for text in _TIMES.values()),
        "And": sum(" ERROR " in text and "worker-3" in text for text in _TIMES.values()),
        "Not": sum(" ERROR " in text and "worker-3" not in text for text in _TIMES.values()),
    }
    expect(figures).to_have_text(f"{counts['Or']:,} of 50,000 lines")
    for role in ("And", "Not", "Or"):
        viewer.part("#filter .chip .role").nth(1).click()
        viewer.choose_in_menu(f"{role}:")
        expect(viewer.part("#filter .chip .role").nth(1)).to_have_text(role.lower())
        expect(figures).to_have_text(f"{counts[role]:,} of 50,000 lines")
    viewer.part("#filter .chip .switch").nth(1).click(button="right")
    viewer.choose_in_menu("Remove")
    expect(viewer.part("#filter .chip")).to_have_count(1)
    _remove_chips(viewer, 1)


def test_enter_keeps_a_filter_and_the_field_is_ready_for_the_next(viewer: Viewer) -> None:
    viewer.open("times.log")
    keyboard = viewer.page.keyboard
    keyboard.press("Control+Alt+F")
    keyboard.type("gains")  # g and n are keys of the lines
    field = viewer.part("#filter .field input")
    expect(field).to_have_value("gains")
    keyboard.press("Enter")
    keyboard.type("more")
    expect(field).to_have_value("more")
    expect(viewer.part("#filter .chip .switch")).to_have_text(["gains"])
    keyboard.press("Escape")
    _remove_chips(viewer, 1)


def test_chips_of_the_workspace_are_off_in_another_file_until_they_are_switched_on(viewer: Viewer) -> None:
    viewer.open("times.log")
    _keep(viewer, " ERROR ")
    viewer.open("notes.txt")
    viewer.page.keyboard.press("&")
    chip = viewer.part("#filter .chip .switch")
    expect(chip).to_have_attribute("aria-pressed", "false")
    assert [row.text for row in viewer.rows()] == ["alpha", "beta"]
    chip.click()
    expect(viewer.part("#filter output")).to_have_text("No line matches")
    _remove_chips(viewer, 1)


def test_the_bar_is_one_row_with_the_count_and_close_at_the_right_however_many_chips_there_are(viewer: Viewer) -> None:
    viewer.open("times.log")
    patterns = [f"worker-{number} GET /api/orders" for number in range(8)]
    for pattern in patterns:
        _keep(viewer, pattern)
    bar = viewer.box("#filter")
    assert bar["height"] < 40
    for part in ("#filter output", "#filter .close"):
        box = viewer.box(part)
        assert box["x"] + box["width"] <= bar["x"] + bar["width"]
    last = viewer.part("#filter .chip").last.bounding_box()
    assert last
    assert last["x"] + last["width"] <= viewer.box("#filter output")["x"], "the newest chip is scrolled into sight"
    viewer.page.set_viewport_size({"width": 640, "height": 480})
    pane = viewer.window.until(lambda: viewer.box("#view"), lambda pane: pane["width"] < 330)
    rows, field = (viewer.box(part) for part in ("#rows", "#filter .field input"))
    viewer.page.set_viewport_size({"width": 1280, "height": 800})
    viewer.window.until(lambda: viewer.box("#view"), lambda pane: pane["width"] > 600)
    assert rows["height"] > 0.75 * pane["height"]
    assert field["width"] > 120
    _remove_chips(viewer, len(patterns))


@pytest.mark.parametrize("key", ["Alt+R", "Alt+C", "Alt+W", "Alt+O"])
def test_keys_of_the_fields_stop_there(viewer: Viewer, key: str) -> None:
    viewer.open("notes.txt")
    viewer.page.keyboard.press("&")
    expect(viewer.part("#filter .field input")).to_be_focused()
    toggles = "form => [form.querySelector('.role').textContent, form.querySelectorAll('[aria-pressed=true]').length]"
    before = viewer.part("#filter").evaluate(toggles)
    viewer.page.keyboard.press(key)
    assert viewer.part("#filter").evaluate(toggles) != before
    viewer.page.wait_for_timeout(300)  # VS Code would open a menu
    expect(viewer.page.locator(".monaco-menu")).to_have_count(0)
    expect(viewer.part("#filter .field input")).to_be_focused()
    for _ in range(2 if key == "Alt+O" else 1):
        viewer.page.keyboard.press(key)
    viewer.page.keyboard.press("Escape")
