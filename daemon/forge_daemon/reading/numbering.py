"""Line numbers in front of lines: right-aligned to the widest number shown, then `| `, then the line."""

from collections.abc import Sequence


def number_lines(content: str, first: int, numbers: Sequence[int] | None = None) -> str:
    """From the first number on, or with one number for each line, in ascending order."""
    if not content:
        return ""
    lines = content.split("\n")
    unterminated = lines.pop()
    # A last line without newline of which nothing is shown has a number all the same.
    ends_open = bool(unterminated) or (numbers is not None and len(numbers) > len(lines))
    if ends_open:
        lines.append(unterminated)
    if numbers is None:
        numbers = range(first, first + len(lines))
    width = max(len(str(numbers[0])), len(str(numbers[-1])))
    numbered = "\n".join(f"{number:>{width}}| {line}" for number, line in zip(numbers, lines, strict=True))
    return numbered if ends_open else numbered + "\n"
