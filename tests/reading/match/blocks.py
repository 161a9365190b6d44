"""Blocks of lines for tests, and what a matcher finds in them."""

from forge_daemon.reading.match.matcher import LineMatcher, compile_term
from forge_daemon.reading.match.term import Term


def matching(matcher: LineMatcher, block: bytes) -> list[bytes]:
    """The text of the lines that match. Every way to ask for them agrees."""
    spans = list(matcher.lines(block))
    assert matcher.count(block) == len(spans)
    # In the middle of a buffer that is used again, after a line and before the rest of an older one.
    buffer = bytearray(b"before\n" + block + b"stale\n")
    start, end = len(b"before\n"), len(b"before\n") + len(block)
    assert [(first - start, last - start) for first, last in matcher.lines(buffer, start, end)] == spans
    assert matcher.count(buffer, start, end) == len(spans)
    return [block[first:last] for first, last in spans]


def found(
    block: bytes, pattern: str, *, regex: bool = False, ignore_case: bool = False, whole_word: bool = False
) -> list[bytes]:
    return matching(compile_term(Term(pattern, regex, ignore_case, whole_word)), block)


def spans(
    line: bytes, pattern: str, start: int = 0, *, regex: bool = False, ignore_case: bool = False
) -> list[tuple[int, int]]:
    return list(compile_term(Term(pattern, regex, ignore_case)).spans(line, start))
