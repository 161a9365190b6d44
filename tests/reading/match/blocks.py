"""Blocks of lines for tests, and what a matcher finds in them."""

from forge_daemon.reading.match.matcher import LineMatcher, compile_term
from forge_daemon.reading.match.term import Term


def lines_of(matcher: LineMatcher, block: bytes | bytearray, start: int, end: int) -> list[tuple[int, int]]:
    """Start and end of each line that matches in a part of a block."""
    lines: list[tuple[int, int]] = []
    for position, run_end in matcher.runs(block, start, end):
        assert position < run_end
        while position < run_end:
            line_end = block.find(b"\n", position, run_end) + 1 or run_end
            lines.append((position, line_end))
            position = line_end
    return lines


def matching(matcher: LineMatcher, block: bytes) -> list[bytes]:
    """The text of the lines that match."""
    spans = lines_of(matcher, block, 0, len(block))
    # In the middle of a buffer that is used again, after a line and before the rest of an older one.
    buffer = bytearray(b"before\n" + block + b"stale\n")
    start, end = len(b"before\n"), len(b"before\n") + len(block)
    assert [(first - start, last - start) for first, last in lines_of(matcher, buffer, start, end)] == spans
    return [block[first:last] for first, last in spans]


def found(
    block: bytes, pattern: str, *, regex: bool = False, ignore_case: bool = False, whole_word: bool = False
) -> list[bytes]:
    return matching(compile_term(Term(pattern, regex, ignore_case, whole_word)), block)


def spans(
    line: bytes, pattern: str, start: int = 0, *, regex: bool = False, ignore_case: bool = False
) -> list[tuple[int, int]]:
    return list(compile_term(Term(pattern, regex, ignore_case)).spans(line, start))
