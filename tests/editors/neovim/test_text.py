"""Text as it is: encodings, compressed files, terminal colours, long lines."""

import gzip
from pathlib import Path

import pytest

from .nvim import Nvim
from .test_motions import nothing_counted

COLOURED = "\x1b[2mtime\x1b[0m \x1b[1;31mERROR\x1b[0m \x1b[38;5;208mdisk\x1b[0m \x1b[38;2;1;2;3mfull\x1b[0m\n"


def test_an_encoding_that_can_be_told_is_understood_and_named(nvim: Nvim, workspace: Path) -> None:
    (workspace / "windows.log").write_bytes("".join(f"größe {n}\r\n" for n in range(1, 5_001)).encode("utf-16"))
    nvim.open("windows.log:4000")
    assert nvim.line() == "größe 4000"
    assert nvim.where() == "utf-16le  4,000 / 5,000"


def test_fileencodings_are_passed_on(nvim: Nvim, workspace: Path) -> None:
    (workspace / "old.log").write_bytes("größe\n".encode("latin-1"))
    assert "latin1" in nvim.lua("return vim.o.fileencodings")
    nvim.open("old.log")
    assert nvim.line() == "größe"
    assert nvim.where() == "windows-1252  1 / 1"


def test_an_encoding_may_be_named(nvim: Nvim, workspace: Path) -> None:
    (workspace / "app.log").write_bytes("".join(f"{n} 日本語\n" for n in range(1, 3_001)).encode("cp932"))
    nvim.open("++enc=cp932 app.log:2500")
    assert nvim.line() == "2500 日本語"
    assert nvim.where() == "shift_jis  2,500 / 3,000"
    nvim.command("Forge find 700 日本語")
    nvim.wait_for_line("2700 日本語")
    nvim.command("Forge open ++enc=utf-8 app.log")  # Where it is open, at the same line.
    nvim.wait_for("require('forge').statusline() == '2,700 / 3,000'")
    assert "�" in nvim.line()


def test_an_unknown_encoding_is_one_line_and_what_is_shown_stays(nvim: Nvim, workspace: Path) -> None:
    (workspace / "a.txt").write_text("a\nb\n")
    nvim.command("Forge open ++enc=nonsense a.txt")
    nvim.wait_for_message("forge: a.txt: encoding")
    nvim.open("a.txt:2")
    nvim.command("messages clear")
    nvim.command("Forge open ++enc=nonsense a.txt")
    nvim.wait_for_message("forge: a.txt: encoding")
    nvim.wait_for("require('forge').statusline() == '2 / 2'")
    assert nvim.line() == "b"


def test_text_that_fits_no_encoding_is_said(nvim: Nvim, workspace: Path) -> None:
    (workspace / "app.log").write_bytes("行 1 エラー 表示\n".encode("cp932"))
    nvim.open("app.log")
    nvim.wait_for_message("app.log is not all UTF-8; try :Forge open ++enc={encoding}")


def test_a_part_is_written_in_utf_8_and_all_of_it_as_it_is(nvim: Nvim, workspace: Path) -> None:
    text = "größe\r\nzwei\r\n".encode("utf-16")
    (workspace / "windows.log").write_bytes(text)
    nvim.open("++enc=utf-16le windows.log")
    nvim.type(":1w part<CR>")
    nvim.wait_for_message("part written, 1 line in UTF-8")
    assert (workspace / "part").read_bytes() == "größe\r\n".encode()
    nvim.type(":w whole<CR>")
    nvim.wait_for_message("whole written, ")
    assert (workspace / "whole").read_bytes() == text


def test_a_compressed_log_is_read_as_the_text_it_holds(nvim: Nvim, workspace: Path) -> None:
    lines = "".join(f"line {number}\n" for number in range(1, 200_001))
    (workspace / "app.log.1.gz").write_bytes(gzip.compress(lines.encode()))
    nvim.open("app.log.1.gz:150000")
    assert nvim.line() == "line 150000"
    assert nvim.where() == "gzip  150,000 / 200,000"
    nvim.type(":3,4w other<CR>")
    nvim.wait_for_message("other written, 2 lines")
    assert (workspace / "other").read_text() == "line 3\nline 4\n"


