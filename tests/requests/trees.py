"""Trees of files for the tests of searches and listings, and what git and the operating system say about them."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attrs import evolve

from forge_daemon.requests.find_files import find_files
from forge_daemon.requests.list_folder import list_folder
from forge_daemon.workspace.reader import Reader
from forge_protocol.find_files import FindFilesParams, FindFilesResult
from forge_protocol.list_folder import ListEntry, ListParams, ListResult
from tests.reading.sources import no_progress

Line = tuple[str, int]


def write_files(root: Path, files: dict[str, str | bytes]) -> None:
    for path, content in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)


def make_packages(root: Path, number: int = 1000) -> None:
    """Like `node_modules`: many small packages, some in each other, with files of every kind."""
    for each in range(number // 4):
        package = root / f"pkg-{each}" if each % 5 else root / f"@scope/pkg{each}/node_modules/inner.{each}"
        write_files(
            package,
            {
                "package.json": f'{{"name": "pkg-{each}", "main": "index.js"}}\n',
                "index.js": f"const fs = require('fs');\r\nmodule.exports = {each};\n\nrequire('./lib');",
                "lib/a-b.js": "exports.require = 1;\n" * (each % 7),
                "README.md": b"\x89PNG\0require\n" if each % 50 == 0 else f"# pkg-{each}\n\nüben\n".encode(),
            },
        )


def search(reader: Reader, pattern: str, **params: Any) -> FindFilesResult:
    return find_files(reader, FindFilesParams(pattern=pattern, **params), no_progress)


def search_pages(reader: Reader, pattern: str, **params: Any) -> Iterator[FindFilesResult]:
    asked: FindFilesParams | None = FindFilesParams(pattern=pattern, **params)
    while asked is not None:
        answer = find_files(reader, asked, no_progress)
        yield answer
        asked = evolve(asked, cursor=answer.next_cursor) if answer.next_cursor else None


def lines_of(*answers: FindFilesResult) -> list[Line]:
    return [(file.path, match.line) for answer in answers for file in answer.files for match in file.matches]


def list_pages(reader: Reader, **params: Any) -> Iterator[ListResult]:
    asked: ListParams | None = ListParams(**params)
    while asked is not None:
        answer = list_folder(reader, asked, no_progress)
        yield answer
        asked = evolve(asked, cursor=answer.next_cursor) if answer.next_cursor else None


def list_all(reader: Reader, **params: Any) -> list[ListEntry]:
    return [entry for page in list_pages(reader, **params) for entry in page.entries]


def git(root: Path, *arguments: str) -> str:
    """Without the configuration of the person who runs the tests."""
    environment = os.environ | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    command = ["git", "-c", "core.quotePath=false", "-c", "core.excludesFile=", *arguments]
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, check=False).stdout.decode(
        errors="replace"
    )


def git_grep(root: Path, *arguments: str) -> list[Line]:
    """The lines that `git grep` prints, of text files."""
    printed = git(root, "grep", "-nIz", *arguments)
    found = [line.split("\0")[:2] for line in printed.split("\n") if "\0" in line]
    return [(path, int(number)) for path, number in found]
