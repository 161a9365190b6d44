"""Where orjson, google-re2 and stringzilla cannot be had the daemon is slower, never different."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent.parent
COMPILED = ("orjson", "re2", "stringzilla")
CORE = (
    "reading/test_window.py",
    "reading/test_line_index.py",
    "reading/test_windows_properties.py",
    "requests/test_read_file.py",
    "requests/test_read_files.py",
    "requests/test_count_lines.py",
    "requests/test_find.py",
    "requests/test_filter.py",
    "lsp/test_golden.py",
    "rpc/test_json_text.py",
)


@pytest.fixture
def nothing_compiled(tmp_path: Path) -> dict[str, str]:
    """An environment in which importing them fails, in this and in every child process."""
    for name in COMPILED:
        (tmp_path / f"{name}.py").write_text(f"raise ImportError('{name} is not to be had')\n")
    return {**os.environ, "PYTHONPATH": str(tmp_path)}


def test_the_compiled_parts_are_really_missing(nothing_compiled: dict[str, str]) -> None:
    program = (
        "from forge_daemon.reading.lines.newlines import fast_counter\n"
        "from forge_daemon.rpc import json_text\n"
        "assert fast_counter() is None and json_text.orjson is None\n"
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
