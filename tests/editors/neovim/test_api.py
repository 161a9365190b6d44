"""What other plugins may ask for."""

from pathlib import Path

import pytest

from .nvim import Nvim


@pytest.fixture(autouse=True)
def notes(nvim: Nvim, workspace: Path) -> Path:
    file = workspace / "notes.txt"
    file.write_text("one\ntwo\nthree\n")
    return file


def answer(nvim: Nvim, call: str) -> tuple[object, object]:
    """What a callback gets: the error and the result."""
    nvim.lua(f"_G.got = nil local function callback(...) _G.got = {{ n = select('#', ...), ... }} end {call}")
    nvim.wait_for("_G.got ~= nil")
    return nvim.lua("return _G.got[1]"), nvim.lua("return _G.got[2]")


def test_a_window_is_read_without_anybody_waiting(nvim: Nvim) -> None:
    error, window = answer(nvim, "require('forge').read('notes.txt', { start_line = 2, max_lines = 1 }, callback)")
    assert error is None
    assert (window["content"], window["next_start_line"]) == ("two\n", 3)  # type: ignore[index]


def test_the_synchronous_read_returns_the_window(nvim: Nvim, notes: Path) -> None:
    assert nvim.lua("return require('forge').read_sync(...).content", str(notes)) == "one\ntwo\nthree\n"


def test_a_refused_read_returns_an_error_value(nvim: Nvim) -> None:
    result, error = nvim.lua("local r, e = require('forge').read_sync('missing.txt') return { r or false, e }")
    assert result is False
    assert (error["code"], error["path"]) == ("NOT_FOUND", "missing.txt")
    assert error["message"].startswith("missing.txt: ")
    error, window = answer(nvim, "require('forge').read('.env', nil, callback)")
    assert (error["code"], window) == ("POLICY_DENIED", None)  # type: ignore[index]


def test_nothing_outside_the_projects_in_use_is_read(nvim: Nvim, tmp_path: Path) -> None:
    (tmp_path / "outside.txt").write_text("secret")
    error = nvim.lua("return select(2, require('forge').read_sync(...))", str(tmp_path / "outside.txt"))
    assert error["code"] == "SANDBOX_VIOLATION"


def test_many_windows_come_in_one_answer(nvim: Nvim) -> None:
    call = "return require('forge').read_many_sync({ { path = 'notes.txt', head = 1 }, { path = 'missing' } })"
    first, second = nvim.lua(call)
    assert first["result"]["content"] == "one\n"
    assert second["error"]["code"] == "NOT_FOUND"
    error, items = answer(nvim, "require('forge').read_many({ { path = 'notes.txt', tail = 1 } }, callback)")
    assert error is None
    assert items[0]["result"]["content"] == "three\n"  # type: ignore[index]


def test_times_records_and_figures_of_a_log_are_told(nvim: Nvim, workspace: Path) -> None:
    log = "2026-11-16 14:00:00 INFO ready\n2026-11-16 14:05:00 ERROR failed\n  at main\n"
    (workspace / "app.log").write_text(log)
    _, found = answer(nvim, "require('forge').find_time('app.log', '14:05', nil, callback)")
    assert (found["line"], found["time"]) == (2, "2026-11-16T14:05:00")  # type: ignore[index]
    _, records = answer(nvim, "require('forge').records('app.log', { 3 }, nil, callback)")
    assert [(each["start_line"], each["level"]) for each in records] == [(2, "error")]  # type: ignore[attr-defined]
    _, described = answer(nvim, "require('forge').describe('app.log', nil, callback)")
    assert described["levels"] == {"info": 1, "error": 1}  # type: ignore[index]
    error, _ = answer(nvim, "require('forge').find_time('notes.txt', '14:05', nil, callback)")
    assert error["code"] == "INVALID_ARGUMENT"  # type: ignore[index]


def test_a_tool_is_called_as_an_agent_would(nvim: Nvim) -> None:
    output = nvim.lua("return require('forge').tool_sync('Read', { path = 'notes.txt', head = 2 })")
    assert output["content"] == "1| one\n2| two\n"
    error, output = answer(nvim, "require('forge').tool('read_file', { path = 'notes.txt' }, callback, 'workspace')")
    assert error is None
    assert output["content"] == "one\ntwo\nthree"  # type: ignore[index]
    error, _ = answer(nvim, "require('forge').tool('Read', {}, callback)")
    assert error["code"] == "INVALID_ARGUMENT"  # type: ignore[index]


def test_the_tools_are_listed(nvim: Nvim) -> None:
    error, tools = answer(nvim, "require('forge').tools(callback)")
    assert (error, tools[0]["name"]) == (None, "Read")  # type: ignore[index]
    error, tools = answer(nvim, "require('forge').tools(callback, 'workspace')")
    assert (error, tools[0]["name"]) == (None, "read_file")  # type: ignore[index]


