"""How much: enough to notice a mistake in `make test`, the counts of the bar in `make fuzz`."""

import os

FUZZ = os.environ.get("FORGE_READ_FUZZ") == "1"


def scaled(in_test: int, in_fuzz: int) -> int:
    return in_fuzz if FUZZ else in_test
