"""Peers from npm, installed into the cache folder."""

import shutil
import subprocess
import sys
from pathlib import Path

from .row import Skipped

FILESYSTEM_SERVER = "@modelcontextprotocol/server-filesystem"
FILESYSTEM_SERVER_VERSION = "2026.8.31"


def filesystem_server(cache: Path) -> list[str]:
    """The command that starts it; the folder it may read is still to be added."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise Skipped("node and npm are not installed")
    prefix = cache / f"server-filesystem-{FILESYSTEM_SERVER_VERSION}"
    script = prefix / "node_modules" / FILESYSTEM_SERVER / "dist" / "index.js"
    if not script.exists():
        print(f"installing {FILESYSTEM_SERVER} {FILESYSTEM_SERVER_VERSION}", file=sys.stderr)
        prefix.mkdir(parents=True, exist_ok=True)
        package = f"{FILESYSTEM_SERVER}@{FILESYSTEM_SERVER_VERSION}"
        quiet = ["--no-audit", "--no-fund", "--loglevel=error"]
        done = subprocess.run([npm, "install", *quiet, package], cwd=prefix, capture_output=True, text=True)
        if done.returncode:
            raise Skipped(f"npm cannot install {package}: {done.stderr.strip().splitlines()[-1:]}")
    return [node, str(script)]
