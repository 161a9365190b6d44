"""A window with only the lines that match, and the quickfix list of them."""

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


def test_only_the_lines_that_match_are_shown_with_their_own_numbers(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    filter_by(nvim, " timed out")
    assert nvim.where() == "only timed out  10, match 1 / 2,000"
    assert nvim.lua("return vim.fn.getline(1, 3)") == ["line 10 timed out", "line 20 timed out", "line 30 timed out"]
    column = "vim.api.nvim_eval_statusline(vim.wo.statuscolumn, { use_statuscol_lnum = 3 }).str"
    assert nvim.lua(f"return vim.trim({column})") == "30"


def test_a_filter_opens_near_the_cursors_line(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:15001")
    filter_by(nvim, " timed out")
    nvim.wait_for_line("line 15010 timed out")
    nvim.wait_for("require('forge').statusline() == 'only timed out  15,010, match 1,501 / 2,000'")


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("G", 20_000),
        ("gg", 10),
        (":15001<CR>", 15_010),
        (":$<CR>", 20_000),
        ("900j", 9_010),
        ("1500j", 15_010),
        ("1500j1200k", 3_010),
        ("50%", 10_000),
        (":15001<CR><C-o>", 10),
    ],
)
def test_motions_in_a_filtered_window_mean_the_lines_of_the_file(nvim: Nvim, log: Path, keys: str, line: int) -> None:
    nvim.open(log)
    filter_by(nvim, " timed out")
    nvim.type(keys)
    nvim.wait_for_line(f"line {line} timed out")


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("/77<CR>", 770),
        ("/77<CR>n", 1_770),
        ("/77<CR>3n", 3_770),
        ("/77<CR>nN", 770),
        ("?77<CR>", 19_770),
        ("/out<CR>", 10),
        ("/out<CR>n", 20),
    ],
)
def test_a_search_goes_through_the_lines_that_match(nvim: Nvim, log: Path, keys: str, line: int) -> None:
    nvim.open(log)
    filter_by(nvim, " timed out")
    nvim.type_to_the_end(keys)
    nvim.wait_for_line(f"line {line} timed out")


