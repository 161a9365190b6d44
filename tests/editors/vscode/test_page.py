"""What the viewer's page does with answers that come late, or after the reader has gone on."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.editors.vscode.page_alone import PageAlone


@pytest.fixture
def alone(browser: Browser, built: Path) -> Iterator[PageAlone]:
    with browser.new_context() as context:
        yield PageAlone(context.new_page())


def test_a_page_that_shows_its_file_late_leaves_the_focus_where_one_types(alone: PageAlone) -> None:
    alone.asked("ready")
    alone.page.keyboard.press("Control+Alt+F")
    alone.open(100)
    alone.settle()
    alone.page.keyboard.type("timeout")
    expect(alone.page.locator("#filter .field input")).to_have_value("timeout")


@pytest.mark.parametrize("focused", [True, False])
def test_a_page_that_shows_its_file_takes_the_keys_only_where_it_has_the_focus(alone: PageAlone, focused: bool) -> None:
    alone.page.evaluate(
        "focused => { document.hasFocus = () => focused; }", focused
    )  # not so while the palette is open
    alone.open(100)
    alone.settle()
    assert alone.page.evaluate("document.activeElement.id === 'rows'") is focused


def test_an_error_that_is_found_late_leaves_the_focus_where_one_types(alone: PageAlone) -> None:
    alone.open(100)
    alone.tell("command", command="nextError")
    alone.asked("findError")
    alone.page.keyboard.press("Control+F")
    alone.tell("foundLine", line=50, number=50, note="")
    expect(alone.page.locator("#line-50.current")).to_be_visible()
    alone.page.keyboard.type("timeout")
    expect(alone.page.locator("#find .field input")).to_have_value("timeout")


def test_what_is_searched_for_while_the_filter_changes_is_found_in_what_it_shows(alone: PageAlone) -> None:
    alone.open(1000)
    alone.page.keyboard.press("Control+F")
    alone.page.locator("#find .field input").fill("timeout")
    before = alone.asked("find")
    alone.show(2, 50, of=1000, line=20)
    again = alone.asked("find", 2)
    assert again["query"] == before["query"]
    assert again["from"]["line"] == 20
    alone.tell("found", search=before["search"], match=_match(3, 30), wrapped=False)
    alone.settle()
    expect(alone.page.locator("#find output")).to_have_text("Searching…")
    alone.tell("found", search=again["search"], match=_match(40, 400), wrapped=False)
    expect(alone.page.locator("#find output")).to_have_text("Line 400")
    expect(alone.page.locator("#line-40.current")).to_be_visible()


def test_a_search_of_the_page_before_it_was_hidden_is_not_taken_for_one_of_the_page_after(alone: PageAlone) -> None:
    searches = []
    for _ in range(2):
        alone.page.reload()
        alone.asked("ready")
        alone.open(1000)
        alone.page.keyboard.press("Control+F")
        alone.page.locator("#find .field input").fill("timeout")
        searches.append(alone.asked("find")["search"])
    before, after = searches
    alone.tell("findFailed", search=before, message="Stopped", invalid=False)
    alone.settle()
    expect(alone.page.locator("#find output")).to_have_text("Searching…")
    alone.tell("found", search=after, match=_match(40, 400), wrapped=False)
    expect(alone.page.locator("#find output")).to_have_text("Line 400")


def test_what_was_searched_for_and_closed_is_not_searched_for_again(alone: PageAlone) -> None:
    alone.open(1000)
    alone.page.keyboard.press("Control+F")
    alone.page.locator("#find .field input").fill("timeout")
    first = alone.asked("find")
    alone.page.keyboard.press("Escape")
    alone.page.keyboard.press("Escape")
    expect(alone.page.locator("#find")).to_be_hidden()
    alone.show(2, 50, of=1000)
    alone.settle()
    assert alone.sent("find") == [first]


def test_rows_of_a_view_that_was_left_are_not_shown_in_the_next_one(alone: PageAlone) -> None:
    alone.open(1000)
    whole = alone.asked("rows")
    alone.show(2, 3, of=1000)
    alone.answer(whole, [1, 2, 3])
    alone.answer_all([100, 200, 300])
    expect(alone.page.locator(".row .number")).to_have_text(["100", "200", "300"])


def test_rows_that_were_asked_for_before_the_page_was_hidden_are_not_shown_in_it(alone: PageAlone) -> None:
    alone.open(1000, showing=2)
    asked = alone.asked("rows")
    late = [{"text": "late", "spans": [], "length": 4, "open": False}] * asked["count"]
    alone.tell("rows", request=asked["request"], showing=1, rows=late)  # the page before numbered its requests, too
    alone.answer_all(range(1, 1001))
    expect(alone.page.locator("#line-1 .content")).to_contain_text("line 1 ")


def test_a_time_that_is_waited_for_is_not_that_of_a_line_of_another_view(alone: PageAlone) -> None:
    alone.open(1000)
    alone.answer_all(range(1, 1001))
    alone.page.keyboard.press("s")  # what time the line has is not known yet
    alone.show(2, 3, of=1000)
    alone.answer_all([100, 200, 300])
    record = {"first": 100, "time": "2026-11-18T14:05:00", "level": "info", "header": ""}
    alone.tell("records", showing=2, first=1, records=[record])
    expect(alone.page.locator("#line-1[data-level=info]")).to_be_visible()
    assert alone.sent("filter") == []


def test_rows_that_could_not_be_read_are_asked_for_again_when_one_scrolls(alone: PageAlone) -> None:
    alone.open(1000)
    alone.asked("rows")
    alone.settle()
    for request in alone.sent("rows"):
        alone.tell("rows", request=request["request"], showing=1, rows=None)
    alone.settle()
    alone.page.keyboard.press("PageDown")
    alone.answer_all(range(1, 1001))
    expect(alone.page.locator(".row.current .content")).to_contain_text("line")


def test_who_follows_sees_the_last_line_when_lines_are_wrapped(alone: PageAlone) -> None:
    alone.open(500)
    alone.page.keyboard.press("f")
    alone.answer_all(range(1, 501), 400)
    expect(alone.page.locator("#line-500")).to_be_in_viewport(ratio=1)
    alone.tell("command", command="toggleWordWrap")
    alone.answer_all(range(1, 501), 400)
    expect(alone.page.locator("#line-500")).to_be_in_viewport(ratio=1)


def test_moving_within_the_only_line_of_a_file_does_not_follow_it(alone: PageAlone) -> None:
    alone.open(1, follow="auto")
    alone.answer_all([1], 400)
    alone.page.keyboard.press("End")
    alone.settle()
    assert not any(moved["following"] for moved in alone.sent("moved"))


def test_a_chip_with_a_long_name_says_whether_it_is_or_and_or_not_beside_two_bounds_of_time(alone: PageAlone) -> None:
    query = {"pattern": "a text " * 8, "regex": False, "ignoreCase": True, "wholeWord": False}
    alone.page.set_viewport_size({"width": 920, "height": 600})
    alone.open(100, chips=[{"name": query["pattern"], "query": query, "role": "all"}])
    alone.tell("conditions", conditions={"since": "2026-11-18T08:00:59", "until": "2026-11-18T08:02:00"})
    chip = alone.page.locator("#filter .chip")
    expect(chip).to_be_in_viewport(ratio=1)
    assert chip.locator(".role").evaluate("role => role.scrollWidth <= role.clientWidth")
    assert chip.locator(".switch").evaluate("name => name.clientWidth") > 20


@pytest.mark.parametrize("width", [300, 380, 440, 500, 640])
def test_the_buttons_of_find_stand_together_however_narrow_the_pane_is(alone: PageAlone, width: int) -> None:
    alone.page.set_viewport_size({"width": width, "height": 600})
    alone.open(1000)
    alone.page.keyboard.press("Control+F")
    alone.page.keyboard.type("timeout")
    alone.tell("found", search=alone.asked("find")["search"], match=_match(40, 400), wrapped=False)
    boxes = [alone.page.locator(f"#find {part}").bounding_box() for part in ("output", ".previous", ".next", ".close")]
    middles = {round(box["y"] + box["height"] / 2) for box in boxes if box}
    assert max(middles) - min(middles) <= 1
    assert all(box and box["x"] + box["width"] <= width for box in boxes)


def _match(row: int, number: int) -> dict[str, object]:
    start, end = ({"line": row, "column": column} for column in (0, 7))
    return {"range": {"start": start, "end": end}, "line": number, "content": "timeout"}
