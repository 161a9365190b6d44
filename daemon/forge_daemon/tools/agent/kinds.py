"""What a file is that is not text, told by its first bytes."""

from typing import NamedTuple

SAMPLE_BYTES = 512


class Kind(NamedTuple):
    name: str
    image_type: str | None = None
    """The MIME type of a picture that models can look at."""


_IMAGES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)
GZIP = Kind("gzip archive")
_OTHERS = (
    (b"%PDF-", "PDF"),
    (b"PK\x03\x04", "ZIP archive"),
    (b"PK\x05\x06", "ZIP archive"),
    (b"7z\xbc\xaf\x27\x1c", "7z archive"),
    (b"Rar!\x1a\x07", "RAR archive"),
    (b"\x1f\x8b\x08", GZIP.name),
    (b"BZh", "bzip2 archive"),
    (b"\xfd7zXZ\x00", "xz archive"),
    (b"\x28\xb5\x2f\xfd", "zstd archive"),
    (b"\x7fELF", "ELF executable"),
    (b"\xcf\xfa\xed\xfe", "Mach-O executable"),
    (b"\xfe\xed\xfa\xcf", "Mach-O executable"),
    (b"\xca\xfe\xba\xbe", "Java class or Mach-O executable"),
    (b"\x00asm", "WebAssembly module"),
    (b"SQLite format 3\x00", "SQLite database"),
    (b"PAR1", "Parquet file"),
    (b"\x93NUMPY", "NumPy array"),
    (b"OggS", "Ogg audio"),
    (b"ID3", "MP3 audio"),
    (b"fLaC", "FLAC audio"),
    (b"wOFF", "font"),
    (b"wOF2", "font"),
    (b"II*\x00", "TIFF image"),
    (b"MM\x00*", "TIFF image"),
)
_WITH_NUL = ((b"MZ", "Windows executable"), (b"BM", "BMP image"), (b"\x00\x00\x01\x00", "icon"))
"""Too short to tell without a NUL after them."""


def kind_of(head: bytes) -> Kind | None:
    """None: nothing that is known not to be text."""
    for magic, image_type in _IMAGES:
        if head.startswith(magic):
            return Kind(f"{image_type.removeprefix('image/').upper()} image", image_type)
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return Kind("WEBP image", "image/webp")
    if head[:4] == b"RIFF" and b"\0" in head:
        return Kind("RIFF audio or video")
    if head[4:8] == b"ftyp" and b"\0" in head:
        return Kind("MP4 video")
    if head[257:262] == b"ustar":
        return Kind("tar archive")
    known = _OTHERS + (_WITH_NUL if b"\0" in head else ())
    return next((Kind(name) for magic, name in known if head.startswith(magic)), None)
