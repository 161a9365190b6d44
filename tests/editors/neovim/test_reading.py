"""A window shows the file: any line of it, its own numbers, and what it holds now."""

import lzma
import os
from pathlib import Path

import pytest

from .nvim import Nvim

LINES = 20_000


def numbered(count: int = LINES) -> str:
    return "".join(f"line {number}\n" for number in range(1, count + 1))


@pytest.fixture
def log(workspace: Path) -> Path:
    file = workspace / "server.log"
    file.write_text(numbered())
    return file


def test_a_window_opens_at_the_line_that_is_named(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:12345")
    assert nvim.line() == "line 12345"
    assert nvim.where() == "12,345 / 20,000"


def test_a_window_opens_at_the_first_line_by_default(nvim: Nvim, log: Path) -> None:
    nvim.open(log.name)
    assert (nvim.line(), nvim.where()) == ("line 1", "1 / 20,000")


def test_the_buffer_is_called_after_the_file_and_cannot_be_changed(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    assert nvim.lua("return vim.api.nvim_buf_get_name(0)") == f"forge://{log}"
    assert nvim.lua("return { vim.bo.modifiable, vim.bo.readonly, vim.bo.modified, vim.bo.buftype }") == [
        False,
        True,
        False,
        "nowrite",
    ]
    assert nvim.lua("return pcall(vim.cmd, 'normal! ddx')") is False
    assert nvim.line() == "line 1"


def test_only_a_part_of_a_file_is_loaded(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    assert nvim.lua("return vim.api.nvim_buf_line_count(0)") < 3_000


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("G", 20_000),
        ("15000G", 15_000),
        ("15000gg", 15_000),
        (":15000<CR>", 15_000),
        (":$<CR>", 20_000),
        (":+9000<CR>", 19_000),
        (":-9000<CR>", 1_000),
        ("99999999G", 20_000),
        ("gg", 1),
    ],
)
def test_line_keys_and_commands_mean_the_lines_of_the_file(nvim: Nvim, log: Path, keys: str, line: int) -> None:
    nvim.open(f"{log}:10000")
    nvim.type(keys)
    nvim.wait_for_line(f"line {line}")
    assert nvim.where() == f"{line:,} / 20,000"


def test_paging_down_loads_page_after_page_and_up_again(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    nvim.type("<C-f>" * 150)
    nvim.wait_for("tonumber(vim.fn.getline('.'):match('%d+')) > 3000")
    assert nvim.line() == f"line {nvim.where().split(' /')[0].replace(',', '')}"
    nvim.type("<C-b>" * 200)
    nvim.wait_for("vim.fn.getline('w0') == 'line 1'")


def test_a_long_way_down_does_not_keep_everything(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    nvim.type("<C-f>" * 400)
    nvim.wait_for("tonumber(vim.fn.getline('.'):match('%d+')) > 8000")
    assert nvim.lua("return vim.api.nvim_buf_line_count(0)") < 8_000
    lines = nvim.lua("return vim.api.nvim_buf_get_lines(0, 0, -1, false)")
    first = int(lines[0].split()[1])
    assert lines == [f"line {number}" for number in range(first, first + len(lines))]


def test_moving_line_by_line_goes_on_beyond_what_is_loaded(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    for _ in range(3):
        before = nvim.lua("return vim.fn.line('$')")
        nvim.type("990j")
        nvim.wait_for("vim.fn.line('$') > ...", before)
    assert int(nvim.line().split()[1]) > 2_000


def test_the_number_column_shows_the_files_numbers(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:15000")
    column = "vim.api.nvim_eval_statusline(vim.wo.statuscolumn, { use_statuscol_lnum = vim.fn.line('.') }).str"
    assert nvim.lua(f"return vim.trim({column})") == "15000"
    nvim.lua("vim.wo.relativenumber = true")
    above = column.replace("vim.fn.line('.')", "vim.fn.line('.') - 3")
    nvim.lua("vim.cmd.redraw()")
    assert nvim.lua(f"return vim.trim({column})") == "15000"
    assert nvim.lua(f"return vim.trim({above})") == "3"


def test_another_buffer_in_the_same_window_keeps_its_own_numbers(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    nvim.command("enew")
    assert nvim.lua("return { vim.wo.statuscolumn, vim.wo.statusline:find('forge') ~= nil }") == ["", False]
    assert nvim.where() == ""


def test_filetype_and_syntax_are_those_of_the_file(nvim: Nvim, workspace: Path) -> None:
    (workspace / "script.py").write_text("# comment\n")
    nvim.command("syntax on")
    nvim.open("script.py")
    assert nvim.lua("return { vim.bo.filetype, vim.b.current_syntax }") == ["python.forge", "python"]


def test_the_filetype_of_a_compressed_file_is_that_of_its_text(nvim: Nvim, workspace: Path) -> None:
    (workspace / "main.py.xz").write_bytes(lzma.compress(b"import os\n"))
    nvim.open("main.py.xz")
    nvim.wait_for("vim.bo.filetype == 'python.forge'")


def test_a_shebang_tells_the_filetype_too(nvim: Nvim, workspace: Path) -> None:
    (workspace / "run").write_text("#!/usr/bin/env bash\n")
    nvim.open("run")
    assert nvim.lua("return vim.bo.filetype") in ("sh.forge", "bash.forge")


def test_head_tail_and_around_go_there(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:10000")
    nvim.command("Forge tail")
    nvim.wait_for_line("line 20000")
    nvim.command("Forge head")
    nvim.wait_for_line("line 1")
    nvim.command("Forge around 7,500")
    nvim.wait_for_line("line 7500")


def test_head_tail_and_around_open_a_window_on_the_file_of_an_ordinary_buffer(nvim: Nvim, log: Path) -> None:
    nvim.command(f"edit {log}")
    nvim.command("Forge tail")
    nvim.wait_for_line("line 20000")
    assert nvim.lua("return vim.api.nvim_buf_get_name(0)") == f"forge://{log}"


def test_a_file_is_opened_once(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    buffer = nvim.lua("return vim.api.nvim_get_current_buf()")
    nvim.command("enew")
    nvim.open(f"{log}:50")
    assert nvim.line() == "line 50"
    assert nvim.lua("return vim.api.nvim_get_current_buf()") == buffer


def test_a_name_with_a_colon_and_digits_is_a_file_where_there_is_one(nvim: Nvim, workspace: Path) -> None:
    (workspace / "log:7").write_text("seven\n")
    nvim.open("log:7")
    assert nvim.line() == "seven"


def test_spaces_in_names_need_no_care(nvim: Nvim, workspace: Path) -> None:
    (workspace / "my log [1].txt").write_text("first\nsecond\n")
    nvim.open("my log [1].txt:2")
    assert nvim.line() == "second"


def test_an_empty_file_is_an_empty_window(nvim: Nvim, workspace: Path) -> None:
    (workspace / "empty.txt").write_text("")
    nvim.open("empty.txt")
    assert (nvim.line(), nvim.where()) == ("", "0 / 0")


def test_a_very_long_line_is_shown_cut_and_says_so(nvim: Nvim, workspace: Path) -> None:
    (workspace / "long.txt").write_text("first\n" + "x" * 1_500_000 + "\nlast\n")
    nvim.open("long.txt")
    nvim.type("G")
    nvim.wait_for_line("last")
    assert nvim.where() == "3 / 3"
    nvim.wait_for("vim.fn.line('$') == 3")
    assert nvim.lua("return #vim.fn.getline(2)") == 20_000
    marks = nvim.lua("return vim.api.nvim_buf_get_extmarks(0, -1, 0, -1, { details = true })")
    assert [(mark[1], mark[3]["virt_text"][0][0]) for mark in marks] == [(1, " ⋯ 1.5 MB more")]


def test_lines_that_fill_pages_by_themselves_are_reached_like_others(nvim: Nvim, workspace: Path) -> None:
    (workspace / "wide.txt").write_text("".join(f"{number} {'x' * 50_000}\n" for number in range(1, 121)))
    first_word = "vim.fn.getline('.'):match('%d+') == ..."
    nvim.open("wide.txt:100")
    nvim.wait_for(first_word, "100")
    nvim.type("gg")
    nvim.wait_for(first_word, "1")
    nvim.type("G")
    nvim.wait_for(first_word, "120")
    nvim.type("<C-b>" * 4)
    nvim.wait_for("vim.fn.line('$') > 30")
    numbers = [int(line.split()[0]) for line in nvim.lua("return vim.api.nvim_buf_get_lines(0, 0, -1, false)")]
    assert numbers == list(range(numbers[0], 121))


def test_a_changed_file_is_shown_anew_at_the_same_line_and_it_is_said(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:10000")
    log.write_text(numbered().replace("line 10000\n", "changed\n"))
    nvim.command("doautocmd FocusGained")
    nvim.wait_for_line("changed")
    nvim.wait_for_message("server.log changed; shown again at line 10,000")


def test_a_page_of_a_changed_file_is_not_put_behind_the_old_one(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    log.write_text(numbered().replace("line", "other"))
    nvim.type("<C-f>" * 60)
    nvim.wait_for_message("server.log changed; shown again")
    lines = nvim.lua("return vim.api.nvim_buf_get_lines(0, 0, -1, false)")
    assert {line.split()[0] for line in lines} == {"other"}


def test_refresh_shows_what_is_there_now(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:500")
    new = log.with_suffix(".new")
    new.write_text(numbered().replace("line 500\n", "new 500\n"))
    new.replace(log)  # At no moment it is shorter.
    nvim.command("Forge refresh")
    nvim.wait_for_line("new 500")


def test_a_file_that_became_shorter_is_shown_from_its_end(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:15000")
    log.write_text(numbered(100))
    nvim.command("Forge refresh")
    nvim.wait_for_line("line 100")
    assert nvim.where() == "100 / 100"


def test_editing_the_buffer_again_keeps_the_line(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:15000")
    nvim.command("edit")
    nvim.wait_for_line("line 15000")


def test_the_end_of_a_huge_file_is_there_at_once_and_numbered_when_it_is_counted(nvim: Nvim, huge: Path) -> None:
    nvim.open(huge)
    nvim.type("G")
    nvim.wait_for_line("row 6699999")
    nvim.wait_for("require('forge').statusline() == '6,700,000 / 6,700,000'")
    nvim.type("<C-b>" * 60)
    nvim.wait_for("tonumber(vim.fn.getline('.'):match('%d+')) < 6699000")
    assert nvim.where().startswith(f"{int(nvim.line().split()[1]) + 1:,} ")
    nvim.type("5000000G")
    nvim.wait_for_line("row 4999999")


def test_no_line_is_numbered_from_the_end_once_the_total_is_known(nvim: Nvim, huge: Path) -> None:
    nvim.open(huge)
    nvim.wait_for("require('forge').statusline() == '1 / 6,700,000'")
    nvim.type("G")
    nvim.wait_for_line("row 6699999")
    assert nvim.where() == "6,700,000 / 6,700,000"
    nvim.type("<C-b>" * 60)
    nvim.wait_for("tonumber(vim.fn.getline('.'):match('%d+')) < 6698900")
    nvim.command("Forge find row 6600000")
    nvim.wait_for_line("row 6600000")
    nvim.type("gg:99999999999<CR>")
    nvim.wait_for_line("row 6699999")
    assert nvim.where() == "6,700,000 / 6,700,000"
    nvim.type(":-100<CR>")
    nvim.wait_for_line("row 6699899")


def test_each_split_is_at_its_own_place(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:100")
    nvim.type(":vsplit<CR>")
    nvim.wait_for("vim.tbl_count(require('forge.view').all()) == 2")
    nvim.type("G")
    nvim.wait_for_line("line 20000")
    nvim.type("<C-w>p")
    nvim.wait_for_line("line 100")
    assert nvim.where() == "100 / 20,000"
    assert sorted(nvim.lua("return vim.tbl_map(vim.api.nvim_buf_get_name, vim.fn.tabpagebuflist())")) == [
        f"forge://{log}",
        f"forge://2{log}",
    ]


def test_a_window_that_is_split_before_its_lines_come_is_split_at_its_line(nvim: Nvim, log: Path) -> None:
    nvim.type(f":Forge open {log}:15000<CR>:vsplit<CR>")
    nvim.wait_for("vim.tbl_count(require('forge.view').all()) == 2")
    assert nvim.line() == "line 15000"
    nvim.type("<C-w>p")
    nvim.wait_for_line("line 15000")


def test_opening_an_open_file_keeps_its_place(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:15000")
    nvim.command(f"Forge open {log}")
    assert nvim.line() == "line 15000"
    nvim.command("enew")
    nvim.command(f"Forge open {log}")
    assert nvim.line() == "line 15000"


@pytest.mark.parametrize(
    ("typed", "line", "column"),
    [
        ("server.log:12:7", 12, 7),
        ("server.log:12:7:line 12", 12, 7),
        ("server.log:12:line 12", 12, 1),
        ("server.log:12:", 12, 1),
    ],
)
def test_a_place_as_other_tools_print_it_is_understood(
    nvim: Nvim, log: Path, typed: str, line: int, column: int
) -> None:
    nvim.open(typed)
    nvim.wait_for_line(f"line {line}")
    assert nvim.lua("return vim.fn.col('.')") == column


@pytest.mark.parametrize("name", ["~x.log", "$HOME.log", "100%.log"])
def test_a_name_is_taken_literally_where_there_is_such_a_file(nvim: Nvim, workspace: Path, name: str) -> None:
    (workspace / name).write_text("mine\n")
    nvim.open(name)
    assert nvim.line() == "mine"


def test_percent_is_the_current_file(nvim: Nvim, log: Path) -> None:
    nvim.command(f"edit {log}")
    nvim.open("%:77")
    nvim.wait_for_line("line 77")


def test_a_window_opens_in_a_split_after_vertical(nvim: Nvim, log: Path) -> None:
    nvim.command(f"vertical Forge open {log}:50")
    nvim.wait_for_line("line 50")
    assert nvim.lua("return vim.fn.winlayout()[1]") == "row"


def test_a_deleted_file_keeps_its_window_and_it_is_said(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:500")
    gone = "server.log no longer exists; the lines shown were read before"
    log.unlink()
    nvim.type(":edit<CR>")
    nvim.wait_for_message(gone)
    assert nvim.line() == "line 500"
    log.write_text("another\n")
    nvim.type(":Forge refresh<CR>")
    nvim.wait_for_line("another")
    nvim.command("messages clear")
    log.unlink()
    nvim.type(":Forge refresh<CR>")  # It is said each time it happens.
    nvim.wait_for_message(gone)
    assert nvim.line() == "another"


def test_numbers_are_left_out_where_the_option_says_so(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:15000")
    column = "return vim.api.nvim_eval_statusline(vim.wo.statuscolumn, { use_statuscol_lnum = 3 }).str"
    assert nvim.lua(column).strip().isdigit()
    nvim.type(":set nonumber<CR>")
    nvim.wait_for("not vim.wo.number")
    assert nvim.lua(column).strip() == ""


def test_numbers_stay_away_where_one_comes_back_and_in_a_split(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:15000")
    nvim.type_to_the_end(":set nonumber<CR>:vsplit<CR>")
    nvim.wait_for("vim.tbl_count(require('forge.view').all()) == 2 and vim.b.forge ~= nil")
    assert nvim.lua("return vim.tbl_map(function(each) return vim.wo[each].number end, vim.api.nvim_list_wins())") == [
        False,
        False,
    ]
    nvim.command("enew")
    nvim.command("buffer #")
    assert nvim.lua("return { vim.wo.number, vim.b.forge ~= nil }") == [False, True]


def test_a_statusline_of_ones_own_stays(nvim: Nvim, log: Path) -> None:
    nvim.command("split | wincmd o")  # A window of its own: it keeps its options.
    nvim.lua("vim.wo.statusline = 'mine'")  # As plugins set it, for each window.
    nvim.open(log)
    assert nvim.lua("return vim.wo.statusline") == "mine"
    nvim.lua("vim.cmd('new | wincmd o') vim.wo.statusline = ''")


def test_a_component_of_lualine_tells_the_files_line_and_its_own_ones_cannot(nvim: Nvim, log: Path) -> None:
    """lualine calls components in each window and puts what they return into a statusline; it is not here itself."""
    nvim.open(f"{log}:15000")
    component = 'function() return vim.b.forge and vim.b.forge.position or "%l:%c" end'
    shown = "vim.api.nvim_eval_statusline(vim.api.nvim_win_call(0, {}), {{}}).str"
    nvim.wait_for("vim.b.forge ~= nil")
    assert nvim.lua(f"return {shown.format(component)}") == "15,000 / 20,000"
    loaded = nvim.lua("return vim.fn.line('.')")
    assert loaded < 15_000
    assert (
        nvim.lua(f"return {shown.format('function() return vim.fn.line([[.]]) .. [[ %l]] end')}")
        == f"{loaded} {loaded}"
    )
    nvim.command("enew")
    assert nvim.lua(f"return {shown.format(component)}") == "0:0"


def test_statuslines_of_others_find_the_position_in_a_variable(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:15000")
    assert nvim.lua("return vim.b.forge.line") == 15_000
    nvim.lua("require('forge.travel').go(require('forge.view').of(), 15100) _G.line = vim.b.forge.line")
    assert nvim.lua("return _G.line") == 15_100  # Not only once Neovim notices that the cursor moved.
    nvim.type("15000G")
    nvim.type("j")
    nvim.wait_for("(vim.b.forge or {}).line == 15001")
    assert nvim.lua("return { vim.b.forge.total, vim.b.forge.position, vim.b.forge.path }") == [
        20_000,
        "15,001 / 20,000",
        str(log),
    ]


def test_keys_typed_ahead_wait_for_their_lines_where_the_file_was_touched(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:10000")
    os.link(log, log.with_suffix(".link"))  # Another state of the same file: whether it only grew is asked first.
    nvim.type_to_the_end("<C-b>" * 60)
    assert int(nvim.line().split()[1]) < 9_000


def test_what_cannot_be_opened_leaves_the_windows_as_they_are(nvim: Nvim, log: Path, workspace: Path) -> None:
    (workspace / ".env").write_text("TOKEN=1\n")
    nvim.open(f"{log}:15000")
    nvim.type_to_the_end(":vsplit<CR>")
    nvim.wait_for("vim.tbl_count(require('forge.view').all()) == 2")
    for command in ("Forge open .env", "vertical Forge open .env", "tab Forge open .env"):
        nvim.command("messages clear")
        nvim.command(command)
        nvim.wait_for_message("forge: .env: reading it is denied by the pattern '.env' (to allow it, see")
        nvim.wait_for("#vim.api.nvim_list_wins() == 2 and #vim.api.nvim_list_tabpages() == 1")
        assert nvim.where() == "15,000 / 20,000"


def test_numbers_are_there_again_where_a_buffer_was_deleted(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    nvim.command("bdelete")
    nvim.open(log)
    assert nvim.lua("return vim.wo.number")


def test_no_empty_rows_are_shown_below_the_last_line(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:19995")
    height = nvim.lua("return vim.api.nvim_win_get_height(0)")
    assert nvim.lua("return vim.fn.line('w$') - vim.fn.line('w0') + 1") == height
    assert nvim.where() == "19,995 / 20,000"
