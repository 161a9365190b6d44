"""Prints the lines of files: plain in a pipe, numbered and made visible on a terminal."""

from collections.abc import Callable, Iterable

from forge_daemon.reading.window.window import Window

from .output import Output
from .windows import lines_of

Pieces = Callable[[str], Iterable[tuple[str, bool]]]
"""Splits a line into pieces that match, and pieces that do not."""


class Printer:
    """Prints one file. Numbers continue from window to window. A line that is split between them gets one number."""

    def __init__(self, output: Output, *, numbered: bool | None, pieces: Pieces | None = None) -> None:
        """Lines are numbered on a terminal where `numbered` is None. `pieces` are coloured."""
        self._output = output
        self._is_numbered = output.is_terminal if numbered is None else numbered
        self._pieces = pieces if output.coloured else None
        self._is_plain = not (self._is_numbered or self._pieces or output.is_terminal)
        self._width = 0
        self._inside_line = False

    def print(self, window: Window) -> None:
        if self._is_plain:
            self._output.write(window.content)
        elif lines := list(lines_of(window)):
            self._width = max(self._width, *(len(str(number)) for number, _ in (lines[0], lines[-1])))
            for number, line in lines:
                if self._is_numbered and not self._inside_line:
                    self._output.write(self._output.dimmed(f"{number or '':>{self._width}}| "))
                self._output.write(marked(self._output, line, self._pieces))
                self._inside_line = not line.endswith("\n")

    def restart(self) -> None:
        """The next window begins a new file."""
        self._inside_line = False

    def end(self) -> None:
        """End the last line, so that the terminal's prompt gets a line of its own."""
        if self._output.is_terminal and self._inside_line:
            self._output.write("\n")


class Headers:
    """`==> name <==` where the lines of another one of several files begin, as `head` and `tail -F` print it."""

    def __init__(self, output: Output, *, several: bool) -> None:
        self._output = output
        self._several = several
        self._last: Printer | None = None

    def switch_to(self, printer: Printer, name: str) -> None:
        if self._several and printer is not self._last:
            self._output.write("\n" * (self._last is not None) + f"==> {self._output.named(name)} <==\n")
            self._last = printer


def marked(output: Output, line: str, pieces: Pieces | None) -> str:
    """The line as it is shown, with its matches coloured."""
    if pieces is None:
        return output.shown(line)
    return "".join(
        output.marked(output.shown(piece)) if is_match else output.shown(piece) for piece, is_match in pieces(line)
    )
