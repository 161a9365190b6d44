"""Lays out `bundled/`: the daemon and the packages it needs, as pinned in the repository's requirements.

`python bundle_daemon.py` adds the compiled packages (such as google-re2) for this machine's platform, for each Python
from 3.11 on. `--target` names another platform of vsce, or `universal`: that one has no compiled packages.
"""

import argparse
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

_EXTENSION = Path(__file__).resolve().parent.parent
_REPOSITORY = _EXTENSION.parent.parent
_BUNDLED = _EXTENSION / "bundled"

_OWN = (_REPOSITORY / "daemon/forge_daemon", _REPOSITORY / "protocol/forge_protocol")
_PURE = ("attrs", "cattrs", "lsprotocol", "pathspec", "pygls", "typing-extensions")
_COMPILED = ("google-re2", "orjson", "stringzilla")
_ZSTD = "backports-zstd"
_PYTHONS_WITHOUT_ZSTD = ("3.11", "3.12", "3.13")
_PYTHONS = (*_PYTHONS_WITHOUT_ZSTD, "3.14")
UNIVERSAL = "universal"
# Targets of vsce, and what their wheels are called.
PLATFORMS = {
    "linux-x64": ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"),
    "linux-arm64": ("manylinux_2_28_aarch64", "manylinux_2_17_aarch64", "manylinux2014_aarch64"),
    "darwin-x64": ("macosx_10_11_x86_64", "macosx_10_15_x86_64", "macosx_11_0_x86_64", "macosx_14_0_x86_64"),
    "darwin-arm64": ("macosx_11_0_arm64", "macosx_14_0_arm64"),
    "win32-x64": ("win_amd64",),
}
_SYSTEMS = {"linux": "linux", "darwin": "darwin", "win32": "win32"}
_MACHINES = {"x86_64": "x64", "AMD64": "x64", "aarch64": "arm64", "arm64": "arm64"}
_NOT_NEEDED = (
    *("__pycache__", "bin", "tests", "*.pyi", "py.typed", "sboms"),
    *("RECORD", "INSTALLER", "REQUESTED", "WHEEL", "DELVEWHEEL", "top_level.txt"),
)
_NOT_NEEDED_OF_OURS = "codegen"

_MAIN = '''\
"""Runs the daemon from this folder: `python -I -S bundled serve`."""

import os
import sys

compiled = os.path.join(os.path.dirname(__file__), "compiled", sys.implementation.cache_tag or "")
if os.path.isdir(compiled):
    sys.path.insert(1, compiled)

from forge_daemon.cli import main

sys.exit(main())
'''


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", choices=(*PLATFORMS, UNIVERSAL), default=this_platform(), help="a platform of vsce")
    parser.add_argument("--folder", type=Path, default=_BUNDLED, help="instead of bundled/")
    wanted = parser.parse_args()
    bundle(wanted.target, wanted.folder)


def bundle(target: str, folder: Path = _BUNDLED) -> None:
    _lay_out_dependencies(target, folder)
    for package in _OWN:
        _mirror(package, folder / package.name)
    (folder / "__main__.py").write_text(_MAIN, encoding="utf-8")


def this_platform() -> str:
    """The target of the machine this runs on; `universal` where there is none for it."""
    target = f"{_SYSTEMS.get(sys.platform)}-{_MACHINES.get(platform.machine())}"
    return target if target in PLATFORMS else UNIVERSAL


def _mirror(package: Path, target: Path) -> None:
    """Touches only what differs: a daemon may be running from there."""
    modules = {path.relative_to(package) for path in package.rglob("*.py")}
    modules = {module for module in modules if _NOT_NEEDED_OF_OURS not in module.parts}
    for stale in {path.relative_to(target) for path in target.rglob("*.py")} - modules:
        (target / stale).unlink()
    for module in modules:
        text = (package / module).read_bytes()
        if not (target / module).exists() or (target / module).read_bytes() != text:
            (target / module).parent.mkdir(parents=True, exist_ok=True)
            (target / module).write_bytes(text)


def _lay_out_dependencies(target: str, folder: Path) -> None:
    """They change rarely: the stamp says what is there already."""
    stamp = folder / ".dependencies"
    wanted = "\n".join([target, *map(_pinned, (*_PURE, *_COMPILED, _ZSTD)), *_NOT_NEEDED])
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return
    shutil.rmtree(folder, ignore_errors=True)
    _install(_PURE, folder)
    for python in () if target == UNIVERSAL else _PYTHONS:
        _install_compiled(target, python, folder / "compiled" / f"cpython-{python.replace('.', '')}")
    stamp.write_text(wanted, encoding="utf-8")


def _install_compiled(target: str, python: str, folder: Path) -> None:
    platforms = [option for name in PLATFORMS[target] for option in ("--platform", name)]
    names = (*_COMPILED, _ZSTD) if python in _PYTHONS_WITHOUT_ZSTD else _COMPILED
    _install(names, folder, "--implementation", "cp", "--python-version", python, *platforms)


def _install(names: Iterable[str], folder: Path, *options: str) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        requirements = Path(scratch, "requirements.txt")
        requirements.write_text("\n".join(_pinned(name) for name in names), encoding="utf-8")
        quiet = ("--quiet", "--disable-pip-version-check", "--no-compile", "--no-deps", "--only-binary=:all:")
        pip = (sys.executable, "-m", "pip", "install", *quiet, "--require-hashes", "--requirement", requirements)
        subprocess.run([*pip, "--target", folder, *options], check=True)
    for pattern in _NOT_NEEDED:
        for path in [*folder.rglob(pattern)]:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _pinned(name: str) -> str:
    """The line of the requirements that pins this package, with its hashes and without its marker."""
    text = (_REPOSITORY / "requirements/runtime.txt").read_text(encoding="utf-8")
    entry = re.search(rf"^{re.escape(name)}==.*?(?=^\S|\Z)", text, re.MULTILINE | re.DOTALL)
    if entry is None:
        raise SystemExit(f"{name} is not pinned in requirements/runtime.txt")
    without_comments = re.sub(r"^\s+#.*\n", "", entry[0], flags=re.MULTILINE)
    return re.sub(r" ;[^\\]*", " ", without_comments)


if __name__ == "__main__":
    main()
