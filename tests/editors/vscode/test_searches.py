"""Find and filter in the viewer, in a real VS Code, compared with what the lines are."""

import re
from pathlib import Path

from playwright.sync_api import expect

from editors.vscode.logs import belongs, log_line
from editors.vscode.viewer import Row, Viewer

_TIMES = {number: log_line(number).rstrip("\n") for number in range(1, 50_001)}
"""The lines of `times.log`."""
# Whether all of the match is between the left and the right edge.
_IS_IN_SIGHT = """rows => {
  const edges = rows.querySelector('.text').getBoundingClientRect();
  const matches = [...CSS.highlights.get('current-match')].map(match => {
    const range = document.createRange();
    range.setStart(match.startContainer, match.startOffset);
    range.setEnd(match.endContainer, match.endOffset);
    return range.getBoundingClientRect();
  });
  return matches.length > 0 && matches.every(({ left, right }) => left >= edges.left && right <= edges.right);
}"""


def test_find_goes_through_the_whole_file_and_tells_which_of_how_many(server_log: Viewer, last_line: int) -> None:
    keyboard, outcome = server_log.page.keyboard, server_log.part("#find output")
    server_log.find("#100000")
    server_log.wait_until_current(100_000)
    expect(outcome).to_have_text("1 of 11 lines")
    keyboard.press("Enter")
    server_log.wait_until_current(1_000_000)
    expect(outcome).to_have_text("2 of 11 lines")
    keyboard.press("Enter")
    server_log.wait_until_current(1_000_001)
    keyboard.press("Shift+Enter")
    keyboard.press("Shift+Enter")
    server_log.wait_until_current(100_000)
    keyboard.press("Shift+Enter")
    expect(outcome).to_have_text("11 of 11 lines, from the end")
    server_log.part("#find .word").click()
    expect(outcome).to_have_text(re.compile("1 of 1 line"))
    server_log.wait_until_current(100_000)
    server_log.part("#find .word").click()
    server_log.part("#find .regex").click()
    server_log.part("#find input").fill(rf"#{last_line}\b.*worker-\d")
    server_log.wait_until_current(last_line)
    assert all(belongs(row) for row in server_log.rows())
    server_log.part("#find input").fill("worker (")
    expect(server_log.part("#find-problem")).to_have_text("The ( in column 8 is never closed.")
    expect(server_log.part("#find input")).to_have_attribute("aria-invalid", "true")
    server_log.part("#find .regex").click()
    server_log.part("#find input").press("ArrowUp")
    expect(server_log.part("#find input")).to_have_value("#100000")
    expect(server_log.part("#find-problem")).to_be_hidden()
    server_log.part("#find input").press("ArrowDown")
    expect(server_log.part("#find input")).to_have_value("worker (")
    keyboard.press("Escape")
    keyboard.press("Escape")
    expect(server_log.part("#find")).to_be_hidden()
    expect(server_log.part("#rows")).to_be_focused()


def test_what_is_selected_is_looked_for_and_counted_at_once(viewer: Viewer) -> None:
    viewer.open("trace.log")
    outcome, field = viewer.part("#find output"), viewer.part("#find input")
    viewer.find("x")
    viewer.part("#find .regex").click()
    viewer.page.keyboard.press("Escape")
    text = viewer.part("#line-2 .content")
    box = text.bounding_box()
    assert box
    width = box["width"] / 66
    viewer.page.mouse.move(box["x"] + 9 * width, box["y"] + 5)
    viewer.page.mouse.down()
    viewer.page.mouse.move(box["x"] + 31.4 * width, box["y"] + 5, steps=4)
    viewer.page.mouse.up()
    viewer.window.status("selected)").wait_for()
    viewer.page.keyboard.press("Control+F")
    expect(field).to_be_focused()
    expect(field).to_have_value(re.compile(r"\\\(coloured\\\.log:2:3\\\)"))
    expect(outcome).to_have_text("1 of 1 line")
    viewer.part("#find .regex").click()
    viewer.page.keyboard.press("Escape")
    viewer.page.keyboard.press("Escape")


