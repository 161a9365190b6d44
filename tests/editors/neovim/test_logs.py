"""What a person looks for in a log: errors, and records of several lines."""

from pathlib import Path

import pytest

from .nvim import Nvim, wait_until

ERRORS = (200, 2_500, 2_501, 4_900)


@pytest.fixture
def log(workspace: Path) -> Path:
    """A record of three lines every 100 lines, and errors in some of them."""
    file = workspace / "server.log"
    lines = []
    for number in range(1, 5_001):
        if number % 100 in (1, 2) and number > 100:
            lines.append("    at com.example.Main.run(Main.java:1)")
        else:
            level = "ERROR" if number in ERRORS else "INFO "
            lines.append(f"2026-11-16 10:{number // 60 % 60:02}:{number % 60:02} {level} errors: {number}")
    file.write_text("\n".join(lines) + "\n")
    return file


def at(nvim: Nvim, line: int) -> None:
    nvim.wait_for("require('forge.view').of():line() == ...", line)


def test_keys_go_to_the_next_and_the_previous_error(nvim: Nvim, workspace: Path, log: Path) -> None:
    text = log.read_text().splitlines()
    text[2_500] = "2026-11-16 10:00:00 ERROR errors: 2501"
    log.write_text("\n".join(text) + "\n")
    nvim.open(log)
    nvim.command("let @/ = 'mine'")
    for line in ERRORS:
        nvim.type_to_the_end("]e")
        at(nvim, line)
    nvim.type_to_the_end("2[e")
    at(nvim, 2_500)
    nvim.type_to_the_end("3[e")
    at(nvim, 2_501)
    assert nvim.lua("return vim.fn.getreg('/')") == "mine"


@pytest.mark.parametrize(
    ("other", "error"),
    [
        ("time=2026-11-16T10:00:00Z level=info error=nil", "time=2026-11-16T10:00:01Z level=error msg=x"),
        ('{"time": 1789999999, "level": "info"}', '{"time": 1789999999, "level": "fatal"}'),
        ("2026/11/16 10:00:00 [info] 7#7: no error", "2026/11/16 10:00:00 [error] 7#7: *1 open() failed"),
        ("I1116 10:00:00.000000 1 main.go:1] ERRORS 0", "E1116 10:00:00.000000 1 main.go:1] x"),
        ("Nov 16 10:00:00 host app[1]: ready", "Nov 16 10:00:00 host app[1]: CRITICAL x"),
    ],
)
def test_errors_are_known_by_the_level_of_their_record(nvim: Nvim, workspace: Path, other: str, error: str) -> None:
    (workspace / "app.log").write_text("\n".join([*[other] * 4, error, "  at main", "  at run", *[other] * 4]) + "\n")
    nvim.open("app.log")
    nvim.type_to_the_end("]e")
    at(nvim, 5)
    nvim.type_to_the_end("]e")
    nvim.wait_for("require('forge.view').of().cancel == nil")
    assert nvim.lua("return require('forge.view').of():line()") == 5, "its other lines are passed over"


@pytest.mark.parametrize(
    ("start", "keys", "line"),
    [
        (200, "}", 203),
        (201, "}", 203),
        (203, "{", 200),
        (202, "{", 200),
        (1, "{", 1),
        (200, "3}", 205),
        (1, "2000}", 2_041),
        (5_000, "2000{", 2_960),
        (4_999, "5}", 5_000),
    ],
)
def test_braces_go_to_records(nvim: Nvim, log: Path, start: int, keys: str, line: int) -> None:
    nvim.open(f"{log}:{start}")
    nvim.type_to_the_end(keys)
    at(nvim, line)


def test_in_a_text_without_times_what_is_indented_belongs_to_the_line_before(nvim: Nvim, workspace: Path) -> None:
    trace = "Exception in thread main\n\tat Main.run\nCaused by: other\n\t... 3 more\n\n}\nnext\n"
    (workspace / "trace.txt").write_text(trace)
    nvim.open("trace.txt")
    nvim.type_to_the_end("}")
    at(nvim, 7)
    nvim.type_to_the_end("{")
    at(nvim, 1)


def coloured_lines(nvim: Nvim) -> dict[int, str]:
    """The highlight group of each line that has one for its level."""
    marks = nvim.lua(
        """
        local namespace = vim.api.nvim_create_namespace("forge.levels")
        local view, found = require("forge.view").of(), {}
        for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true })) do
          table.insert(found, { view:number(mark[2] + 1), mark[4].hl_group })
        end
        return found
        """
    )
    return dict(marks)


def test_lines_have_the_colour_of_their_records_level(nvim: Nvim, log: Path) -> None:
    levels = {198: "DEBUG", 199: "WARN"}
    lines = log.read_text().splitlines()
    for line, level in levels.items():
        lines[line - 1] = lines[line - 1].replace("INFO", level)
    log.write_text("\n".join(lines) + "\n")
    nvim.open(log)
    nvim.type_to_the_end("200Gzz")
    error = dict.fromkeys((200, 201, 202), "ForgeError")
    expected = {198: "ForgeDebug", 199: "ForgeWarning", **error}
    assert wait_until(lambda: coloured_lines(nvim) == expected)
    nvim.command("Forge refresh")
    nvim.wait_for("require('forge.view').of().cancel == nil")
    assert wait_until(lambda: coloured_lines(nvim) == expected), "lines that are read again are coloured again"
    nvim.type_to_the_end(":Forge level error<CR>")
    assert wait_until(lambda: coloured_lines(nvim).keys() >= error.keys())


def test_a_followed_error_has_its_colour(nvim: Nvim, log: Path) -> None:
    nvim.command(f"Forge tail {log}")
    nvim.wait_for("(vim.b.forge or {}).follow == 'following'")
    with log.open("a") as growing:
        growing.write("2026-11-16 11:00:00 ERROR new\n")
    assert wait_until(lambda: coloured_lines(nvim).get(5_001) == "ForgeError")


def test_a_log_with_colours_of_its_own_keeps_them(nvim: Nvim, workspace: Path) -> None:
    (workspace / "app.log").write_text("2026-11-16 10:00:00 \x1b[31mERROR\x1b[0m x\n2026-11-16 10:00:00 ERROR y\n")
    nvim.open("app.log")
    nvim.type_to_the_end("Vj")
    nvim.wait_for("vim.b.forge.duration ~= nil")  # Its records have come.
    assert coloured_lines(nvim) == {}