def test_a_search_in_a_filtered_window_says_what_none_of_its_lines_holds(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    filter_by(nvim, " timed out")
    nvim.type("/line 7$<CR>")
    nvim.wait_for_message("line 7$ was not found in server.log (only timed out)")


def test_a_split_and_a_second_look_keep_the_filter(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    filter_by(nvim, " timed out")
    nvim.type(":vsplit<CR>")
    nvim.wait_for("vim.tbl_count(require('forge.view').all()) == 3")
    nvim.type("G")
    nvim.wait_for("require('forge').statusline() == 'only timed out  20,000, match 2,000 / 2,000'")
    nvim.type(":edit<CR>")
    nvim.wait_for("(require('forge.view').of() or {}).etag ~= nil")
    nvim.wait_for("require('forge').statusline() == 'only timed out  20,000, match 2,000 / 2,000'")


def test_enter_in_a_split_goes_to_the_line_in_the_whole_file(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    filter_by(nvim, " timed out")
    nvim.type(":vsplit<CR>")
    nvim.wait_for("vim.tbl_count(require('forge.view').all()) == 3")
    nvim.type("15000G<CR>")
    nvim.wait_for("require('forge').statusline() == '15,000 / 20,000'")


def test_enter_before_a_match_was_found_goes_nowhere(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:15000")
    with nvim.slow_daemon():
        nvim.command("Forge filter timed out")
        nvim.type("<CR>")
        nvim.wait_for_message("server.log is still being read; try again in a moment")
    nvim.wait_for("require('forge').statusline() == 'only timed out  15,000, match 1,500 / 2,000'")


def test_a_yank_that_would_be_cut_is_refused_in_words(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    filter_by(nvim, " timed out")
    nvim.type("y1500j")
    nvim.wait_for_message("not all of these lines are loaded; yG takes the rest")


def test_the_last_match_of_a_huge_file_has_its_own_number(nvim: Nvim, huge: Path) -> None:
    nvim.open(huge)
    filter_by(nvim, " 00000")
    nvim.type("G")
    nvim.wait_for_line("row 6600000")
    assert nvim.where() == "only 00000  6,600,001, match 220 / 220"


def test_every_match_can_be_paged_through(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    filter_by(nvim, " timed out")
    nvim.type("<C-f>" * 120)
    nvim.wait_for("vim.fn.getline('$') == 'line 20000 timed out'")
    shown = nvim.lua("return vim.api.nvim_buf_get_lines(0, 0, -1, false)")
    assert shown == [f"line {number} timed out" for number in TIMED_OUT][-len(shown) :]
    assert nvim.lua("return require('forge.view').of().numbers") == list(TIMED_OUT)[-len(shown) :]


def test_enter_goes_to_the_line_in_the_whole_file_and_back_again(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    filter_by(nvim, " timed out")
    nvim.type(":7000<CR><CR>")
    nvim.wait_for("require('forge').statusline() == '7,000 / 20,000'")
    nvim.type("<C-o>")
    nvim.wait_for("require('forge').statusline() == 'only timed out  7,000, match 700 / 2,000'")


def test_ctrl_o_after_enter_goes_back_to_the_matches_before_older_places(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    nvim.type_to_the_end(":15000<CR>:16000<CR>")
    filter_by(nvim, " timed out")
    nvim.type_to_the_end(":7000<CR><CR>")
    nvim.wait_for("require('forge').statusline() == '7,000 / 20,000'")
    nvim.type_to_the_end("<C-o>")
    nvim.wait_for("require('forge').statusline() == 'only timed out  7,000, match 700 / 2,000'")
    nvim.type_to_the_end("j<CR>")
    nvim.wait_for("require('forge').statusline() == '7,010 / 20,000'")
    nvim.type_to_the_end("<C-o>")
    nvim.wait_for("require('forge').statusline() == 'only timed out  7,010, match 701 / 2,000'")
    nvim.type_to_the_end("<CR>")
    nvim.command("silent! bwipeout! #")
    nvim.type_to_the_end("<C-o>")  # The matches are gone; older places are not.
    nvim.wait_for_line("line 7000 timed out")


def test_filter_without_a_pattern_goes_back_to_where_one_was(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:123")
    filter_by(nvim, " timed out")
    nvim.type("G")
    nvim.wait_for_line("line 20000 timed out")
    nvim.command("Forge filter")
    nvim.wait_for("require('forge').statusline() == '123 / 20,000'")


@pytest.mark.parametrize(
    ("typed", "first", "matches"),
    [
        ("! timed out", 1, "not timed out  1, match 1 / 18,000"),
        (" ! timed out", 1, "not timed out  1, match 1 / 18,000"),
        (" /^line 1.*000 /", 1_000, "only ^line 1.*000 "),
    ],
)
def test_a_filter_leaves_lines_out_or_finds_them_by_an_expression(
    nvim: Nvim, log: Path, typed: str, first: int, matches: str
) -> None:
    nvim.open(log)
    filter_by(nvim, typed)
    assert nvim.where().startswith(matches)
    assert nvim.line().startswith(f"line {first}")


@pytest.mark.parametrize(
    ("keys", "first"), [("gg:19971,$y<CR>", 19_980), ("gg:$,19991y<CR>", 20_000), ("G:$y<CR>", 20_000)]
)
def test_the_end_of_a_range_is_the_last_match(nvim: Nvim, log: Path, keys: str, first: int) -> None:
    nvim.open(log)
    filter_by(nvim, " timed out")
    nvim.lua("vim.fn.setreg('\"', 'nothing')")
    nvim.type(keys)
    nvim.wait_for("vim.fn.getreg('\"') ~= 'nothing'")
    expected = [f"line {number} timed out" for number in range(first, LINES + 1, 10)]
    assert nvim.lua("return vim.fn.getreg('\"', 1, true)") == expected


def test_how_far_writing_a_filter_is_is_shown_before_its_first_lines_are_there(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    nvim.command("Forge filter /./")
    nvim.wait_for("require('forge').statusline() == 'only .  1, match 1 / 20,000'")
    nvim.lua(
        """
        local daemon = require("forge.daemon")
        _G.request, _G.told = daemon.request, {}
        daemon.request = function(method, params, callback, on_progress)
          if on_progress and method == "forge/readFile" then
            on_progress({ kind = "report", percentage = 20 })
          end
          return _G.request(method, params, callback, on_progress)
        end
        _G.progress = require("forge.messages").progress
        require("forge.messages").progress = function(text) table.insert(_G.told, text) end
        """
    )
    nvim.type_to_the_end(":w other.log<CR>")
    told = nvim.lua(
        """
        require("forge.daemon").request, require("forge.messages").progress = _G.request, _G.progress
        return _G.told
        """
    )
    assert len((log.parent / "other.log").read_text().splitlines()) == 20_000
    shares = [int(text.removeprefix("writing server.log, ").split()[0]) for text in told]
    assert shares == [20, 20, 49]


def test_writing_a_filter_goes_on_while_another_is_opened(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    nvim.command("Forge filter /./")
    nvim.wait_for("require('forge').statusline() == 'only .  1, match 1 / 20,000'")
    with nvim.slow_daemon():
        nvim.type(":w other.log<CR>")
        nvim.wait_for("next(require('forge.view').of().beside) ~= nil")
        nvim.command("Forge filter")
        nvim.command("Forge filter 00")
    nvim.wait_for("require('forge').statusline():find('^only 00') ~= nil")
    nvim.wait_for_message("forge: other.log written, 20,000 lines")
    assert "stopped" not in nvim.messages()


def test_no_file_is_written_where_no_line_of_a_range_matches(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    filter_by(nvim, " timed out")
    nvim.type(":11,19w other<CR>")
    nvim.wait_for_message("forge: other was not written: there are no such lines")
    assert sorted(file.name for file in log.parent.iterdir()) == [".git", "server.log"]


def test_percent_is_the_file_in_a_filtered_window_too(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    filter_by(nvim, " timed out")
    nvim.type(":Forge open %:15010<CR>")
    nvim.wait_for_line("line 15010 timed out")
    nvim.type(":.w %.part<CR>")
    nvim.wait_for_message("server.log.part written, 1 line")
    assert log.with_name("server.log.part").read_text() == "line 15010 timed out\n"


def test_ctrl_g_in_a_filtered_window_tells_the_figures_of_the_matches(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:10000")
    filter_by(nvim, " timed out")
    nvim.wait_for("require('forge').statusline():find('/ 2,000', 1, true) ~= nil")
    with nvim.hearing() as told:
        nvim.type("<C-g>")
        nvim.wait_for("_G.told ~= ''")
        assert "10,000, match 1,000 / 2,000 --50%-- col 1" in told()
        nvim.type_to_the_end("G:=<CR>")
        assert told() == "forge: 20,000"


def test_nothing_that_matches_is_said_and_the_file_stays(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:123")
    nvim.command("Forge filter nonsense")
    nvim.wait_for_message("forge: server.log has no such lines (only nonsense)")
    nvim.wait_for("require('forge').statusline() == '123 / 20,000'")


def test_a_faulty_expression_is_said_and_the_file_stays(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:123")
    nvim.command("Forge filter /(/")
    nvim.wait_for_message("not a regular expression: a ) is missing")
    nvim.wait_for("require('forge').statusline() == '123 / 20,000'")


def test_what_is_yanked_are_the_lines_that_match(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    filter_by(nvim, " timed out")
    nvim.lua("vim.fn.setreg('\"', 'nothing')")
    nvim.type("yG")
    nvim.wait_for("vim.fn.getreg('\"') ~= 'nothing'")
    assert nvim.lua("return vim.fn.getreg('\"', 1, true)") == [f"line {number} timed out" for number in TIMED_OUT]


def test_a_filtered_window_follows_too(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    filter_by(nvim, " timed out")
    nvim.command("Forge follow")
    nvim.wait_for_line("line 20000 timed out")
    with log.open("a") as end:
        end.write("line 20001\nline 20002 timed out\n")
    nvim.wait_for_line("line 20002 timed out")
    nvim.wait_for("require('forge.view').of():line() == 20002")


def test_grep_fills_the_quickfix_list_with_a_bound_and_the_total(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    nvim.command("Forge grep timed out")
    nvim.wait_for_message("first 1,000 of 2,000 lines with timed out, in the quickfix list")
    entries = nvim.lua("return vim.fn.getqflist()")
    assert [(entry["lnum"], entry["col"], entry["text"]) for entry in entries[:2]] == [
        (10, 9, "line 10 timed out"),
        (20, 9, "line 20 timed out"),
    ]
    assert len(entries) == 1_000
    nvim.command("cclose | 700cc")
    nvim.wait_for("require('forge').statusline() == '7,000 / 20,000'")
    nvim.command("cnext")
    nvim.wait_for("require('forge').statusline() == '7,010 / 20,000'")


def test_enter_in_the_quickfix_list_uses_the_window_that_is_there(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    nvim.command("Forge grep timed out")
    nvim.wait_for("vim.bo.buftype == 'quickfix'")
    for row, line in ((700, 7_000), (3, 30)):
        nvim.type(f":{row}<CR><CR>")
        nvim.wait_for(f"require('forge').statusline() == '{line:,} / 20,000'")
        assert nvim.lua("return vim.fn.winnr('$')") == 2
        nvim.type("<C-w>j")
        nvim.wait_for("vim.bo.buftype == 'quickfix'")


def test_a_small_file_that_was_listed_can_be_edited_once_its_window_is_closed(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    nvim.command("Forge grep line 7")
    nvim.wait_for_message(", in the quickfix list")
    nvim.command("cclose")
    nvim.command("edit server.log")
    nvim.wait_for("require('forge.view').of() ~= nil")
    nvim.command("enew")
    nvim.command("edit server.log")
    nvim.wait_for("vim.bo.modifiable and vim.bo.buftype == '' and vim.fn.line('$') == ...", LINES)
    assert nvim.lua("return vim.api.nvim_buf_get_name(0)") == str(log)


def test_the_filter_is_an_option_of_the_functions_for_plugins(nvim: Nvim, log: Path) -> None:
    filter_ = {"pattern": "timed out"}
    window = nvim.lua("return require('forge').read_sync('server.log', { filter = ..., head = 2 })", filter_)
    assert (window["content"], window["line_numbers"]) == ("line 10 timed out\nline 20 timed out\n", [10, 20])
    nvim.lua("require('forge').count_lines('server.log', { filter = ... }, function(_, r) _G.counted = r end)", filter_)
    nvim.wait_for("(_G.counted or {}).line_count == 2000")


def test_ctrl_c_goes_back_to_the_file_where_no_match_was_found_yet(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:15000")
    with nvim.slow_daemon():
        nvim.command("Forge filter timed out")
        nvim.type("<C-c>")
        nvim.wait_for_message("forge: stopped")
        assert nvim.where() == "15,000 / 20,000"


def test_a_file_that_is_being_edited_is_filtered_in_a_window(nvim: Nvim, log: Path) -> None:
    nvim.command(f"edit {log}")
    nvim.command("7001 | Forge filter timed out")
    nvim.wait_for("require('forge').statusline() == 'only timed out  7,010, match 701 / 2,000'")
    nvim.command("Forge filter")
    nvim.wait_for("require('forge').statusline() == '7,001 / 20,000'")


def test_a_match_in_a_filtered_window_is_told_with_its_number(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    filter_by(nvim, " timed out")
    with nvim.hearing() as told:
        nvim.type("/777<CR>")
        nvim.wait_for_line("line 7770 timed out")
        nvim.wait_for("_G.told == '/777  line 7,770  [1/2]'")
        assert told() == "/777  line 7,770  [1/2]"
