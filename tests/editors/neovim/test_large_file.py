"""A large file that is about to be edited is offered as a window, at the line one was going to."""

from pathlib import Path
from typing import Any

import pytest

from .conftest import Open
from .nvim import Nvim, wait_until
from .terminal import Terminal

ASKED = "Open a window on it, or load it whole?"


@pytest.fixture
def large(terminal: Open) -> Open:
    """Starts Neovims for which 1 MB is large."""

    def start(*files: str, **options: Any) -> Terminal:
        return terminal(*files, options={"large_file": 1_000_000}, **options)

    return start


def test_a_large_file_is_offered_as_a_window_when_it_is_edited(large: Open, log: str) -> None:
    nvim = large()
    nvim.command(f"edit {log}")
    assert nvim.shows("server.log has 17 MB. Open a window on it, or load it whole?")
    nvim.press("Enter")
    assert nvim.shows("1 / 1,500,000")


def test_a_large_file_is_offered_as_a_window_when_neovim_is_started_with_it(large: Open, log: str) -> None:
    nvim = large(log)
    assert nvim.shows("Open a window on it, or load it whole?")
    nvim.type("w")
    assert nvim.shows("1 / 1,500,000")


def test_the_buffer_that_was_to_be_read_is_never_taken_for_the_files_text(large: Open, log: str) -> None:
    nvim = large()
    nvim.command(f"Forge open {log}")  # From now on the daemon is told of every file that is edited.
    assert nvim.shows("1 / 1,500,000")
    nvim.command("bwipeout")
    nvim.command(f"edit {log}")
    assert nvim.shows("Open a window on it, or load it whole?")
    nvim.press("Enter")
    assert nvim.shows("1 / 1,500,000")


def test_the_target_line_of_the_command_line_is_kept_for_a_large_file(large: Open, log: str) -> None:
    nvim = large("+1000000", log)
    assert nvim.shows(ASKED)
    nvim.type("w")
    assert nvim.shows("1,000,000 / 1,500,000")


def test_the_target_line_of_edit_is_kept_for_a_large_file(large: Open, log: str) -> None:
    nvim = large()
    nvim.command(f"edit +1200000 {log}")
    assert nvim.shows(ASKED)
    nvim.type("w")
    assert nvim.shows("1,200,000 / 1,500,000")


def test_the_target_lines_of_a_quickfix_list_are_kept_for_a_large_file(large: Open, log: str, workspace: Path) -> None:
    (workspace / "errors.txt").write_text(f"{log}:1000000:5: first\n{log}:1400000:1: second\n")
    nvim = large("-q", "errors.txt")
    assert nvim.shows(ASKED)
    nvim.type("w")
    assert nvim.shows("1,000,000 / 1,500,000")
    nvim.command("cnext")
    assert nvim.shows("1,400,000 / 1,500,000")
    nvim.command("cprev")
    assert nvim.shows("1,000,000 / 1,500,000")


PICKERS = {
    "telescope": """
        pcall(vim.cmd, "edit server.log")
        pcall(vim.api.nvim_win_set_cursor, 0, { 1434567, 2 })
    """,
    "snacks": """
        local buf, window = vim.fn.bufadd("server.log"), vim.api.nvim_get_current_win()
        if not vim.api.nvim_buf_is_loaded(buf) then
          vim.cmd("buffer " .. buf)
          vim.bo[buf].buflisted = true
        end
        vim.api.nvim_win_set_buf(window, buf)
        vim.api.nvim_win_set_cursor(window, { 1434567, 2 })
        vim.cmd("norm! zzzv")
    """,
    "fzf-lua": """
        coroutine.wrap(function()
          pcall(vim.api.nvim_set_current_buf, vim.fn.bufadd(vim.fn.fnamemodify("server.log", ":p")))
          pcall(vim.api.nvim_win_set_cursor, 0, { 1434567, 2 })
          vim.cmd("norm! zvzz")
        end)()
    """,
    "mini.pick": """
        local window = vim.api.nvim_get_current_win()
        pcall(vim.fn.win_execute, window, "edit server.log")
        pcall(vim.api.nvim_win_set_cursor, window, { 1434567, 2 })
        pcall(vim.fn.win_execute, window, "normal! zvzz")
    """,
    "language servers": """
        local position = { line = 1434566, character = 2 }
        local uri = vim.uri_from_fname(vim.fn.fnamemodify("server.log", ":p"))
        local range = { start = position, ["end"] = position }
        vim.lsp.util.show_document({ uri = uri, range = range }, "utf-8", { focus = true })
    """,
}
"""How pickers open a file at a line: the calls that each of them makes. The plugins themselves are not here."""


