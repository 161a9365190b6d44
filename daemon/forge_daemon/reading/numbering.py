"""Line numbers in front of lines: right-aligned to the widest number shown, then `| `, then the line."""


def number_lines(content: str, first: int) -> str:
    if not content:
        return ""
    lines = content.split("\n")
    unterminated = lines.pop()
    if unterminated:
        lines.append(unterminated)
    width = max(len(str(first)), len(str(first + len(lines) - 1)))
    numbered = "\n".join(f"{number:>{width}}| {line}" for number, line in enumerate(lines, first))
    return numbered if unterminated else numbered + "\n"
