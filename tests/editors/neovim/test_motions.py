"""Motions, marks, jumps and ranges mean the lines of the file, loaded or not."""

from collections.abc import Iterator
from contextlib import contextmanager
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


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("5000j", 15_000),
        ("5000k", 5_000),
        ("90000j", 20_000),
        ("90000k", 1),
        ("50%", 10_000),
        ("75%", 15_000),
        ("go", 1),
        ("<C-End>", 20_000),
        ("<C-Home>", 1),
        ("mx15000G'x", 10_000),
        ("mx15000G`x", 10_000),
        ("15000G``", 10_000),
        ("15000G<C-o>", 10_000),
        ("15000G19000G<C-o><C-o>", 10_000),
        ("15000G19000G2<C-o>", 10_000),
        ("15000G19000G<C-o><C-o><C-i>", 15_000),
        ("15000G:1<CR><C-o>", 15_000),
    ],
)
def test_motion_keys_mean_the_lines_of_the_file(nvim: Nvim, log: Path, keys: str, line: int) -> None:
    nvim.open(f"{log}:10000")
    nvim.type_to_the_end(keys)
    at(nvim, line)


def test_pages_with_a_count_go_beyond_what_is_loaded(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    nvim.type("100<C-f>")
    nvim.wait_for("tonumber(vim.fn.getline('.'):match('%d+')) > 1900")
    assert nvim.line() == f"line {nvim.where().split(' /')[0].replace(',', '')}"


def test_an_empty_mark_and_a_byte_are_refused_in_words(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    nvim.type("'q")
    nvim.wait_for_message("forge: mark q is not set")
    nvim.type("maGy`a")
    nvim.wait_for_message("the column of a mark cannot be used here (y'a takes whole lines)")
    nvim.type("500go")
    nvim.wait_for_message("bytes are not counted in a window; {count}% goes by lines")


@pytest.mark.parametrize("keys", ["<C-g>", "g<C-g>"])
def test_ctrl_g_tells_the_files_figures(nvim: Nvim, log: Path, keys: str) -> None:
    nvim.open(f"{log}:10000")
    with nvim.hearing() as told:
        nvim.type(keys)
        nvim.wait_for("_G.told ~= ''")
        assert told() == 'forge: "server.log" 10,000 / 20,000 --50%-- col 1, 208.9 kB'


def register(nvim: Nvim, name: str = '"') -> list[str]:
    return list(nvim.lua("return vim.fn.getreg(..., 1, true)", name))


def lines(first: int, last: int) -> list[str]:
    return [f"line {number}" for number in range(first, last + 1)]


NOT_YET_YANKED = "vim.fn.setreg('\"', 'nothing')"
YANKED = "vim.fn.getreg('\"') ~= 'nothing'"


@pytest.mark.parametrize(("option", "column"), [("nostartofline", 3), ("startofline", 0)])
@pytest.mark.parametrize("keys", ["G", "gg", "15000G", "10010G", ":15000<CR>", "75%"])
def test_motions_keep_the_column_as_startofline_says(
    nvim: Nvim, log: Path, keys: str, option: str, column: int
) -> None:
    nvim.command(f"set {option}")
    nvim.open(f"{log}:10000:4")
    nvim.type_to_the_end(keys)
    nvim.wait_for("vim.fn.getline('.') ~= 'line 10000'")
    assert nvim.lua("return vim.api.nvim_win_get_cursor(0)[2]") == column


@pytest.mark.parametrize(
    ("command", "first", "last"), [("w other", 1, 20_000), ("3,5w other", 3, 5), (".,$w other", 10_000, 20_000)]
)
def test_what_is_written_is_what_was_named(
    nvim: Nvim, log: Path, workspace: Path, command: str, first: int, last: int
) -> None:
    nvim.open(f"{log}:10000")
    nvim.type(f":{command}<CR>")
    nvim.wait_for_message("other written, ")
    assert (workspace / "other").read_text().splitlines() == lines(first, last)
    assert [file.name for file in workspace.iterdir() if "forge-part" in file.name] == []


def test_percent_in_the_name_of_what_is_written_is_the_file(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:10000")
    nvim.type(":.w %.part<CR>")
    nvim.wait_for_message("server.log.part written, 1 line")
    assert log.with_name("server.log.part").read_text() == "line 10000\n"


def test_what_was_appended_counts_up_to_the_end(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:10000")
    with log.open("a") as growing:
        growing.write("line 20001\n")
    nvim.lua(NOT_YET_YANKED)
    nvim.type(":19999,$y<CR>")
    nvim.wait_for(YANKED)
    assert register(nvim) == lines(19_999, 20_001)
    nvim.type(":$<CR>")
    nvim.wait_for_line("line 20001")


@contextmanager
def nothing_counted(nvim: Nvim) -> Iterator[None]:
    nvim.lua("local counting = require('forge.counting') _G.soon, counting.soon = counting.soon, function() end")
    try:
        yield
    finally:
        nvim.lua("require('forge.counting').soon = _G.soon")


@pytest.mark.parametrize(
    "typed", ["ma", ":-5<CR>", ":.y<CR>", ":-2,$w! other<CR>", "Vkk:y<CR>", "Vkk:w! other<CR>", ":,$y<CR>", ":$y<CR>"]
)
def test_where_lines_have_no_numbers_yet_no_others_are_taken(nvim: Nvim, huge: Path, typed: str) -> None:
    nvim.lua("vim.fn.setreg('\"', 'before')")
    with nothing_counted(nvim):
        nvim.open(huge)
        nvim.type("G")
        nvim.wait_for_line("row 6699999")
        assert nvim.where() == "-1 / …"
        nvim.type(typed)
        nvim.wait_for_message("forge: the lines are still being counted; try again in a moment")
        assert nvim.line().startswith("row 669999")
    assert nvim.lua("return vim.fn.getreg()") == "before"
    assert not huge.with_name("other").exists()


def test_line_ends_are_written_as_they_are_in_the_file(nvim: Nvim, workspace: Path) -> None:
    (workspace / "dos.txt").write_bytes(b"one\r\ntwo\r\nthree\r\n")
    nvim.open("dos.txt")
    nvim.type(":2,3w other<CR>")
    nvim.wait_for_message("other written, 2 lines")
    assert (workspace / "other").read_bytes() == b"two\r\nthree\r\n"


def test_nothing_is_overwritten_unasked_and_the_file_itself_never(nvim: Nvim, log: Path, workspace: Path) -> None:
    (workspace / "other").write_text("mine\n")
    nvim.open(log)
    nvim.type(":1,2w other<CR>")
    nvim.wait_for_message("other exists (add ! to overwrite it)")
    nvim.type(":1,2w! server.log<CR>")
    nvim.wait_for_message("server.log is the file itself")
    nvim.type(":1,2w >> other<CR>")
    nvim.wait_for_message("other written, 2 lines")
    assert (workspace / "other").read_text() == "mine\nline 1\nline 2\n"
    assert log.read_text().startswith("line 1\nline 2\nline 3\n")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("1,5p", ":p sees only loaded lines, and some of these are not"),
        ("g/7$/p", ":g would see only the lines that are loaded"),
        ("10000,10002g/7$/p", ":g would see only the lines that are loaded"),
        ("10000p #", ":p takes a count"),
        ("w other | quit", "nothing can follow :w {file} in a window"),
        ("wq", ":wq would write only the lines that are loaded (:w {file} writes all of them)"),
        ("w ++enc=latin1 other", "++ options are not understood by :w in a window"),
        ("/nothing/,$y", "nothing was not found"),
        ("/\\zsx/,$y", "\\zs is not understood here"),
        ("vimgrep /7$/ %", ":vimgrep would see only the lines that are loaded (:Forge grep sees all of the file)"),
        ("vimgrep 7 %", ":vimgrep would see only the lines that are loaded"),
        ("lvimgrepadd /7$/j %", ":lvimgrepadd would see only the lines that are loaded"),
        ("ilist /7/", ":ilist would see only the lines that are loaded"),
        ("cgetbuffer", ":cgetbuffer would see only the lines that are loaded"),
        ("diffthis", ":diffthis would see only the lines that are loaded"),
        ("file other", "a window keeps the name of its file"),
        ("goto 500", "bytes are not counted in a window"),
        ("500go", "bytes are not counted in a window"),
        (".!sort", "a window cannot be changed"),
        ("w", "a window cannot be changed (:w {file} writes lines)"),
        ("saveas other", ":saveas would write only the lines that are loaded"),
        ("wq other", ":wq would write only the lines that are loaded"),
        ("x other", ":x would write only the lines that are loaded"),
    ],
)
def test_what_would_be_silently_wrong_is_refused_in_words(nvim: Nvim, log: Path, command: str, message: str) -> None:
    nvim.open(f"{log}:10000")
    nvim.type(f":{command}<CR>")
    nvim.wait_for_message(message)
    assert not log.with_name("other").exists()


def test_vimgrep_in_other_files_is_left_alone(nvim: Nvim, log: Path, workspace: Path) -> None:
    (workspace / "notes.txt").write_text("one\ntwo 7\n")
    nvim.open(f"{log}:10000")
    nvim.type(":vimgrep /7$/j notes.txt<CR>")
    nvim.wait_for("#vim.fn.getqflist() == 1")


@pytest.mark.parametrize(
    ("keys", "first", "last"),
    [
        (":/line 12000$/,/line 15000$/y<CR>", 12_000, 15_000),
        (":?line 500$?,/line 11000$/y<CR>", 500, 11_000),
        (":/line 12000$/;+2y<CR>", 12_000, 12_002),
        (":/line 12000$/+1,/line 13000$/-1y<CR>", 12_001, 12_999),
        (":/line 9$//line 11$/,13y<CR>", 11, 13),
        ("/line 15000$<CR>gg:\\/,+0y<CR>", 1, 15_000),
        (":12000;/9$/y<CR>", 12_000, 12_009),
    ],
)
def test_patterns_in_a_range_are_found_in_the_whole_file(
    nvim: Nvim, log: Path, keys: str, first: int, last: int
) -> None:
    nvim.open(f"{log}:10000")
    nvim.lua(NOT_YET_YANKED)
    nvim.type_to_the_end(keys)
    nvim.wait_for(YANKED)
    assert register(nvim) == lines(first, last)


def test_a_pattern_alone_goes_to_its_line(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:10000")
    nvim.type_to_the_end(":/line 15000$<CR>")
    at(nvim, 15_000)
    nvim.type_to_the_end(":?line 77$?+3<CR>")
    at(nvim, 80)


@contextmanager
def room_for_messages(nvim: Nvim) -> Iterator[None]:
    """So that Enter need not be pressed."""
    nvim.command("set cmdheight=6")
    yield
    nvim.command("set cmdheight&")


@pytest.mark.parametrize(
    ("command", "printed"),
    [
        ("w !wc -l", "20000"),
        ("%w !wc -l", "20000"),
        ("12001,15000w !wc -l", "3000"),
        ("3,4w !cat", "line 3\nline 4"),
        ("/line 12000$/,/line 13000$/w !wc -l", "1001"),
        ("w !tail -n 1 %", "line 20000"),
        ("w !echo \\% %:t $HOME", "% server.log {home}"),
        ("3w !cat; exit 3", "line 3\nshell returned 3"),
        ("3w !cat >&2", "line 3"),
    ],
)
def test_lines_are_piped_to_a_command_from_the_whole_file(nvim: Nvim, log: Path, command: str, printed: str) -> None:
    nvim.open(f"{log}:10000")
    with nvim.hearing() as told, room_for_messages(nvim):
        nvim.type(f":{command}<CR>")
        nvim.wait_for("_G.told ~= '' and not _G.told:find('^forge')")
        assert told().strip() == printed.format(home=nvim.environment["HOME"])


def test_a_command_that_lines_are_piped_to_is_stopped_with_all_it_started(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    nvim.type(":w !sleep 600 & echo $! > pid; wait<CR>")
    nvim.wait_for("vim.uv.fs_stat('pid') ~= nil and vim.uv.fs_stat('pid').size > 0")
    nvim.type("<C-c>")
    nvim.wait_for_message("forge: stopped")
    pid = int(log.with_name("pid").read_text())
    nvim.wait_for("vim.uv.fs_stat('/proc/' .. ...) == nil or vim.uv.kill(..., 0) ~= 0", pid)


def test_the_file_is_named_and_jumps_are_listed_by_its_lines(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:10000")
    nvim.type_to_the_end("15000G3G")
    with nvim.hearing() as told, room_for_messages(nvim):
        nvim.type(":file<CR>")
        nvim.wait_for("_G.told ~= ''")
        assert told() == 'forge: "server.log" 3 / 20,000 --0%-- col 1, 208.9 kB'
        nvim.type(":jumps<CR>")
        nvim.wait_for("_G.told:find('jump', 1, true) ~= nil")
        assert [row.split() for row in told().splitlines()[1:]] == [["2", "10000", "0"], ["1", "15000", "0"], [">"]]
    nvim.type_to_the_end(":clearjumps<CR>")
    assert nvim.lua("return #require('forge.places').list_jumps(require('forge.view').of())") == 2
    nvim.type_to_the_end(":1go<CR>")
    at(nvim, 1)


@pytest.mark.parametrize("command", ["write! other", "1,5write! other", "write >> other"])
def test_a_mapping_writes_no_part_of_a_file_for_the_whole(nvim: Nvim, log: Path, command: str) -> None:
    nvim.open(log)
    log.with_name("other").write_text("mine\n")
    nvim.command(command)
    nvim.wait_for_message("nothing written: not all lines are loaded")
    assert log.with_name("other").read_text() == "mine\n"


@pytest.mark.parametrize("typed", [":%y<CR>", ":1,5y<CR>", ":w other<CR>", "/line 7<CR>", "yG", "]e", "}", "*"])
def test_what_is_typed_before_the_lines_come_is_not_done_with_none(nvim: Nvim, log: Path, typed: str) -> None:
    nvim.lua("vim.fn.setreg('\"', 'before')")
    nvim.wake_daemon()
    with nvim.slow_daemon():
        nvim.command(f"Forge open {log}")
        nvim.type(typed)
        nvim.wait_for_message("server.log is still being read; try again in a moment")
    at(nvim, 1)
    assert nvim.lua("return vim.fn.getreg()") == "before"
    assert not log.with_name("other").exists()


def test_who_leaves_before_the_lines_come_finds_them_when_back(nvim: Nvim, log: Path) -> None:
    nvim.command("edit notes.txt")
    nvim.wake_daemon()
    with nvim.slow_daemon():
        nvim.command(f"Forge open {log}:10000")
        nvim.command("edit notes.txt")
    nvim.command("buffer #")
    at(nvim, 10_000)


def test_commands_of_plugins_get_the_lines_that_their_range_names(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:10000")
    nvim.command("command! -range Take let g:taken = [getline(<line1>), getline(<line2>)]")
    nvim.type(":10002,10003Take<CR>")
    nvim.wait_for("vim.g.taken ~= nil")
    assert nvim.lua("return vim.g.taken") == ["line 10002", "line 10003"]


def test_a_count_that_means_no_lines_is_left_alone(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    nvim.command("tabnew")
    nvim.command("tabprevious")
    nvim.type(":2tabnext<CR>")
    nvim.wait_for("vim.fn.tabpagenr() == 2")
    nvim.command("tabclose")


def test_a_macro_waits_for_what_its_keys_count_on(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    nvim.lua("vim.fn.setreg('q', '3000jyl')")
    nvim.type_to_the_end("3@q")
    at(nvim, 9_001)
    nvim.lua("vim.fn.setreg('q', '/7000$' .. vim.keycode('<CR>') .. 'gg')")
    nvim.type_to_the_end("@q``")
    at(nvim, 17_000)


def test_oldfiles_lists_no_windows(nvim: Nvim) -> None:
    assert "rforge:" in nvim.lua("return vim.opt.shada:get()")


def test_a_mark_is_the_same_in_every_window_on_the_file(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:10000")
    nvim.type_to_the_end("ma:vsplit<CR>")
    nvim.wait_for("vim.tbl_count(require('forge.view').all()) == 2")
    nvim.type_to_the_end("gg'a")
    at(nvim, 10_000)
    nvim.type_to_the_end("15000Gmb<C-w>p'b")
    at(nvim, 15_000)
    nvim.type_to_the_end(":Forge filter 7<CR>")
    nvim.wait_for("require('forge.view').of().filter ~= nil and require('forge.view').of().etag ~= nil")
    nvim.type_to_the_end("ggmc:Forge filter<CR>")
    nvim.type_to_the_end("'c")
    at(nvim, 7)


def test_marks_and_jumps_outlive_a_second_look(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:10000")
    nvim.type_to_the_end("ma5G:edit<CR>")
    nvim.wait_for("require('forge.view').of().etag ~= nil")
    nvim.type_to_the_end("<C-o>")
    at(nvim, 10_000)
    nvim.type_to_the_end("gg'a")
    at(nvim, 10_000)


@pytest.mark.parametrize(
    ("command", "printed"),
    [
        ("p", "10000 line 10000"),
        (".p", "10000 line 10000"),
        ("10000number", "10000 line 10000"),
        ("#", "10000 line 10000"),
        ("10001p 1", "10001 line 10001"),
        ("list", "10000 line 10000$"),
    ],
)
def test_printed_lines_have_the_files_numbers(nvim: Nvim, log: Path, command: str, printed: str) -> None:
    nvim.open(f"{log}:10000")
    with nvim.hearing() as told:
        nvim.type(f":{command}<CR>")
        nvim.wait_for("_G.told ~= ''")
        assert told() == printed


@pytest.mark.parametrize(("command", "left"), [("delmarks b", "ac"), ("delmarks a-b", "c"), ("delmarks!", "")])
def test_marks_are_deleted_as_they_are_named(nvim: Nvim, log: Path, command: str, left: str) -> None:
    nvim.open(f"{log}:10000")
    nvim.type_to_the_end(f"ma:kb<CR>:mark c<CR>:{command}<CR>")
    marks = nvim.lua("local places = require('forge.places') return places.list(require('forge.view').of())")
    assert "".join(mark[1] for mark in marks if mark[1].isalpha() and mark[0] == " ") == left


def test_a_mark_beyond_the_end_of_a_file_that_became_shorter_is_said(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:10000")
    nvim.type_to_the_end("magg")
    log.write_text("line 1\nline 2\n")
    nvim.command("Forge refresh")
    nvim.wait_for("require('forge').statusline() == '1 / 2'")
    nvim.type_to_the_end("'a")
    nvim.wait_for_message("forge: mark a was in line 10,000; server.log ends before that")


def test_nothing_is_counted_before_anything_is_read(nvim: Nvim, log: Path) -> None:
    nvim.wake_daemon()
    with nvim.slow_daemon():
        nvim.command(f"Forge open {log}:10000")
        assert nvim.where() == "reading …"
    at(nvim, 10_000)
