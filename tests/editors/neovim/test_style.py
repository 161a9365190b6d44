"""The plugin's Lua is formatted, and has no loose ends."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from .nvim import PLUGIN, REPOSITORY

SOURCES = [str(PLUGIN), str(Path(__file__).with_name("golden.lua"))]
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "forge-read-lua"
STYLUA = "@johnnymorganz/stylua-bin@2.5.2"


def tool(name: str, install: str) -> str:
    found = shutil.which(name, path=f"{CACHE}/node_modules/.bin{os.pathsep}{os.environ['PATH']}")
    if found is None:
        pytest.skip(f"{name} is not there: {install}")
    return found


def check(*command: str) -> None:
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_lua_sources_are_formatted() -> None:
    stylua = tool("stylua", f"npm install --ignore-scripts --prefix {CACHE} {STYLUA}")
    check(stylua, "--check", "--config-path", str(PLUGIN / "stylua.toml"), *SOURCES)


def test_the_lua_sources_pass_luacheck() -> None:
    luacheck = tool("luacheck", "Debian's package is lua-check")
    check(luacheck, "--quiet", "--config", str(PLUGIN / ".luacheckrc"), *SOURCES)
