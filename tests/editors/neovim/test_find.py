"""Searching goes through the whole file, from the cursor, and can be stopped."""

import os
from pathlib import Path

import pytest
import re2

from .nvim import Nvim


@pytest.fixture
def log(workspace: Path) -> Path:
    file = workspace / "server.log"
    lines = [f"line {number}" for number in range(1, 20_001)]
    for number in (3, 9_000, 18_000):
        lines[number - 1] = f"äöü Request timed out, request {number}"
    file.write_text("\n".join(lines))
    return file


def cursor(nvim: Nvim) -> list[int]:
    """The file's line, and the column in bytes."""
    return list(nvim.lua("return { require('forge.view').of():line(), vim.fn.col('.') }"))


def find(nvim: Nvim, pattern: str) -> None:
    nvim.command(f"Forge find {pattern}")
    nvim.wait_for("require('forge.view').of().cancel == nil")


def press(nvim: Nvim, key: str, line: int) -> None:
    nvim.type(key)
    nvim.wait_for("require('forge.view').of():line() == ...", line)


def test_matches_are_found_beyond_what_is_loaded_forward_and_backward(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    find(nvim, "timed out")
    assert cursor(nvim) == [3, len("äöü Request ".encode()) + 1]
    press(nvim, "n", 9_000)
    press(nvim, "n", 18_000)
    assert nvim.where() == "18,000 / 20,000"
    press(nvim, "N", 9_000)


def test_a_search_wraps_only_if_wrapscan_is_set(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:18001")
    find(nvim, "timed out")
    assert cursor(nvim)[0] == 3
    press(nvim, "N", 18_000)
    nvim.command("set nowrapscan")
    nvim.type("n")
    nvim.wait_for_message("search hit BOTTOM without match for: timed out")
    assert cursor(nvim)[0] == 18_000
    nvim.type("3GN")
    nvim.wait_for_message("search hit TOP without match for: timed out")


def test_several_matches_in_a_line_are_visited_one_by_one(nvim: Nvim, workspace: Path) -> None:
    (workspace / "a.txt").write_text("aa aaa\nb\n")
    nvim.open("a.txt")
    find(nvim, "aa")
    assert cursor(nvim) == [1, 1]
    nvim.type("n")
    nvim.wait_for("vim.fn.col('.') == 4")
    nvim.type("N")
    nvim.wait_for("vim.fn.col('.') == 1")


def test_a_pattern_between_slashes_is_a_regular_expression(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    find(nvim, "/^line 1[59]00[0-9]$/")
    assert nvim.line() == "line 15000"


def test_a_pattern_without_slashes_is_a_literal(nvim: Nvim, workspace: Path) -> None:
    (workspace / "a.txt").write_text("axb\na.b\n")
    nvim.open("a.txt")
    find(nvim, "a.b")
    assert nvim.line() == "a.b"


def test_a_search_follows_ignorecase_and_smartcase(nvim: Nvim, log: Path) -> None:
    nvim.command("set ignorecase smartcase")
    nvim.open(log)
    find(nvim, "request timed")
    assert cursor(nvim)[0] == 3
    nvim.command("set nowrapscan")
    find(nvim, "Request 3")
    nvim.wait_for_message("without match for: Request 3")


def test_the_match_of_a_search_is_highlighted(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    find(nvim, "timed out")
    nvim.wait_for("#vim.api.nvim_buf_get_extmarks(0, -1, 0, -1, {}) == 1")
    row, start, details = nvim.lua(
        "return { unpack(vim.api.nvim_buf_get_extmarks(0, -1, 0, -1, { details = true })[1], 2) }"
    )
    text = "local row, start, finish = ... return vim.api.nvim_buf_get_text(0, row, start, row, finish, {})"
    shown = nvim.lua(text, row, start, details["end_col"])
    assert (shown, details["hl_group"]) == (["timed out"], "CurSearch")


def test_a_faulty_expression_is_one_readable_line(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    find(nvim, "/(/")
    nvim.wait_for_message("forge: server.log: not a regular expression: a ) is missing")


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("/timed out<CR>", 9_000),
        ("?timed out<CR>", 3),
        ("2/timed out<CR>", 18_000),
        ("/timed out<CR>n", 18_000),
        ("?timed out<CR>N", 9_000),
        ("/timed out<CR>2n", 3),
        ("/timed out<CR>7n", 18_000),
        ("?timed out<CR>7n", 18_000),
        ("/\\<lt>Request\\> timed.\\{4}, re[pq]uest 18<CR>", 18_000),
        ("/\\v(line|row) 150{2}1$<CR>", 15_001),
        ("/\\cTIMED OUT<CR>", 9_000),
        ("/line 17000/<CR>", 17_000),
        ("/\\vline (1){2}700?$<CR>", 1_170),
    ],
)
def test_neovims_own_search_goes_through_the_whole_file(nvim: Nvim, log: Path, keys: str, line: int) -> None:
    nvim.open(f"{log}:500")
    nvim.type(keys)
    nvim.wait_for("require('forge.view').of():line() == ...", line)
    assert nvim.lua("return vim.v.hlsearch") == 1


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("/api\\/users<CR>", 2),
        ("/5\\.6\\-a<CR>", 3),
        ("/\\V5.6-a<CR>", 3),
        ("/a\\[1]\\*<CR>", 4),
        ("/$5^6~<CR>", None),
        ('/\\"quoted\\"<CR>', 5),
    ],
)
def test_characters_without_a_meaning_are_meant_literally(
    nvim: Nvim, workspace: Path, typed: str, line: int | None
) -> None:
    (workspace / "odd.txt").write_text('first\nGET /api/users\n5.6-a\nxa[1]*\nis "quoted"\n')
    nvim.open("odd.txt")
    nvim.type(typed)
    if line is None:
        nvim.wait_for_message("~ is not understood here")
    else:
        nvim.wait_for("require('forge.view').of():line() == ...", line)


@pytest.mark.parametrize(("key", "line"), [("*", 9_000), ("#", 18_000), ("2*", 18_000)])
def test_the_word_under_the_cursor_is_searched_in_the_whole_file(nvim: Nvim, log: Path, key: str, line: int) -> None:
    nvim.open(f"{log}:3")
    nvim.type(f"w{key}")
    nvim.wait_for("require('forge.view').of():line() == ...", line)
    assert nvim.lua("return vim.fn.getreg('/')") == "\\<Request\\>"


@pytest.mark.parametrize(("key", "line"), [("*", 9_000), ("#", 18_000), ("2*", 18_000)])
def test_the_selected_text_is_searched_in_the_whole_file(nvim: Nvim, log: Path, key: str, line: int) -> None:
    nvim.open(f"{log}:3")
    nvim.type(f"fiv3l{key}")
    nvim.wait_for("require('forge.view').of():line() == ...", line)
    assert nvim.lua("return vim.fn.getreg('/')") == "\\Vimed"
    nvim.type(f"Vj{key}")
    nvim.wait_for_message("only text within one line can be searched for")


def test_a_search_that_passes_the_end_of_the_file_says_so(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:18001")
    with nvim.hearing() as told:
        nvim.type("/timed out<CR>")
        nvim.wait_for("require('forge.view').of():line() == 3")
        assert told() == "/timed out  line 3  search hit BOTTOM, continuing at TOP"


@pytest.mark.parametrize("pattern", [r"\w\+$", r"\W\w", r"\d", r"\S\s\S", r"\D\d"])
def test_character_classes_in_patterns_mean_what_they_mean_in_vim(nvim: Nvim, workspace: Path, pattern: str) -> None:
    line = "größe\u00a0\u3000٣ é1a"
    (workspace / "words.txt").write_text(f"\n{line}\n")
    nvim.open("words.txt")
    nvim.command("set nohlsearch")
    nvim.type(f"/{pattern}<CR>")
    nvim.wait_for("require('forge.view').of():line() == 2")
    assert nvim.lua("return vim.fn.col('.') - 1") == nvim.lua("return vim.fn.match(...)", line, pattern)


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("find /(?=a)/", "not a regular expression: (?= is not supported (:help forge-find)"),
        ("filter", "which lines? (:Forge filter {text} or :Forge filter /{regex}/)"),
    ],
)
def test_advice_is_short_enough_to_be_shown_whole(nvim: Nvim, log: Path, typed: str, message: str) -> None:
    nvim.open(log)
    nvim.command(f"Forge {typed}")
    nvim.wait_for_message(message)


