"""`:Forge` and what a person finds out with it."""

import shutil
from pathlib import Path

import pytest

from .nvim import PLUGIN, Nvim

COMMANDS = [
    "open",
    "head",
    "tail",
    "follow",
    "around",
    "refresh",
    "time",
    "find",
    "filter",
    "level",
    "since",
    "until",
    "minute",
    "context",
    "records",
    "fold",
    "gaps",
    "save",
    "share",
    "grep",
    "search",
    "rotated",
    "describe",
    "log",
    "stats",
    "restart",
]


def completions(nvim: Nvim, typed: str) -> list[str]:
    return list(nvim.lua("return vim.fn.getcompletion(..., 'cmdline')", typed))


def test_commands_and_files_are_completed(nvim: Nvim, workspace: Path) -> None:
    (workspace / "server.log").write_text("a\n")
    assert completions(nvim, "Forge ") == COMMANDS
    assert completions(nvim, "Forge re") == ["refresh", "records", "restart"]
    for command in ("open", "tail", "head", "follow", "rotated", "open ++enc=utf-8"):
        assert completions(nvim, f"Forge {command} ser") == ["server.log"]
    assert completions(nvim, "Forge open ++enc=shift") == ["++enc=shift_jis"]
    assert completions(nvim, "Forge open ++enc=cp9") == ["++enc=cp932"]
    assert "++enc=windows-1252" in completions(nvim, "Forge tail ++")
    assert completions(nvim, "Forge stats ") == []
    assert completions(nvim, "Forge nonsense ") == []


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("Forge", "forge: what shall I do? (:help forge-commands)"),
        ("Forge nonsense", "forge: there is no :Forge nonsense (:help forge-commands)"),
        ("Forge open", "forge: which file? (:Forge open {file}[:{line}])"),
        ("Forge open missing.txt", "forge: there is no file missing.txt"),
        ("Forge open .git", "forge: .git is not a file"),
        ("Forge refresh", "forge: the buffer has no file (:Forge open {file})"),
        ("Forge find x", "forge: the buffer has no file (:Forge open {file})"),
        ("Forge filter x", "forge: the buffer has no file (:Forge open {file})"),
        ("Forge tail missing.txt", "forge: there is no file missing.txt"),
        ("Forge save", "forge: a name of letters and digits? (:Forge save {name}; with ! it is forgotten)"),
        ("Forge tail", "forge: the buffer has no file (:Forge open {file})"),
        ("Forge around", "forge: which line? (:Forge around {line})"),
        ("Forge around x", "forge: which line? (:Forge around {line})"),
    ],
)
def test_a_mistake_is_one_line_with_the_way_out(nvim: Nvim, command: str, message: str) -> None:
    nvim.command(command)
    nvim.wait_for_message(message)
    assert len(nvim.messages().strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("command", "line", "state"),
    [("tail", 3_000, "following"), ("follow", 3_000, "following"), ("head", 1, None)],
)
def test_head_tail_and_follow_take_a_file(
    nvim: Nvim, workspace: Path, command: str, line: int, state: str | None
) -> None:
    (workspace / "server.log").write_text("".join(f"line {number}\n" for number in range(1, 3_001)))
    nvim.command(f"Forge {command} server.log")
    nvim.wait_for_line(f"line {line}")
    nvim.wait_for("vim.b.forge ~= nil and vim.b.forge.follow == ...", state)
    nvim.command(f"Forge {command} server.log")  # Not a switch: it stays on.
    nvim.wait_for("vim.b.forge.follow == ... and not require('forge.view').of().cancel", state)


@pytest.mark.parametrize("command", ["find line 2000$", "find /line 2000$/", "time 00:33:20", "grep line 2000$"])
def test_in_a_buffer_with_the_file_itself_a_window_is_opened(nvim: Nvim, workspace: Path, command: str) -> None:
    lines = (f"2026-11-16 {n // 3600:02}:{n // 60 % 60:02}:{n % 60:02} line {n}$\n" for n in range(1, 3_001))
    (workspace / "server.log").write_text("".join(lines).replace("line 2000$", "line 2000"))
    nvim.command("edit server.log")
    nvim.command(f"Forge {command.replace('line 2000$', 'line 2000')}")
    nvim.wait_for("require('forge.view').on(...) ~= nil", str(workspace / "server.log"))
    if command.startswith("grep"):
        nvim.wait_for("vim.bo.buftype == 'quickfix'")
        nvim.command("cclose")
    else:
        nvim.wait_for("require('forge').statusline() == '2,000 / 3,000'")


def test_a_refused_open_leads_back_to_where_one_was(nvim: Nvim, workspace: Path) -> None:
    (workspace / ".env").write_text("TOKEN=1\n")
    (workspace / "notes.txt").write_text("note\n")
    nvim.command("edit notes.txt")
    nvim.command("enew")
    nvim.command("Forge open .env")
    nvim.wait_for_message("forge: .env: ")
    assert nvim.lua("return { vim.api.nvim_buf_get_name(0), vim.fn.getline(1, '$') }") == ["", [""]]


