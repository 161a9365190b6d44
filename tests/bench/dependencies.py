"""What each dependency costs: seconds to import it, bytes to install it."""

import statistics
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from .quantities import shown, size

_IMPORTED = {
    "attrs": "attrs",
    "cattrs": "cattrs",
    "lsprotocol": "lsprotocol.types",
    "pygls": "pygls.lsp.server",
    "orjson": "orjson",
    "google-re2": "re2",
    "stringzilla": "stringzilla",
}
"""Distribution to the module we import of it."""
_REPEATS = 9


def dependencies_table() -> str:
    lines = [f"{'dependency':14}{'version':14}{'import':12}{'files':12}", ""]
    lines += [_line(name, module) for name, module in _IMPORTED.items()]
    lines += [
        "",
        "Each alone, in a fresh interpreter, with what it imports. The files are its own, without .pyc.",
    ]
    return "\n".join(lines)


def _line(name: str, module: str) -> str:
    try:
        installed = distribution(name)
    except PackageNotFoundError:
        return f"{name:14}not installed"
    files = [Path(str(file.locate())) for file in installed.files or () if file.suffix != ".pyc"]
    total = sum(file.stat().st_size for file in files if file.exists())
    return f"{name:14}{installed.version:14}{shown(_import_seconds(module), 's'):12}{size(total):12}".rstrip()


def _import_seconds(module: str) -> float:
    program = f"from time import perf_counter as now; started = now(); import {module}; print(now() - started)"
    command = [sys.executable, "-c", program]
    return statistics.median(float(subprocess.check_output(command)) for _ in range(_REPEATS))
