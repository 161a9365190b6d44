"""Line numbers on the terminal."""

from .output import Output


class Numbering:
    """Numbers continue from page to page. A line that is split between pages gets one number."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._width = 0
        self._inside_line = False

    def numbered(self, text: str, first: int) -> str:
        lines = text.split("\n")
        unterminated = lines.pop()
        if unterminated:
            lines.append(unterminated)
        last = first + len(lines) - 1
        self._width = max(self._width, len(str(first)), len(str(last)))
        shown = [self._prefix(number) + line for number, line in enumerate(lines, first)]
        if self._inside_line and lines:
            shown[0] = lines[0]
        self._inside_line = bool(unterminated)
        return "\n".join(shown) + ("" if unterminated or not lines else "\n")

    def restart(self) -> None:
        """The next text begins a new file."""
        self._inside_line = False

    def _prefix(self, number: int) -> str:
        return self._output.dimmed(f"{number:>{self._width}}| ")