def _marks(viewer: Viewer, across: float) -> list[float]:
    """How far down there are marks on the scrollbar, at a share of its width."""
    look = """(canvas, across) => {
      const { width, height } = canvas;
      const { data } = canvas.getContext('2d').getImageData(Math.floor(across * width), 0, 1, height);
      return [...Array(height).keys()].filter(y => data[4 * y + 3] > 0).map(y => y / height);
    }"""
    marks: list[float] = viewer.part("#down .marks").evaluate(look, across)
    return marks


def test_matches_and_bookmarks_are_marked_on_the_whole_scrollbar(viewer: Viewer) -> None:
    viewer.open("times.log")
    viewer.page.keyboard.press("Control+Home")
    viewer.wait_until_current(1)
    viewer.find("#2500")  # 25,000 to 25,009, and 2,500
    expect(viewer.part("#find output")).to_have_text("1 of 11 lines")
    shares = viewer.window.until(lambda: _marks(viewer, 0.5), lambda shares: len(shares) > 3)
    assert {round(share - 0.004, 2) for share in shares} <= {0.04, 0.05, 0.49, 0.5}
    assert max(shares) - min(shares) > 0.4
    viewer.page.keyboard.press("Escape")
    for line in ("40,000", "40,001"):
        viewer.go_to(line)
        viewer.wait_until_current(int(line.replace(",", "")))
        viewer.page.keyboard.press("Control+F2")
    assert viewer.window.until(lambda: _marks(viewer, 0.1), bool)[0] > 0.75
    # Of the lines that are shown, 40,000 is the last but one, and 40,001 is none.
    viewer.page.keyboard.press("Control+Alt+F")
    viewer.part("#filter .regex").click()
    viewer.part("#filter .field input").fill("#([123]|40000|50000) ")
    expect(viewer.part("#filter output")).to_have_text("5 of 50,000 lines")
    shares = viewer.window.until(lambda: _marks(viewer, 0.1), bool)
    assert all(0.55 < share < 0.65 for share in shares)
    viewer.page.keyboard.press("Escape")
    viewer.part("#filter .regex").click()
    viewer.part("#filter .close").click()
    for line in ("40,000", "40,001"):
        viewer.go_to(line)
        viewer.wait_until_current(int(line.replace(",", "")))
        viewer.page.keyboard.press("Control+F2")
    expect(viewer.part(".bookmarked")).to_have_count(0)


def test_a_search_shows_how_far_it_is_and_can_be_stopped(server_log: Viewer) -> None:
    outcome = server_log.part("#find output")
    server_log.find("x")
    server_log.part("#find .regex").click()
    server_log.part("#find input").fill(r"([a-z]+\W){30}\d")  # nothing in it that could be looked for faster
    expect(outcome).to_contain_text("%")
    server_log.page.keyboard.press("Escape")
    expect(outcome).to_have_text("Stopped")
    expect(server_log.part("#find .stop")).to_be_hidden()
    server_log.part("#find .regex").click()
    server_log.page.keyboard.press("Escape")


def _shows(viewer: Viewer, lines: list[int]) -> list[Row]:
    """The rows, once they are the first of these lines."""
    wanted = [Row(number, _TIMES[number]) for number in lines]
    return viewer.window.until(viewer.rows, lambda rows: rows == wanted[: len(rows)])


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
    expect(viewer.part("#rows")).to_be_focused()
    _keep(viewer, "worker-3", out_as="not the third")
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


def _keep(viewer: Viewer, pattern: str, out_as: str = "") -> None:
    """As a chip; with a name one that filters out."""
    chips = viewer.part("#filter .chip .switch")
    count = chips.count()
    field = viewer.part("#filter .field input")
    if not field.evaluate("input => input === document.activeElement"):
        viewer.page.keyboard.press("Control+Alt+F")
        expect(field).to_be_focused()  # or the key's effect would come after what is typed
    field.fill(pattern)
    if out_as:
        viewer.page.keyboard.press("Alt+O")
        viewer.part("#filter .name").fill(out_as)
    viewer.page.keyboard.press("Enter")
    expect(chips).to_have_count(count + 1)
    expect(chips.last).to_have_text(out_as or pattern)


