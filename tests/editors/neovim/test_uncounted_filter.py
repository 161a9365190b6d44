"""Matches are shown before those that come before them are counted."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from .nvim import Nvim

LINES = 20_000
TIMED_OUT = range(10, LINES + 1, 10)


@pytest.fixture
def log(workspace: Path) -> Path:
    file = workspace / "server.log"
    lines = (f"line {number}{' timed out' if number in TIMED_OUT else ''}\n" for number in range(1, LINES + 1))
    file.write_text("".join(lines))
    return file


def filter_by(nvim: Nvim, typed: str) -> None:
    nvim.command(f"Forge filter{typed}")
    nvim.wait_for("require('forge.view').of().filter ~= nil and require('forge.view').of().etag ~= nil")


@pytest.fixture
def uncounted(nvim: Nvim) -> Iterator[Nvim]:
    """Nothing is counted before the test says so."""
    nvim.lua(
        """
        local daemon = require("forge.daemon")
        _G.held, _G.request = {}, daemon.request
        daemon.request = function(method, ...)
          if method == "forge/countLines" and _G.held then
            local each = { method, ... }
            table.insert(_G.held, each)
            return function() each[1] = nil end
          end
          return _G.request(method, ...)
        end
        function _G.count()
          local held = _G.held
          _G.held = nil
          for _, each in ipairs(held) do
            if each[1] then
              _G.request(unpack(each))
            end
          end
        end
        """
    )
    yield nvim
    nvim.lua("require('forge.daemon').request = _G.request")


def test_matches_around_the_cursor_are_shown_before_any_are_counted(uncounted: Nvim, huge: Path) -> None:
    nvim = uncounted
    nvim.open(f"{huge}:5000000")
    filter_by(nvim, " 777")
    nvim.wait_for_line("row 5000777")
    assert nvim.where() == "only 777  5,000,778, match … / …"
    nvim.wait_for("vim.fn.getline(vim.fn.line('.') - 1) == 'row 4999777'")
    assert nvim.lua("return vim.fn.winline()") > 3  # It is amid them.
    nvim.lua("_G.count()")
    nvim.wait_for("require('forge').statusline():find('5,000,778, match %d[%d,]+ / %d') ~= nil")
    ordinal = int(nvim.where().split("match ")[1].split(" /")[0].replace(",", ""))
    assert ordinal == sum(1 for number in range(5_000_778) if "777" in f"{number:07}")


@pytest.mark.parametrize(("keys", "shown"), [("<C-b>" * 150, "row 4"), ("<C-f>" * 150, "row 5")])
def test_uncounted_matches_can_be_paged_through_without_gaps(
    uncounted: Nvim, huge: Path, keys: str, shown: str
) -> None:
    nvim = uncounted
    nvim.open(f"{huge}:5000000")
    filter_by(nvim, " 77")
    nvim.wait_for_line("row 5000077")
    nvim.type_to_the_end(keys)
    nvim.wait_for("math.abs(require('forge.view').of():line() - 5000000) > 50000")
    lines = nvim.lua("return vim.api.nvim_buf_get_lines(0, 0, -1, false)")
    first, last = (int(line.split()[1]) for line in (lines[0], lines[-1]))
    assert lines == [f"row {number:07}" for number in range(first, last + 1) if "77" in f"{number:07}"]
    assert nvim.lua("return require('forge.view').of().numbers") == [int(line.split()[1]) + 1 for line in lines]
    before = nvim.line()
    assert before.startswith(shown)
    nvim.lua("_G.count()")
    nvim.wait_for("require('forge').statusline():find('match %d[%d,]+ / %d') ~= nil")
    assert nvim.line() == before
    number = int(before.split()[1])
    ordinal = sum(1 for each in range(number + 1) if "77" in f"{each:07}")
    assert f"match {ordinal:,} /" in nvim.where()
    nvim.type_to_the_end("j")
    nvim.wait_for(f"require('forge').statusline():find('match {ordinal + 1:,} /', 1, true) ~= nil")


def test_after_the_last_match_the_ones_before_are_shown(uncounted: Nvim, huge: Path) -> None:
    nvim = uncounted
    nvim.open(f"{huge}:6000000")
    filter_by(nvim, " row 55")
    nvim.wait_for_line("row 5599999")
    assert nvim.where() == "only row 55  5,600,000, match … / …"
    nvim.lua("_G.count()")
    nvim.wait_for("require('forge').statusline() == 'only row 55  5,600,000, match 100,000 / 100,000'")


def test_a_split_of_uncounted_matches_is_counted_too(uncounted: Nvim, huge: Path) -> None:
    nvim = uncounted
    nvim.open(f"{huge}:5000000")
    filter_by(nvim, " 777")
    nvim.wait_for_line("row 5000777")
    nvim.type_to_the_end(":vsplit<CR>")
    nvim.wait_for("vim.tbl_count(require('forge.view').all()) == 3")
    nvim.lua("_G.count()")
    nvim.wait_for("require('forge').statusline():find('5,000,778, match %d[%d,]+ / %d') ~= nil")


def test_new_matches_are_followed_where_none_were_counted(uncounted: Nvim, log: Path) -> None:
    nvim = uncounted
    nvim.open(f"{log}:19985")
    filter_by(nvim, " timed out")
    nvim.wait_for_line("line 19990 timed out")
    nvim.lua("_G.count()")
    nvim.wait_for("require('forge').statusline():find('match 1,999 / 2,000', 1, true) ~= nil")
    nvim.type_to_the_end("j")
    with log.open("a") as end:
        end.write("line 20001 timed out\n")
    nvim.type("j")
    nvim.wait_for_line("line 20001 timed out")
    assert nvim.messages().strip() == ""


def test_matches_before_the_last_lines_are_shown_a_page_at_a_time(uncounted: Nvim, huge: Path) -> None:
    nvim = uncounted
    nvim.open(f"{huge}:6000000")
    filter_by(nvim, " row 55")
    nvim.wait_for_line("row 5599999")
    assert nvim.lua("return vim.fn.line('$')") in (1_000, 2_000)  # the page before may have come already
    for loaded in (2_000, 3_000, 4_000):
        nvim.type_to_the_end("<C-b>" * 50)  # a page of 1,000 lines
        nvim.wait_for(f"vim.fn.line('$') == {loaded}")
    nvim.command("doautocmd FocusGained")
    assert nvim.messages().strip() == ""


@pytest.mark.parametrize("line", [15_000, 20_000])
def test_growth_is_no_change_in_a_filtered_window(uncounted: Nvim, log: Path, line: int) -> None:
    nvim = uncounted
    nvim.open(f"{log}:{line}")
    filter_by(nvim, " /line 1[0-9]{4}$/")  # Not those that timed out, and none of the new ones.
    for number in range(20_001, 20_004):
        with log.open("a") as end:
            end.write(f"line {number}\n")
        nvim.type_to_the_end("<C-b>" * 40)
        nvim.command("doautocmd FocusGained")
    nvim.lua("_G.count()")
    nvim.wait_for("require('forge').statusline():find('match [%d,]+ / %d') ~= nil")
    with log.open("a") as end:
        end.write("line 20004\n")
    nvim.type_to_the_end("<C-b>" * 40 + "<C-f>" * 90)
    nvim.command("doautocmd FocusGained")
    nvim.type_to_the_end("ggG")
    nvim.wait_for_line("line 19999")
    assert nvim.messages().strip() == ""
