"""What is in the `.vsix`."""

import json
import subprocess
import zipfile
from pathlib import Path

from editors.vscode.code import EXTENSION
from forge_daemon import __version__
from forge_protocol import PROTOCOL_VERSION

LOCK = EXTENSION / "package-lock.json"
_MOST_BYTES = 2_000_000
_NEEDED = ("__main__.py", "forge_daemon/cli.py", "forge_protocol/registry.py", "pygls/server.py", "attr/__init__.py")
_NOT_NEEDED = {"__pycache__", "tests", "test", "src", "webview", "node_modules", "codegen", "orjson", "re2"}
_CONSUMER = """
import type { ForgeExports, ReadFileResult } from "./extension/dist/api/api";

export async function last(forge: ForgeExports): Promise<ReadFileResult> {
  const api = forge.getApi(1);
  // @ts-expect-error: the protocol knows no such parameter
  await api.readFile({ path: "server.log", tial: 50 });
  return await api.readFile({ path: "server.log", tail: 50 });
}
"""


def test_it_carries_the_daemon_and_nothing_that_is_not_needed(package: Path) -> None:
    names = {name.removeprefix("extension/") for name in zipfile.ZipFile(package).namelist()}
    assert names >= {f"bundled/{needed}" for needed in _NEEDED}
    folders = {folder for name in names for folder in name.split("/")[:-1]}
    assert not folders & _NOT_NEEDED
    assert package.stat().st_size < _MOST_BYTES


def test_its_versions_are_those_of_daemon_and_protocol(package: Path) -> None:
    archive = zipfile.ZipFile(package)
    assert json.loads(archive.read("extension/package.json"))["version"] == __version__
    assert f'PROTOCOL_VERSION = "{PROTOCOL_VERSION}"' in archive.read("extension/dist/api/protocol.d.ts").decode()


def test_other_extensions_can_use_its_types(package: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(package).extractall(tmp_path)
    consumer = tmp_path / "consumer.ts"
    consumer.write_text(_CONSUMER)
    types = EXTENSION / "node_modules/@types"
    options = ("--noEmit", "--strict", "--module", "preserve", "--typeRoots", types, "--types", "vscode")
    subprocess.run([EXTENSION / "node_modules/.bin/tsc", *options, consumer], check=True)


def test_the_lock_names_no_registry() -> None:
    assert "resolved" not in LOCK.read_text()


def test_the_lock_has_the_packages_of_every_platform() -> None:
    """`npm ci` refuses one that was made where some could not be had."""
    packages = json.loads(LOCK.read_text())["packages"]
    named = {name for package in packages.values() for name in package.get("optionalDependencies", {})}
    assert named
    assert {name for name in named if not any(path.endswith(f"node_modules/{name}") for path in packages)} == set()
