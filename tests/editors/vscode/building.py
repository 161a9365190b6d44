"""The extension, built from what is there now."""

import shutil
import subprocess
import sys
from pathlib import Path

from .code import EXTENSION
from .code_server import NotInstalled


def build() -> Path:
    """Its folder, which VS Code can run as it is."""
    npm = _npm()
    subprocess.run([sys.executable, EXTENSION / "scripts/bundle_daemon.py"], check=True)
    subprocess.run([npm, "run", "--silent", "build", "--", "--tests"], cwd=EXTENSION, check=True)
    return EXTENSION


def package(folder: Path) -> Path:
    """The `.vsix`, as a user installs it."""
    vsix = folder / "forge-read.vsix"
    command = [_npm(), "run", "--silent", "package", "--", "--out", vsix]
    subprocess.run(command, cwd=EXTENSION, check=True, stdout=subprocess.DEVNULL)
    return vsix


def _npm() -> str:
    npm = shutil.which("npm")
    if npm is None or not (EXTENSION / "node_modules").exists():
        raise NotInstalled("the extension's packages are not installed: run `npm ci` in editors/vscode")
    return npm
