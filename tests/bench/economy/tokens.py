"""Counts tokens without a network: the vocabulary o200k_base comes with the package `bpe-openai`."""

import warnings
from functools import cache
from importlib import import_module
from typing import Any

from tests.bench.row import Skipped


def count(text: str) -> int:
    return len(_encoding().encode(text))


@cache
def _encoding() -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            return import_module("bpe_openai").get_encoding("o200k_base")
    except ImportError:
        raise Skipped("the tokenizer is not installed: `make economy` installs it") from None
