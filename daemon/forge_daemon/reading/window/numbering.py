"""Line numbers in front of lines: right-aligned to the widest number shown, then `| `, then the line."""

from collections.abc import Sequence


def number_lines(content: str, numbers: Sequence[int]) -> str:
    """With one number for each line, in ascending order. Nothing may be shown of a last line without newline."""
    if not numbers:
        return ""
    lines = content.split("\n")
    is_terminated = len(lines) > len(numbers)
    if is_terminated:
        lines.pop()
    width = max(len(str(numbers[0])), len(str(numbers[-1])))
    numbered = "\n".join([f"{number:>{width}}| {line}" for number, line in zip(numbers, lines, strict=True)])
    return numbered + "\n" if is_terminated else numbered
