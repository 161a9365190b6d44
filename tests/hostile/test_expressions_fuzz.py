"""No line that an expression matches is passed over, whatever the expression and whatever the line."""

import random
import re
import signal
import sys
from collections.abc import Iterator

import pytest

from forge_daemon.reading.search.candidates import Candidates
from forge_daemon.reading.search.line_matching import supersets
from forge_daemon.reading.search.re2_search import re2_module
from hostile.conftest import Figure
from hostile.scale import scaled
from reading.expressions import random_expression, random_lines, text_of

_LINES_PER_EXPRESSION = 64
_PATIENCE_SECONDS = 2.0


@pytest.fixture(autouse=True)
def runaways_end() -> Iterator[None]:
    """Some of the expressions would take for ever. Python's `re` looks at signals now and then."""

    def end(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, end)
    yield
    signal.signal(signal.SIGALRM, before)


def tried(pattern: re.Pattern[str], line: bytes) -> bool | None:
    """None: a fault of Python's own, or a runaway. A search tells both as such."""
    signal.setitimer(signal.ITIMER_REAL, _PATIENCE_SECONDS)
    try:
        return pattern.search(text_of(line)) is not None
    except (SystemError, TimeoutError):
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


@pytest.mark.skipif(sys.platform == "win32", reason="nothing ends a runaway expression there")
@pytest.mark.skipif(re2_module() is None, reason="google-re2 is not installed")
@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("seed", range(4))
def test_every_line_that_matches_is_a_candidate_and_none_that_does_not_is_certain(seed: int, figure: Figure) -> None:
    chance = random.Random(seed)
    searched = matched = passed_over = untried = 0
    for _ in range(scaled(200, 17_500)):
        expression, pattern, ignore_case = random_expression(chance)
        patterns = supersets(expression, ignore_case)
        assert patterns, f"{expression!r} is not translated"
        candidates = Candidates(expression, ignore_case=ignore_case, supersets=patterns)
        lines = random_lines(chance, _LINES_PER_EXPRESSION)
        regions = candidates.regions(b"".join(lines))
        certain, to_be_tried = candidates.matches_and_regions(b"".join(lines))
        offset = 0
        searched += len(lines)
        for line in lines:
            outcome = tried(pattern, line)
            if offset in certain:
                untried += 1
                assert outcome is not False, (expression, ignore_case, line)
            if outcome:
                matched += 1
                assert any(start <= offset < end for start, end in regions), (expression, ignore_case, line)
                assert offset in certain or any(start <= offset < end for start, end in to_be_tried)
            elif not any(start <= offset < end for start, end in regions):
                passed_over += 1
            offset += len(line)
    assert matched
    assert passed_over
    assert untried
    figure("matches that a search passes over", "random lines searched", searched)
    figure("matches that a search passes over", "matches, 0 passed over", matched)
