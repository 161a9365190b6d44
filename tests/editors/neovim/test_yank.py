"""What is yanked are lines of the file, loaded or not."""

from pathlib import Path

import pytest

from .nvim import Nvim

LINES = 20_000


@pytest.fixture
def log(workspace: Path) -> Path:
    file = workspace / "server.log"
    file.write_text("".join(f"line {number}\n" for number in range(1, LINES + 1)))
    return file


def at(nvim: Nvim, line: int) -> None:
    nvim.wait_for_line(f"line {line}")
    assert nvim.where() == f"{line:,} / 20,000"


def register(nvim: Nvim, name: str = '"') -> list[str]:
    return list(nvim.lua("return vim.fn.getreg(..., 1, true)", name))


def lines(first: int, last: int) -> list[str]:
    return [f"line {number}" for number in range(first, last + 1)]


NOT_YET_YANKED = "vim.fn.setreg('\"', 'nothing')"
YANKED = "vim.fn.getreg('\"') ~= 'nothing'"


@pytest.mark.parametrize(
    ("keys", "first", "last"),
    [
        (":1,5y<CR>", 1, 5),
        (":%y<CR>", 1, 20_000),
        (":.,$y<CR>", 10_000, 20_000),
        (":.+1,.+3yank<CR>", 10_001, 10_003),
        (":5y 3<CR>", 5, 7),
        (":12000;+5y<CR>", 12_000, 12_005),
        (":12000,+5y<CR>", 10_005, 12_000),
        (":silent 2,4y<CR>", 2, 4),
        (":lockmarks 2,4y<CR>", 2, 4),
        (":noa sil! 2,4y<CR>", 2, 4),
        (":$,19998y<CR>", 19_998, 20_000),
        (":$y<CR>", 20_000, 20_000),
        (":$-1,$y<CR>", 19_999, 20_000),
        ("mx15000G:'x,.y<CR>", 10_000, 15_000),
        ("yG", 10_000, 20_000),
        ("ygg", 1, 10_000),
        ("y12000G", 10_000, 12_000),
        ("y3000j", 10_000, 13_000),
        ("3001yy", 10_000, 13_000),
        ("mx15000Gy'x", 10_000, 15_000),
        ("VGy", 10_000, 20_000),
        ("Vggy", 1, 10_000),
        ("VGggy", 1, 10_000),
        ("VG:y<CR>", 10_000, 20_000),
        ("V3000jy", 10_000, 13_000),
        ("v3000jY", 10_000, 13_000),
        ("15000GVggoy", 1, 15_000),
    ],
)
def test_what_is_yanked_is_what_was_named(nvim: Nvim, log: Path, keys: str, first: int, last: int) -> None:
    nvim.open(f"{log}:10000")
    nvim.lua(NOT_YET_YANKED)
    nvim.type(keys)
    nvim.wait_for(YANKED)
    assert register(nvim) == lines(first, last)


@pytest.mark.parametrize(("keys", "line"), [("V5000jy", 10_000), ("v5000jy", 10_000), ("ygg", 1), ("y5000k", 5_000)])
def test_after_a_yank_the_cursor_is_where_what_was_yanked_starts(nvim: Nvim, log: Path, keys: str, line: int) -> None:
    nvim.open(f"{log}:10000")
    nvim.lua(NOT_YET_YANKED)
    nvim.type(keys)
    nvim.wait_for(YANKED)
    at(nvim, line)


