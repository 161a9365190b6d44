"""Line numbers on the terminal."""

from .output import Output


class Numbering:
    """Numbers run on from page to page, and a line that goes on in the next page keeps its one number."""

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
        """Another file, from its first line on."""
        self._inside_line = False

    def _prefix(self, number: int) -> str:
        return self._output.dimmed(f"{number:>{self._width}}| ")
