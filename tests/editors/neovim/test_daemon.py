"""One daemon for everything: started with Neovim, started again after a crash, gone with Neovim."""

import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from .conftest import Start
from .nvim import Nvim, arguments, environment, wait_until


def daemons(nvim: Nvim) -> list[int]:
    return list(nvim.lua("return vim.api.nvim_get_proc_children(vim.fn.getpid())"))


def is_running(pid: int) -> bool:
    """A zombie is not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def folders(nvim: Nvim) -> list[str]:
    listed = "require('forge.daemon').ready().workspace_folders or {}"
    return sorted(nvim.lua(f"return vim.tbl_map(function(each) return vim.uri_to_fname(each.uri) end, {listed})"))


def test_the_daemon_is_started_with_neovim_and_is_told_nothing_before_it_is_used(start: Start, workspace: Path) -> None:
    (workspace / "a.txt").write_text("a\n")
    nvim = start("a.txt")
    nvim.wait_for("(package.loaded['forge.daemon'] or {}).ready and require('forge.daemon').ready() ~= nil")
    assert len(daemons(nvim)) == 1
    assert nvim.lua("return #vim.lsp.get_clients({ bufnr = 0 })") == 0
    assert folders(nvim) == []
    assert nvim.lua("return require('forge').read_sync('a.txt').content") == "a\n"
    assert folders(nvim) == [str(workspace)]


def test_without_a_person_no_daemon_is_started(binary: str, tmp_path: Path) -> None:
    script = "vim.wait(500) print(#vim.api.nvim_get_proc_children(vim.fn.getpid()))"
    command = [binary, "--headless", *arguments(tmp_path / "home"), "-c", f"lua {script}", "-c", "qa!"]
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment(tmp_path / "home", str(tmp_path)), timeout=30
    )
    assert done.stderr.strip() == "0"


def test_one_daemon_serves_everything_and_goes_with_neovim(start: Start, workspace: Path) -> None:
    (workspace / "a.txt").write_text("a\n")
    (workspace / "b.txt").write_text("b\n")
    nvim = start()
    nvim.open("a.txt")
    nvim.open("b.txt")
    assert nvim.lua("return require('forge').read_sync('a.txt').content") == "a\n"
    (daemon,) = daemons(nvim)
    assert nvim.quit() == 0
    assert wait_until(lambda: not is_running(daemon))


def test_a_killed_neovim_takes_its_daemon_with_it(start: Start, workspace: Path) -> None:
    (workspace / "a.txt").write_text("a\n")
    nvim = start()
    nvim.open("a.txt")
    (daemon,) = daemons(nvim)
    nvim.process.kill()
    assert wait_until(lambda: not is_running(daemon))


def test_a_daemon_that_crashed_is_started_again_which_is_reported_once_and_has_a_limit(
    start: Start, workspace: Path
) -> None:
    (workspace / "a.txt").write_text("a\n")
    nvim = start()
    nvim.open("a.txt")
    told = "the daemon ended unexpectedly and was started again"
    for crash in range(4):
        (daemon,) = daemons(nvim)
        os.kill(daemon, signal.SIGKILL)
        wait_until(lambda gone=daemon: not is_running(gone))  # type: ignore[misc]
        if crash < 3:
            nvim.wait_for(
                "#vim.api.nvim_get_proc_children(vim.fn.getpid()) == 1 and "
                "vim.api.nvim_get_proc_children(vim.fn.getpid())[1] ~= ...",
                daemon,
            )
            nvim.wait_for("require('forge').read_sync('a.txt') ~= nil")
    nvim.wait_for_message("the daemon ended 4 times in 3 minutes")
    assert nvim.messages().count(told) == 1
    error = nvim.lua("return select(2, require('forge').read_sync('a.txt'))")
    assert (error["code"], error["hint"]) == ("UNAVAILABLE", ":Forge restart tries again")
    nvim.command("Forge restart")
    nvim.wait_for("require('forge').read_sync('a.txt') ~= nil")


def test_what_was_asked_of_a_daemon_that_crashed_is_asked_once_more(start: Start, workspace: Path) -> None:
    endless = workspace / "endless"
    endless.write_text("line\n" * 4096)
    os.truncate(endless, 1 << 40)
    nvim = start()
    nvim.lua("require('forge').count_lines('endless', function(error) _G.told = error.code end)")
    nvim.wait_for("require('forge.daemon').ready() ~= nil")
    (first,) = daemons(nvim)
    os.kill(first, signal.SIGKILL)
    nvim.wait_for("require('forge').read_sync('endless', { head = 1 }) ~= nil")
    assert nvim.lua("return _G.told == nil")
    (second,) = daemons(nvim)
    assert second != first
    os.kill(second, signal.SIGKILL)
    nvim.wait_for("_G.told == 'UNAVAILABLE'")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cmd": "forge-read serve"}, 'forge: cmd should be a list of strings, like { "forge-read", "serve" }'),
        ({"cmd": ["false"]}, "forge: false ended with code 1 before it was ready (:checkhealth forge)"),
    ],
)
def test_a_command_that_is_no_daemon_is_one_line_and_leaves_nothing(
    start: Start, workspace: Path, options: dict[str, Any], message: str
) -> None:
    (workspace / "a.txt").write_text("a\n")
    nvim = start(options=options)
    nvim.command("Forge open a.txt")
    nvim.wait_for_message(message)
    assert len(nvim.messages().strip().splitlines()) == 1
    assert nvim.lua("return vim.api.nvim_buf_get_name(0)") == ""
    nvim.command("checkhealth forge")
    assert "ERROR" in "\n".join(nvim.lua("return vim.fn.getline(1, '$')"))


def test_a_command_that_answers_something_else_is_said(start: Start, workspace: Path) -> None:
    (workspace / "a.txt").write_text("a\n")
    nvim = start(options={"cmd": ["cat"]})
    nvim.command("Forge open a.txt")
    nvim.wait_for_message("forge: cat does not answer as the daemon does (:checkhealth forge)")
    assert "traceback" not in nvim.messages()


def test_a_command_that_never_answers_is_given_up_and_said(start: Start, workspace: Path) -> None:
    (workspace / "a.txt").write_text("a\n")
    nvim = start(options={"cmd": ["sleep", "1000"]})
    nvim.lua("local defer = vim.defer_fn vim.defer_fn = function(act, ms) return defer(act, ms / 100) end")
    nvim.command("Forge open a.txt")
    nvim.wait_for_message("forge: sleep 1000 does not answer as the daemon does (:checkhealth forge)")
    nvim.wait_for("#vim.api.nvim_get_proc_children(vim.fn.getpid()) == 0")


def test_restart_starts_another_one(start: Start, workspace: Path) -> None:
    (workspace / "a.txt").write_text("a\n")
    nvim = start()
    nvim.open("a.txt")
    before = daemons(nvim)
    nvim.command("Forge restart")
    nvim.wait_for("require('forge').read_sync('a.txt') ~= nil")
    (after,) = daemons(nvim)
    assert [after] != before
    assert nvim.messages().strip() == "forge: the daemon was started again"


def test_folders_follow_the_project_roots_in_use(start: Start, tmp_path: Path, workspace: Path) -> None:
    other = tmp_path.resolve() / "other"
    (other / "deep").mkdir(parents=True)
    (other / "forge.toml").write_text("")
    (other / "deep" / "b.txt").write_text("b\n")
    nvim = start()
    nvim.wake_daemon()
    assert folders(nvim) == [str(workspace)]
    nvim.command(f"edit {other}/deep/b.txt")
    assert nvim.lua("return require('forge').read_sync('deep/b.txt').content") == "b\n"
    assert folders(nvim) == sorted([str(other), str(workspace)])
    nvim.command("bwipeout")
    nvim.wait_for("#require('forge.daemon').ready().workspace_folders == 1")
    nvim.command(f"cd {other}")
    nvim.wait_for("vim.uri_to_fname(require('forge.daemon').ready().workspace_folders[1].uri) == ...", str(other))


def test_a_directory_opened_by_hand_is_open_as_long_as_the_window(
    start: Start, tmp_path: Path, workspace: Path
) -> None:
    outside = tmp_path.resolve() / "logs" / "app.log"
    outside.parent.mkdir()
    outside.write_text("outside\n")
    nvim = start()
    nvim.wake_daemon()
    read = "return (select(2, require('forge').read_sync(...)) or {}).code"
    assert nvim.lua(read, str(outside)) == "SANDBOX_VIOLATION"
    nvim.open(outside)
    assert nvim.line() == "outside"
    assert nvim.lua(read, str(outside)) is None
    nvim.command("enew")
    nvim.wait_for(f"(function(...) {read} end)(...) == 'SANDBOX_VIOLATION'", str(outside))
    nvim.command("buffer app.log")
    nvim.wait_for(f"(function(...) {read} end)(...) == nil", str(outside))
    outside.write_text("outside\nmore\n")
    nvim.type("G")
    nvim.wait_for_line("more")


def test_a_file_of_another_project_is_opened_by_hand(start: Start, tmp_path: Path, workspace: Path) -> None:
    other = tmp_path.resolve() / "other" / "app.log"
    (other.parent / ".git").mkdir(parents=True)
    other.write_text("one\ntwo\n")
    nvim = start()
    nvim.open(f"{other}:2")
    assert nvim.line() == "two"
    nvim.command("bwipeout")
    nvim.command(f"cd {tmp_path}")  # In no project at all.
    nvim.open("other/app.log")
    assert nvim.line() == "one"
    assert folders(nvim) == [str(other.parent)]


def test_a_link_whose_target_lies_elsewhere_is_opened_by_hand(start: Start, tmp_path: Path, workspace: Path) -> None:
    target = tmp_path.resolve() / "var" / "app-17.log"
    target.parent.mkdir()
    target.write_text("one\n")
    (workspace / "latest.log").symlink_to(target)
    nvim = start()
    nvim.open("latest.log")
    assert nvim.line() == "one"
    nvim.command("enew")
    nvim.wait_for("#require('forge.daemon').ready().workspace_folders == 1")
    assert folders(nvim) == [str(workspace)]


def test_a_buffer_too_large_to_share_is_not_sent(start: Start, workspace: Path) -> None:
    (workspace / "big.txt").write_text("x\n" * 1_000)
    nvim = start(options={"large_file": 1_000})
    nvim.wake_daemon()
    nvim.type(":edit big.txt<CR>")
    nvim.answer("l")
    nvim.wait_for_line("x")
    nvim.lua("vim.api.nvim_buf_set_lines(0, 0, 1, false, { 'unsaved' })")
    assert nvim.lua("return require('forge').read_sync('big.txt', { head = 1 }).content") == "x\n"


def test_settings_reach_the_daemon(start: Start, workspace: Path) -> None:
    (workspace / "a.txt").write_text("a\n")
    nvim = start(options={"settings": {"policy": {"deny": ["a.txt"]}}})
    nvim.wake_daemon()
    assert nvim.lua("return select(2, require('forge').read_sync('a.txt')).code") == "POLICY_DENIED"


def test_setup_wins_over_the_variable(start: Start) -> None:
    nvim = start(options={"large_file": 1})
    nvim.lua("require('forge').setup({ large_file = false, cmd = { 'no-such-command' } })")
    nvim.lua("require('forge.daemon').restart()")
    assert nvim.lua("return require('forge.config').get().large_file") is False
    error = nvim.lua("return select(2, require('forge').read_sync('a.txt'))")
    assert (error["code"], error["message"]) == ("UNAVAILABLE", "no-such-command was not found")


def test_a_daemon_that_cannot_start_is_one_readable_line(start: Start, workspace: Path) -> None:
    (workspace / "a.txt").write_text("a\n")
    nvim = start(options={"cmd": ["no-such-command"]})
    nvim.command("Forge open a.txt")
    nvim.wait_for_message("forge: no-such-command was not found (`make install` in a clone")
    assert nvim.lua("return vim.api.nvim_buf_get_name(0)") == ""


def test_a_daemon_enabled_as_a_language_server_is_the_same_one(start: Start, workspace: Path) -> None:
    (workspace / "a.txt").write_text("a\n")
    (workspace / "b.txt").write_text("b\n")
    nvim = start()
    if nvim.lua("return vim.lsp.enable == nil"):
        pytest.skip("vim.lsp.enable came with Neovim 0.11")
    nvim.command("filetype on")
    nvim.lua("vim.lsp.enable('forge')")
    nvim.command("edit a.txt")
    nvim.wait_for("#vim.lsp.get_clients({ name = 'forge' }) == 1")
    assert nvim.lua("return require('forge').read_sync('a.txt').content") == "a\n"
    nvim.command("edit b.txt")
    nvim.open("b.txt")
    (daemon,) = daemons(nvim)
    os.kill(daemon, signal.SIGKILL)
    nvim.wait_for_message("the daemon ended unexpectedly and was started again")
    nvim.wait_for("require('forge').read_sync('a.txt') ~= nil")
    assert len(daemons(nvim)) == 1
