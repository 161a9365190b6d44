"""Peers from npm, installed into the cache folder."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from .row import Skipped


class Package(NamedTuple):
    name: str
    version: str
    script: str
    """What node runs, in the package."""
    overrides: dict[str, str]
    """Of versions of its dependencies."""


FILESYSTEM_SERVER = Package("@modelcontextprotocol/server-filesystem", "2026.8.31", "dist/index.js", {})
DESKTOP_COMMANDER = Package(
    "@wonderwhy-er/desktop-commander",
    "0.2.52",
    "dist/index.js",
    {"typedarray.prototype.slice": "^1.0.5"},  # not every mirror has a later one
)


def filesystem_server(cache: Path) -> list[str]:
    """The command that starts it; the folder it may read is still to be added."""
    return npm_server(cache, FILESYSTEM_SERVER)


def npm_server(cache: Path, package: Package) -> list[str]:
    """The command that starts a server. Scripts of packages are not run."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise Skipped("node and npm are not installed")
    name, version = package.name, package.version
    prefix = cache / f"{name.rpartition('/')[2]}-{version}"
    script = prefix / "node_modules" / name / package.script
    if not script.exists():
        print(f"installing {name} {version}", file=sys.stderr)
        prefix.mkdir(parents=True, exist_ok=True)
        (prefix / "package.json").write_text(json.dumps({"overrides": package.overrides}))
        options = ["--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts", "--omit=optional"]
        command = [npm, "install", *options, f"{name}@{version}"]
        done = subprocess.run(command, cwd=prefix, capture_output=True, text=True)
        if done.returncode:
            raise Skipped(f"npm cannot install {name} {version}: {done.stderr.strip().splitlines()[-1:]}")
    return [node, str(script)]
