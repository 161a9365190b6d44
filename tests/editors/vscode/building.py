"""The extension, built from what is there now."""

import shutil
import subprocess
import sys
from pathlib import Path

from .code import EXTENSION
from .code_server import HOW_TO_INSTALL, NotInstalled


def build() -> Path:
    """Its folder, which VS Code can run as it is."""
    command = [npm(), "run", "--silent", "build", "--", "--tests"]
    subprocess.run([sys.executable, EXTENSION / "scripts/bundle_daemon.py"], check=True)
    subprocess.run(command, cwd=EXTENSION, check=True)
    return EXTENSION


def package(folder: Path) -> Path:
    """The `.vsix`, as a user installs it."""
    npm()
    subprocess.run([sys.executable, EXTENSION / "scripts/package.py", "--out", folder], check=True)
    return folder / "forge-read.vsix"


def npm() -> str:
    """With it, the packages that the extension is built with."""
    found = shutil.which("npm")
    if found is None or not (EXTENSION / "node_modules/.package-lock.json").exists():
        raise NotInstalled(f"the VS Code extension's packages are not installed: {HOW_TO_INSTALL}")
    return found