def test_a_yank_of_loaded_lines_names_no_register(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    nvim.type_to_the_end("V3jy")
    nvim.wait_for_message("4 lines yanked")
    assert "into" not in nvim.messages()


def test_a_register_may_be_named(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:10000")
    nvim.type(":1,3y a<CR>")
    nvim.wait_for("vim.fn.getreg('a') ~= ''")
    nvim.type('"byG')
    nvim.wait_for("vim.fn.getreg('b') ~= ''")
    assert register(nvim, "a") == lines(1, 3)
    assert register(nvim, "b") == lines(10_000, 20_000)


def test_characters_are_yanked_from_what_is_not_loaded_any_more(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:10000")
    nvim.lua(NOT_YET_YANKED)
    nvim.type("lv13000Gfny")  # As fast as this Neovim looks at `y` before it goes to the `n`.
    nvim.wait_for(YANKED)
    yanked = register(nvim)
    assert (yanked[0], yanked[-1], len(yanked)) == ("ine 10000", "lin", 3_001)


def test_characters_are_yanked_up_to_an_empty_line(nvim: Nvim, workspace: Path) -> None:
    (workspace / "gaps.log").write_text("".join(f"line {number}\n\n" for number in range(1, 3_001)))
    nvim.open("gaps.log:1")
    nvim.lua(NOT_YET_YANKED)
    nvim.type("lv4000Gy")
    nvim.wait_for(YANKED)
    yanked = register(nvim)
    assert (yanked[0], yanked[-2:], len(yanked)) == ("ine 1", ["line 2000", ""], 4_000)


def test_a_selection_keeps_its_start_while_lines_come_and_go(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:10000")
    nvim.lua(NOT_YET_YANKED)
    nvim.type("V" + "<C-b>" * 40)
    nvim.wait_for("tonumber(vim.fn.getline('.'):match('%d+')) < 9300")
    top = int(nvim.line().split()[1])
    nvim.type("y")
    nvim.wait_for(YANKED)
    assert register(nvim) == lines(top, 10_000)


@pytest.mark.parametrize(
    ("keys", "first", "last"), [("Vjj", 10_000, 10_002), ("V15000G", 10_000, 15_000), ("Vgg", 1, 10_000)]
)
def test_the_last_selection_is_selected_again_wherever_one_is(
    nvim: Nvim, log: Path, keys: str, first: int, last: int
) -> None:
    nvim.open(f"{log}:10000")
    nvim.lua(NOT_YET_YANKED)
    nvim.type_to_the_end(f"{keys}<Esc>18000G")
    nvim.type_to_the_end("gv")
    nvim.wait_for("vim.fn.mode() == 'V'")
    nvim.type("y")
    nvim.wait_for(YANKED)
    assert register(nvim) == lines(first, last)


def test_lines_that_are_not_there_leave_the_register_as_it_is(nvim: Nvim, log: Path) -> None:
    nvim.lua("vim.fn.setreg('\"', 'before')")
    nvim.open(log)
    nvim.type(":30000,30005y<CR>")
    nvim.wait_for_message("forge: nothing was yanked: there are no such lines")
    assert nvim.lua("return vim.fn.getreg()") == "before"


def test_text_with_nul_in_it_is_found_and_yanked_as_it_is(nvim: Nvim, log: Path) -> None:
    with log.open("ab") as end:
        end.write(b"nul \0 and more\nlast\n")
    nvim.open(log)
    nvim.lua(NOT_YET_YANKED)
    nvim.type("/more<CR>")
    nvim.wait_for("vim.fn.col('.') == 11")
    nvim.type_to_the_end("n:20001,20002y<CR>")
    nvim.wait_for(YANKED)
    assert register(nvim) == ["nul \n and more", "last"]  # How Vim writes NUL.
    nvim.command("Forge grep nul")
    nvim.wait_for_message("1 line with nul, in the quickfix list")
    nvim.command("cclose")


def test_a_yank_into_a_register_is_what_is_put_next(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:10000")
    nvim.lua(NOT_YET_YANKED)
    nvim.type('"ayG')
    nvim.wait_for(YANKED)
    assert register(nvim) == lines(10_000, 20_000)


def test_a_yank_that_ends_at_what_is_loaded_says_so(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:10000")
    nvim.type("y}")
    nvim.wait_for_message("only what is loaded was yanked; :y, yG and y{count}j take any lines")


def test_a_selection_from_the_first_line_that_is_loaded_is_yanked_without_a_warning(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:10000")
    nvim.lua(NOT_YET_YANKED)
    nvim.type("V10500Gy")
    nvim.wait_for(YANKED)
    assert register(nvim) == lines(10_000, 10_500)
    assert "only what is loaded" not in nvim.messages()


def test_a_very_large_yank_is_asked_about(nvim: Nvim, workspace: Path) -> None:
    (workspace / "many.log").write_text("x\n" * 150_000)
    nvim.open("many.log")
    nvim.lua("_G.asked = {} vim.fn.confirm = function(text) table.insert(_G.asked, text) return 2 end")
    nvim.type(":%y<CR>")
    nvim.wait_for("#_G.asked == 1")
    nvim.lua("vim.fn.confirm = nil")
    question = 'Yank 150,000 lines of many.log into register "? They are kept in memory.'
    assert nvim.lua("return _G.asked[1]") == question
