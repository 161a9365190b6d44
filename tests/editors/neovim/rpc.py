"""Asks a Neovim through its socket, in MessagePack-RPC: as much of it as requests with text in them take."""

import socket
import struct
from typing import Any

REQUEST, RESPONSE = 0, 1


class Channel:
    def __init__(self, path: str, timeout: float) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(timeout)
        try:
            self._socket.connect(path)
        except OSError:
            self._socket.close()
            raise
        self._answers = self._socket.makefile("rb")
        self._asked = 0

    def close(self) -> None:
        self._answers.close()
        self._socket.close()

    def request(self, method: str, *arguments: Any) -> Any:
        self._asked += 1
        self._socket.sendall(packed([REQUEST, self._asked, method, list(arguments)]))
        while True:
            kind, number, *rest = self._unpack()
            if kind == RESPONSE and number == self._asked:
                error, result = rest
                assert error is None, error
                return result

    def _read(self, count: int) -> bytes:
        data = self._answers.read(count)
        if len(data) < count:
            raise ConnectionError("Neovim has ended")
        return data

    def _unpack(self) -> Any:
        kind = self._read(1)[0]
        if kind < 0x80:
            return kind
        if 0x80 <= kind < 0x90:
            return {self._unpack(): self._unpack() for _ in range(kind & 0x0F)}
        if 0x90 <= kind < 0xA0:
            return [self._unpack() for _ in range(kind & 0x0F)]
        if 0xA0 <= kind < 0xC0:
            return self._read(kind & 0x1F).decode(errors="replace")
        if kind in CONSTANTS:
            return CONSTANTS[kind]
        if kind in NUMBERS:
            return self._number(NUMBERS[kind])
        if kind in TEXTS:
            return self._read(self._number(TEXTS[kind])).decode(errors="replace")
        raise AssertionError(f"MessagePack of kind {kind:#x} was not expected")

    def _number(self, form: str) -> int:
        (number,) = struct.unpack(form, self._read(struct.calcsize(form)))
        return int(number)


CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}
NUMBERS = {0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q", 0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q"}
TEXTS = {0xD9: ">B", 0xDA: ">H", 0xDB: ">I"}


def packed(value: Any) -> bytes:
    match value:
        case int():
            return b"\xce" + struct.pack(">I", value)
        case str():
            text = value.encode()
            return b"\xdb" + struct.pack(">I", len(text)) + text
        case list():
            return b"\xdd" + struct.pack(">I", len(value)) + b"".join(map(packed, value))
    raise AssertionError(f"{value!r} was not expected")
