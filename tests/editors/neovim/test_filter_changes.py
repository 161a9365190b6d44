"""Filters take each other's place, add up, are taken back, and are kept by name."""

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


def test_a_split_takes_filters_back_as_the_window_it_comes_from(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    nvim.type_to_the_end(":Forge filter timed<CR>")
    nvim.type_to_the_end(":Forge filter+ 00<CR>")
    nvim.wait_for("require('forge').statusline():find('^only timed and 00') ~= nil")
    nvim.type_to_the_end(":split<CR>")
    nvim.wait_for("vim.tbl_count(require('forge.view').all()) == 3")
    nvim.type_to_the_end("<BS>")
    nvim.wait_for("require('forge').statusline():find('^only timed  ') ~= nil")
    nvim.type_to_the_end("<C-w>p")
    nvim.wait_for("require('forge').statusline():find('^only timed and 00') ~= nil")


def test_a_filter_that_is_given_twice_is_taken_back_at_once(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    filter_by(nvim, " timed out")
    nvim.type_to_the_end(":Forge filter timed out<CR>")
    nvim.type_to_the_end("<BS>")
    nvim.wait_for("require('forge').statusline() == '1 / 20,000'")


def test_the_whole_file_keeps_its_place_if_it_is_seen_to_have_changed_behind_a_filter(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:15000")
    log.write_text(log.read_text().replace("line 1\n", "first\n"))
    nvim.lua("vim.cmd('doautocmd FocusGained') vim.cmd('Forge filter timed out')")
    nvim.wait_for("require('forge').statusline():find('match 1,500 / 2,000', 1, true) ~= nil")
    nvim.type_to_the_end(":Forge filter<CR>")
    nvim.wait_for_message("forge: server.log changed; shown again at line 15,000")
    assert nvim.where() == "15,000 / 20,000"


def test_a_new_filter_has_nothing_of_one_that_was_left(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    nvim.type_to_the_end(":Forge filter timed<CR>")
    nvim.type_to_the_end(":Forge filter+ out<CR>")
    nvim.type_to_the_end(":Forge filter<CR>")
    nvim.type_to_the_end(":Forge filter 00<CR>")
    nvim.wait_for("require('forge').statusline():find('^only 00') ~= nil")
    nvim.type_to_the_end("<BS>")
    nvim.wait_for("require('forge').statusline() == '1 / 20,000'")
    log.unlink()
    nvim.type_to_the_end(":Forge filter 11<CR>")
    nvim.wait_for_message("forge: server.log: does not exist")
    assert nvim.where() == "1 / 20,000"


def test_a_filter_typed_in_a_filtered_window_takes_the_place_of_the_one_there(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:7001")
    filter_by(nvim, " timed out")
    nvim.wait_for_line("line 7010 timed out")
    nvim.command("Forge filter 777")
    nvim.wait_for("require('forge').statusline() == 'only 777  7,770, match 8 / 38'")
    assert nvim.lua("return vim.tbl_count(require('forge.view').all())") == 2
    nvim.type_to_the_end("<BS>")
    nvim.wait_for("require('forge').statusline() == 'only timed out  7,770, match 777 / 2,000'")
    nvim.type_to_the_end("<BS>")
    nvim.wait_for("require('forge').statusline() == '7,001 / 20,000'")


@pytest.mark.parametrize(
    ("mistake", "message"),
    [
        ("/(/", "not a regular expression: a ) is missing"),
        ("nonsense", "forge: server.log has no such lines (only nonsense)"),
    ],
)
def test_a_mistake_in_a_pattern_leaves_the_present_filter(nvim: Nvim, log: Path, mistake: str, message: str) -> None:
    nvim.open(f"{log}:7001")
    filter_by(nvim, " timed out")
    nvim.wait_for("require('forge').statusline() == 'only timed out  7,010, match 701 / 2,000'")
    nvim.command(f"Forge filter {mistake}")
    nvim.wait_for_message(message)
    assert nvim.where() == "only timed out  7,010, match 701 / 2,000"
    nvim.type_to_the_end("j")
    nvim.wait_for("require('forge').statusline() == 'only timed out  7,020, match 702 / 2,000'")


def test_filters_are_saved_by_name(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    nvim.command("Forge save slow")
    nvim.wait_for_message("forge: there is no filter here (:Forge filter {text})")
    filter_by(nvim, "! timed out")
    nvim.command("Forge save quick")
    nvim.wait_for_message("forge: saved: :Forge filter @quick shows not timed out")
    nvim.command("Forge filter /7$/")
    nvim.wait_for("require('forge').statusline():find('only 7$', 1, true) ~= nil")
    assert nvim.lua("return vim.fn.getcompletion('Forge filter @', 'cmdline')") == ["@quick"]
    nvim.command("Forge filter @quick")
    nvim.wait_for("require('forge').statusline():find('not timed out', 1, true) ~= nil")
    nvim.command("Forge filter @other")
    nvim.wait_for_message("forge: there is no filter called other (there are quick)")
    nvim.command("Forge save! quick")
    nvim.command("Forge filter @quick")
    nvim.wait_for_message("forge: there is no filter called quick (:Forge save {name} saves one)")


def test_filters_add_up_and_are_taken_back_one_by_one(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    filter_by(nvim, "+ timed out")
    nvim.wait_for("require('forge').statusline() == 'only timed out  10, match 1 / 2,000'")
    nvim.command("Forge filter+ /77.$|77. /")
    nvim.wait_for("require('forge').statusline():find('only timed out and 77.$|77. ', 1, true) ~= nil")
    nvim.command("Forge filter+! line 1")
    described = "only timed out and 77.$|77. , not line 1"
    nvim.wait_for("require('forge').statusline() == ...", f"{described}  770, match 1 / 9")
    assert nvim.lua("return vim.fn.getline(1, '$')") == [
        f"line {number} timed out" for number in TIMED_OUT if number % 1000 == 770 and str(number)[0] != "1"
    ]
    nvim.type_to_the_end("/9770<CR>")
    nvim.wait_for_line("line 9770 timed out")
    nvim.command("Forge save late")
    nvim.type_to_the_end("<BS>")
    nvim.wait_for("require('forge').statusline():find('only timed out and 77.$|77.   9,770', 1, true) ~= nil")
    nvim.type_to_the_end("<BS>")
    nvim.wait_for("require('forge').statusline() == 'only timed out  9,770, match 977 / 2,000'")
    nvim.command("Forge filter @late")
    nvim.wait_for("require('forge').statusline() == ...", f"{described}  9,770, match 9 / 9")
    nvim.command("Forge save! late")
