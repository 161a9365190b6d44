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
    "grep",
    "log",
    "stats",
    "restart",
]


def completions(nvim: Nvim, typed: str) -> list[str]:
    return list(nvim.lua("return vim.fn.getcompletion(..., 'cmdline')", typed))


def test_commands_and_files_are_completed(nvim: Nvim, workspace: Path) -> None:
    (workspace / "server.log").write_text("a\n")
    assert completions(nvim, "Forge ") == COMMANDS
    assert completions(nvim, "Forge re") == ["refresh", "restart"]
    assert completions(nvim, "Forge open ser") == ["server.log"]
    assert completions(nvim, "Forge stats ") == []
    assert completions(nvim, "Forge nonsense ") == []


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("Forge", "forge: what shall I do? (open, head"),
        ("Forge nonsense", "forge: there is no :Forge nonsense (open, head"),
        ("Forge open", "forge: which file? (:Forge open {file}[:{line}])"),
        ("Forge open missing.txt", "forge: there is no file missing.txt"),
        ("Forge open .git", "forge: .git is not a file"),
        ("Forge refresh", "forge: not a window on a file (:Forge open {file})"),
        ("Forge find x", "forge: not a window on a file (:Forge open {file})"),
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


def test_the_figures_are_told(nvim: Nvim, workspace: Path) -> None:
    (workspace / "a.txt").write_text("a\n")
    nvim.open("a.txt")
    nvim.command("set cmdheight=5")  # Room for all of it, so that Enter need not be pressed.
    nvim.command("Forge stats")
    nvim.wait_for_message("evictions")
    nvim.command("set cmdheight&")
    title, heading, row = nvim.messages().strip().splitlines()
    assert title.startswith("forge-read ")
    assert "protocol 1.1" in title
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
        "OK it speaks protocol 1.1, this plugin 1.1",
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