def test_a_search_goes_by_what_ignorecase_is_when_it_is_repeated(nvim: Nvim, workspace: Path) -> None:
    (workspace / "case.txt").write_text("one\nERROR\nerror\nERROR\n")
    nvim.open("case.txt")
    nvim.type_to_the_end("/error<CR>")
    nvim.wait_for("vim.fn.line('.') == 3")
    nvim.command("set ignorecase")
    nvim.type_to_the_end("n")
    nvim.wait_for("vim.fn.line('.') == 4")


def test_a_regular_expression_is_named_as_it_was_typed_in_both_directions(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    with nvim.hearing() as heard:
        nvim.type_to_the_end(":Forge find /line 7+$/<CR>")
        nvim.wait_for("_G.told:find('line', 1, true) ~= nil")
        assert heard().startswith("/line 7+$/  line ")
        nvim.type_to_the_end("nN")
        nvim.wait_for("_G.told:find('^/line 7') ~= nil")
        assert heard().startswith("/line 7+$/  line ")


@pytest.mark.parametrize(
    ("typed", "refusal"),
    [
        ("line\\zs 7", "\\zs is not understood here: a match cannot start or end within it"),
        ("line\\ze 7", "\\ze is not understood here: a match cannot start or end within it"),
        ("\\(a\\)\\1", "\\1 is not understood here: back-references are not supported"),
        ("a\\@=", "\\@= is not understood here: look-around is not supported"),
        ("\\va@<lt>!b", "@<! is not understood here: look-around is not supported"),
        ("a\\nb", "\\n is not understood here: lines are searched one by one"),
        ("a\\_sb", "\\_s is not understood here: lines are searched one by one"),
        ("\\%V7", "\\%V7 is not understood here"),
        ("\\<lt>ä", "\\< is not understood here: word boundaries need ASCII letters"),
    ],
)
def test_what_only_vim_understands_is_refused_in_words(nvim: Nvim, log: Path, typed: str, refusal: str) -> None:
    nvim.open(log)
    nvim.type(f"/{typed}<CR>")
    nvim.wait_for_message(f"forge: {refusal}")


@pytest.mark.parametrize(
    "pattern",
    [
        "\\v<(line|row)> [0-9]{2,3}$",
        "\\k\\+ \\i*",
        "[[:punct:][:space:]]\\{-1,}",
        "^\\s*\\S\\=",
        "a\\{}\\|\\e\\[[0-9;]*m",
        "\\%(x\\)\\?[^]a-z^-]",
        "\\Va.b*[c]",
    ],
)
def test_expressions_of_vim_become_ones_that_re2_understands(nvim: Nvim, pattern: str) -> None:
    expression = nvim.lua("return require('forge.vim_pattern').translate(...).regex", pattern)
    assert re2.compile(expression).pattern == expression


def test_a_word_with_letters_beyond_ascii_is_searched_for(nvim: Nvim, workspace: Path) -> None:
    (workspace / "words.txt").write_text("übel\none\nübel\nStraße\ntwo\nStraße\n")
    nvim.open("words.txt")
    nvim.type_to_the_end("*")
    nvim.wait_for("require('forge.view').of():line() == 3")
    nvim.type_to_the_end("j*")
    nvim.wait_for("require('forge.view').of():line() == 6")


def test_after_a_search_of_vims_own_n_goes_on_with_that(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    find(nvim, "timed out")
    nvim.type("/line 7$<CR>")
    nvim.wait_for_line("line 7")
    nvim.type("ggn")
    nvim.wait_for_line("line 7")


def test_without_a_pattern_the_last_one_is_searched_again(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    find(nvim, "timed out")
    nvim.command("Forge find")
    nvim.wait_for("require('forge.view').of():line() == 9000")


def test_a_search_shows_how_far_it_is_and_is_stopped(nvim: Nvim, workspace: Path) -> None:
    endless = workspace / "endless.log"
    endless.write_text("line\n" * 4096)
    os.truncate(endless, 1 << 40)
    nvim.open(endless)
    nvim.lua(
        "_G.seen = {} vim.api.nvim_create_autocmd('LspProgress', { callback = function(event) "
        "table.insert(_G.seen, event.data.params.value.kind) end })"
    )
    nvim.command("Forge find never")
    nvim.wait_for("vim.list_contains(_G.seen, 'report')")
    nvim.type("<C-c>")
    nvim.wait_for_message("forge: stopped")
    assert nvim.lua("return require('forge.view').of().cancel == nil")
    assert nvim.line() == "line"


@pytest.mark.parametrize(("last_key", "line"), [("<CR>", 9_000), ("<Esc>", 8_000)])
def test_lines_that_come_while_a_search_is_typed_do_not_move_its_start(
    nvim: Nvim, log: Path, last_key: str, line: int
) -> None:
    nvim.wake_daemon()
    with nvim.slow_daemon():
        nvim.command(f"Forge open {log}:8000")
        nvim.type("/timed out")
        nvim.wait_for("vim.fn.getcmdline() == 'timed out'")
    nvim.wait_for("require('forge.view').of().etag ~= nil")
    nvim.type_to_the_end(last_key)
    nvim.wait_for("require('forge.view').of():line() == ...", line)