@pytest.mark.parametrize("picker", PICKERS)
def test_the_target_line_of_a_picker_is_kept_for_a_large_file_each_time(
    large: Open, log: str, workspace: Path, picker: str
) -> None:
    (workspace / "pick.lua").write_text(PICKERS[picker])
    nvim = large()
    nvim.command("luafile pick.lua")
    assert nvim.shows(ASKED)
    nvim.type("w")
    assert nvim.shows("1,434,567 / 1,500,000")
    nvim.command("enew")
    assert nvim.shows("[No Name]")
    nvim.command("luafile pick.lua")
    assert nvim.shows("1,434,567 / 1,500,000")


def test_large_files_opened_side_by_side_stay_side_by_side(large: Open, log: str, workspace: Path) -> None:
    (workspace / "other.log").write_text("".join(f"other {number}\n" for number in range(1, 200_001)))
    nvim = large("-O", log, "other.log")
    for file in (log, "other.log"):
        assert nvim.shows(f"{file} has ")
        nvim.type("w")
    assert nvim.shows("1 / 1,500,000")
    assert nvim.shows("1 / 200,000")
    assert any("row 1" in row and "other 1" in row for row in nvim.rows())


def test_a_large_file_is_loaded_whole_if_that_is_chosen(large: Open, log: str) -> None:
    nvim = large()
    nvim.command(f"edit {log}")
    assert nvim.shows("Open a window on it, or load it whole?")
    nvim.type("l")
    assert nvim.shows("row 1\n")
    nvim.command("echo line('$') &modifiable bufname()")
    assert nvim.shows("1500000 1 server.log")


@pytest.mark.parametrize(
    "arguments", [["-c", "1000000"], ["+call cursor(1000000, 1)"], ["-c", "normal! 1000000G"]], ids=" ".join
)
def test_every_form_of_target_line_on_the_command_line_is_kept_for_a_large_file(
    large: Open, log: str, arguments: list[str]
) -> None:
    nvim = large(log, *arguments)
    assert nvim.shows(ASKED)
    nvim.type("w")
    assert nvim.shows("1,000,000 / 1,500,000")


@pytest.mark.parametrize(("text", "keys", "line"), [("see {}:1234567 there", "wgF", 1_234_567), ("see {}", "wgf", 1)])
def test_the_target_line_of_a_name_in_a_text_is_kept_for_a_large_file(
    large: Open, log: str, workspace: Path, text: str, keys: str, line: int
) -> None:
    (workspace / "notes.txt").write_text(text.format(log) + "\n")
    nvim = large("notes.txt")
    assert nvim.shows(log)
    nvim.type(keys)
    assert nvim.shows(ASKED)
    nvim.type("w")
    assert nvim.shows(f"{line:,} / 1,500,000")


def test_coming_back_to_a_large_file_keeps_the_place(large: Open, log: str, workspace: Path) -> None:
    (workspace / "errors.txt").write_text(f"{log}:1000000:5: first\n")
    nvim = large("-q", "errors.txt")
    assert nvim.shows(ASKED)
    nvim.type("w")
    assert nvim.shows("1,000,000 / 1,500,000")
    nvim.type("1200000G")
    assert nvim.shows("1,200,000 / 1,500,000")
    nvim.command("edit errors.txt")
    assert nvim.shows("1000000:5: first")
    nvim.command(f"edit {log}")
    assert nvim.shows("1,200,000 / 1,500,000")


