"""Without orjson, stringzilla and zlib-ng the daemon is slower, never different.

Without google-re2 there are no regular expressions: see `tests/reading/match/test_without_re2.py`.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.platform

TESTS = Path(__file__).resolve().parent.parent
COMPILED = ("orjson", "stringzilla", "zlib_ng")
CORE = (
    "reading/test_window.py",
    "reading/test_line_index.py",
    "reading/test_windows_properties.py",
    "requests/test_read_file.py",
    "requests/test_read_files.py",
    "requests/test_count_lines.py",
    "requests/test_find.py",
    "requests/test_filter.py",
    "reading/texts/test_compressions.py",
    "lsp/test_golden.py",
    "rpc/test_json_text.py",
)


@pytest.fixture
def nothing_compiled(tmp_path: Path) -> dict[str, str]:
    """An environment in which importing them fails, in this and in every child process."""
    for name in COMPILED:
        (tmp_path / f"{name}.py").write_text(f"raise ImportError('{name} is not installed here')\n")
    return {**os.environ, "PYTHONPATH": str(tmp_path)}


def test_the_compiled_parts_are_really_missing(nothing_compiled: dict[str, str]) -> None:
    program = (
        "import sys\n"
        "import forge_daemon.reading.lines.newlines, forge_daemon.reading.texts.compressions.gzip\n"
        "import forge_daemon.rpc.json_text\n"
        f"assert not sys.modules.keys() & set({COMPILED})\n"
    )
    subprocess.run([sys.executable, "-c", program], env=nothing_compiled, check=True, timeout=60)


@pytest.mark.timeout(400)  # a suite of its own
def test_the_core_of_the_suite_passes_without_them(nothing_compiled: dict[str, str]) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *CORE],
        cwd=TESTS,
        env=nothing_compiled,
        capture_output=True,
        text=True,
        timeout=400,
    )
    assert run.returncode == 0, run.stdout[-4000:]
    assert " passed" in run.stdout.splitlines()[-1]
