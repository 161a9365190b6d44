"""The unsaved text of an open document."""

import re

from forge_daemon.reading.lines.line_index import LineIndex

from .source import Source, etag_of

_LONE_SURROGATE = "[\ud800-\udfff]"


class Buffer:
    """One version of one document. Immutable: a change makes another."""

    __slots__ = ("_source", "text", "version")

    def __init__(self, text: str, version: int) -> None:
        self.text = text
        self.version = version
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
            data = re.sub(_LONE_SURROGATE, "\ufffd", self.text).encode()
        return Source(
            kind="buffer",
            size=len(data),
            read_at=lambda offset, length: data[offset : offset + length],
            etag=etag_of(b"buffer", str(self.version).encode(), data),
            line_index=LineIndex(len(data)),
            mtime_ms=None,
            document_version=self.version,
        )