def test_a_target_line_that_could_not_be_kept_for_a_large_file_is_said(large: Open, log: str, workspace: Path) -> None:
    (workspace / "go.lua").write_text(f"vim.cmd('edit {log}') vim.fn.cursor(1400000, 1)")
    nvim = large()
    nvim.command("luafile go.lua")
    assert nvim.shows(ASKED)
    nvim.type("w")
    assert nvim.shows("1,000,000 / 1,500,000")
    nvim.command("messages")
    assert nvim.shows("forge: the line to go to is not known; :{line} goes there")


@pytest.mark.parametrize("how", ["edit +1200000 server.log", "luafile pick.lua"])
def test_the_target_line_is_kept_when_a_large_file_is_loaded_whole(
    large: Open, log: str, workspace: Path, how: str
) -> None:
    (workspace / "pick.lua").write_text(PICKERS["snacks"].replace("1434567", "1200000"))
    nvim = large()
    nvim.command(how)
    assert nvim.shows(ASKED)
    nvim.type("l")
    assert nvim.shows("row 1200000\n")
    nvim.command("echo line('.') line('$') &modifiable &undolevels")
    assert nvim.shows("1200000 1500000 1 1000")


def test_a_plugin_that_wants_the_lines_of_a_file_it_does_not_show_gets_them(large: Open, log: str) -> None:
    nvim = large()
    nvim.command(f"let b = bufadd('{log}') | call bufload(b)")
    nvim.command("echo getbufinfo(b)[0].linecount getbufline(b, 1500000) getbufvar(b, '&modified')")
    assert nvim.shows("1500000 ['row 1500000'] 0")


@pytest.mark.parametrize("key", ["Escape", "C-c"])
def test_the_question_about_a_large_file_may_be_cancelled(large: Open, log: str, workspace: Path, key: str) -> None:
    (workspace / "notes.txt").write_text("my notes\n")
    nvim = large("notes.txt")
    nvim.command(f"edit {log}")
    assert nvim.shows(ASKED)
    nvim.press(key)
    assert wait_until(lambda: ASKED not in nvim.screen())
    assert nvim.shows("my notes")
    nvim.command(f"edit {log}")
    assert nvim.shows(ASKED)
    nvim.type("l")
    assert nvim.shows("row 1\n")


def test_what_is_shown_in_a_window_can_still_be_loaded(large: Open, log: str) -> None:
    nvim = large(log)
    assert nvim.shows(ASKED)
    nvim.type("w")
    assert nvim.shows("1 / 1,500,000")
    nvim.command(f"edit! {log}")
    assert nvim.shows(ASKED)
    nvim.type("l")
    assert wait_until(lambda: any(row.endswith("server.log 1,1 Top") for row in nvim.rows()))
    nvim.command("echo line('$') &modifiable &buftype")
    assert nvim.shows("1500000 1")


def test_nothing_typed_ahead_gets_into_the_buffer_that_is_to_be_read(large: Open, log: str) -> None:
    nvim = large(log)
    assert nvim.shows(ASKED)
    nvim.type("lix")
    nvim.press("Escape")
    assert nvim.shows("row 1\n")
    nvim.command("echo line('$') .. '|' .. &buftype")  # The `x` is lost, or comes after the file.
    assert nvim.shows("1500000|\n")


@pytest.mark.parametrize("options", [{"large_file": False}, {}])
def test_nobody_is_asked_about_other_files(terminal: Open, log: str, options: dict[str, Any]) -> None:
    nvim = terminal(options=options)
    nvim.command(f"edit {log}")
    assert nvim.shows("row 1\n")
    assert "window" not in nvim.screen()


