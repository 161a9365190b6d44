"""Repositories that were made to keep a reader busy, each with requests that a client may send about it."""

import gzip
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.hostile.scale import scaled

Request = tuple[str, dict[str, Any]]
Make = Callable[[Path], Iterator[Request]]

MIB = 1 << 20
LONG_NAME = "n" * 255


def read(path: str, **params: Any) -> Request:
    return "forge/readFile", {"path": path, **params}


def find(path: str, pattern: str, **params: Any) -> Request:
    return "forge/find", {"path": path, "pattern": pattern, **params}


def tool(name: str, toolset: str = "agent", **arguments: Any) -> Request:
    call = {"name": name, "arguments": arguments, "toolset": toolset}
    return "workspace/executeCommand", {"command": "forge.tools.call", "arguments": [call]}


def patterns_and_a_deep_path(folder: Path) -> Iterator[Request]:
    deny = [f"**/a/**/b{number}" for number in range(1000)]
    (folder / "forge.toml").write_text(f"[policy]\ndeny = {deny}\n")
    directory = folder
    for _ in range(400):
        directory /= "a"
        directory.mkdir()
    (directory / "x").write_text("deep\n")
    deep = str(directory.relative_to(folder))
    yield read(f"{deep}/x")
    yield read("a/" * 16_000 + "x")
    yield read(f"{LONG_NAME}/" * 120 + "x")
    yield tool("read", path=f"{deep}/y")


def patterns_of_stars(folder: Path) -> Iterator[Request]:
    deny = ["*a" * 500 + "b" + str(number) for number in range(60)]
    (folder / "forge.toml").write_text(f"[policy]\ndeny = {deny}\n")
    yield read("a" * 250)
    yield read(("a" * 250 + "/") * 120)


def settings(text: str) -> Make:
    def make(folder: Path) -> Iterator[Request]:
        (folder / "ok").write_text("ok\n")
        yield read("ok")
        (folder / "forge.toml").write_text(text)
        yield read("ok")
        yield tool("read", path="ok")

    return make


def keys_in_bombs(folder: Path) -> Iterator[Request]:
    """Each must be decompressed before its name may be told."""
    bomb = gzip.compress(b"x" * MIB + b"-----BEGIN PRIVATE KEY-----\n")
    for number in range(scaled(100, 2000)):
        (folder / f"{number:04}.pem.gz").write_bytes(bomb)
    yield read(".")
    yield tool("read", path=".")
    yield read("000.pem.gz")
    yield tool("read_many", files=[{"path": f"{number:04}.pem.gz"} for number in range(20)])


def a_crowded_directory(folder: Path) -> Iterator[Request]:
    for number in range(scaled(3000, 50_000)):
        (folder / f"customer-list-of-the-year-{number:06}.txt").touch()
    yield read("customer-list-of-the-jear-000001.txt")
    yield read(".")
    yield tool("read", path="customer-list-of-the-jear-000001.txt")
    yield tool("find", path="customer-list-of-the-jear", pattern="x")
    deep = "/".join("".join(chr(0x4E00 + 80 * depth + number) for number in range(80)) for depth in range(15))
    (folder / deep).mkdir(parents=True)
    for number in range(1500):
        letters = (letter.upper() if number >> bit & 1 else letter for bit, letter in enumerate("customer-list"))
        (folder / deep / "".join(letters)).touch()
    yield read(f"{deep[::-1]}/" * 8 + "customer-list")


def a_tree_of_directories(folder: Path) -> Iterator[Request]:
    for number in range(scaled(500, 20_000)):
        (folder / f"d{number % 100}/e{number}").mkdir(parents=True)
    yield read("nowhere.txt")
    yield tool("read", path="d1/nowhere.txt")
    yield tool("read_many", files=[{"path": f"nowhere{number}.txt"} for number in range(5)])


def links_in_circles(folder: Path) -> Iterator[Request]:
    (folder / "ok").write_text("ok\n")
    (folder / "circle").symlink_to("circle")
    for number in range(60):
        (folder / f"l{number}").symlink_to("a/../" * 800 + f"l{number + 1}")
    (folder / "a").mkdir()
    (folder / "tower").symlink_to("tower/tower")
    (folder / "self").symlink_to(".")
    yield read("circle")
    yield read("l0")
    yield read("tower/x")
    yield read("self/" * 2000 + "ok")


