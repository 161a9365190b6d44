"""What takes long shows how far it is, is stopped by CTRL-C from anywhere, and leaves other messages alone."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .nvim import Nvim

Report = Callable[[int], None]
MESSAGE_LINE = """
    (function()
      local cells = {}
      for column = 1, vim.o.columns do
        cells[column] = vim.fn.screenstring(vim.o.lines, column)
      end
      return vim.trim(table.concat(cells))
    end)()
"""


@pytest.fixture
def log(workspace: Path) -> Path:
    file = workspace / "server.log"
    file.write_text("".join(f"line {number}\n" for number in range(1, 20_001)))
    return file


@pytest.fixture
def held(nvim: Nvim, log: Path) -> Iterator[Nvim]:
    """Searches are answered, and their progress is reported, when the test says so."""
    nvim.open(f"{log}:10000")
    nvim.lua(
        """
        local daemon = require("forge.daemon")
        _G.asked, _G.request = {}, daemon.request
        daemon.request = function(method, params, callback, on_progress)
          if method ~= "forge/find" then
            return _G.request(method, params, callback, on_progress)
          end
          table.insert(_G.asked, { params = params, callback = callback, on_progress = on_progress })
          return function() callback({ code = "CANCELLED", message = "cancelled" }) end
        end
        """
    )
    yield nvim
    nvim.lua("require('forge.daemon').request = _G.request")


def report(nvim: Nvim, percentage: int, kind: str = "report") -> str:
    """What the message line shows after the daemon reported this."""
    nvim.lua("_G.asked[#_G.asked].on_progress(...)", {"kind": kind, "percentage": percentage})
    return str(nvim.lua(f"return {MESSAGE_LINE}"))


def find_nothing(nvim: Nvim) -> None:
    nvim.lua("_G.asked[#_G.asked].callback(nil, {})")


def test_progress_of_a_search_that_wraps_never_falls_back(held: Nvim) -> None:
    held.type("/never<CR>")
    held.wait_for("#_G.asked == 1")
    report(held, 0, "begin")
    shown = [report(held, percentage) for percentage in (50, 75, 100)]
    find_nothing(held)
    held.wait_for("#_G.asked == 2")
    shown += [report(held, 0, "begin"), *(report(held, percentage) for percentage in (10, 40))]
    assert held.lua("return #_G.asked") == 2
    percentages = [int(text.removeprefix("forge: searching server.log, ").split()[0]) for text in shown]
    assert percentages == [0, 25, 50, 50, 60, 90]
    held.type("<C-c>")
    held.wait_for_message("forge: stopped")


@pytest.mark.parametrize(("key", "limit"), [("/", "last_line"), ("?", "first_line")])
def test_a_search_that_wraps_ends_where_it_began(held: Nvim, key: str, limit: str) -> None:
    held.type(f"{key}never<CR>")
    held.wait_for("#_G.asked == 1")
    assert "filter" not in held.lua("return _G.asked[1].params")
    find_nothing(held)
    held.wait_for("#_G.asked == 2")
    assert held.lua("return _G.asked[2].params.filter")[limit] == 10_000
    find_nothing(held)
    held.wait_for_message("forge: never was not found in server.log")
    held.wait_for("require('forge.view').of().cancel == nil")


@pytest.mark.parametrize("elsewhere", ["new", "enew", "tabnew"])
def test_ctrl_c_stops_what_the_message_names_from_wherever_one_is(held: Nvim, elsewhere: str) -> None:
    held.command("split")
    held.type("/never<CR>")
    held.wait_for("#_G.asked == 1")
    assert report(held, 50) == "forge: searching server.log, 0 %, CTRL-C stops"
    held.command("wincmd p" if elsewhere == "enew" else elsewhere)
    held.type("<C-c>")
    held.wait_for_message("forge: stopped")
    assert "Type  :qa" not in held.messages()


def test_ctrl_c_is_heard_from_the_first_moment(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    with nvim.slow_daemon():
        nvim.type("/never<CR>")
        nvim.wait_for("require('forge.view').of().cancel ~= nil")
        nvim.type("<C-c>")  # While Neovim itself still waits for the answer.
        nvim.wait_for_message("forge: stopped")
        assert nvim.lua("return require('forge.view').of().cancel == nil")


def test_how_far_one_line_is_is_not_said_to_be_nothing(nvim: Nvim, log: Path) -> None:
    log.write_text("x" * 3_000_000 + "\nshort\n")
    nvim.open(log)
    nvim.lua(
        """
        _G.seen, _G.progress = {}, require("forge.messages").progress
        require("forge.messages").progress = function(text) table.insert(_G.seen, text) end
        """
    )
    nvim.type(":1y<CR>")
    nvim.wait_for_message("1 line yanked")
    seen = nvim.lua("require('forge.messages').progress = _G.progress return _G.seen")
    assert not any("%" in text for text in seen)


def test_what_nothing_reports_is_named_as_well(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    with nvim.slow_daemon():
        nvim.type("/never<CR>")
        nvim.wait_for(f"{MESSAGE_LINE} == 'forge: searching server.log, CTRL-C stops'")
        nvim.type("<C-c>")
        nvim.wait_for_message("forge: stopped")


def test_what_was_typed_before_ctrl_c_is_not_done_in_the_buffer_before(nvim: Nvim, log: Path, workspace: Path) -> None:
    (workspace / "notes.txt").write_text("one\n")
    nvim.command("edit notes.txt")
    with nvim.slow_daemon():
        nvim.type(f":Forge open {log}<CR>")
        nvim.wait_for("require('forge.view').of() ~= nil")
        nvim.type("Gxx")
        nvim.wait_for("vim.fn.getchar(1) == string.byte('x')")
        nvim.type("<C-c>")
        nvim.wait_for_message("forge: stopped")
    nvim.type_to_the_end("")
    assert nvim.line() == "one"


def test_a_mapping_of_ctrl_c_of_ones_own_stays(held: Nvim) -> None:
    held.lua("vim.keymap.set('n', '<C-c>', '<Cmd>let g:mine = 1<CR>')")
    held.type("/never<CR>")
    held.wait_for("#_G.asked == 1")
    assert report(held, 50).startswith("forge: searching")
    held.type("<C-c>")
    held.wait_for_message("forge: stopped")
    held.lua("vim.g.mine = nil")
    held.type("<C-c>")
    held.wait_for("vim.g.mine == 1")
    held.lua("vim.keymap.del('n', '<C-c>')")


def test_progress_wipes_no_other_message(held: Nvim) -> None:
    held.type("/never<CR>")
    held.wait_for("#_G.asked == 1")
    assert report(held, 60).startswith("forge: searching")
    held.command("redraw | echo 'something else'")
    held.wait_for(f"{MESSAGE_LINE} == 'something else'")
    assert report(held, 70) == "something else"
    find_nothing(held)
    held.wait_for("#_G.asked == 2")
    assert report(held, 80) == "something else"
    held.lua("require('forge.view').of():stop()")
    assert held.lua(f"return {MESSAGE_LINE}") == "something else"


def test_progress_does_not_disturb_what_is_being_typed(held: Nvim) -> None:
    held.type("/never<CR>")
    held.wait_for("#_G.asked == 1")
    held.type(":echo 1")
    held.wait_for("vim.fn.getcmdline() == 'echo 1'")
    assert report(held, 70) == ":echo 1"
    held.type("<Esc>")


def test_a_match_is_told_with_its_number_and_without_looking_like_an_error(nvim: Nvim, workspace: Path) -> None:
    (workspace / "app.log").write_text(
        "".join(f"{'ERROR' if n % 100 == 0 else 'INFO'} {n}\n" for n in range(1, 20_001))
    )
    nvim.open("app.log:250")
    nvim.type("/ERROR<CR>")
    nvim.wait_for(f"{MESSAGE_LINE} == '/ERROR  line 300  [3/200]'")
    nvim.type("N")
    nvim.wait_for(f"{MESSAGE_LINE} == '?ERROR  line 200  [2/200]'")


def test_writing_goes_on_while_one_reads_elsewhere(nvim: Nvim, log: Path, workspace: Path) -> None:
    nvim.open(log)
    with nvim.slow_daemon():
        nvim.type(":1,15000w other<CR>")
        nvim.wait_for("next(require('forge.view').of().beside) ~= nil")
        nvim.command("enew")
    nvim.wait_for_message("other written, 15,000 lines")
    assert (workspace / "other").read_text().splitlines()[-1] == "line 15000"


def test_the_same_file_written_twice_at_a_time_is_whole(nvim: Nvim, log: Path, workspace: Path) -> None:
    nvim.open(log)
    with nvim.slow_daemon():
        nvim.type(":1,15000w other<CR>")
        nvim.wait_for("vim.tbl_count(require('forge.view').of().beside) == 1")
        nvim.type(":1,12000w! other<CR>")
        nvim.wait_for("vim.tbl_count(require('forge.view').of().beside) == 2")
        nvim.type("<C-c>")
        nvim.wait_for_message("other was not written: stopped")
    nvim.wait_for_message("other written, 15,000 lines")
    assert len((workspace / "other").read_text().splitlines()) == 15_000


def test_writing_is_stopped_by_ctrl_c_and_leaves_nothing(nvim: Nvim, log: Path, workspace: Path) -> None:
    nvim.open(log)
    with nvim.slow_daemon():
        nvim.type(":1,15000w other<CR>")
        nvim.wait_for("next(require('forge.view').of().beside) ~= nil")
        nvim.type("G<C-c><C-c>")
        nvim.wait_for_message("other was not written: stopped")
    assert sorted(file.name for file in workspace.iterdir()) == [".git", "server.log"]


def test_writing_the_lines_of_a_filter_shows_how_far_it_is(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    nvim.command("Forge filter line")
    nvim.wait_for("require('forge.view').of().filter ~= nil and require('forge.view').of().etag ~= nil")
    nvim.lua(
        """
        _G.seen, _G.progress = {}, require("forge.messages").progress
        require("forge.messages").progress = function(text) table.insert(_G.seen, text) end
        """
    )
    nvim.type(":w other<CR>")
    nvim.wait_for_message("other written, 20,000 lines")
    seen = nvim.lua("require('forge.messages').progress = _G.progress return _G.seen")
    assert "writing server.log, 49 %, CTRL-C stops" in seen