@pytest.mark.parametrize("wrong", [{"cmd": ["cat"]}, {"root_markers": 7}, {"cmd": ["sh", "-c", "sleep 1; exit 3"]}])
def test_a_file_is_never_emptied_where_its_window_cannot_be_shown(
    terminal: Open, workspace: Path, wrong: dict[str, Any]
) -> None:
    text = "".join(f"row {number}\n" for number in range(1, 200_001))
    (workspace / "precious.log").write_text(text)
    nvim = terminal("precious.log", options={"large_file": 1_000_000, **wrong})
    assert nvim.shows(ASKED)
    nvim.type("w")
    assert nvim.shows("forge: ")
    assert nvim.shows("[No Name]")
    nvim.type("ix")
    nvim.press("Escape")
    nvim.command("w!")
    assert nvim.shows("E32: No file name")
    assert (workspace / "precious.log").read_text() == text
    nvim.command("edit! precious.log")
    assert nvim.shows(ASKED)
    nvim.type("l")
    assert nvim.shows("row 1\n")


def test_a_large_file_is_loaded_and_that_is_said_if_there_is_no_daemon(terminal: Open, log: str) -> None:
    nvim = terminal(log, options={"large_file": 1_000_000, "cmd": ["no-such-daemon"]})
    assert nvim.shows("forge: no-such-daemon was not found, so the file is loaded whole")
    assert "row 1\n" in nvim.screen()
    assert "Press ENTER" not in nvim.screen()


def test_the_alternate_file_of_a_window_on_a_large_file_is_the_one_before(
    large: Open, log: str, workspace: Path
) -> None:
    (workspace / "notes.txt").write_text("my notes\n")
    nvim = large("notes.txt")
    nvim.command(f"edit {log}")
    assert nvim.shows(ASKED)
    nvim.type("w")
    assert nvim.shows("1 / 1,500,000")
    nvim.press("C-^")
    assert nvim.shows("my notes")
    nvim.press("C-^")
    assert nvim.shows("1 / 1,500,000")


def test_no_helper_buffer_is_left_for_oldfiles_to_list(large: Open, log: str, workspace: Path) -> None:
    (workspace / "pick.lua").write_text(PICKERS["snacks"])
    nvim = large()
    nvim.command("luafile pick.lua")
    assert nvim.shows(ASKED)
    nvim.type("w")
    assert nvim.shows("1,434,567 / 1,500,000")
    nvim.command("echo map(getbufinfo(), 'fnamemodify(v:val.name, \":t\")')")
    assert nvim.shows("['', 'server.log', 'server.log']")


def test_another_window_on_a_large_file_is_at_the_same_place(large: Open, log: str, workspace: Path) -> None:
    (workspace / "notes.txt").write_text("my notes\n")
    nvim = large("notes.txt")
    nvim.command(f"tabedit +7000 {log}")
    assert nvim.shows(ASKED)
    nvim.type("w")
    assert nvim.shows("7,000 / 1,500,000")
    nvim.command("tabnext")
    assert nvim.shows("my notes")
    nvim.command(f"vsplit {log}")
    assert nvim.shows("7,000 / 1,500,000")
    for command in ("only", "tabonly", "bdelete"):
        nvim.command(command)
    assert nvim.shows("my notes")
    nvim.command(f"edit {log}")
    assert nvim.shows("7,000 / 1,500,000")


def test_a_line_that_is_known_twice_costs_no_rows(nvim: Nvim, workspace: Path) -> None:
    nvim.command("edit list.txt")
    nvim.lua("vim.fn.setline(1, 'server.log|1400000 col 5| first')")
    nvim.command("set hidden | enew | file server.log")
    nvim.lua("vim.fn.setqflist({ { bufnr = vim.fn.bufnr(), lnum = 1400000 } })")
    rows = "require('forge.destination').expect('server.log', false) return vim.api.nvim_buf_line_count(0)"
    assert nvim.lua(rows) == 2
