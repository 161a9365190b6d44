"""A window follows a log while another process writes it."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from forge_daemon.server.follows import MAX_FOLLOWS

from .conftest import Open, Start
from .nvim import Nvim
from .test_daemon import daemons

WRITER = """
import sys, time
with open(sys.argv[1], "a") as log:
    for number in range(1, int(sys.argv[2]) + 1):
        print("new", number, file=log, flush=True)
        time.sleep(0.05)
"""
Write = Callable[[Path, int], subprocess.Popen[bytes]]


@pytest.fixture
def write() -> Iterator[Write]:
    """Starts a process that appends lines, 20 a second."""
    with ExitStack() as stack:

        def start(file: Path, lines: int) -> subprocess.Popen[bytes]:
            writer = subprocess.Popen([sys.executable, "-c", WRITER, str(file), str(lines)])
            stack.callback(writer.wait)
            stack.callback(writer.kill)
            return writer

        yield start


@pytest.fixture
def log(workspace: Path) -> Path:
    file = workspace / "server.log"
    file.write_text("".join(f"line {number}\n" for number in range(1, 3_001)))
    return file


def follow(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    nvim.command("Forge follow")
    nvim.wait_for("require('forge').statusline():find('following', 1, true) ~= nil")


def test_matches_are_counted_although_the_log_grows(nvim: Nvim, log: Path, write: Write) -> None:
    follow(nvim, log)
    write(log, 2_000)
    nvim.wait_for("tonumber(vim.fn.getline('.'):match('^new (%d+)$') or 0) >= 10")
    with nvim.hearing() as heard:
        nvim.type_to_the_end("?line 2990<CR>")
        nvim.wait_for("_G.told:find('[1/1]', 1, true) ~= nil")
        assert heard() == "?line 2990  line 2,990  [1/1]"


def test_the_follow_state_is_published_while_the_cursor_rests(nvim: Nvim, log: Path) -> None:
    follow(nvim, log)
    assert nvim.lua("return vim.b.forge.follow") == "following"
    nvim.command("Forge follow")
    assert nvim.lua("return vim.b.forge.follow") is None


def test_following_continues_when_the_window_is_shown_again(nvim: Nvim, log: Path) -> None:
    follow(nvim, log)
    nvim.command("enew")
    with log.open("a") as file:
        file.write("meanwhile\n")
    nvim.command("buffer #")
    nvim.wait_for_line("meanwhile")
    with log.open("a") as file:
        file.write("and now\n")
    nvim.wait_for_line("and now")
    nvim.wait_for("require('forge').statusline() == 'following  3,002 / 3,002'")


def test_a_window_stays_at_the_end_as_lines_come_and_shows_every_one(nvim: Nvim, log: Path, write: Write) -> None:
    follow(nvim, log)
    writer = write(log, 60)
    nvim.wait_for("vim.fn.getline('.'):find('^new ') ~= nil")  # While it is being written.
    writer.wait()
    nvim.wait_for_line("new 60")
    nvim.wait_for("require('forge').statusline() == 'following  3,060 / 3,060'")
    shown = nvim.lua("return vim.api.nvim_buf_get_lines(0, 0, -1, false)")
    assert shown[-60:] == [f"new {number}" for number in range(1, 61)]


def test_following_pauses_when_the_cursor_leaves_the_end_and_continues_there(
    nvim: Nvim, log: Path, write: Write
) -> None:
    follow(nvim, log)
    writer = write(log, 40)
    nvim.wait_for("vim.fn.line('$') > 1005")
    nvim.type("100k")
    nvim.wait_for("require('forge').statusline():find('paused', 1, true) ~= nil")
    line = nvim.line()
    number = nvim.where()
    writer.wait()
    nvim.wait_for("require('forge').statusline():find('/ 3,040', 1, true) ~= nil")
    assert nvim.line() == line
    assert nvim.where().split(" / ")[0] == number.split(" / ")[0]
    nvim.type("G")
    nvim.wait_for_line("new 40")
    assert nvim.where() == "following  3,040 / 3,040"


def test_new_lines_come_with_j_and_pages_without_any_command(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    nvim.type("G")
    nvim.wait_for_line("line 3000")
    with log.open("a") as end:
        end.write("new 1\n")
    nvim.type("j")
    nvim.wait_for_line("new 1")
    assert nvim.where() == "3,001 / 3,001"
    with log.open("a") as end:
        end.write("new 2\nnew 3\n")
    nvim.type("<C-f>")
    nvim.wait_for("vim.fn.getline('$') == 'new 3'")


def test_a_line_that_is_completed_later_is_one_line(nvim: Nvim, log: Path) -> None:
    follow(nvim, log)
    with log.open("a") as end:
        end.write("half")
    nvim.wait_for_line("half")
    with log.open("a") as end:
        end.write(" and half\nnext\n")
    nvim.wait_for_line("next")
    assert nvim.lua("return vim.fn.getline(vim.fn.line('$') - 1)") == "half and half"


def test_a_line_that_is_completed_later_has_its_colours(nvim: Nvim, log: Path) -> None:
    follow(nvim, log)
    with log.open("a") as end:
        end.write("\x1b[32mhalf")
    nvim.wait_for_line("half")
    with log.open("a") as end:
        end.write(" and half\x1b[0m plain\n\x1b[3")
    nvim.wait_for("vim.fn.getline(vim.fn.line('$') - 1) == 'half and half plain'")
    marks = (
        "vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_create_namespace('forge.colours'), 0, -1, { details = true })"
    )
    spans = f"return vim.tbl_map(function(mark) return {{ mark[3], mark[4].end_col, mark[4].hl_group }} end, {marks})"
    assert nvim.lua(spans) == [[0, 13, "ForgeAnsi_2__"]]
    with log.open("a") as end:
        end.write("4mblue\x1b[0m\n")
    nvim.wait_for_line("blue")
    assert nvim.lua(spans) == [[0, 13, "ForgeAnsi_2__"], [0, 4, "ForgeAnsi_4__"]]


def test_what_is_appended_to_a_very_long_line_is_not_shown_in_the_middle_of_it(nvim: Nvim, log: Path) -> None:
    log.write_text("x" * 25_000)
    follow(nvim, log)
    with log.open("a") as end:
        end.write("the end\nnext\n")
    nvim.wait_for_line("next")
    assert nvim.lua("return vim.fn.getline(1)") == "x" * 20_000


def test_nothing_is_kept_of_lines_that_a_filter_was_told_of(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    nvim.command("Forge filter new")
    nvim.wait_for_message("server.log has no such lines (only new)")
    nvim.command("Forge filter line")
    nvim.wait_for("require('forge.view').of().filter ~= nil and require('forge.view').of().etag ~= nil")
    nvim.command("Forge tail")
    nvim.wait_for("require('forge').statusline():find('following', 1, true) ~= nil")
    for number in range(3_001, 3_004):
        with log.open("a") as end:
            end.write(f"new\nline {number}\n")
        nvim.wait_for_line(f"line {number}")
    assert nvim.lua("return #require('forge.view').of().unread") == 0


@pytest.mark.parametrize("is_rotated", [False, True], ids=["grown", "rotated"])
def test_following_continues_after_a_crash_of_the_daemon(nvim: Nvim, log: Path, is_rotated: bool) -> None:
    follow(nvim, log)
    (daemon,) = daemons(nvim)
    os.kill(daemon, signal.SIGSTOP)
    if is_rotated:
        log.rename(log.with_suffix(".1"))
    with log.open("a") as end:
        end.write("new 1\n")
    os.kill(daemon, signal.SIGKILL)
    nvim.wait_for_line("new 1")
    assert nvim.where() == ("following  1 / 1" if is_rotated else "following  3,001 / 3,001")
    with log.open("a") as end:
        end.write("new 2\n")
    nvim.wait_for_line("new 2")


def test_a_new_daemon_is_told_of_the_folders_before_it_follows_again(start: Start, log: Path) -> None:
    nvim = start()
    nvim.command("Forge tail server.log")
    nvim.wait_for("require('forge').statusline() == 'following  3,000 / 3,000'")
    nvim.lua(
        """
        local daemon, sent = require("forge.daemon"), {}
        _G.sent = sent
        for _, name in ipairs({ "notify", "request" }) do
          local send = daemon[name]
          daemon[name] = function(method, ...)
            table.insert(sent, method)
            return send(method, ...)
          end
        end
        """
    )
    (daemon,) = daemons(nvim)
    os.kill(daemon, signal.SIGKILL)
    with log.open("a") as end:
        end.write("new 1\n")
    nvim.wait_for_line("new 1")
    assert nvim.lua("return { _G.sent[1], _G.sent[2] }") == ["workspace/didChangeWorkspaceFolders", "forge/follow"]


@pytest.mark.parametrize(("keys", "state"), [("", "following  3,001 / 3,001"), ("100k", "paused  2,900 / 3,001")])
def test_following_continues_after_the_buffer_is_edited_again(nvim: Nvim, log: Path, keys: str, state: str) -> None:
    follow(nvim, log)
    nvim.type_to_the_end(keys)
    nvim.command("edit")
    nvim.wait_for("require('forge').statusline():find(..., 1, true) == 1", state.split()[0])
    with log.open("a") as end:
        end.write("new 1\n")
    nvim.wait_for("require('forge').statusline() == ...", state)


def test_what_may_not_be_read_leaves_no_window_that_would_follow_it(terminal: Open, workspace: Path) -> None:
    (workspace / ".env").write_text("TOKEN=1\n")
    nvim = terminal(".env", "-c", "Forge tail")
    assert nvim.shows("forge: .env: ")
    assert nvim.shows("TOKEN=1")


def test_growth_of_a_file_is_no_change(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:1500")
    with log.open("a") as end:
        end.write("new 1\n")
    nvim.command("doautocmd FocusGained")
    nvim.type("gg")
    nvim.wait_for_line("line 1")
    nvim.type("G")
    nvim.wait_for_line("new 1")
    assert nvim.messages().strip() == ""


def test_following_ends_on_request_and_with_the_window(nvim: Nvim, log: Path) -> None:
    follow(nvim, log)
    nvim.command("Forge follow")
    nvim.wait_for("require('forge').statusline() == '3,000 / 3,000'")
    nvim.command("Forge tail")
    nvim.wait_for("require('forge').statusline() == 'following  3,000 / 3,000'")
    nvim.command("bwipeout")
    with log.open("a") as end:
        end.write("new 1\n")
    nvim.open(log)
    assert nvim.where() == "1 / 3,001"


def test_a_plugin_follows_a_file_until_it_stops(nvim: Nvim, log: Path, write: Write) -> None:
    nvim.lua(
        """
        _G.events = {}
        _G.handle = require("forge").follow(..., { tail = 2 }, function(error, event)
          table.insert(_G.events, error or { event.event, event.content })
        end)
        """,
        str(log),
    )
    nvim.wait_for("#_G.events == 1")
    assert nvim.lua("return _G.events[1]") == ["started", "line 2999\nline 3000\n"]
    write(log, 10).wait()
    text = "(function() local t = '' for i = 2, #_G.events do t = t .. _G.events[i][2] end return t end)()"
    nvim.wait_for(f"{text}:find('new 10\\n', 1, true) ~= nil")
    assert nvim.lua(f"return {text}") == "".join(f"new {number}\n" for number in range(1, 11))
    nvim.lua("_G.handle.stop() _G.handle.stop() _G.events = {}")
    with log.open("a") as end:
        end.write("unheard\n")
    assert nvim.lua("return require('forge').read_sync('server.log', { tail = 1 }).content") == "unheard\n"
    assert nvim.lua("return _G.events") in ([], {})


def test_following_that_is_stopped_before_it_started_ends_in_the_daemon_too(nvim: Nvim, log: Path) -> None:
    """A daemon that still followed it would refuse the last of as many more as it takes."""
    nvim.wake_daemon()
    nvim.lua(
        """
        local path, most = ...
        local follow = require("forge").follow
        _G.called, _G.answered, _G.refused, _G.handles = false, 0, false, {}
        function _G.follow_one_more()
          table.insert(_G.handles, follow(path, nil, function(error)
            _G.answered, _G.refused = _G.answered + 1, error ~= nil
          end))
        end
        follow(path, nil, function() _G.called = true end).stop()
        for _ = 2, most do
          _G.follow_one_more()
        end
        """,
        str(log),
        MAX_FOLLOWS,
    )
    nvim.wait_for(f"_G.answered == {MAX_FOLLOWS - 1}")
    nvim.lua("_G.follow_one_more()")
    nvim.wait_for(f"_G.answered == {MAX_FOLLOWS}")
    nvim.lua("for _, handle in ipairs(_G.handles) do handle.stop() end")
    assert nvim.lua("return { _G.called, _G.refused }") == [False, False]


def test_a_plugin_is_told_what_cannot_be_followed(nvim: Nvim) -> None:
    nvim.lua("require('forge').follow('missing.log', nil, function(error) _G.told = error.code end)")
    nvim.wait_for("_G.told == 'NOT_FOUND'")


@pytest.mark.parametrize("daemon_is_told_first", [True, False])
def test_a_file_that_is_being_edited_is_followed_as_it_is_on_disk(
    start: Start, log: Path, write: Write, daemon_is_told_first: bool
) -> None:
    nvim = start(str(log))
    if daemon_is_told_first:
        nvim.wake_daemon()
        nvim.wait_for("#vim.lsp.get_clients({ bufnr = 0 }) == 1")
    nvim.command("Forge tail")
    nvim.wait_for("require('forge').statusline() == 'following  3,000 / 3,000'")
    write(log, 5).wait()
    nvim.wait_for_line("new 5")
    nvim.command("buffer #")
    nvim.lua("vim.api.nvim_buf_set_lines(0, 0, 1, false, { 'unsaved' })")
    assert nvim.lua("return require('forge').read_sync('server.log', { head = 1 }).content") == "unsaved\n"
