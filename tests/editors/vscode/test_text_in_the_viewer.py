"""The viewer in a real VS Code shows text as it is: in any encoding, compressed, colored, in lines of any length."""

import gzip
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.editors.vscode.viewer import Viewer
from tests.reading.texts.files import PACK

_LONG = 20_000_000
_DAYS = 20_000
"""Times four lines, too many for the page to count matches by itself."""
_PLAIN = 200
"""Lines before the first with colors: more than are read with the first screen."""
_RED, _GREEN, _BOLD, _OFF = "\x1b[31m", "\x1b[38;5;42m", "\x1b[1m", "\x1b[0m"
_COLOURED = (
    f"{_RED}connection{_OFF} {_GREEN}refused{_OFF} by {_BOLD}db-{_RED}7{_OFF}\n"
    "see \x1b]8;;https://example.org/runbook\x1b\\the runbook\x1b]8;;\x1b\\ first\n"
    f"{_GREEN}GET{_OFF} /orders \x1b[48;2;0;60;90m 200 {_OFF} \x1b[2min 12 ms{_OFF}\n"
    f"{_BOLD}POST{_OFF} /orders \x1b[41m 500 {_OFF} \x1b[3;4mretried\x1b[0m \x1b[7mtwice\x1b[0m\n"
)


@pytest.fixture(scope="module", autouse=True)
def texts(folder: Path) -> None:
    (folder / "colors.log").write_text(_COLOURED * 8)
    (folder / "colored-for-days.log").write_text("started\n" * _PLAIN + _COLOURED * _DAYS)
    (folder / "powershell.log").write_bytes("first\r\nzweite Zeile: grün\r\n".encode("utf-16"))
    (folder / "cyrillic.ini").write_bytes("имя=значение\n".encode("cp1251"))
    text = "".join(f"line {number} of a rotated log\n" for number in range(1, 400_001))
    packed = gzip.compress(text.encode(), 1)
    (folder / "app.log.1.gz").write_bytes(packed)
    (folder / "cut.log.gz").write_bytes(packed[: len(packed) // 2])
    (folder / "app.log.2.zst").write_bytes(PACK["zstd"](text.encode()))
    (folder / "damaged.log.zst").write_bytes(b"\x28\xb5\x2f\xfd" + bytes(range(100)))
    wide = (f"line {number} {'word ' * ((number + 6) % 7 * 100)}the end of line {number}," for number in range(1, 300))
    (folder / "wide.log").write_text("\n".join([*wide, "the end of line 300"]))
    numbers = "".join(f"{number:09} " for number in range(_LONG // 10))
    (folder / "one-line.json").write_text(f"[\n{numbers}日本語 THE END\n]\n")


def test_columns_are_those_of_what_is_seen_in_a_colored_log(viewer: Viewer) -> None:
    keyboard, outcome = viewer.page.keyboard, viewer.part("#find output")
    viewer.open("colors.log")
    assert viewer.rows()[0].text == "connection refused by db-7"
    expect(viewer.part("#line-1")).to_have_accessible_name("1 connection refused by db-7")
    viewer.find("connection refused by")
    expect(outcome).to_have_attribute("title", re.compile("Line 1"))
    expect(outcome).to_have_text("1 of 8 lines")
    viewer.part("#find input").fill("38;5")
    expect(outcome).to_have_text("No results")
    keyboard.press("Escape")
    viewer.part("#line-1 .content").dblclick(position={"x": 100, "y": 5})
    viewer.window.status("(7 selected)").wait_for()
    keyboard.press("Control+C")
    viewer.window.until(viewer.clipboard, lambda text: text == "refused")
    keyboard.press("Control+Shift+C")
    viewer.window.until(viewer.clipboard, lambda text: text == f"{_GREEN}refused{_OFF}")
    viewer.part("#line-1 .number").click()
    keyboard.press("Control+C")
    viewer.window.until(viewer.clipboard, lambda text: text == "connection refused by db-7\n")
    assert viewer.part("#line-1 .content > span").first.evaluate("part => part.style.color") == "var(--ansiRed)"
    expect(viewer.part("#line-1 .bold").last).to_have_text("7")
    links = viewer.part("#view").evaluate("""() => [...CSS.highlights.get('link')].map(
      ({ startContainer, startOffset, endOffset }) => startContainer.textContent.slice(startOffset, endOffset))""")
    assert set(links) == {"the runbook"}


def test_a_pattern_across_colors_is_filtered_and_counted_in_a_large_log(viewer: Viewer) -> None:
    keyboard, figures = viewer.page.keyboard, viewer.part("#filter output")
    viewer.open("colored-for-days.log")
    keyboard.press("Control+Alt+F")
    viewer.part("#filter .field input").fill("connection refused by")
    expect(figures).to_have_text(f"{_DAYS:,} of {_PLAIN + 4 * _DAYS:,} lines")
    rows = viewer.window.until(viewer.rows, lambda rows: rows[1].number == _PLAIN + 5)
    assert [row.number for row in rows] == list(range(_PLAIN + 1, _PLAIN + 4 * len(rows), 4))
    word = viewer.part("#line-5 .content > span").first
    viewer.window.until(lambda: word.evaluate("part => part.style.color"), lambda color: color == "var(--ansiRed)")
    keyboard.press("Enter")
    viewer.find("refused by db-7")
    expect(viewer.part("#find output")).to_have_text(f"1 of {_DAYS:,} lines")
    keyboard.press("Escape")
    viewer.part("#line-5 .number").click()
    keyboard.press("Control+C")
    viewer.window.until(viewer.clipboard, lambda text: text == "connection refused by db-7\n")
    keyboard.press("Control+Shift+C")
    viewer.window.until(viewer.clipboard, lambda text: text == _COLOURED.splitlines(keepends=True)[0])
    viewer.part("#filter .chip .switch").focus()
    keyboard.press("Delete")
    expect(figures).to_have_text("")
    viewer.part("#filter .close").click()


def test_a_file_is_read_in_the_encoding_that_its_settings_its_bytes_or_the_reader_say(viewer: Viewer) -> None:
    viewer.open("powershell.log")
    assert [row.text for row in viewer.rows()] == ["first", "zweite Zeile: grün"]
    viewer.window.status("UTF-16 LE").wait_for()
    viewer.window.status("CRLF").wait_for()
    viewer.open("cyrillic.ini")
    assert viewer.rows()[0].text == "имя=значение"
    viewer.window.status("Windows 1251").wait_for()
    viewer.open("sjis.log")
    assert "\ufffd" in viewer.rows()[0].text
    banner = viewer.part("#banner")
    expect(banner).to_contain_text("sjis.log is not all UTF-8.")
    banner.get_by_role("button", name="Reopen with Encoding…").click()
    viewer.window.answer("Reopen with Encoding", "shiftjis")
    viewer.window.status("Shift JIS").wait_for()
    viewer.window.until(lambda: viewer.rows()[1].text, lambda text: text == "二行目 エラー")
    expect(banner).to_be_hidden()
    viewer.find("エラー")
    expect(viewer.part("#find output")).to_have_attribute("title", re.compile("Line 2"))
    viewer.page.keyboard.press("Escape")
    viewer.reopen_with("Automatic", before="Shift JIS", after="UTF-8")


def test_a_compressed_log_is_a_log_and_what_cannot_be_read_says_why(viewer: Viewer) -> None:
    viewer.open("app.log.1.gz")
    viewer.page.keyboard.press("Control+End")
    viewer.wait_until_current(400_000)
    assert all(row.text == f"line {row.number} of a rotated log" for row in viewer.rows())
    viewer.window.status("400,000 / 400,000").wait_for()
    viewer.find("line 123456 ")
    expect(viewer.part("#find output")).to_have_attribute("title", re.compile("Line 123,456"))
    viewer.page.keyboard.press("Escape")
    viewer.open("cut.log.gz")
    expect(viewer.part("#banner")).to_contain_text("cut.log.gz: the gzip data ends early, after")
    viewer.page.keyboard.press("Control+End")
    last = viewer.window.until(viewer.current, lambda line: line > 1000)
    assert all(row.text == f"line {row.number} of a rotated log" for row in viewer.rows()[:-1])
    viewer.window.status(f"{last:,} / {last:,}").wait_for()
    viewer.open("app.log.2.zst")
    viewer.page.keyboard.press("Control+End")
    viewer.wait_until_current(400_000)
    viewer.choose("damaged.log.zst")
    expect(viewer.part("#failure p")).to_contain_text("damaged.log.zst is a binary file: the zstd data is damaged")


def test_a_compressed_log_that_is_being_written_ends_early_no_more_once_it_is_whole(
    viewer: Viewer, folder: Path
) -> None:
    path, banner = folder / "written.log.gz", viewer.part("#banner")
    with gzip.open(path, "wt") as log:
        log.write("line 1\n")
        log.flush()
        viewer.open("written.log.gz")
        expect(banner).to_contain_text("written.log.gz: the gzip data ends early")
        log.write("line 2\n")
    expect(banner).to_be_hidden()
    viewer.window.until(viewer.rows, lambda rows: [row.text for row in rows] == ["line 1", "line 2"])
    path.unlink()


def test_a_line_of_megabytes_is_read_sideways_to_its_end(viewer: Viewer) -> None:
    keyboard, row = viewer.page.keyboard, viewer.part("#line-2 .text")
    viewer.open("one-line.json")
    keyboard.press("ArrowDown")
    viewer.wait_until_current(2)
    keyboard.press("End")
    viewer.window.until(lambda: row.text_content() or "", lambda text: text.endswith("日本語 THE END"))
    assert _is_in_sight(viewer, "THE END")
    keyboard.press("Home")
    viewer.window.until(lambda: row.text_content() or "", lambda text: text.startswith("000000000 000000001"))
    viewer.find("001234567")
    expect(viewer.part("#find output")).to_have_attribute("title", re.compile("Line 2"))
    assert viewer.window.until(lambda: _is_in_sight(viewer, "001234567"), bool)
    keyboard.press("Escape")
    viewer.window.status(f"Col {12_345_671:,}").wait_for()


def test_lines_are_wrapped_on_demand_and_nothing_is_lost(viewer: Viewer) -> None:
    keyboard = viewer.page.keyboard
    viewer.open("wide.log")
    expect(viewer.part("#rows")).not_to_have_class(re.compile("wraps"))
    keyboard.press("Alt+z")
    expect(viewer.part("#rows")).to_have_class(re.compile("wraps"))
    height = viewer.box("#line-1")["height"]
    viewer.window.until(lambda: viewer.box("#line-2")["height"], lambda tall: tall >= 4 * height)
    keyboard.press("Control+End")
    viewer.wait_until_current(300)
    bottom = viewer.box("#rows")
    viewer.window.until(
        lambda: viewer.box("#line-300"), lambda row: row["y"] + row["height"] <= bottom["y"] + bottom["height"]
    )
    assert viewer.rows()[-1].text.endswith("the end of line 300")
    for _ in range(5):
        keyboard.press("PageUp")
    rows = viewer.rows()
    assert [row.number for row in rows] == list(range(rows[0].number, rows[-1].number + 1))
    expect(viewer.window.status("Following")).to_be_hidden()
    viewer.find("the end of line 10,")
    expect(viewer.part("#find output")).to_have_attribute("title", re.compile("Line 10"))
    viewer.wait_until_current(10)
    keyboard.press("Escape")
    viewer.part("#line-10 .content").dblclick(position={"x": 20, "y": height * 3 + 5})
    viewer.window.status("(4 selected)").wait_for()
    keyboard.press("Control+C")
    viewer.window.until(viewer.clipboard, lambda text: text == "word")
    keyboard.press("Alt+z")
    viewer.window.until(lambda: viewer.box("#line-10")["height"], lambda tall: tall == height)
    for _ in range(2):  # whether lines are wrapped or not, and whatever was in sight before
        keyboard.press("Control+End")
        viewer.wait_until_current(300)
        keyboard.press("Alt+z")
        viewer.page.wait_for_timeout(300)
        viewer.window.until(lambda: viewer.rows()[0].number, lambda first: first > 200)
    viewer.open("one-line.json")
    keyboard.press("Alt+z")
    viewer.find("001234567")
    expect(viewer.part("#find output")).to_have_attribute("title", re.compile("Line 2"))
    viewer.window.until(lambda: viewer.part("#line-2 .text").text_content() or "", lambda text: "001234567" in text)
    assert viewer.window.until(lambda: _is_in_sight(viewer, "001234567"), bool)
    keyboard.press("Escape")
    for wraps in (False, True, False):
        keyboard.press("Alt+z")
        expect(viewer.part("#rows.wraps")).to_have_count(int(wraps))
        assert viewer.window.until(lambda: _is_in_sight(viewer, "001234567"), bool)
    for pause in (0, 20, 30, 45, 60):  # faster than the rows come, or than all of them
        for _ in range(4):
            keyboard.press("Alt+z")
            viewer.page.wait_for_timeout(pause)
        expect(viewer.part("#rows.wraps")).to_have_count(0)
        viewer.page.wait_for_timeout(300)
        assert viewer.window.until(lambda: _is_in_sight(viewer, "001234567"), bool)
    keyboard.press("End")
    assert viewer.window.until(lambda: _is_in_sight(viewer, "THE END"), bool)
    keyboard.press("Alt+z")
    expect(viewer.part("#rows")).to_have_class(re.compile("wraps"))
    assert viewer.window.until(lambda: _is_in_sight(viewer, "THE END"), bool)
    keyboard.press("Home")
    assert viewer.window.until(lambda: _is_in_sight(viewer, "000000001"), bool)
    keyboard.press("Alt+z")


def _is_in_sight(viewer: Viewer, text: str) -> bool:
    look = """(row, text) => {
      const range = document.createRange(), walk = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
      while (walk.nextNode()) {
        const at = walk.currentNode.textContent.indexOf(text);
        if (at < 0) continue;
        range.setStart(walk.currentNode, at); range.setEnd(walk.currentNode, at + text.length);
        const part = range.getBoundingClientRect(), all = row.getBoundingClientRect();
        const grid = document.querySelector('#rows').getBoundingClientRect();
        return part.left >= all.left && part.right <= all.right && part.top >= grid.top && part.bottom <= grid.bottom;
      }
      return false;
    }"""
    seen: bool = viewer.part("#line-2 .text").evaluate(look, text)
    return seen