def a_gzip_bomb(folder: Path) -> Iterator[Request]:
    block = gzip.compress((b"x" * 99 + b"\n") * (MIB // 10))
    (folder / "bomb.gz").write_bytes(block * 100)
    (folder / "line.gz").write_bytes(gzip.compress(b"x" * 100 * MIB))
    (folder / "torn.gz").write_bytes(block[:-20] + b"torn")
    for name in ("bomb.gz", "line.gz", "torn.gz"):
        yield read(name)
        yield read(name, start_line=50_000)
        yield read(name, columns={"start": 1_000_000, "count": 10})
        yield tool("read", path=name)


def members_without_text(folder: Path) -> Iterator[Request]:
    (folder / "empty.gz").write_bytes(gzip.compress(b"") * scaled(5_000, 50_000))
    (folder / "short.gz").write_bytes(gzip.compress(b"x\n") * scaled(4_000, 100_000))
    (folder / "late.gz").write_bytes(gzip.compress(b"x\n" * 5_000) + gzip.compress(b"") * scaled(5_000, 1_000_000))
    (folder / "padded.gz").write_bytes(gzip.compress(b"x\n"))
    os.truncate(folder / "padded.gz", 100 << 30)
    for name in ("empty.gz", "short.gz", "late.gz", "padded.gz"):
        yield read(name)
        yield read(name, tail=3)
        yield tool("read", path=name)
        yield find(name, "y")


def floods(folder: Path) -> Iterator[Request]:
    """Of what a terminal, an encoding or a line may be made of."""
    for name, piece in {
        "osc": b"\x1b]",
        "csi": b"\x1b[",
        "dcs": b"\x1bP",
        "escape": b"\x1b",
        "jis": b"\x1b$B",
        "newlines": b"\n",
        "returns": b"\r",
        "high": b"\xe3\x81",
        "numbers": b"\1\0\2\0",
        "combining": "\u0301".encode(),
    }.items():
        (folder / name).write_bytes(piece * (scaled(MIB // 8, 2 * MIB) // len(piece)))
        (folder / f"long-{name}").write_bytes(piece * (scaled(MIB // 8, 12 * MIB) // len(piece)))
        yield read(f"long-{name}")
        yield read(f"long-{name}", columns={"count": 10})
        yield read(name, ansi="strip")
        yield read(name, columns={"start": 100_000, "count": 10}, ansi="strip")
        yield read(name, encoding="iso-2022-jp", max_lines=10_000)
        yield read(name, filter={"pattern": "zz"}, ansi="strip")
        yield find(name, "zz", ansi="strip")
        yield tool("read", path=name)
        yield tool("find", path=name, pattern="zz", context=20)
        yield tool("Read", "forge", path=name)
        yield tool("read_file", "workspace", path=name)


def one_long_line(folder: Path) -> Iterator[Request]:
    (folder / "line").write_bytes(("xé" * (scaled(4, 48) * MIB // 3)).encode())
    yield read("line")
    yield read("line", columns={"start": 2 * MIB, "count": 100})
    yield read("line", filter={"pattern": "éxé"}, columns={"count": 10})
    yield find("line", "zz")
    yield tool("read", path="line", start_line=1, start_column=2 * MIB)
    yield tool("find", path="line", pattern="éx", limit=50)


def things_that_are_no_files(folder: Path) -> Iterator[Request]:
    os.mkfifo(folder / "fifo")
    with socket.socket(socket.AF_UNIX) as listening:
        at = os.getcwd()
        os.chdir(folder)
        listening.bind("socket")
        os.chdir(at)
    (folder / "zero").symlink_to("/dev/zero")
    os.mkfifo(folder / "forge.toml")
    for name in ("fifo", "socket", "zero", "forge.toml"):
        yield read(name)
        yield find(name, "x")
        yield ("forge/follow", {"path": name})
        yield tool("read", path=name)


def names(folder: Path) -> Iterator[Request]:
    strange = [b"\xff\xfe", b"\x1b[31m", b"\n", LONG_NAME.encode(), "\u202e".encode(), "e\u0301".encode() * 80]
    for name in strange:
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_text("x\n")
        yield read(os.fsdecode(name).encode(errors="replace").decode())
    yield read(".")
    yield tool("read", path=".")
    yield read("e\u0301" * 16_000)


REPOSITORIES: dict[str, Make] = {
    "patterns and a deep path": patterns_and_a_deep_path,
    "patterns of stars": patterns_of_stars,
    "settings: blank lines, then faults": settings(
        "\n" * 100_000 + "".join(f"unknown{number} = 1\n" for number in range(5000))
    ),
    "settings: tables": settings("[[t]]\n" * 40_000),
    "settings: a long array": settings("a = [" + "1," * 120_000 + "]\n"),
    "settings: arrays in arrays": settings("a = " + "[" * 3000 + "]" * 3000 + "\n"),
    "settings: many keys": settings("".join(f"k{number}.a.b.c.d = 1\n" for number in range(12_000))),
    "settings: a long string": settings("a = '''" + "\n" * 250_000 + "'''\n[policy]\ndeny = 1\n"),
    "settings: too large": settings("#" * 50 * MIB),
    "keys in bombs": keys_in_bombs,
    "a crowded directory": a_crowded_directory,
    "a tree of directories": a_tree_of_directories,
    "links in circles": links_in_circles,
    "a gzip bomb": a_gzip_bomb,
    "members without text": members_without_text,
    "floods": floods,
    "one long line": one_long_line,
    "things that are no files": things_that_are_no_files,
    "names": names,
}
