"""The hand-written files and their exact windows: `contents/*.json`.

Pieces make up both: a text, `[text, times]`, or `{"hex", "times"}`. `ask` is what `forge/readFile` is asked beside the
path. Of `meta` and `binary` the fields that are given are compared; a file that is `refused` has none of them.
"""

import json
from pathlib import Path
from typing import Any, NamedTuple

_FOLDER = Path(__file__).parent / "contents"


class Case(NamedTuple):
    name: str
    file: bytes
    ask: dict[str, Any]
    refused: str | None
    content: str
    truncated_by: str | None
    next_start_line: int | None
    meta: dict[str, Any]
    binary: dict[str, Any] | None


def cases() -> list[Case]:
    return [
        Case(
            f"{file.stem}: {case['name']}",
            b"".join(map(_bytes_of, case["bytes"])),
            case.get("ask", {}),
            case.get("refused"),
            b"".join(map(_bytes_of, case.get("content", []))).decode(),
            case.get("truncated_by"),
            case.get("next_start_line"),
            case.get("meta", {}),
            case.get("binary"),
        )
        for file in sorted(_FOLDER.glob("*.json"))
        for case in json.loads(file.read_text())
    ]


def _bytes_of(piece: str | list[Any] | dict[str, Any]) -> bytes:
    if isinstance(piece, str):
        return piece.encode()
    if isinstance(piece, list):
        text, times = piece
        return str(text).encode() * int(times)
    return bytes.fromhex(piece["hex"]) * int(piece.get("times", 1))
