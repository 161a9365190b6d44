"""What is in the `.vsix`."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from forge_daemon import __version__
from forge_protocol import PROTOCOL_VERSION
from tests.editors.vscode.code import EXTENSION

LOCK = EXTENSION / "package-lock.json"
_MAX_BYTES = 25_000_000
_NEEDED = ("__main__.py", "forge_daemon/cli.py", "forge_protocol/registry.py", "pygls/server.py", "attr/__init__.py")
_NOT_NEEDED = {"__pycache__", "tests", "test", "src", "webview", "node_modules", "codegen", "sboms"}
_COMPILED = {"re2", "orjson", "stringzilla"}
_PYTHONS = ("cpython-311", "cpython-312", "cpython-313", "cpython-314")
_LIBRARIES = {
    "linux-x64": "x86_64-linux-gnu.so",
    "linux-arm64": "aarch64-linux-gnu.so",
    "darwin-x64": "darwin.so",
    "darwin-arm64": "darwin.so",
    "win32-x64": "win_amd64.pyd",
}
_CONSUMER = """
import type { ForgeExports, ReadFileResult } from "./extension/dist/api/api";

export async function last(forge: ForgeExports): Promise<ReadFileResult> {
  const api = forge.getApi(1);
  // @ts-expect-error: the protocol knows no such parameter
  await api.readFile({ path: "server.log", tial: 50 });
  return await api.readFile({ path: "server.log", tail: 50 });
}
"""


def test_the_documents_name_every_tool_for_agents() -> None:
    tools = json.loads((EXTENSION / "package.json").read_text())["contributes"]["languageModelTools"]
    for document in ("README.md", "CHANGELOG.md", "media/agents.md"):
        text = (EXTENSION / document).read_text()
        assert [tool["name"] for tool in tools if f"`{tool['name']}`" not in text] == [], document


def test_the_package_has_the_daemon_and_nothing_that_is_not_needed(package: Path) -> None:
    names = {name.removeprefix("extension/") for name in zipfile.ZipFile(package).namelist()}
    assert names >= {f"bundled/{needed}" for needed in _NEEDED}
    folders = {folder for name in names for folder in name.split("/")[:-1]}
    assert not folders & _NOT_NEEDED
    assert package.stat().st_size < _MAX_BYTES


def test_the_package_loads_its_compiled_parts_without_anything_that_is_installed(package: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(package).extractall(tmp_path)
    bundled = tmp_path / "extension/bundled"
    isolated = (sys.executable, "-I", "-S")
    doctor = subprocess.run(
        [*isolated, bundled, "doctor"], capture_output=True, text=True, env={"PYTHONPATH": str(bundled)}
    )
    assert "not installed" not in doctor.stdout
    script = "import sys; sys.path[:0] = [sys.argv[1]]; import orjson, re2, stringzilla; print(re2.search('a+', 'caa'))"
    compiled = bundled / "compiled" / (sys.implementation.cache_tag or "")
    assert subprocess.check_output([*isolated, "-c", script, compiled], text=True).startswith("<re2")


@pytest.mark.parametrize("target", _LIBRARIES)
def test_the_daemon_is_bundled_with_compiled_parts_for_every_python_of_a_platform(target: str, tmp_path: Path) -> None:
    script = EXTENSION / "scripts/bundle_daemon.py"
    subprocess.run([sys.executable, script, "--target", target, "--folder", tmp_path], check=True)
    for python in _PYTHONS:
        folder = tmp_path / "compiled" / python
        names = {path.name for path in folder.rglob(f"*{_LIBRARIES[target]}")}
        has_zstd_itself = python == "cpython-314"
        wanted = _COMPILED if has_zstd_itself else _COMPILED | {"zstd"}
        assert {name.split(".")[0].removeprefix("_") for name in names} == wanted, python
        assert (target == "win32-x64") == bool([*folder.rglob("*.dll")]), python


def test_the_package_leaves_out_no_file_of_the_bundled_daemon(package: Path, built: Path) -> None:
    names = set(zipfile.ZipFile(package).namelist())
    files = {path for path in (built / "bundled").rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    left_out = {path.name for path in files if f"extension/{path.relative_to(built).as_posix()}" not in names}
    assert left_out == {".dependencies"}


def test_the_versions_of_the_package_are_those_of_daemon_and_protocol(package: Path) -> None:
    archive = zipfile.ZipFile(package)
    assert json.loads(archive.read("extension/package.json"))["version"] == __version__
    assert f'PROTOCOL_VERSION = "{PROTOCOL_VERSION}"' in archive.read("extension/dist/api/protocol.d.ts").decode()


def test_other_extensions_can_use_the_types_of_the_package(package: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(package).extractall(tmp_path)
    consumer = tmp_path / "consumer.ts"
    consumer.write_text(_CONSUMER)
    types = EXTENSION / "node_modules/@types"
    options = ("--noEmit", "--strict", "--module", "preserve", "--typeRoots", types, "--types", "vscode")
    subprocess.run([EXTENSION / "node_modules/.bin/tsc", *options, consumer], check=True)


def test_the_npm_lock_names_no_registry() -> None:
    assert "resolved" not in LOCK.read_text()


def test_the_npm_lock_has_the_packages_of_every_platform() -> None:
    """`npm ci` refuses one that was made where some could not be had."""
    packages = json.loads(LOCK.read_text())["packages"]
    named = {name for package in packages.values() for name in package.get("optionalDependencies", {})}
    assert named
    assert {name for name in named if not any(path.endswith(f"node_modules/{name}") for path in packages)} == set()