def test_lines_are_counted_and_text_is_found(nvim: Nvim) -> None:
    _, counted = answer(nvim, "require('forge').count_lines('notes.txt', callback)")
    assert counted["line_count"] == 3  # type: ignore[index]
    _, found = answer(nvim, "require('forge').find('notes.txt', 'hr', nil, callback)")
    assert found["match"]["line"] == 3  # type: ignore[index]
    error, found = answer(nvim, "require('forge').find('notes.txt', 'absent', nil, callback)")
    assert (error, "match" in found) == (None, False)  # type: ignore[operator]


def test_unsaved_text_is_read(nvim: Nvim, notes: Path) -> None:
    read = "return require('forge').read_sync('notes.txt', ...).content"
    change = "vim.cmd.edit('notes.txt') vim.api.nvim_buf_set_lines(0, 0, 1, false, { 'unsaved' })"
    assert nvim.lua(f"{change} {read}") == "unsaved\ntwo\nthree\n"
    assert nvim.lua(read, {"source": "disk"}) == "one\ntwo\nthree\n"


def test_a_cancelled_request_is_called_back_once(nvim: Nvim) -> None:
    nvim.lua(
        """
        _G.calls = {}
        local cancel = require('forge').read('notes.txt', nil, function(error) table.insert(_G.calls, error.code) end)
        cancel()
        cancel()
        """
    )
    assert nvim.lua("vim.wait(100) return _G.calls") == ["CANCELLED"]


def test_a_synchronous_read_gives_up_in_time(nvim: Nvim) -> None:
    error = nvim.lua("return select(2, require('forge').read_sync('notes.txt', nil, 0))")
    assert error["code"] == "CANCELLED"


def test_every_request_and_command_has_its_types(nvim: Nvim) -> None:
    protocol = nvim.lua("return require('forge.protocol')")
    assert protocol["requests"]["find"] == "forge/find"
    assert protocol["commands"]["tools_call"] == "forge.tools.call"


def test_configurations_hear_of_windows_filters_and_what_is_followed(nvim: Nvim, workspace: Path) -> None:
    log = workspace / "server.log"
    log.write_text("one\ntwo\n")
    nvim.lua(
        """
        _G.heard = {}
        vim.api.nvim_create_autocmd("User", {
          pattern = "Forge*",
          callback = function(event)
            local data = event.data
            table.insert(_G.heard, { event.match, data.path, data.event or (data.filter or {}).pattern })
          end,
        })
        """
    )
    nvim.open(log)
    nvim.wait_for("#_G.heard == 1")
    nvim.command("Forge filter two")
    nvim.wait_for("#_G.heard == 2")
    nvim.command("Forge filter one")
    nvim.wait_for("#_G.heard == 3")
    nvim.command("Forge filter")
    nvim.command("Forge follow")
    nvim.wait_for("#_G.heard == 4")
    with log.open("a") as end:
        end.write("three\n")
    nvim.wait_for("#_G.heard == 5")
    assert [[event, *more] for event, path, *more in nvim.lua("return _G.heard")] == [
        ["ForgeOpened"],
        ["ForgeFiltered", "two"],
        ["ForgeFiltered", "one"],
        ["ForgeFollowed", "started"],
        ["ForgeFollowed", "appended"],
    ]
    assert {path for _, path, *_ in nvim.lua("return _G.heard")} == {str(log)}
    log.write_text("new\n")
    nvim.wait_for("vim.iter(_G.heard):any(function(heard) return heard[3] == 'truncated' end)")
    nvim.wait_for_line("new")
    nvim.wait_for("#_G.heard > 5 and (vim.b.forge or {}).total == 1")
    names = [name for name, *_ in nvim.lua("return _G.heard")]
    assert names.count("ForgeOpened") == 1, "the window was there before"


@pytest.mark.parametrize("name", ["server.log", "notes.md", "data.json", "init.lua", "unknown"])
def test_keys_can_be_mapped_by_filetype(nvim: Nvim, workspace: Path, name: str) -> None:
    (workspace / name).write_text("{}\n")
    nvim.lua(
        """
        _G.mapped = vim.api.nvim_create_autocmd("FileType", {
          pattern = { "forge", "*.forge" },
          callback = function(event) vim.b[event.buf].mapped = true end,
        })
        """
    )
    nvim.open(name)
    nvim.wait_for("vim.b.mapped == true")
    nvim.lua("vim.api.nvim_del_autocmd(_G.mapped)")
    assert nvim.messages().strip() == ""


def test_a_read_without_a_project_says_what_to_do(nvim: Nvim, tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text("a\n")
    nvim.command(f"cd {tmp_path}")
    error = nvim.lua("return select(2, require('forge').read_sync('a.log'))")
    assert error["code"] == "SANDBOX_VIOLATION"
    assert "the root of one holds one of .git, .hg, forge.toml" in error["hint"]
