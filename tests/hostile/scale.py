"""How many cases: small numbers in `make test`, the full counts in `make fuzz`."""

import os

FUZZ = os.environ.get("FORGE_READ_FUZZ") == "1"


def scaled(in_test: int, in_fuzz: int) -> int:
    return in_fuzz if FUZZ else in_test
