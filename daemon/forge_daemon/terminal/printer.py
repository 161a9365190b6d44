"""Prints the lines of a file: plain in a pipe, numbered and made visible on a terminal."""

from forge_daemon.light_typing import TYPE_CHECKING
from forge_daemon.reading.windows.window import Window

from .output import Output
from .pages import lines_of

if TYPE_CHECKING:
    from .highlight import Highlight


class Printer:
    """Numbers continue from page to page. A line that is split between pages gets one number."""

    def __init__(self, output: Output, *, numbered: bool | None, highlight: "Highlight | None" = None) -> None:
        """Lines are numbered on a terminal where `numbered` is None."""
        self._output = output
        self._is_numbered = output.is_terminal if numbered is None else numbered
        self._show = highlight or output.shown
        self._is_plain = not (self._is_numbered or highlight or output.is_terminal)
        self._width = 0
        self._inside_line = False

    def print(self, page: Window) -> None:
        if self._is_plain:
            self._output.write(page.content)
        elif lines := list(lines_of(page)):
            if self._is_numbered:
                self._width = max(self._width, *(len(str(number)) for number, _ in (lines[0], lines[-1])))
            for number, line in lines:
                prefix = self._prefix(number) if self._is_numbered and not self._inside_line else ""
                self._output.write(prefix + self._show(line))
                self._inside_line = not line.endswith("\n")

    def restart(self) -> None:
        """The next page begins a new file."""
        self._inside_line = False

    def end(self) -> None:
        """End the last line, so that the terminal's prompt gets a line of its own."""
        if self._output.is_terminal and self._inside_line:
            self._output.write("\n")

    def _prefix(self, number: int) -> str:
        return self._output.dimmed(f"{number:>{self._width}}| ")
