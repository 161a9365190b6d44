"""Pictures that a model can look at: their size in pixels, and why one cannot be sent."""

from collections.abc import Iterator

from forge_daemon.reading.files.file_bytes import FileBytes

MAX_IMAGE_BYTES = 15 * 1024 * 1024 // 4
"""3.75 MiB: as base64 that is 5 MiB, the most that models take."""
MAX_PIXELS = 8_000
"""The longest side."""
_MAX_JPEG_SEGMENTS = 1_000
_JPEG_SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""The markers of segments that begin with the size of the picture."""


def why_not_sent(file: FileBytes, image_type: str) -> str | None:
    """None if the picture can be sent. Models refuse a whole conversation for one that they cannot take."""
    if file.size > MAX_IMAGE_BYTES:
        return "larger than 3.75 MiB"
    size = pixels_of(file, image_type)
    if size is None:
        return "it is damaged"
    return f"more than {MAX_PIXELS:,} pixels a side" if max(size) > MAX_PIXELS else None


def pixels_of(file: FileBytes, image_type: str) -> tuple[int, int] | None:
    """Width and height; None if the file does not say."""
    size = next(_SIZES[image_type](file), None)
    return size if size is not None and min(size) > 0 else None


def _png(file: FileBytes) -> Iterator[tuple[int, int]]:
    head = file.read_at(0, 24)
    if len(head) == 24 and head[12:16] == b"IHDR":
        yield int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")


def _gif(file: FileBytes) -> Iterator[tuple[int, int]]:
    head = file.read_at(0, 10)
    if len(head) == 10:
        yield int.from_bytes(head[6:8], "little"), int.from_bytes(head[8:10], "little")


def _jpeg(file: FileBytes) -> Iterator[tuple[int, int]]:
    offset = 2
    for _ in range(_MAX_JPEG_SEGMENTS):
        segment = file.read_at(offset, 9)
        if len(segment) < 9 or segment[0] != 0xFF:
            return
        if segment[1] in _JPEG_SIZES:
            yield int.from_bytes(segment[7:9], "big"), int.from_bytes(segment[5:7], "big")
            return
        # Bytes that fill up space come before a marker; some markers have no length.
        has_length = segment[1] not in (0xFF, 0x01, *range(0xD0, 0xDA))
        skipped = 2 + int.from_bytes(segment[2:4], "big") if has_length else 2 - (segment[1] == 0xFF)
        offset += skipped


def _webp(file: FileBytes) -> Iterator[tuple[int, int]]:
    head = file.read_at(0, 30)
    if len(head) < 30:
        return
    if head[12:16] == b"VP8X":
        yield 1 + int.from_bytes(head[24:27], "little"), 1 + int.from_bytes(head[27:30], "little")
    elif head[12:16] == b"VP8L":
        bits = int.from_bytes(head[21:25], "little")
        yield 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    elif head[12:16] == b"VP8 ":
        yield int.from_bytes(head[26:28], "little") & 0x3FFF, int.from_bytes(head[28:30], "little") & 0x3FFF


_SIZES = {"image/png": _png, "image/gif": _gif, "image/jpeg": _jpeg, "image/webp": _webp}
