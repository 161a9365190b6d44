"""A log that is rotated, truncated, replaced or removed while it is followed."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from .nvim import Nvim


@pytest.fixture
def log(workspace: Path) -> Path:
    file = workspace / "server.log"
    file.write_text("".join(f"line {number}\n" for number in range(1, 3_001)))
    return file


def follow(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    nvim.command("Forge follow")
    nvim.wait_for("require('forge').statusline():find('following', 1, true) ~= nil")


def test_what_becomes_of_the_file_is_said_and_its_lines_start_over(nvim: Nvim, log: Path) -> None:
    follow(nvim, log)
    log.rename(log.with_suffix(".1"))
    nvim.wait_for_message("forge: server.log was removed; waiting for another one")
    log.write_text("first\n")
    nvim.wait_for_line("first")
    assert nvim.where() == "following  1 / 1"
    nvim.wait_for_message("forge: server.log is there again")
    with log.open("a") as end:
        end.write("second\n")
    nvim.wait_for_line("second")
    log.write_text("")
    nvim.wait_for_message("forge: server.log was truncated; its lines start at 1 again")
    with log.open("a") as end:
        end.write("anew\n")
    nvim.wait_for_line("anew")


def rotate(log: Path) -> None:
    log.rename(log.with_suffix(".1"))
    log.write_text("first\n")


def replace(log: Path) -> None:
    new = log.with_suffix(".new")
    new.write_text("first\n")
    new.rename(log)


def truncate(log: Path) -> None:
    log.with_suffix(".1").write_bytes(log.read_bytes())
    os.truncate(log, 0)
    with log.open("a") as end:
        end.write("first\n")


OTHER_FILES = pytest.mark.parametrize("change", [rotate, replace, truncate])


@OTHER_FILES
@pytest.mark.parametrize("keys", ["5k", "2500k"], ids=["end_loaded", "far_from_the_end"])
def test_a_paused_view_keeps_what_is_read_when_the_file_becomes_another(
    nvim: Nvim, log: Path, change: Callable[[Path], None], keys: str
) -> None:
    follow(nvim, log)
    nvim.type_to_the_end(keys)
    nvim.wait_for("require('forge').statusline():find('paused', 1, true) ~= nil")
    text, shown = nvim.line(), nvim.lua("return { vim.fn.line('w0'), vim.fn.getline(1, '$') }")
    change(log)
    nvim.wait_for_message("; what is shown stays until G")
    with log.open("a") as end:
        end.write("second\n")
    nvim.command("doautocmd FocusGained")
    nvim.wait_for("require('forge').statusline():find('paused, old file', 1, true) ~= nil")
    nvim.type_to_the_end("jk")
    assert (nvim.line(), nvim.lua("return { vim.fn.line('w0'), vim.fn.getline(1, '$') }")) == (text, shown)
    nvim.type("G")
    nvim.wait_for_line("second")
    nvim.wait_for("require('forge').statusline() == 'following  2 / 2'")
    with log.open("a") as end:
        end.write("third\n")
    nvim.wait_for_line("third")


@pytest.mark.parametrize(
    "keys",
    [
        *("5000k", "jjjjjjj", "/line 7$<CR>", ":1,5y<CR>", ":w other<CR>", "<C-b>" * 80),
        *("gg", "50%", ":7<CR>", "'a", "<C-o>", ":Forge time now<CR>", ":Forge filter first<CR>", "gzm"),
    ],
)
def test_nothing_of_another_file_is_taken_for_the_lines_that_are_shown(
    nvim: Nvim, log: Path, workspace: Path, keys: str
) -> None:
    nvim.open(log)
    nvim.type_to_the_end("7GmaG")
    nvim.command("Forge follow")
    nvim.wait_for("require('forge').statusline():find('following', 1, true) ~= nil")
    nvim.type_to_the_end("5k")
    rotate(log)
    nvim.wait_for_message("; what is shown stays until G")
    nvim.type_to_the_end(keys)
    nvim.wait_for_message("these lines are of a file that is no longer server.log; G goes to the new one")
    assert nvim.line().startswith("line ")
    assert not (workspace / "other").exists()


@pytest.mark.parametrize("keys", ["<CR>", "<BS>", ":Forge filter+ 3<CR>"])
def test_a_filter_of_an_old_file_leads_to_no_lines_of_another(nvim: Nvim, log: Path, keys: str) -> None:
    nvim.open(log)
    nvim.type_to_the_end(":Forge filter line<CR>")
    nvim.type_to_the_end(":Forge filter+ 2<CR>")
    nvim.command("Forge follow")
    nvim.wait_for("require('forge').statusline():find('following', 1, true) ~= nil")
    nvim.type_to_the_end("5k")
    rotate(log)
    nvim.wait_for_message("; what is shown stays until G")
    nvim.type_to_the_end(keys)
    nvim.wait_for_message("these lines are of a file that is no longer server.log; G goes to the new one")
    assert nvim.where().startswith("only line and 2  paused, old file")


def test_what_is_read_of_an_old_file_stays_when_following_ends(nvim: Nvim, log: Path) -> None:
    follow(nvim, log)
    nvim.type_to_the_end("5k")
    rotate(log)
    nvim.wait_for_message("; what is shown stays until G")
    nvim.command("Forge follow")
    nvim.command("doautocmd FocusGained")
    nvim.wait_for("require('forge').statusline() == 'old file  2,995 / 3,000'")
    assert nvim.line() == "line 2995"
    nvim.type("G")
    nvim.wait_for("require('forge').statusline() == '1 / 1'")


def test_a_paused_view_that_was_hidden_keeps_what_is_read_when_the_file_became_another(nvim: Nvim, log: Path) -> None:
    follow(nvim, log)
    nvim.type_to_the_end("5k")
    nvim.command("enew")
    rotate(log)
    nvim.command("buffer #")
    nvim.wait_for("require('forge').statusline():find('paused, old file', 1, true) ~= nil")
    assert nvim.line() == "line 2995"
    nvim.type("G")
    nvim.wait_for_line("first")


def test_what_is_shown_stays_where_the_other_file_is_gone_again(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:1500")
    log.unlink()
    nvim.lua("require('forge.travel').start_over(require('forge.view').of())")
    nvim.wait_for("require('forge.view').of().cancel == nil")
    assert (nvim.line(), nvim.where()) == ("line 1500", "1,500 / 3,000")


def test_a_filter_stays_on_where_the_file_starts_over_without_a_match(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    nvim.command("Forge filter line 2")
    nvim.wait_for("require('forge.view').of().filter ~= nil and require('forge.view').of().etag ~= nil")
    nvim.command("Forge tail")
    nvim.wait_for("require('forge').statusline() == 'only line 2  following  2,999, match 1,111 / 1,111'")
    log.write_text("line 1\n")
    nvim.wait_for("require('forge').statusline() == 'only line 2  following  0, match 0 / 0'")
    with log.open("a") as end:
        end.write("line 2\nline 3\n")
    nvim.wait_for_line("line 2")
    nvim.wait_for("require('forge').statusline() == 'only line 2  following  2, match 1 / 1'")


def test_lines_that_a_program_still_writes_to_a_removed_log_are_shown(nvim: Nvim, log: Path) -> None:
    follow(nvim, log)
    with log.open("a", buffering=1) as old:
        log.unlink()
        nvim.wait_for_message("forge: server.log was removed; waiting for another one")
        for number in range(1, 4):
            old.write(f"late {number}\n")
            nvim.wait_for_line(f"late {number}")
        assert nvim.where() == "following  3,003 / 3,003"
        old.write("half")
        old.flush()
        nvim.wait_for_line("half")
        old.write(" and half\n")
        nvim.wait_for_line("half and half")
    log.write_text("first\n")
    nvim.wait_for_line("first")
    assert nvim.where() == "following  1 / 1"
    assert nvim.messages().strip().splitlines() == [
        "forge: server.log was removed; waiting for another one",
        "forge: server.log is there again",
    ]


def test_lines_that_a_program_still_writes_to_a_rotated_log_come_before_the_new_one(nvim: Nvim, log: Path) -> None:
    follow(nvim, log)
    with log.open("a", buffering=1) as old:
        new = log.with_suffix(".new")
        new.touch()
        new.rename(log)  # as if it had been renamed and made anew between two looks
        old.write("late 1\nlate 2\n")
        nvim.wait_for_line("late 2")
    log.write_text("first\n")
    nvim.wait_for_line("first")
    assert nvim.where() == "following  1 / 1"
    assert nvim.messages().strip().splitlines() == [
        "forge: server.log was replaced by another file; its lines start at 1 again"
    ]


def test_a_log_that_is_replaced_before_it_is_followed_is_shown(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    new = log.with_suffix(".new")
    new.write_text("first\n")
    nvim.lua("vim.cmd('Forge follow') vim.uv.fs_rename(...)", str(new), str(log))
    nvim.wait_for("require('forge').statusline() == 'following  1 / 1'")
    assert nvim.line() == "first"
