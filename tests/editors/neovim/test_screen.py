"""What a person sees: keys into a real terminal, and the screen."""

import os
import sys
from pathlib import Path

import pytest

from .conftest import Open
from .nvim import wait_until


def test_a_window_shows_the_files_numbers_and_where_it_is(terminal: Open, log: str) -> None:
    nvim = terminal()
    nvim.command(f"Forge open {log}:1204113")
    assert nvim.shows("1,204,113 / 1,500,000")
    assert "1204113 row 1204113" in nvim.rows()
    nvim.type("G")
    assert nvim.shows("1,500,000 / 1,500,000")
    assert "1500000 row 1500000" in nvim.rows()
    nvim.command("700000")
    assert nvim.shows("700,000 / 1,500,000")
    nvim.press("PageDown")
    nvim.press("C-f")
    assert nvim.shows("700030 row 700030")
    nvim.type("gg")
    assert nvim.shows("1 row 1\n")


def test_a_search_goes_to_the_match_and_says_where_it_is(terminal: Open, log: str) -> None:
    nvim = terminal()
    nvim.command(f"Forge open {log}")
    assert nvim.shows("1 / 1,500,000")
    nvim.command("Forge find row 1400000")
    assert nvim.shows("/row 1400000  line 1,400,000  [1/1]")
    assert nvim.shows("1400000 row 1400000")


def test_a_search_without_a_line_for_messages_makes_nobody_press_enter(terminal: Open, log: str) -> None:
    nvim = terminal()
    nvim.command("set cmdheight=0")
    nvim.command(f"Forge open {log}")
    assert nvim.shows("1 / 1,500,000")
    nvim.command("Forge find row 1400000")
    assert nvim.shows("1,400,000 / 1,500,000")
    nvim.type("j")  # Enter would be asked for by now.
    assert nvim.shows("1,400,001 / 1,500,000")


def test_an_attempt_to_edit_is_refused(terminal: Open, log: str) -> None:
    nvim = terminal()
    nvim.command(f"Forge open {log}")
    assert nvim.shows("1 / 1,500,000")
    nvim.type("x")
    assert nvim.shows("E21: Cannot make changes, 'modifiable' is off")


def test_an_error_is_one_line_and_nobody_has_to_press_enter(terminal: Open, workspace: Path) -> None:
    (workspace / ".env").write_text("TOKEN=1\n")
    nvim = terminal()
    nvim.command("Forge open .env")
    assert nvim.shows("forge: .env: ")
    assert "Press ENTER" not in nvim.screen()
    assert "(to allow it, see :help forge-secrets)" in nvim.screen()


def test_leaving_is_as_quick_as_ever(terminal: Open, log: str) -> None:
    nvim = terminal()
    nvim.command(f"Forge open {log}")
    assert nvim.shows("1 / 1,500,000")
    nvim.command("qa")
    assert nvim.is_gone()


def test_a_command_of_several_lines_makes_nobody_press_enter(terminal: Open, log: str, workspace: Path) -> None:
    (workspace / ".env").write_text("TOKEN=1\n")
    nvim = terminal(size=(40, 8))
    nvim.command(f"Forge open ./././././././././././././././././{log}")
    assert nvim.shows("1 / 1,500,000")
    nvim.command("Forge find row 1400000                                 ")
    assert nvim.shows("1,400,000 / 1,500,000")
    assert nvim.shows("/row")
    nvim.command("Forge open ./././././././././././././././././.env")
    assert nvim.shows("forge: .env")
    assert "Press ENTER" not in nvim.screen()


def test_a_very_small_terminal_is_enough(terminal: Open, log: str) -> None:
    nvim = terminal(size=(20, 6))
    nvim.command(f"Forge open {log}:1204113")
    assert nvim.shows("row 1204113")
    nvim.command("Forge find row 1400000")
    assert nvim.shows("row 1400000")
    nvim.type("G")
    assert nvim.shows("row 1500000")
    assert "Press ENTER" not in nvim.screen()


def test_without_a_statusline_the_ruler_tells_where_one_is(terminal: Open, log: str, workspace: Path) -> None:
    (workspace / "notes.txt").write_text("one\ntwo\n")
    nvim = terminal("notes.txt")
    nvim.command("set laststatus=0")
    nvim.command(f"Forge open {log}:1204113")
    assert nvim.shows("1,204,113 / 1,500,000")
    nvim.command("edit notes.txt")
    assert nvim.shows("1,1           All")


@pytest.mark.skipif(sys.platform == "darwin", reason="there every name is UTF-8")
def test_a_name_that_is_not_utf_8_is_refused_in_words(terminal: Open, workspace: Path) -> None:
    name = os.fsdecode(b"caf\xe9.log")
    (workspace / name).write_text("one\n" * 1_000_000)
    nvim = terminal(options={"large_file": 1_000_000})
    nvim.command("execute 'Forge open' glob('caf*')")
    assert nvim.shows("forge: the name of caf<e9>.log is not in UTF-8; :edit loads it whole")
    nvim.command("execute 'edit' glob('caf*')")
    assert nvim.shows("one\none\n")


def test_tab_pages_are_called_after_the_files_in_them(terminal: Open, log: str, workspace: Path) -> None:
    (workspace / "notes.txt").write_text("one\n")
    nvim = terminal("notes.txt")
    nvim.command(f"tab Forge open {log}")
    assert nvim.shows("1 / 1,500,000")
    nvim.command("tab split")
    nvim.command("Forge filter 777")
    assert nvim.shows("notes.txt  server.log  server.log (only 777)")


def test_a_long_answer_that_is_left_with_q_was_not_stopped(terminal: Open, workspace: Path) -> None:
    levels = ("DEBUG", "INFO", "WARN", "ERROR")
    (workspace / "app.log").write_text("".join(f"2026-11-16 10:00:00 {level} x\n  more\n" for level in levels))
    nvim = terminal(size=(80, 8))
    nvim.command("Forge open app.log")
    assert nvim.shows("1 / 8")
    nvim.command("Forge describe")
    assert nvim.shows("-- More --")
    nvim.type("q")
    assert wait_until(lambda: "-- More --" not in nvim.screen())  # Neovim forgets what is typed after it too soon.
    nvim.command("Forge log")
    assert nvim.shows("folders:")
    assert "stopped" not in nvim.screen()
