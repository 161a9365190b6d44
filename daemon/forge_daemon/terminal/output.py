"""Standard output: a terminal, or a pipe or file that gets the text unchanged."""

import errno
import os
import sys
from typing import Literal

from .escape_controls import escape_all_but_colours, escape_controls, escape_in_json


class Output:
    """Writes UTF-8 to a pipe in every locale. On a terminal, control characters other than colours are escaped."""

    def __init__(self, colour: Literal["auto", "always", "never"] = "auto") -> None:
        if sys.stdout is None:
            raise OSError(errno.EBADF, "standard output is closed")
        self.is_terminal = sys.stdout.isatty()
        self._encoding = sys.stdout.encoding if self.is_terminal else "utf-8"
        wants_colours = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        self.coloured = colour == "always" or (colour == "auto" and self.is_terminal and wants_colours)

    def shown(self, line: str) -> str:
        """A line of a file, or a part of one."""
        return escape_all_but_colours(line, coloured=self.coloured) if self.is_terminal else line

    def named(self, text: str) -> str:
        """Text other than the contents of a file, such as its name: on a terminal it must not even set colours."""
        return escape_controls(text.replace("\n", "␊")) if self.is_terminal else text

    def dimmed(self, text: str) -> str:
        return f"\x1b[2m{text}\x1b[22m" if self.coloured else text

    def marked(self, text: str) -> str:
        return f"\x1b[1;31m{text}\x1b[22;39m" if self.coloured else text

    def write(self, text: str) -> None:
        # File names that are not valid UTF-8 are written as they are.
        errors = "replace" if self.is_terminal else "surrogateescape"
        sys.stdout.buffer.write(text.encode(self._encoding, errors))

    def write_json(self, answer: bytes) -> None:
        """On a terminal, control characters are written as escapes, which is the same JSON."""
        if self.is_terminal:
            answer = escape_in_json(answer.decode()).encode(self._encoding, "backslashreplace")
        sys.stdout.buffer.write(answer + b"\n")

    def flush(self) -> None:
        """Raises `OSError` if the disk is full."""
        flush()


def flush() -> None:
    if sys.stdout is not None:
        sys.stdout.buffer.flush()


def silence() -> None:
    """Discard further output, so that flushing at exit cannot fail."""
    if sys.stdout is not None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
