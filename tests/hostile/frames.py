"""The hand-written frames: `frames/*.json`.

A case sends pieces and expects answers, each exactly once: `[id, code]`, or `[id, "result"]`. A piece is `bytes` as
they are (Latin-1, `times` over), or a message in a frame: `frame`, completed by `jsonrpc`; `body`, a text or a list of
`[text, times]` in some `encoding`; or `body_base64`. `header` replaces the usual header, with `{}` for the length.
"""

import base64
import json
from pathlib import Path
from typing import Any, NamedTuple

_FOLDER = Path(__file__).parent / "frames"
_USUAL_HEADER = "Content-Length: {}\r\n\r\n"


class Case(NamedTuple):
    name: str
    stream: bytes
    answers: list[list[Any]]
    pieces_of: int | None
    """Sent in pieces of so many bytes."""
    closes: bool
    """The input ends after it."""

    @property
    def pieces(self) -> list[bytes]:
        size = self.pieces_of or len(self.stream)
        return [self.stream[start : start + size] for start in range(0, len(self.stream), size)]


def cases(file: str) -> list[Case]:
    return [
        Case(
            case["name"],
            b"".join(map(_bytes_of, case["send"])),
            case.get("answers", []),
            case.get("pieces_of"),
            case.get("closes", False),
        )
        for case in json.loads((_FOLDER / f"{file}.json").read_text())
    ]


def number_of_cases() -> int:
    return sum(len(json.loads(file.read_text())) for file in _FOLDER.glob("*.json"))


def _bytes_of(piece: dict[str, Any]) -> bytes:
    if "bytes" in piece:
        raw: bytes = piece["bytes"].encode("latin-1")
        return raw * int(piece.get("times", 1))
    body = _body_of(piece)
    header = str(piece.get("header", _USUAL_HEADER))
    return header.format(len(body)).encode("latin-1") + body


def _body_of(piece: dict[str, Any]) -> bytes:
    if "body_base64" in piece:
        return base64.b64decode(piece["body_base64"])
    if "frame" in piece:
        return json.dumps({"jsonrpc": "2.0", **piece["frame"]}).encode()
    body = piece["body"]
    text = body if isinstance(body, str) else "".join(text * times for text, times in body)
    return text.encode(piece.get("encoding", "utf-8"))
