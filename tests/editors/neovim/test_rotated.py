"""A log and its rotated files in one window."""

import gzip
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from .nvim import Nvim

LINES = 300


def lines(first: int, last: int) -> str:
    return "".join(f"2026-11-16 {n // 3600:02}:{n // 60 % 60:02}:{n % 60:02} INFO n{n}\n" for n in range(first, last))


@pytest.fixture
def log(workspace: Path) -> Path:
    """Three files, the oldest one compressed."""
    with gzip.open(workspace / "app.log.2.gz", "wt") as oldest:
        oldest.write(lines(1, 101))
    (workspace / "app.log.1").write_text(lines(101, 201))
    (workspace / "app.log").write_text(lines(201, 301))
    return workspace / "app.log"


def open_rotated(nvim: Nvim, log: Path) -> None:
    nvim.command(f"Forge rotated {log}")
    nvim.wait_for("require('forge.view').of() and require('forge.view').of().total == 300")


@contextmanager
def growing(log: Path) -> Iterator[None]:
    """Some fifty lines a second are appended."""
    is_done = threading.Event()

    def write() -> None:
        while not is_done.wait(0.02):
            with log.open("a") as end:
                end.write("2026-11-16 01:00:00 INFO more\n")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield
    finally:
        is_done.set()
        writer.join()


def test_a_growing_set_ends_with_the_line_that_is_shown_last(nvim: Nvim, workspace: Path, huge_file: Path) -> None:
    os.link(huge_file, workspace / "app.log.1")
    log = workspace / "app.log"
    log.write_text(lines(1, 101))
    nvim.command(f"Forge rotated {log}")
    nvim.wait_for("require('forge.view').of() and require('forge.view').of().total == 6700100")
    nvim.command("Forge follow")
    last = "(require('forge.view').of().first + require('forge.view').of().count - 1)"
    with growing(log):
        nvim.wait_for(f"{last} > 6700150 and {last} == require('forge.view').of().total")


def seams(nvim: Nvim) -> list[tuple[int, str]]:
    code = """
        local view, found = require("forge.view").of(), {}
        local space = vim.api.nvim_create_namespace("forge.members")
        for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true })) do
          table.insert(found, { view:number(mark[2] + 1), mark[4].virt_lines[1][1][1] })
        end
        return found
    """
    return [(line, text) for line, text in nvim.lua(code)]


def test_a_log_and_its_rotated_files_are_one_text_with_a_mark_where_each_begins(nvim: Nvim, log: Path) -> None:
    open_rotated(nvim, log)
    assert nvim.where() == "3 files  300 / 300"
    nvim.type_to_the_end("gg")
    nvim.wait_for("vim.fn.getline('.'):find('n1$') ~= nil")
    nvim.wait_for("(require('forge.view').of().members or {})[3].start_line == 201")
    assert [(line, text.split(" (")[0]) for line, text in seams(nvim)] == [
        (1, "── app.log.2.gz"),
        (101, "── app.log.1"),
        (201, "── app.log"),
    ]


@pytest.mark.parametrize(
    ("keys", "line"),
    [("ggG", 300), ("150G", 150), ("gg/n250$<CR>", 250), ("?n20$<CR>", 20), (":Forge time 00:02:30<CR>", 150)],
)
def test_motions_searches_and_times_go_through_all_of_it(nvim: Nvim, log: Path, keys: str, line: int) -> None:
    open_rotated(nvim, log)
    nvim.type_to_the_end(keys)
    nvim.wait_for("require('forge.view').of():line() == ...", line)


def test_a_filter_of_rotated_files_leads_back_to_them(nvim: Nvim, log: Path) -> None:
    open_rotated(nvim, log)
    nvim.type_to_the_end(":Forge filter /n.00$/<CR>")
    nvim.wait_for("require('forge.view').of().total == 3")
    assert nvim.where() == "only n.00$  3 files  300, match 3 / 3"
    nvim.type_to_the_end("kk<CR>")
    nvim.wait_for("require('forge.view').of().filter == nil and require('forge.view').of():line() == 100")
    assert nvim.lua("return require('forge.view').of().rotated") is True


def test_the_log_alone_and_with_its_rotated_files_are_different_windows(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    nvim.type_to_the_end("10Gmx")
    open_rotated(nvim, log)
    nvim.command("messages clear")
    nvim.type_to_the_end("'x")
    nvim.wait_for_message("mark x is not set")
    nvim.command(f"Forge open {log}")
    nvim.wait_for("require('forge.view').of().rotated == nil")
    assert nvim.where() == "10 / 100"


def test_all_of_the_text_is_written(nvim: Nvim, workspace: Path, log: Path) -> None:
    open_rotated(nvim, log)
    nvim.type_to_the_end(":w all.txt<CR>")
    nvim.wait_for_message("all.txt")
    assert (workspace / "all.txt").read_text() == lines(1, 301)


def test_the_quickfix_list_is_refused_as_it_knows_lines_of_files(nvim: Nvim, log: Path) -> None:
    open_rotated(nvim, log)
    nvim.command("Forge grep n3")
    nvim.wait_for_message("lines of rotated files cannot be put into the quickfix list")


def test_following_goes_on_over_a_rotation(nvim: Nvim, workspace: Path, log: Path) -> None:
    open_rotated(nvim, log)
    nvim.type_to_the_end(":Forge follow<CR>")
    nvim.wait_for("require('forge').statusline():find('following') ~= nil")
    with log.open("a") as end:
        end.write("2026-11-16 00:05:01 INFO before\n")
    nvim.wait_for_line("2026-11-16 00:05:01 INFO before")
    (workspace / "app.log.1").rename(workspace / "app.log.3")
    log.rename(workspace / "app.log.1")
    log.write_text("2026-11-16 00:05:02 INFO after\n")
    nvim.wait_for_line("2026-11-16 00:05:02 INFO after")


def test_describe_names_the_files(nvim: Nvim, log: Path) -> None:
    open_rotated(nvim, log)
    nvim.command("set cmdheight=15")
    nvim.command("Forge describe")
    nvim.wait_for_message("files    3")
    nvim.command("set cmdheight&")
    assert "app.log.2.gz, " in nvim.messages()


def test_edit_reads_the_rotated_files_again(nvim: Nvim, log: Path) -> None:
    open_rotated(nvim, log)
    nvim.type_to_the_end("50G")
    nvim.command("edit")
    nvim.wait_for("(require('forge.view').of() or {}).total == 300 and require('forge.view').of():line() == 50")
    assert nvim.where() == "3 files  50 / 300"


def test_lines_are_numbered_while_more_come(nvim: Nvim, workspace: Path) -> None:
    log = workspace / "app.log"
    for file in (log, workspace / "app.log.1"):
        file.write_text(lines(1, 60_001))
    nvim.command(f"Forge rotated {log}")
    nvim.wait_for("require('forge.view').of().etag ~= nil")
    nvim.command("Forge follow")
    with growing(log):
        nvim.wait_for("require('forge').statusline():find('^2 files  following  %d') ~= nil")