def test_a_damaged_compressed_log_is_shown_up_to_the_damage_and_says_so(nvim: Nvim, workspace: Path) -> None:
    lines = "".join(f"line {number}\n" for number in range(1, 200_001))
    packed = gzip.compress(lines.encode())
    (workspace / "app.log.1.gz").write_bytes(packed[: len(packed) // 2])
    nvim.open("app.log.1.gz")
    nvim.wait_for_message("forge: app.log.1.gz: the gzip data ends early")
    nvim.type("G")
    nvim.wait_for("vim.fn.line('.') == vim.fn.line('$')")
    nvim.wait_for("require('forge').statusline():match('^gzip  (%S+) / (%S+)$') ~= nil")
    line, total = nvim.where().removeprefix("gzip  ").split(" / ")
    assert line == total
    assert nvim.messages().count("ends early") == 1
    assert nvim.lua("return vim.fn.line('w$') - vim.fn.line('w0')") > 10
    nvim.type_to_the_end(":Forge filter 77<CR>")
    nvim.wait_for("require('forge').statusline():find('^only 77') ~= nil")
    nvim.type_to_the_end("G")
    nvim.wait_for("require('forge').statusline():match('match (%S+) / %1$') ~= nil")
    assert "77" in nvim.line()


@pytest.fixture
def coloured(workspace: Path) -> str:
    (workspace / "app.log").write_text(COLOURED * 3_000)
    return "app.log"


def test_colours_are_shown_as_highlights_and_the_text_is_plain(nvim: Nvim, coloured: str) -> None:
    nvim.open(coloured)
    assert nvim.line() == "time ERROR disk full"
    marks = nvim.lua(
        """
        local found = {}
        for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, -1, { 0, 0 }, { 0, -1 }, { details = true })) do
          local group = vim.api.nvim_get_hl(0, { name = mark[4].hl_group })
          table.insert(found, { mark[3], mark[4].end_col, group.fg, group.ctermfg, group.bold or false })
        end
        return found
        """
    )
    start, end, colour, *_ = marks.pop(0)
    normal = nvim.lua("return vim.api.nvim_get_hl(0, { name = 'Normal' })")
    assert (start, end) == (0, 4)
    assert sorted((normal["bg"], colour, normal["fg"]))[1] == colour  # Dim: between the two.
    assert marks == [[5, 10, 0xCD0000, 1, True], [11, 15, 0xFF8700, 208, False], [16, 20, 0x010203, 16, False]]


def test_words_of_different_colours_are_found_side_by_side(nvim: Nvim, coloured: str) -> None:
    nvim.open(f"{coloured}:2000")
    nvim.type("/ERROR disk<CR>")
    nvim.wait_for("require('forge.view').of():line() == 2000 and vim.fn.col('.') == 6")
    nvim.type("n")
    nvim.wait_for("require('forge.view').of():line() == 2001 and vim.fn.col('.') == 6")


def test_a_filter_sees_what_is_seen_and_keeps_the_colours(nvim: Nvim, coloured: str) -> None:
    nvim.open(coloured)
    nvim.command("Forge filter ERROR disk")
    nvim.wait_for("require('forge').statusline() == 'only ERROR disk  1, match 1 / 3,000'")
    assert nvim.line() == "time ERROR disk full"
    groups = "vim.tbl_map(function(m) return m[4].hl_group end, "
    marks = "vim.api.nvim_buf_get_extmarks(0, -1, { 4, 0 }, { 4, -1 }, { details = true }))"
    nvim.wait_for(f"vim.list_contains({groups}{marks}, 'ForgeAnsi_1__b')")
    nvim.command("Forge grep disk full")
    nvim.wait_for_message("first 1,000 of 3,000 lines with disk full, in the quickfix list")
    nvim.command("cclose")


def test_colours_outlive_a_change_of_the_colour_scheme(nvim: Nvim, coloured: str) -> None:
    nvim.open(coloured)
    colour = "vim.api.nvim_get_hl(0, { name = 'ForgeAnsi_208__' })"
    before = nvim.lua(f"return {colour}")
    nvim.command("colorscheme blue")
    assert nvim.lua(f"return {colour}") == before
    nvim.command("colorscheme default")


def test_what_is_yanked_has_no_escape_sequences(nvim: Nvim, coloured: str) -> None:
    nvim.open(coloured)
    nvim.type(":2999,3000y a<CR>")
    nvim.wait_for("vim.fn.getreg('a') ~= ''")
    assert nvim.lua("return vim.fn.getreg('a', 1, true)") == ["time ERROR disk full"] * 2


@pytest.mark.parametrize("command", ["2999,3000w other", "w !cat > other"])
def test_what_is_written_in_part_or_piped_has_no_escape_sequences(
    nvim: Nvim, workspace: Path, coloured: str, command: str
) -> None:
    nvim.open(coloured)
    nvim.type(f":{command}<CR>")
    nvim.wait_for("not next(require('forge.view').of().beside) and vim.uv.fs_stat('other') ~= nil")
    nvim.wait_for_message("other written, 2 lines" if "w other" in command else "the command printed nothing")
    assert set((workspace / "other").read_text().splitlines()) == {"time ERROR disk full"}


def test_the_part_of_a_long_line_around_the_match_is_shown(nvim: Nvim, workspace: Path) -> None:
    numbers = "".join(f"<{number:07}>" for number in range(300_000))
    (workspace / "wide.json").write_text(f"first\n{numbers}\nlast\n")
    nvim.open("wide.json")
    nvim.command("Forge find <0250000>")
    nvim.wait_for("vim.fn.getline('.'):sub(vim.fn.col('.'), vim.fn.col('.') + 8) == '<0250000>'")
    assert nvim.where() == "2 / 3"
    shown = nvim.lua("return vim.fn.getline('.')")
    assert shown in numbers
    marks = nvim.lua("return vim.api.nvim_buf_get_extmarks(0, -1, { 1, 0 }, { 1, 0 }, { details = true })")
    notes = [mark[3]["virt_text"][0][0] for mark in marks if "virt_text" in mark[3]]
    assert "⋯ from column 2249801: " in notes
    nvim.type("$")
    nvim.wait_for("vim.fn.getline('.'):sub(-9) == '<0299999>' and vim.fn.col('.') == #vim.fn.getline('.')")
    nvim.type("1800001|")
    nvim.wait_for("vim.fn.getline('.'):sub(vim.fn.col('.'), vim.fn.col('.') + 8) == '<0200000>'")
    nvim.type("0")
    nvim.wait_for("vim.fn.getline('.'):sub(1, 9) == '<0000000>' and vim.fn.col('.') == 1")
    nvim.command("Forge find <0000100>")
    nvim.wait_for("vim.fn.getline('.'):sub(vim.fn.col('.'), vim.fn.col('.') + 8) == '<0000100>'")


def test_a_long_line_is_yanked_whole_or_that_it_is_not_is_said(nvim: Nvim, workspace: Path) -> None:
    long = "x" * 3_000_000
    (workspace / "data.json").write_text(f"first\n{long}\nlast\n")
    nvim.open("data.json:2")
    nvim.type("y2l")
    assert nvim.messages() == ""
    nvim.type("y$")
    nvim.wait_for_message("of a very long line only what is loaded was yanked; yy takes all of it")
    nvim.type("yj")
    nvim.wait_for_message("forge: 2 lines yanked")
    assert nvim.lua("return vim.fn.getreg('\"')") == f"{long}\nlast\n"


def test_a_literal_is_found_in_a_line_of_any_length(nvim: Nvim, workspace: Path) -> None:
    (workspace / "wide.json").write_text("x" * 5_000_000 + "needle/" + "y" * 5_000_000 + "\nlast\n")
    nvim.open("wide.json")
    nvim.type("/needle\\/<CR>")
    nvim.wait_for("vim.fn.getline('.'):sub(vim.fn.col('.'), vim.fn.col('.') + 6) == 'needle/'")


def test_the_end_of_a_long_line_of_wide_characters_is_found(nvim: Nvim, workspace: Path) -> None:
    (workspace / "wide.txt").write_text("日本語" * 100_000 + "終\nlast\n")
    nvim.open("wide.txt")
    nvim.type("$")
    nvim.wait_for("vim.fn.getline('.'):sub(vim.fn.col('.')) == '終'")


def test_lines_that_are_let_go_of_leave_no_marks_on_others(nvim: Nvim, workspace: Path) -> None:
    lines = [f"\x1b[31mline\x1b[0m {number}" + "y" * (30_000 if number == 10 else 0) for number in range(1, 12_001)]
    (workspace / "wide.log").write_text("\n".join(lines) + "\n")
    nvim.open("wide.log:10")
    first_column = "require('forge.long_lines').first_column(require('forge.view').of(), 10)"
    nvim.type("$")
    nvim.wait_for(f"{first_column} > 1")
    for _ in range(7):
        nvim.type_to_the_end(":normal! G<CR>")  # Not while Neovim still waits for lines, as a call might be.
        nvim.wait_for("vim.fn.line('.') < require('forge.view').of().count")
    assert nvim.lua("return require('forge.view').of().first") > 10
    marks = "vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_create_namespace(...), 0, -1, {})"
    assert nvim.lua(f"return #{marks}", "forge.cut") == 0
    assert nvim.lua(f"return #{marks} == require('forge.view').of().count", "forge.colours")
    for _ in range(8):
        nvim.type_to_the_end(":normal! gg<CR>")
        nvim.wait_for("vim.fn.line('.') > 1 or require('forge.view').of().first == 1")
    assert [mark[1] for mark in nvim.lua(f"return {marks}", "forge.cut")] == [9]
    assert nvim.lua(f"return {first_column}") == 1


def test_a_column_of_a_line_without_a_number_is_refused_in_words(nvim: Nvim, workspace: Path) -> None:
    (workspace / "huge.log").write_bytes(b"a rather short line\n" * 3_500_000 + b"y" * 50_000 + b"\n")
    with nothing_counted(nvim):
        nvim.open("huge.log")
        nvim.type("G")
        nvim.wait_for("vim.fn.getline('.'):find('^y') ~= nil")
        nvim.type("$")
        nvim.wait_for_message("forge: the lines are still being counted; try again in a moment")


def test_every_part_of_a_file_of_one_long_line_is_shown_where_it_is(nvim: Nvim, workspace: Path) -> None:
    numbers = "".join(f"<{number:07}>" for number in range(300_000))
    (workspace / "data.json").write_text(numbers)
    nvim.open("data.json")
    first_column = "require('forge.long_lines').first_column(require('forge.view').of(), 1)"
    shown = "vim.fn.getline('.'):sub(vim.fn.col('.'), vim.fn.col('.') + 8)"
    for _ in range(2):
        nvim.type("$")
        nvim.wait_for("vim.fn.getline('.'):sub(-9) == '<0299999>' and vim.fn.col('.') == #vim.fn.getline('.')")
        nvim.type("0")
        nvim.wait_for("vim.fn.getline('.'):sub(1, 9) == '<0000000>' and vim.fn.col('.') == 1")
        assert nvim.lua(f"return {first_column}") == 1
        with nvim.hearing() as told:
            nvim.type_to_the_end("/<lt>0250000><CR>")
            nvim.wait_for(f"{shown} == '<0250000>'")
            assert "hit BOTTOM" not in told()
        nvim.type("?<lt>0000100><CR>")
        nvim.wait_for(f"{shown} == '<0000100>'")
