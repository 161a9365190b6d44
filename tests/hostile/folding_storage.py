"""Storage that answers to other names than it lists: a file system of our own, as a script in its own process.

`fold`: as ext4 with case folding, HFS+ and APFS, which leave case, composition and invisible characters out of account.
`short`: as vfat and the shares of Windows, which leave dots and spaces at the end of a name out of account and know
short names and streams. `wide`: as ZFS with compatible normalisation, which takes wide letters for the usual ones but
knows upper from lower case. Nothing here can mount the real ones.
"""

import errno
import os
import re
import stat
import struct
import sys
import unicodedata
from pathlib import Path

# A script, which finds its neighbour by its folder.
sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.hostile import stuck_storage
from tests.hostile.stuck_storage import Storage

SECRETS = (".env", "id_rsa", ".netrc")
FILES = dict.fromkeys(SECRETS, b"SECRET\n") | {"straße.txt": b"text\n", "plan~1": b"text\n"}
INVISIBLE = "\u00ad\u034f\u200b\u200c\u200d\u2060\ufe0f\ufeff"
_FIRST_FILE = 2
_READDIR = 28


def folded(name: str, kind: str) -> str:
    if kind == "fold":
        kept = unicodedata.normalize("NFD", re.sub(f"[{INVISIBLE}]", "", name)).casefold()
        return unicodedata.normalize("NFD", kept)
    if kind == "wide":
        return unicodedata.normalize("NFKC", name)
    kept = re.sub(r":.*", "", name).rstrip(". ").lower()
    return ".netrc" if kept == "netrc~1" else kept


class FoldingStorage(Storage):
    kind = "fold"

    def _handle(self, operation: int, unique: int, node: int, body: bytes) -> None:
        if operation == _READDIR:
            (offset,) = struct.unpack_from("<8xQ", body)
            self._answer(unique, b"" if offset else b"".join(self._entries()))
        else:
            super()._handle(operation, unique, node, body)

    def _entries(self) -> "list[bytes]":
        entries = []
        for node, name in enumerate(FILES, _FIRST_FILE):
            data = os.fsencode(name)
            entry = struct.pack("<QQII", node, node, len(data), stat.S_IFREG >> 12) + data
            entries.append(entry + b"\0" * (-len(entry) % 8))
        return entries

    def _look_up(self, unique: int, name: bytes) -> None:
        for node, real in enumerate(FILES, _FIRST_FILE):
            if folded(real, self.kind) == folded(os.fsdecode(name), self.kind):
                self._names[node] = os.fsencode(real)
                self._answer(unique, struct.pack("<QQQQII", node, 0, 0, 0, 0, 0) + self._attributes(node))
                return
        self._answer(unique, error=errno.ENOENT)

    def _read(self, unique: int, node: int, offset: int) -> None:
        self._answer(unique, FILES[os.fsdecode(self._names[node])][offset:])

    def _size(self, node: int) -> int:
        return len(FILES[os.fsdecode(self._names[node])]) if node in self._names and node >= _FIRST_FILE else 0


if __name__ == "__main__":
    FoldingStorage.kind = sys.argv[2]
    stuck_storage.main(sys.argv[1], FoldingStorage)
