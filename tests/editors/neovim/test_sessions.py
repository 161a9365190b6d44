"""A session restores windows as they were: at their lines, with their filters and encodings."""

from pathlib import Path

import pytest

from .conftest import Start
from .nvim import Nvim


@pytest.fixture
def log(workspace: Path) -> Path:
    file = workspace / "server.log"
    file.write_text("".join(f"line {number}\n" for number in range(1, 20_001)))
    return file


def restored(nvim: Nvim, start: Start) -> Nvim:
    """Write a session, quit, and start with it."""
    nvim.type_to_the_end(":mksession session.vim<CR>")
    assert nvim.quit() == 0
    return start("-S", "session.vim")


def test_a_session_restores_windows_at_their_lines(start: Start, log: Path) -> None:
    nvim = start()
    nvim.open("server.log:12345")
    nvim.type(":vsplit<CR>")
    nvim.wait_for("vim.tbl_count(require('forge.view').all()) == 2")
    nvim.type("gg")
    nvim.wait_for_line("line 1")
    nvim = restored(nvim, start)
    nvim.wait_for_line("line 1")
    nvim.type("<C-w>p")
    nvim.wait_for_line("line 12345")
    assert nvim.where() == "12,345 / 20,000"


@pytest.mark.parametrize(
    ("command", "line", "shown"),
    [
        ("Forge filter /0{3}$/", 12_000, "only 0{3}$  12,000, match 12 / 20"),
        ("Forge filter! 1", 20_000, "not 1  20,000, match 6,561 / 6,561"),
    ],
)
def test_a_session_restores_filters(start: Start, log: Path, command: str, line: int, shown: str) -> None:
    nvim = start()
    nvim.open("server.log:11500")
    nvim.command(command)
    nvim.wait_for("(vim.b.forge or {}).filter ~= nil")
    nvim.type(f":{line}<CR>")
    nvim.wait_for("require('forge').statusline() == ...", shown)
    nvim = restored(nvim, start)
    nvim.wait_for("require('forge').statusline() == ...", shown)
    assert nvim.line() == f"line {line}"
    nvim.command("Forge filter")
    nvim.wait_for("vim.b.forge and vim.b.forge.filter == nil")
    nvim.wait_for_line(f"line {line}")  # Where one was in the whole file is not known any more.


def test_a_filter_beside_the_whole_file_is_restored_beside_it(start: Start, log: Path) -> None:
    nvim = start()
    nvim.open("server.log:12345")
    nvim.type(":vsplit<CR>")
    nvim.wait_for("vim.tbl_count(require('forge.view').all()) == 2")
    nvim.type(":Forge filter 999<CR>")
    nvim.wait_for("require('forge').statusline():find('12,999, match %d+ / %d') ~= nil")
    nvim = restored(nvim, start)
    nvim.wait_for("require('forge').statusline():find('only 999  12,999', 1, true) ~= nil")
    nvim.type("<C-w>p")
    nvim.wait_for("require('forge').statusline() == '12,345 / 20,000'")
    assert nvim.line() == "line 12345"
    nvim.type("<C-w>p<CR>")
    nvim.wait_for("require('forge').statusline() == '12,999 / 20,000'")


def test_a_session_restores_an_encoding_that_was_chosen(start: Start, workspace: Path) -> None:
    (workspace / "cyrillic.log").write_bytes(
        "".join(f"строка {number}\n" for number in range(1, 5_001)).encode("cp1251")
    )
    nvim = start()
    nvim.open("++enc=cp1251 cyrillic.log:4321")
    nvim.wait_for_line("строка 4321")
    nvim = restored(nvim, start)
    nvim.wait_for_line("строка 4321")
    assert nvim.where() == "windows-1251  4,321 / 5,000"
    nvim.command("Forge filter 50")
    nvim.wait_for("require('forge').statusline():find('4,350, match %d+ / %d') ~= nil")
    (workspace / "session.vim").unlink()
    nvim = restored(nvim, start)
    nvim.wait_for_line("строка 4350")
    assert nvim.where().startswith("only 50  windows-1251  4,350, match ")
    nvim.type("<BS>")
    nvim.wait_for("require('forge').statusline() == 'windows-1251  4,350 / 5,000'")
    assert nvim.line() == "строка 4350"


def test_a_session_with_a_file_that_is_gone_is_one_line(start: Start, log: Path) -> None:
    nvim = start()
    nvim.open("server.log:12345")
    nvim.command("mksession session.vim")
    assert nvim.quit() == 0
    log.unlink()
    nvim = start("-S", "session.vim")
    nvim.wait_for_message("forge: ")
    assert "Error" not in nvim.messages()
