"""The unsaved text of an open document."""

import time

from forge_daemon.reading.encodings.encoding import UTF_8
from forge_daemon.reading.lines.line_index import LineIndex

from .source import Source, etag_of

_BLOCK = 1024 * 1024


class Buffer:
    """One version of one document. Immutable: a change makes another."""

    __slots__ = ("_changed_ms", "_source", "text", "version")

    def __init__(self, text: str, version: int) -> None:
        self.text = text
        self.version = version
        self._changed_ms = time.time_ns() // 1_000_000
        self._source: Source | None = None

    def source(self, mtime_ms: int | None) -> Source:
        """The document as bytes; encoded and indexed once, on first use."""
        if self._source is None:
            self._source = self._encode()
        return self._source._replace(mtime_ms=mtime_ms)

    def _encode(self) -> Source:
        try:
            data = self.text.encode()
        except UnicodeEncodeError:
            # The halves of a character may have come in two edits.
            data = self.text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
        return Source(
            kind="buffer",
            size=len(data),
            read_at=lambda offset, length: data[offset : offset + length],
            etag=etag_of(b"buffer", str(self.version).encode(), data),
            line_index=LineIndex(len(data)),
            mtime_ms=None,
            document_version=self.version,
            changed_ms=self._changed_ms,
        )

    def is_saved_as(self, disk: Source) -> bool:
        """Whether the document's text, in UTF-8, is what is on disk."""
        mine = self.source(None)
        start = len(UTF_8.bom) if disk.read_at(0, len(UTF_8.bom)) == UTF_8.bom else 0
        if disk.size - start != mine.size:
            return False
        return all(
            disk.read_at(start + offset, _BLOCK) == mine.read_at(offset, _BLOCK)
            for offset in range(0, mine.size, _BLOCK)
        )
