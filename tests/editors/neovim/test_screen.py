"""What a person sees: keys into a real terminal, and the screen."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from .terminal import Terminal

Open = Callable[..., Terminal]


@pytest.fixture
def terminal(binary: str, tmux: None, tmp_path: Path, workspace: Path) -> Iterator[Open]:
    with ExitStack() as stack:

        def start(*files: str, **options: Any) -> Terminal:
            return stack.enter_context(Terminal(binary, tmp_path / "home", workspace, *files, **options))

        yield start


@pytest.fixture
def log(workspace: Path) -> str:
    (workspace / "server.log").write_text("".join(f"row {number}\n" for number in range(1, 1_500_001)))
    return "server.log"


def rows(terminal: Terminal) -> list[str]:
    return [" ".join(line.split()) for line in terminal.screen().splitlines()]


def test_a_window_shows_the_files_numbers_and_where_it_is(terminal: Open, log: str) -> None:
    nvim = terminal()
    nvim.command(f"Forge open {log}:1204113")
    assert nvim.shows("1,204,113 / 1,500,000")
    assert "1204113 row 1204113" in rows(nvim)
    nvim.type("G")
    assert nvim.shows("1,500,000 / 1,500,000")
    assert "1500000 row 1500000" in rows(nvim)
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
    assert nvim.shows("forge: row 1400000: line 1,400,000, column 1")
    assert nvim.shows("1400000 row 1400000")


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


def test_a_large_file_is_offered_as_a_window_when_it_is_edited(terminal: Open, log: str) -> None:
    nvim = terminal(options={"large_file": 1_000_000})
    nvim.command(f"edit {log}")
    assert nvim.shows("server.log has 17 MB. Open a window on it, or load it whole?")
    nvim.press("Enter")
    assert nvim.shows("1 / 1,500,000")


def test_also_when_neovim_is_started_with_it(terminal: Open, log: str) -> None:
    nvim = terminal(log, options={"large_file": 1_000_000})
    assert nvim.shows("Open a window on it, or load it whole?")
    nvim.type("w")
    assert nvim.shows("1 / 1,500,000")


def test_the_buffer_that_was_to_be_read_is_never_taken_for_the_files_text(terminal: Open, log: str) -> None:
    nvim = terminal(options={"large_file": 1_000_000})
    nvim.command(f"Forge open {log}")  # From now on the daemon is told of every file that is edited.
    assert nvim.shows("1 / 1,500,000")
    nvim.command("bwipeout")
    nvim.command(f"edit {log}")
    assert nvim.shows("Open a window on it, or load it whole?")
    nvim.press("Enter")
    assert nvim.shows("1 / 1,500,000")


ASKED = "Open a window on it, or load it whole?"


def test_the_line_one_was_going_to_is_kept_from_the_command_line(terminal: Open, log: str) -> None:
    nvim = terminal("+1000000", log, options={"large_file": 1_000_000})
    assert nvim.shows(ASKED)
    nvim.type("w")
    assert nvim.shows("1,000,000 / 1,500,000")


def test_and_from_edit(terminal: Open, log: str) -> None:
    nvim = terminal(options={"large_file": 1_000_000})
    nvim.command(f"edit +1200000 {log}")
    assert nvim.shows(ASKED)
    nvim.type("w")
    assert nvim.shows("1,200,000 / 1,500,000")


def test_and_from_a_quickfix_list_whose_places_stay_good(terminal: Open, log: str, workspace: Path) -> None:
    (workspace / "errors.txt").write_text(f"{log}:1000000:5: first\n{log}:1400000:1: second\n")
    nvim = terminal("-q", "errors.txt", options={"large_file": 1_000_000})
    assert nvim.shows(ASKED)
    nvim.type("w")
    assert nvim.shows("1,000,000 / 1,500,000")
    nvim.command("cnext")
    assert nvim.shows("1,400,000 / 1,500,000")
    nvim.command("cprev")
    assert nvim.shows("1,000,000 / 1,500,000")


@pytest.mark.parametrize(
    "picker",
    [
        "lua vim.cmd.edit('server.log') vim.api.nvim_win_set_cursor(0, { 1234567, 3 })",
        "lua vim.api.nvim_set_current_buf(vim.fn.bufadd('server.log')) vim.api.nvim_win_set_cursor(0, { 1234567, 0 })",
    ],
)
def test_and_from_pickers_which_set_the_cursor(terminal: Open, log: str, picker: str) -> None:
    nvim = terminal(options={"large_file": 1_000_000}, size=(150, 16))
    nvim.command(picker)
    assert nvim.shows(ASKED)
    nvim.type("w")
    assert nvim.shows("1,234,567 / 1,500,000")


def test_files_side_by_side_stay_side_by_side(terminal: Open, log: str, workspace: Path) -> None:
    (workspace / "other.log").write_text("".join(f"other {number}\n" for number in range(1, 200_001)))
    nvim = terminal("-O", log, "other.log", options={"large_file": 1_000_000})
    for _ in range(2):
        assert nvim.shows(ASKED)
        nvim.type("w")
    assert nvim.shows("1 / 1,500,000")
    assert nvim.shows("1 / 200,000")
    assert any("row 1" in row and "other 1" in row for row in rows(nvim))


def test_it_is_loaded_whole_if_that_is_wanted(terminal: Open, log: str) -> None:
    nvim = terminal(options={"large_file": 1_000_000})
    nvim.command(f"edit {log}")
    assert nvim.shows("Open a window on it, or load it whole?")
    nvim.type("l")
    assert nvim.shows("row 1\n")
    nvim.command("echo line('$') &modifiable bufname()")
    assert nvim.shows("1500000 1 server.log")


@pytest.mark.parametrize("options", [{"large_file": False}, {}])
def test_nobody_is_asked_about_other_files(terminal: Open, log: str, options: dict[str, Any]) -> None:
    nvim = terminal(options=options)
    nvim.command(f"edit {log}")
    assert nvim.shows("row 1\n")
    assert "window" not in nvim.screen()


def test_leaving_is_as_quick_as_ever(terminal: Open, log: str) -> None:
    nvim = terminal()
    nvim.command(f"Forge open {log}")
    assert nvim.shows("1 / 1,500,000")
    nvim.command("qa")
    assert nvim.is_gone()