def test_advice_is_kept_where_a_message_is_too_long(nvim: Nvim) -> None:
    error = {"code": "INTERNAL", "message": "m" * 200, "hint": "this is what to do"}
    nvim.lua("require('forge.messages').fail(...)", error)
    assert nvim.messages().strip().endswith("mmm… (this is what to do)")


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        (".env", b"TOKEN=1\n", "forge: .env: "),
        ("image.bin", b"\0\1\2", "forge: image.bin: "),
    ],
)
def test_what_may_not_be_read_leaves_no_buffer_behind(
    nvim: Nvim, workspace: Path, name: str, data: bytes, message: str
) -> None:
    (workspace / name).write_bytes(data)
    nvim.command(f"Forge open {name}")
    nvim.wait_for_message(message)
    assert nvim.lua("return vim.api.nvim_buf_get_name(0)") == ""


def test_a_changed_buffer_in_the_way_is_kept(nvim: Nvim, workspace: Path) -> None:
    (workspace / "a.txt").write_text("a\n")
    nvim.lua("vim.o.hidden = false vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'unsaved' })")
    nvim.command("Forge open a.txt")
    nvim.wait_for_message("forge: E37: No write since last change")
    assert nvim.line() == "unsaved"
    nvim.lua("vim.o.hidden = true")


def test_a_long_message_is_cut_and_the_log_has_it_whole(nvim: Nvim, workspace: Path) -> None:
    name = "x" * 120 + ".txt"
    nvim.command(f"Forge open {name}")
    nvim.wait_for_message("…")
    nvim.command("Forge log")
    assert any(line.endswith(f"there is no file {name}") for line in nvim.lua("return vim.fn.getline(1, '$')"))


def test_the_log_tells_what_happened(nvim: Nvim, workspace: Path) -> None:
    (workspace / "a.txt").write_text("a\n")
    nvim.open("a.txt")
    nvim.command("Forge log")
    lines = "\n".join(nvim.lua("return vim.fn.getline(1, '$')"))
    assert "ready: " in lines
    assert f"folders: {workspace}" in lines
    assert nvim.lua("return { vim.bo.buftype, vim.bo.modifiable }") == ["nofile", False]


def test_stats_tells_the_figures_of_the_cache(nvim: Nvim, workspace: Path) -> None:
    (workspace / "a.txt").write_text("a\n")
    nvim.open("a.txt")
    nvim.command("set cmdheight=5")  # Room for all of it, so that Enter need not be pressed.
    nvim.command("Forge stats")
    nvim.wait_for_message("evictions")
    nvim.command("set cmdheight&")
    title, heading, row = nvim.messages().strip().splitlines()
    assert title.startswith("forge-read ")
    assert "protocol 1.0" in title
    assert heading.split() == ["folder", "files", "bytes", "hits", "misses", "evictions"]
    assert row.split()[:2] == ["workspace", "1"]


def test_health_says_what_a_bug_report_needs(nvim: Nvim, workspace: Path) -> None:
    nvim.command("checkhealth forge")
    report = "\n".join(nvim.lua("return vim.fn.getline(1, '$')"))
    for fact in (
        "OK Neovim ",
        "OK the configuration is valid",
        "large_file = 50000000",
        "OK found ",
        "OK the daemon is forge-read ",
        "OK it speaks protocol 1.0, this plugin 1.0",
        "OK a round trip takes ",
        f"workspace folders: {workspace}",
    ):
        assert fact in report
    assert "ERROR" not in report


def test_health_names_what_is_wrong_with_the_configuration(nvim: Nvim) -> None:
    def report(options: str) -> str:
        nvim.lua(f"require('forge').setup({options})")
        nvim.command("checkhealth forge")
        nvim.lua("require('forge').setup()")
        return "\n".join(nvim.lua("return vim.fn.getline(1, '$')"))

    faulty = report("{ larg_file = 1, root_markers = '.git' }")
    assert 'ERROR there is no option "larg_file"' in faulty
    assert "ERROR root_markers should be a list of strings" in faulty
    assert "ERROR no-such-command was not found" in report("{ cmd = { 'no-such-command' } }")
    assert "ERROR cmd should be a list of strings" in report("{ cmd = 'forge-read serve' }")


def test_health_names_settings_that_the_daemon_ignores(nvim: Nvim) -> None:
    nvim.lua("require('forge').setup({ settings = { policy = { deny = 7 } } })")
    nvim.command("Forge restart")
    nvim.command("checkhealth forge")
    assert "WARNING forge-read: the client's settings: policy.deny: " in nvim.lua(
        "return table.concat(vim.fn.getline(1, '$'), '\\n')"
    )


def test_help_has_tags_for_everything(nvim: Nvim) -> None:
    text = (PLUGIN / "doc" / "forge.txt").read_text()
    for tag in ("forge", "forge-configuration", "forge-api", "forge-find", *(f":Forge-{name}" for name in COMMANDS)):
        assert f"*{tag}*" in text
    nvim.command("help :Forge-find")
    assert nvim.lua("return vim.bo.buftype") == "help"


def test_the_tags_of_the_help_are_current(nvim: Nvim, tmp_path: Path) -> None:
    shutil.copy(PLUGIN / "doc" / "forge.txt", tmp_path)
    nvim.lua("vim.cmd.helptags(...)", str(tmp_path))
    assert (tmp_path / "tags").read_text() == (PLUGIN / "doc" / "tags").read_text()


def test_every_function_for_other_plugins_is_documented(nvim: Nvim) -> None:
    text = (PLUGIN / "doc" / "forge.txt").read_text()
    for name in nvim.lua("return vim.tbl_keys(require('forge'))"):
        assert f"*forge.{name}()*" in text