def _remove_chips(viewer: Viewer, count: int) -> None:
    chips = viewer.part("#filter .chip .switch")
    for left in reversed(range(count)):
        chips.first.focus()
        viewer.page.keyboard.press("Delete")
        expect(chips).to_have_count(left)
    expect(viewer.part("#filter output")).to_have_text("")
    viewer.part("#filter .close").click()


def test_filters_are_chips_that_are_switched_and_kept_for_the_workspace(viewer: Viewer) -> None:
    keyboard, figures = viewer.page.keyboard, viewer.part("#filter output")
    with_three = [number for number, text in _TIMES.items() if "worker-3" not in text]
    viewer.open("times.log")
    keyboard.press("Control+Home")
    viewer.wait_until_current(1)
    _keep(viewer, " ERROR ")
    _keep(viewer, "worker-3", out_as="not the third")
    viewer.part("#filter .close").click()
    keyboard.press("&")
    chips = viewer.part("#filter .chip .switch")
    expect(chips).to_have_text([" ERROR ", "not the third"])
    chips.first.click()
    expect(figures).to_have_text(f"{len(with_three):,} of 50,000 lines")
    _shows(viewer, with_three)
    viewer.part("#filter .chip .edit").nth(1).click()
    viewer.part("#filter .field input").fill("worker-(")
    viewer.part("#filter .regex").click()
    expect(viewer.part("#filter-problem")).to_have_text("The ( in column 8 is never closed.")
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
    stored = re.compile(r"open\W+true.*draft\W+query\W+pattern\W+regex")
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
    expect(viewer.part("#filter-problem")).to_have_text("The ( in column 8 is never closed.")
    viewer.part("#rows").focus()
    keyboard.press("Control+End")
    viewer.window.until(viewer.current, lambda line: line == errors[-1])
    assert all(row.text == _TIMES[row.number] and row.number in errors for row in viewer.rows())
    keyboard.press("&")
    keyboard.press("Escape")
    viewer.part("#filter .regex").click()
    keyboard.press("Escape")
    expect(viewer.part("#filter")).to_be_hidden()


def test_a_match_after_wide_characters_or_at_the_edge_is_in_sight(viewer: Viewer, folder: Path) -> None:
    lines = ["\t" * 60 + "needle", "\N{PARTY POPPER}" * 150 + "needle", "." * 90 + "needle in a haystack"]
    (folder / "tabs.log").write_text("".join(f"{line}\n" for line in lines))
    viewer.open("tabs.log")
    for number, pattern in ((1, "needle"), (2, "needle"), (3, "needle in a haystack")):
        viewer.go_to(str(number))
        viewer.wait_until_current(number)
        viewer.find(pattern)
        viewer.window.status(f"{number} / 3, Col {lines[number - 1].index('n') + 1}").wait_for()
        viewer.window.until(lambda: viewer.part("#rows").evaluate(_IS_IN_SIGHT), bool, seconds=5)
        viewer.page.keyboard.press("Escape")
    (folder / "tabs.log").unlink()


def test_matches_in_what_was_appended_are_counted_in_order(viewer: Viewer, folder: Path) -> None:
    log = folder / "hits.log"
    log.write_text("hit\nmiss\n" * 3)
    viewer.open("hits.log")
    viewer.find("hit")
    outcome = viewer.part("#find output")
    expect(outcome).to_have_text("1 of 3 lines")
    with log.open("a") as file:
        file.write("miss\nhit\nmiss\n")
    expect(outcome).to_have_text("1 of 4 lines")
    viewer.page.keyboard.press("Shift+Enter")
    expect(outcome).to_have_text("4 of 4 lines, from the end")
    viewer.page.keyboard.press("Escape")
    log.unlink()


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
    _keep(viewer, "beta", out_as="not beta")
    viewer.part("#filter .chip .edit").click()
    name = viewer.part("#filter .name")
    expect(name).to_have_value("not beta")
    viewer.part("#rows").focus()
    viewer.window.run("Forge: Filter by Selection")
    expect(viewer.part("#filter .field input")).to_have_value("alpha")
    expect(name).to_have_value("")
    viewer.page.keyboard.press("Escape")
    _remove_chips(viewer, 1)
