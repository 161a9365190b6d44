import re
from pathlib import Path

import pytest

from .skips import SKIPPED

TESTS = Path(__file__).parents[1]


@pytest.mark.parametrize("start", [start for starts in SKIPPED.values() for start in starts])
def test_what_is_skipped_under_wine_is_there(start: str) -> None:
    file, *names = start.partition("[")[0].split("::")
    text = (TESTS / file).read_text("utf-8")
    assert all(re.search(rf"(?:def|class) {name}", text) for name in names)
