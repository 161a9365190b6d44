"""Draws the README's pictures: real windows on real logs, captured from a terminal.

`python -m tests.editors.neovim.picture` writes `editors/neovim/media/*.svg`. The first scene takes a log of 1 GiB.
"""

import gzip
import re
import tempfile
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from html import escape
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from .conftest import binaries
from .nvim import PLUGIN, wait_until
from .terminal import Terminal

SIZE = (96, 20)
CELL_WIDTH, CELL_HEIGHT, FONT_SIZE, MARGIN = 8.43, 18, 14, 12
FOREGROUND, BACKGROUND, FRAME = "#e0e2ea", "#14161b", "#0b0d10"
FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
ESCAPE = re.compile(r"\x1b\[([0-9;:]*)m|\x1b\(B|\x0f")


NO_BREAK_SPACE = "\u00a0"
"""Browsers draw several spaces as one."""


class Style(NamedTuple):
    foreground: str | None = None
    background: str | None = None
    bold: bool = False
    reverse: bool = False

    @property
    def colours(self) -> tuple[str, str]:
        shown = self.foreground or FOREGROUND, self.background or BACKGROUND
        return (shown[1], shown[0]) if self.reverse else shown


class Cell(NamedTuple):
    character: str
    style: Style


LEVELS = (("DEBUG", "38;5;245"), ("INFO", "32"), ("INFO", "32"), ("WARN", "1;33"), ("INFO", "32"), ("ERROR", "1;97;41"))
EVENTS = (
    "GET /api/users/{}",
    "cache hit for session {}",
    "order {} accepted",
    "upstream {} timed out",
    "worker {} ready",
)


def log_line(number: int, *, coloured: bool = False) -> str:
    """A line that carries its own number, so that no picture can lie."""
    level, colour = LEVELS[number * 7 % len(LEVELS)]
    event = EVENTS[number * 3 % len(EVENTS)].format(number)
    second = number // 400
    time = f"2026-11-16 {second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02}.{number * 13 % 1000:03}"
    if coloured:
        thread = f"\x1b[38;2;255;160;90m[web-{number % 4}]\x1b[0m"
        return f"\x1b[36m{time}\x1b[0m \x1b[{colour}m{level:5}\x1b[0m {thread} {event}\n"
    return f"{time} {level:5} [web-{number % 4}] {event}\n"


def write_log(file: Path, size: int, *, coloured: bool = False) -> None:
    with file.open("w") as log:
        number = 0
        while log.tell() < size:
            log.writelines(log_line(number + each, coloured=coloured) for each in range(1, 10_001))
            number += 10_000


def large(terminal: Terminal, folder: Path, size: int) -> None:
    """Any line of a log of 1 GiB, and a match in it."""
    write_log(folder / "server.log", size)
    line = size // 100 // 5 * 5 + 1  # One of those that timed out.
    terminal.command(f"Forge open server.log:{line - 20}")
    assert terminal.shows(f"{line - 20:,} / ")
    terminal.command(f"Forge find upstream {line} timed out")
    assert terminal.shows(f"/upstream {line} timed out  line {line:,}  [1/1]")
    assert wait_until(lambda: re.search(r"[\d,]+ / [\d,]+", terminal.screen()) is not None)


def following(terminal: Terminal, folder: Path, size: int) -> None:
    """The end of a log, as lines come."""
    log = folder / "server.log"
    write_log(log, size)
    terminal.command("Forge open server.log")
    assert terminal.shows("1 / ")
    terminal.command("Forge follow")
    assert terminal.shows("following")
    with log.open("a") as end:
        end.write("2026-11-16 14:05:31.000 INFO  [web-0] this line was just written\n")
    assert terminal.shows("this line was just written")


def filtered(terminal: Terminal, folder: Path, size: int) -> None:
    """Only the lines that match, with their own numbers."""
    write_log(folder / "server.log", size)
    terminal.command("Forge open server.log")
    assert terminal.shows("1 / ")
    terminal.command("Forge filter timed out")
    assert wait_until(lambda: re.search(r"match 1 / [\d,]+", terminal.screen()) is not None)


def coloured(terminal: Terminal, folder: Path, size: int) -> None:
    """A log with terminal colours."""
    write_log(folder / "server.log", size, coloured=True)
    terminal.command("Forge open server.log:120")
    assert terminal.shows("120 / ")


def refusal(terminal: Terminal, folder: Path, size: int) -> None:
    """An error is one line and says what to do."""
    write_log(folder / "server.log", size)
    (folder / ".env").write_text("TOKEN=1\n")
    terminal.command("Forge open server.log")
    assert terminal.shows("1 / ")
    terminal.command("Forge open .env")
    assert terminal.shows("forge: .env: ")


ROTATIONS = (timedelta(hours=2, minutes=21), timedelta(hours=2, minutes=44), timedelta(hours=4))
SECONDS_BETWEEN_ERRORS = 13 * 60


def write_rotated_logs(folder: Path, lines_each_second: int) -> None:
    """From noon on, in three files; some requests fail, with a trace of two lines."""
    start, second = datetime(2026, 11, 16, 12), 0
    for end, file in zip(ROTATIONS, ("server.log.2.gz", "server.log.1", "server.log"), strict=True):
        lines = []
        while second < end.total_seconds():
            time = start + timedelta(seconds=second)
            lines += [
                f"{time}.{each * 7:03} INFO  [web-{each % 4}] GET /api/users/{second}"
                for each in range(lines_each_second)
            ]
            if second % SECONDS_BETWEEN_ERRORS == 0:
                lines.append(f"{time}.999 ERROR [web-2] order {second} failed")
                lines.append("java.lang.IllegalStateException: no connection left in the pool")
                lines.append("    at com.example.orders.Pool.take(Pool.java:88)")
            second += 1
        text = "\n".join([*lines, ""]).encode()
        (folder / file).write_bytes(gzip.compress(text, 1) if file.endswith(".gz") else text)


