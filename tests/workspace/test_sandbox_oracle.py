"""For any links, the same file as the kernel's own resolution, or none."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forge_daemon.workspace.folder import Place, folder_from_path
from forge_daemon.workspace.location import locate
from forge_daemon.workspace.sandbox import open_place
from forge_protocol.errors import ErrorCode, ReadError

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks /proc where a descriptor leads")

DIRECTORIES = ("d", "d/e", "d/e/f")
NAMES = st.sampled_from(["a", "b", "c", "d", "e", "f", "file", "..", ".", "../ws"])
PATHS = st.lists(NAMES, min_size=1, max_size=5).map("/".join)
TARGETS = st.tuples(st.sampled_from(["", "", "", "{ws}/", "/"]), PATHS, st.sampled_from(["", "", "/", "/."])).map(
    "".join
)
LINKS = st.dictionaries(
    st.sampled_from([f"{directory}/{name}" for directory in (".", *DIRECTORIES) for name in "abc"]),
    TARGETS,
    max_size=8,
)
ASKED = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "f", "file"]), min_size=1, max_size=4).map("/".join)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(LINKS, st.lists(st.tuples(ASKED, st.sampled_from(["", "/"])).map("".join), min_size=1, max_size=8))
def test_a_path_leads_where_the_kernel_says_or_nowhere(links: dict[str, str], asked: list[str]) -> None:
    parent = Path(os.path.realpath(tempfile.mkdtemp()))
    try:
        root = parent / "ws"
        for directory in DIRECTORIES:
            (root / directory).mkdir(parents=True)
            (root / directory / "file").write_text(directory)
        for name, target in links.items():
            (root / name).symlink_to(target.format(ws=root))
        ws = folder_from_path(str(root))
        for path in asked:
            expected = by_the_kernel(f"{root}/{path}", str(root))
            (place,) = locate(path, [ws])
            assert by_the_sandbox(place) in expected
    finally:
        shutil.rmtree(parent)


def by_the_kernel(path: str, root: str) -> tuple[str, ...]:
    """Where a path leads; and how it may be refused where it leads nowhere, or out."""
    try:
        fd = os.open(path, os.O_RDONLY)
    except OSError:
        # What is not there, outside, is not told from what is.
        return (ErrorCode.NOT_FOUND, ErrorCode.SANDBOX_VIOLATION)
    final = os.readlink(f"/proc/self/fd/{fd}")
    os.close(fd)
    return (final,) if f"{final}/".startswith(f"{root}/") else (ErrorCode.SANDBOX_VIOLATION,)


def by_the_sandbox(place: Place) -> str:
    try:
        fd, leads_to = open_place(place, [place.folder])
    except ReadError as error:
        return error.code
    final = os.readlink(f"/proc/self/fd/{fd}")
    os.close(fd)
    told = leads_to or place
    assert f"{told.folder.root}/{told.relative}".rstrip("/") == final
    return final
