"""Draws the README's picture: a real window on a real log, captured from a terminal.

`PYTHONPATH=tests python -m editors.neovim.picture LOG LINE PATTERN` writes `editors/neovim/media/window.svg`.
"""

import re
import sys
import tempfile
from collections.abc import Iterator
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


def main() -> None:
    log, line, pattern = Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3]
    with (
        tempfile.TemporaryDirectory() as home,
        Terminal(binaries()[0], Path(home), log.parent, size=SIZE) as terminal,
    ):
        assert terminal.shows("[No Name]")
        terminal.command("set termguicolors laststatus=2 nowrap cursorline | syntax on")
        terminal.command(f"Forge open {log.name}:{line}")
        assert terminal.shows(f"{int(line):,} / ")
        terminal.command(f"Forge find {pattern}")
        assert terminal.shows(f"forge: {pattern}: line")
        assert wait_until(lambda: re.search(r"[\d,]+ / [\d,]+", terminal.screen()) is not None)
        screen = terminal.screen(colours=True)
    picture = PLUGIN / "media" / "window.svg"
    picture.write_text(draw([list(cells(row)) for row in screen.splitlines()]), encoding="utf-8")


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
        if text.strip():
            bold = ' font-weight="bold"' if style.bold else ""
            yield (
                f'<text x="{left:.2f}" y="{top + FONT_SIZE - 1}" textLength="{width:.2f}" fill="{foreground}"{bold}>'
                f"{escape(text)}</text>"
            )
        column += len(text)


if __name__ == "__main__":
    main()