def rotated(terminal: Terminal, folder: Path, size: int) -> None:
    """An hour of three rotated files, with errors and their traces alone."""
    write_rotated_logs(folder, max(1, size // 1_000_000))
    terminal.command("Forge rotated server.log")
    assert terminal.shows("3 files")
    for command in ("level error", "since 14:00", "until 15:00"):
        terminal.command(f"Forge {command}")
        assert terminal.shows(command.split()[1])
    terminal.type("gg")
    assert wait_until(lambda: re.search(r"line 1 / \d+", terminal.screen()) is not None)
    assert terminal.shows("── server.log.1 (")
    assert terminal.shows("── server.log (")


Scene = Callable[[Terminal, Path, int], None]
SCENES: dict[str, tuple[Scene, int]] = {
    "window": (large, 1 << 30),
    "following": (following, 1 << 20),
    "filter": (filtered, 1 << 28),
    "rotated": (rotated, 100_000_000),
    "colours": (coloured, 1 << 20),
    "refusal": (refusal, 1 << 20),
}


def picture(name: str, binary: str, folder: Path, size: int | None = None) -> str:
    """An SVG of a scene that is played in this folder, with a log of this size."""
    scene, usual_size = SCENES[name]
    workspace = folder / "workspace"
    (workspace / ".git").mkdir(parents=True)
    with Terminal(binary, folder / "home", workspace, size=SIZE) as terminal:
        assert terminal.shows("[No Name]")
        terminal.command("set termguicolors laststatus=2 nowrap cursorline | syntax on")
        scene(terminal, workspace, size or usual_size)
        screen = terminal.screen(colours=True)
    return draw([list(cells(row)) for row in screen.splitlines()])


def main() -> None:
    for name in SCENES:
        with tempfile.TemporaryDirectory() as folder:
            drawn = picture(name, binaries()[0], Path(folder))
        (PLUGIN / "media" / f"{name}.svg").write_text(drawn, encoding="utf-8")


def cells(row: str) -> Iterator[Cell]:
    """The row's characters, each with the style that the escape sequences before it add up to."""
    style, position = Style(), 0
    for sequence in ESCAPE.finditer(row):
        yield from (Cell(character, style) for character in row[position : sequence.start()])
        if sequence[1] is not None:
            style = styled(style, [int(code or 0) for code in re.split("[;:]", sequence[1])])
        position = sequence.end()
    yield from (Cell(character, style) for character in row[position:])


def styled(style: Style, codes: list[int]) -> Style:
    match codes:
        case []:
            return style
        case [0, *rest]:
            return styled(Style(), rest)
        case [1, *rest]:
            return styled(style._replace(bold=True), rest)
        case [7, *rest]:
            return styled(style._replace(reverse=True), rest)
        case [39, *rest]:
            return styled(style._replace(foreground=None), rest)
        case [49, *rest]:
            return styled(style._replace(background=None), rest)
        case [38, 2, red, green, blue, *rest]:
            return styled(style._replace(foreground=f"#{red:02x}{green:02x}{blue:02x}"), rest)
        case [48, 2, red, green, blue, *rest]:
            return styled(style._replace(background=f"#{red:02x}{green:02x}{blue:02x}"), rest)
        case [_, *rest]:
            return styled(style, rest)
    raise AssertionError(codes)


def draw(rows: list[list[Cell]]) -> str:
    width = SIZE[0] * CELL_WIDTH + 2 * MARGIN
    height = SIZE[1] * CELL_HEIGHT + 2 * MARGIN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}">',
            f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}" stroke="{FRAME}"/>',
            f'<g font-family="{FONT}" font-size="{FONT_SIZE}" xml:space="preserve">',
            *(piece for number, row in enumerate(rows) for piece in draw_row(number, row)),
            "</g>",
            "</svg>\n",
        ]
    )


def draw_row(number: int, row: list[Cell]) -> Iterator[str]:
    """Runs of one style, each exactly as wide as its cells, whatever font the reader has."""
    column, top = 0, MARGIN + number * CELL_HEIGHT
    for style, run in groupby(row, key=lambda cell: cell.style):
        text = "".join(cell.character for cell in run)
        left, width = MARGIN + column * CELL_WIDTH, len(text) * CELL_WIDTH
        foreground, background = style.colours
        if background != BACKGROUND:
            yield (f'<rect x="{left:.2f}" y="{top}" width="{width:.2f}" height="{CELL_HEIGHT}" fill="{background}"/>')
        if shown := text.strip():
            bold = ' font-weight="bold"' if style.bold else ""
            left += (len(text) - len(text.lstrip())) * CELL_WIDTH
            width = len(shown) * CELL_WIDTH
            yield (
                f'<text x="{left:.2f}" y="{top + FONT_SIZE - 1}" textLength="{width:.2f}" fill="{foreground}"{bold}>'
                f"{escape(shown.replace(' ', NO_BREAK_SPACE))}</text>"
            )
        column += len(text)


if __name__ == "__main__":
    main()
