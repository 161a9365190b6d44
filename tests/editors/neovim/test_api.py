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


def test_the_synchronous_form_returns_it(nvim: Nvim, notes: Path) -> None:
    assert nvim.lua("return require('forge').read_sync(...).content", str(notes)) == "one\ntwo\nthree\n"


def test_a_refusal_is_a_value(nvim: Nvim) -> None:
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


def test_what_is_not_saved_yet_is_seen(nvim: Nvim, notes: Path) -> None:
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
