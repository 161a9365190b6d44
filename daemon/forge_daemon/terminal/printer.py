"""Prints the lines of files: plain in a pipe, numbered and made visible on a terminal."""

from argparse import Namespace
from collections.abc import Callable, Iterable

from forge_daemon.reading.window.window import Window

from .output import Output
from .windows import lines_of

Pieces = Callable[[str], Iterable[tuple[str, bool]]]
"""Splits a line into pieces that match, and pieces that do not."""


class Printer:
    """Prints one file. A line that comes in parts, in one window after another, starts once."""

    def __init__(self, output: Output, options: Namespace, pieces: Pieces | None = None) -> None:
        """Matching `pieces` are coloured, but not if the lines that do not match are wanted."""
        self.output = output
        self.is_numbered = output.is_terminal if options.line_numbers is None else options.line_numbers
        self._pieces = pieces if output.coloured and not options.invert else None
        self._is_inside_line = False
        self._width = 0

    def print(self, window: Window) -> None:
        if self._is_plain:
            self.output.write(window.content)
            self._is_inside_line = window.content[-1:] not in ("", "\n")
            return
        context = set(window.context_lines or ())
        lines = list(lines_of(window))
        self._width = max((len(str(number)) for number, _ in lines), default=self._width)
        for number, line in lines:
            if not self._is_inside_line:
                self.output.write(self._line_start(number, is_context=number in context))
            self.output.write(marked(self.output, line, self._pieces))
            self._is_inside_line = not line.endswith("\n")

    def end_line(self) -> None:
        """Before something else is printed."""
        self.output.write("\n" * self._is_inside_line)
        self._is_inside_line = False

    def restart(self) -> None:
        """The next window begins a new file."""
        self._is_inside_line = False

    @property
    def _is_plain(self) -> bool:
        return not (self.is_numbered or self._pieces or self.output.is_terminal)

    def _line_start(self, number: int, *, is_context: bool) -> str:
        """What is printed before a line. Numbers continue from window to window."""
        return self.output.dimmed(f"{number or '':>{self._width}}| ") if self.is_numbered else ""


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
