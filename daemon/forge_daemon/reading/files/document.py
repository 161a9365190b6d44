"""The unsaved text of an open document."""

import time

from .file_bytes import FileBytes, Knowledge
from .same_file import etag_of


class Document:
    """One version of one document. Immutable: a change makes another."""

    __slots__ = ("_changed_ms", "_encoded", "_knowledge", "text", "version")

    def __init__(self, text: str, version: int) -> None:
        self.text = text
        self.version = version
        self._changed_ms = time.time_ns() // 1_000_000
        self._encoded: tuple[bytes, str] | None = None
        self._knowledge = Knowledge()

    def snapshot(self, mtime_ms: int | None) -> FileBytes:
        """The document as bytes. `mtime_ms` is that of the file on disk, if there is one."""
        if self._encoded is None:
            data = _to_utf8(self.text)
            self._encoded = data, etag_of(b"buffer", str(self.version).encode(), data)
        data, etag = self._encoded
        return FileBytes(
            kind="buffer",
            size=len(data),
            read_at=lambda offset, length: data[offset : offset + length],
            etag=etag,
            mtime_ms=mtime_ms,
            knowledge=self._knowledge,
            document_version=self.version,
            changed_ms=self._changed_ms,
        )


def _to_utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        # The halves of a character may have come in two edits.
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
