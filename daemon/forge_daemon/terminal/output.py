"""Standard output: a terminal, or a pipe or file that gets the text unchanged."""

import errno
import os
import sys

from forge_daemon.light_typing import Literal

Colour = Literal["auto", "always", "never"]


class Output:
    """Writes UTF-8 to a pipe in every locale. On a terminal, control characters other than colours are escaped."""

    def __init__(self, colour: Colour = "auto") -> None:
        if sys.stdout is None:
            raise OSError(errno.EBADF, "standard output is closed")
        self.is_terminal = sys.stdout.isatty()
        self._encoding = sys.stdout.encoding if self.is_terminal else "utf-8"
        self.coloured = colour == "always" or (colour == "auto" and self.is_terminal and _colours_welcome())

    def shown(self, line: str) -> str:
        """A line, or a part of one."""
        if not self.is_terminal:
            return line
        from .escape_controls import escape_all_but_colours

        return escape_all_but_colours(line, coloured=self.coloured)

    def named(self, text: str) -> str:
        """Text other than the contents of a file, such as its name: on a terminal it must not even set colours."""
        if not self.is_terminal:
            return text
        from .escape_controls import escape_controls

        return escape_controls(text.replace("\n", "␊"))

    def dimmed(self, text: str) -> str:
        return f"\x1b[2m{text}\x1b[22m" if self.coloured else text

    def marked(self, text: str) -> str:
        return f"\x1b[1;31m{text}\x1b[22;39m" if self.coloured else text

    def write(self, text: str) -> None:
        sys.stdout.buffer.write(text.encode(self._encoding, "replace"))

    def write_json(self, answer: bytes) -> None:
        """On a terminal, control characters are written as escapes, which is the same JSON."""
        if self.is_terminal:
            from .escape_controls import escape_in_json

            text = escape_in_json(answer.decode(), ascii_only=self._encoding.lower() != "utf-8")
            answer = text.encode("ascii" if text.isascii() else self._encoding)
        sys.stdout.buffer.write(answer)

    def require_reader(self) -> None:
        """Raise `BrokenPipeError` if the reader of the output is gone, before the next write would find out."""
        if sys.platform == "win32":
            from forge_daemon.rpc.windows_pipe import has_reader

            if not has_reader(sys.stdout.fileno()):
                raise BrokenPipeError
            return
        import select

        watch = select.poll()
        watch.register(sys.stdout.fileno(), 0)
        if any(happened & (select.POLLERR | select.POLLHUP) for _, happened in watch.poll(0)):
            raise BrokenPipeError

    def close(self) -> None:
        """Flush, so that a full disk is reported as an error."""
        sys.stdout.buffer.flush()


def silence() -> None:
    """Discard further output, so that flushing at exit cannot fail."""
    if sys.stdout is None:
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _colours_welcome() -> bool:
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
