"""A secret is a secret under every name that its file system answers to."""

import itertools
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile import folding_storage
from tests.hostile.conftest import Figure
from tests.hostile.folding_storage import INVISIBLE, SECRETS, folded
from tests.hostile.scale import scaled
from tests.hostile.stuck_folders import Mounted, mounted
from tests.lsp.raw_client import RawClient


@pytest.fixture(params=["fold", "short", "wide"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def folder(tmp_path: Path, kind: str) -> Iterator[Path]:
    with mounted(tmp_path / "folding", folding_storage.__file__, kind) as found:
        if not isinstance(found, Mounted):
            pytest.skip(found)
        yield found.path


_TO_WIDE = 0xFEE0
"""From a letter of ASCII to the wide one."""


def spellings(secret: str, kind: str) -> Iterator[str]:
    if kind == "short":
        yield from ("NETRC~1", "netrc~1", "NETRC~1.", "netrc~1 .") if secret == ".netrc" else ()
        for name, end in itertools.product(
            (secret, secret.upper()), (".", "..", " ", " .", ":stream", "::$DATA", ".:x")
        ):
            yield name + end
        return
    if kind == "wide":
        yield from (secret.replace(letter, chr(ord(letter) + _TO_WIDE)) for letter in secret)
        yield "".join(chr(ord(letter) + _TO_WIDE) for letter in secret)
        return
    letters = [{letter, letter.upper(), *looks_like(letter)} for letter in secret]
    hidden = itertools.product(range(len(secret) + 1), INVISIBLE)
    yield from (secret[:place] + each + secret[place:] for place, each in hidden)
    yield from map("".join, itertools.islice(itertools.product(*map(sorted, letters)), scaled(50, 2000)))


def looks_like(letter: str) -> set[str]:
    """Other characters that are the same to a file system that folds case, as the long s is an s."""
    every = (chr(code) for code in range(0x80, scaled(0x2200, 0x11000)) if not 0xD800 <= code < 0xE000)
    return {other for other in every if unicodedata.normalize("NFD", other).casefold() == letter}


def test_whatever_a_secret_is_called_it_is_denied(folder: Path, kind: str, figure: Figure) -> None:
    tried = [name for secret in SECRETS for name in spellings(secret, kind)]
    with RawClient() as client:
        client.initialize(folder)
        for name in tried:
            assert folded(name, kind) in SECRETS, name
            for method, params in (("forge/readFile", {}), ("forge/find", {"pattern": "S"})):
                answer = client.request(method, {"path": name, **params})
                assert answer.get("error", {}).get("data", {}).get("code") == "POLICY_DENIED", (name, answer)
    figure("other spellings of a secret's name", "all denied", len(tried))


def test_what_is_no_secret_is_read_by_every_name(folder: Path, kind: str) -> None:
    names = {
        "fold": ("straße.txt", "STRASSE.TXT", "stra\u00adße.txt"),
        "short": ("straße.txt", "STRAßE.txt.", "plan~1"),
        "wide": ("straße.txt", "straße．txt", "plan~1"),  # noqa: RUF001
    }
    with RawClient() as client:
        client.initialize(folder)
        for name in names[kind]:
            assert client.read(name)["content"] == "text\n", name
