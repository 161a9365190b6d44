"""`:Forge search`: the lines of all projects in use, in the quickfix list."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .conftest import Open
from .nvim import Nvim
from .test_tasks import MESSAGE_LINE

BEFORE = "what was there before"


@pytest.fixture
def project(workspace: Path) -> Path:
    (workspace / "src").mkdir()
    (workspace / "src" / "app.py").write_text("import retry\n\nüber = retry()  # Retry\n")
    (workspace / "notes.txt").write_text("nothing\nRETRY\n")
    return workspace


@pytest.fixture
def lists_before(nvim: Nvim) -> None:
    nvim.lua("vim.fn.setqflist({}, ' ', { title = ... })", BEFORE)


@pytest.fixture
def small_pages(nvim: Nvim) -> Iterator[None]:
    """The daemon answers with two lines at a time."""
    nvim.lua(
        """
        local daemon = require("forge.daemon")
        _G.pages, _G.request = 0, daemon.request
        daemon.request = function(method, params, ...)
          if method == "forge/findFiles" then
            params.max_matches, _G.pages = math.min(2, params.max_matches), _G.pages + 1
          end
          return _G.request(method, params, ...)
        end
        """
    )
    yield
    nvim.lua("require('forge.daemon').request = _G.request")


def found(nvim: Nvim, pattern: str) -> list[tuple[str, int, int, str]]:
    """Search, and wait for the list."""
    nvim.command("cclose")
    nvim.lua("vim.fn.setqflist({}, 'f')")
    nvim.command(f"Forge search {pattern}")
    nvim.wait_for("vim.bo.buftype == 'quickfix'")
    entries = nvim.lua("return vim.fn.getqflist()")
    names = nvim.lua("return vim.tbl_map(function(e) return vim.fn.bufname(e.bufnr) end, vim.fn.getqflist())")
    return [(name, e["lnum"], e["col"], e["text"]) for name, e in zip(names, entries, strict=True)]


def title(nvim: Nvim) -> Any:
    return nvim.lua("return vim.fn.getqflist({ title = 1 }).title")


def write_many(project: Path, files: int, lines: int) -> None:
    for number in range(files):
        (project / f"many{number:03}.txt").write_text("".join(f"line {line}\n" for line in range(1, lines + 1)))


def test_the_lines_of_all_files_are_listed_from_a_buffer_without_a_file(nvim: Nvim, project: Path) -> None:
    assert found(nvim, "retry") == [
        ("src/app.py", 1, 8, "import retry"),
        ("src/app.py", 3, 9, "über = retry()  # Retry"),
    ]
    nvim.wait_for_message("forge: 2 lines in 1 file")
    assert title(nvim) == ":Forge search retry (2)"
    nvim.type("<CR>")
    nvim.wait_for_line("import retry")
    nvim.command("cnext")
    assert nvim.lua("return vim.api.nvim_win_get_cursor(0)") == [3, 8]


def test_a_search_typed_in_the_command_line_opens_the_quickfix_list(nvim: Nvim, project: Path) -> None:
    nvim.type(":Forge search retry<CR>")
    nvim.wait_for("vim.bo.buftype == 'quickfix'")


def test_a_search_can_be_started_in_a_forge_window(nvim: Nvim, project: Path) -> None:
    nvim.open("notes.txt")
    assert [entry[0] for entry in found(nvim, "import")] == ["src/app.py"]


def test_a_line_of_a_file_whose_window_can_be_seen_is_shown_there(nvim: Nvim, project: Path) -> None:
    nvim.open("notes.txt")
    found(nvim, "RETRY")
    nvim.type("<CR>")
    nvim.wait_for("require('forge').statusline() == '2 / 2'")
    assert nvim.lua("return vim.fn.winnr('$')") == 2


@pytest.mark.parametrize(
    ("pattern", "options", "lines"),
    [
        ("retry", "", 2),
        ("retry", "ignorecase", 3),
        ("Retry", "ignorecase", 3),
        ("Retry", "ignorecase smartcase", 1),
        ("/^(import|RETRY)/", "", 2),
        ("retry()", "", 1),
    ],
)
def test_patterns_are_those_of_grep(nvim: Nvim, project: Path, pattern: str, options: str, lines: int) -> None:
    nvim.command(f"set {options}" if options else "")
    assert len(found(nvim, pattern)) == lines


def test_what_was_skipped_is_told(nvim: Nvim, project: Path) -> None:
    (project / ".env").write_text("retry=1\n")
    (project / "a.bin").write_bytes(b"retry\0")
    (project / "b.bin").write_bytes(b"retry\0")
    (project / ".gitignore").write_text("ignored.txt\n")
    (project / "ignored.txt").write_text("retry\n")
    with (project / "large.log").open("wb") as log:
        log.truncate(65 * 1024 * 1024)
    found(nvim, "retry")
    nvim.wait_for_message("forge: 2 lines in 1 file; skipped 2 binary, 1 denied, 1 too large")
    nvim.command("Forge search missing")
    nvim.wait_for_message("forge: missing was not found in 3 files; skipped 2 binary, 1 denied, 1 too large")


@pytest.mark.usefixtures("small_pages")
def test_pages_of_several_folders_and_of_one_file_are_one_list(nvim: Nvim, project: Path, tmp_path: Path) -> None:
    other = tmp_path.resolve() / "another" / project.name  # Of the same name.
    (other / ".git").mkdir(parents=True)
    (other / "app.py").write_text("retry\n")
    write_many(project, files=2, lines=5)
    nvim.command(f"badd {other}/app.py | call bufload('{other}/app.py')")
    assert [entry[:2] for entry in found(nvim, "/line|retry/")] == [
        *(("many000.txt", line) for line in range(1, 6)),
        *(("many001.txt", line) for line in range(1, 6)),
        ("src/app.py", 1),
        ("src/app.py", 3),
        (str(other / "app.py"), 1),
    ]
    nvim.wait_for_message("forge: 13 lines in 4 files")
    assert nvim.lua("return _G.pages") >= 7


def test_a_file_of_a_project_inside_another_is_listed_once(nvim: Nvim, project: Path) -> None:
    (project / ".gitignore").write_text("worktrees\n")
    for inner in (project / "inner", project / "worktrees" / "one"):
        (inner / ".git").mkdir(parents=True)
        (inner / "app.py").write_text("retry\n")
        nvim.command(f"badd {inner}/app.py | call bufload('{inner}/app.py')")
    names = [entry[0] for entry in found(nvim, "/^retry/")]
    assert names == ["inner/app.py", "worktrees/one/app.py"]


@pytest.mark.parametrize("pages", ["as they are", "small"])
def test_the_list_ends_after_a_thousand_lines(
    nvim: Nvim, project: Path, pages: str, request: pytest.FixtureRequest
) -> None:
    write_many(project, files=4, lines=300 if pages == "small" else 999)
    if pages == "small":
        request.getfixturevalue("small_pages")
    entries = found(nvim, "line")
    assert len(entries) == 1_000
    nvim.wait_for_message("forge: first 1,000 lines in " + ("4 files" if pages == "small" else "2 files"))
    assert title(nvim) == ":Forge search line (first 1,000)"


def test_a_thousand_lines_that_are_all_are_not_called_the_first(nvim: Nvim, project: Path) -> None:
    (project / "zzz.txt").write_text("line\n" * 1_000)
    found(nvim, "line")
    nvim.wait_for_message("forge: 1,000 lines in 1 file")


def test_coloured_long_and_nul_lines_are_found_with_readable_text(nvim: Nvim, project: Path) -> None:
    (project / "a.log").write_text("\x1b[31mERROR\x1b[0m odd\n" + "x" * 9_000 + " odd\n" + "y" * 9_000 + "\0 odd\n")
    text = [(line, column, text[:9]) for _, line, column, text in found(nvim, "odd")]
    assert text == [(1, 16, "ERROR odd"), (2, 9_002, "xxxxxxxxx"), (3, 9_003, "yyyyyyyyy")]


def test_unsaved_text_is_searched(nvim: Nvim, project: Path) -> None:
    nvim.command("edit notes.txt")
    nvim.lua("vim.api.nvim_buf_set_lines(0, 0, 0, false, { 'retry later' })")
    assert found(nvim, "retry later") == [("notes.txt", 1, 1, "retry later")]


@pytest.mark.usefixtures("lists_before")
def test_ctrl_c_stops_it_and_leaves_the_list_alone(nvim: Nvim, project: Path) -> None:
    with nvim.slow_daemon():
        nvim.type(":Forge search retry<CR>")
        nvim.wait_for("vim.v.errmsg == '' and vim.fn.mode() == 'n' and vim.fn.histget(':') == 'Forge search retry'")
        nvim.type("<C-c>")
        nvim.wait_for_message("forge: stopped")
    nvim.wake_daemon()
    assert title(nvim) == BEFORE
    assert nvim.lua("return vim.fn.winnr('$')") == 1


@pytest.mark.usefixtures("lists_before")
def test_what_is_searched_is_shown_and_ctrl_c_stops_it_from_elsewhere(nvim: Nvim, project: Path) -> None:
    nvim.lua(
        """
        local daemon = require("forge.daemon")
        _G.request = daemon.request
        daemon.request = function(method, params, callback, on_progress)
          if method ~= "forge/findFiles" then
            return _G.request(method, params, callback, on_progress)
          end
          _G.on_progress = on_progress
          return function() callback({ code = "CANCELLED", message = "cancelled" }) end
        end
        """
    )
    nvim.command("Forge search retry")
    nvim.lua("require('forge.daemon').request = _G.request")
    nvim.lua("_G.on_progress({ kind = 'report', percentage = 0 })")
    assert nvim.lua(f"return {MESSAGE_LINE}") == "forge: searching workspace, CTRL-C stops"
    nvim.command("edit notes.txt")
    nvim.type("<C-c>")
    nvim.wait_for_message("forge: stopped")
    assert title(nvim) == BEFORE


def test_another_search_takes_the_place_of_one_that_is_under_way(nvim: Nvim, project: Path) -> None:
    with nvim.slow_daemon():
        nvim.command("Forge search import")
        nvim.command("Forge search über")
    nvim.wait_for("vim.bo.buftype == 'quickfix'")
    nvim.wake_daemon()
    assert title(nvim) == ":Forge search über (1)"
    assert nvim.messages().strip() == "forge: 1 line in 1 file"


@pytest.mark.parametrize(
    ("keys", "more", "seen"),
    [
        ("ione ", "two<Esc>", "vim.fn.getline(1) == 'one two'"),
        (":let g:was", " = 'typed'<CR>", "vim.g.was == 'typed'"),
        ("q:", "ilet g:was = 'in its window'<CR>", "vim.g.was == 'in its window'"),
    ],
)
def test_a_list_that_comes_while_one_types_takes_no_keys(
    nvim: Nvim, project: Path, keys: str, more: str, seen: str
) -> None:
    nvim.lua("vim.fn.setqflist({}, 'f')")
    nvim.command("enew!")
    with nvim.slow_daemon():
        nvim.command("Forge search retry")
        nvim.type(keys)
        nvim.wait_for("vim.fn.mode() ~= 'n' or vim.fn.getcmdwintype() ~= ''")
    nvim.wait_for("#vim.fn.getqflist() == 2")
    nvim.type(more)
    nvim.wait_for(seen)
    nvim.wait_for_message("forge: 2 lines in 1 file (:copen)")
    assert nvim.lua("return vim.fn.winnr('$')") == 1


@pytest.mark.usefixtures("lists_before")
@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("search", "forge: which lines? (:Forge search {text} or :Forge search /{regex}/)"),
        ("search! retry", "forge: lines that do not match are listed for one file only (:Forge grep! {pattern})"),
        ("search !retry", "forge: lines that do not match are listed for one file only (:Forge grep! {pattern})"),
        ("search /(retry/", "forge: pattern: "),
    ],
)
def test_a_mistake_leaves_the_list_alone(nvim: Nvim, project: Path, command: str, message: str) -> None:
    nvim.command(f"Forge {command}")
    nvim.wait_for_message(message)
    assert len(nvim.messages().strip().splitlines()) == 1
    assert title(nvim) == BEFORE


def test_a_folder_that_cannot_be_searched_is_named(nvim: Nvim, project: Path, tmp_path: Path) -> None:
    broken = tmp_path.resolve() / "100%1"
    broken.mkdir()
    (broken / "forge.toml").write_text("[policy\n")
    (broken / "app.py").write_text("retry\n")
    nvim.command(f"badd {broken}/app.py".replace("%", "\\%"))
    nvim.lua("vim.fn.bufload(...)", f"{broken}/app.py")
    nvim.command("Forge search retry")
    nvim.wait_for_message("forge: 100%1: the policy is not known: forge.toml")


def test_without_a_project_it_says_what_one_is(nvim: Nvim, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    nvim.command(f"cd {tmp_path}/empty")
    nvim.command("Forge search retry")
    nvim.wait_for_message("forge: no project is open (the root of one holds one of .git, .hg, forge.toml)")


def test_a_line_of_a_large_file_is_shown_in_a_window_without_being_asked(terminal: Open, log: str) -> None:
    nvim = terminal(options={"large_file": 1_000_000})
    nvim.command("Forge search row 1200000")
    assert nvim.shows("server.log|1200000 col 1| row 1200000")
    nvim.press("Enter")
    assert nvim.shows("1,200,000 / 1,500,000")
