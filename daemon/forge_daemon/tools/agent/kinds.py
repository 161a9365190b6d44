"""The kind of a file that is not text, from its first bytes."""

from typing import NamedTuple

from forge_daemon.reading.sources.source import Progress, Source
from forge_daemon.reading.text import TextForm, open_text

_SAMPLE_BYTES = 512


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
    (b"\xfd7zXZ\x00", "xz archive"),
    (b"\x28\xb5\x2f\xfd", "zstd archive"),
    (b"\x7fELF", "ELF executable"),
    (b"\xcf\xfa\xed\xfe", "Mach-O executable"),
    (b"\xfe\xed\xfa\xcf", "Mach-O executable"),
    (b"\xca\xfe\xba\xbe", "Java class or Mach-O executable"),
    (b"\x00asm", "WebAssembly module"),
    (b"SQLite format 3\x00", "SQLite database"),
    (b"\x93NUMPY", "NumPy array"),
    (b"II*\x00", "TIFF image"),
    (b"MM\x00*", "TIFF image"),
)
_WITH_NUL = (
    (b"MZ", "Windows executable"),
    (b"BM", "BMP image"),
    (b"\x00\x00\x01\x00", "icon"),
    (b"PAR1", "Parquet file"),
    (b"OggS", "Ogg audio"),
    (b"ID3", "MP3 audio"),
    (b"fLaC", "FLAC audio"),
    (b"wOFF", "font"),
    (b"wOF2", "font"),
)
"""A text may start like this too, but has no NUL."""


def text_or_kind(source: Source, form: TextForm, progress: Progress) -> Source | Kind:
    """The text of a file, or what it is if it holds none."""
    kind = kind_of(source.read_at(0, _SAMPLE_BYTES)) if source.may_be_binary else None
    text = open_text(source, form, progress) if kind is None or kind == GZIP else None
    return text or kind or Kind("binary")


def kind_of(head: bytes) -> Kind | None:
    """None if the kind is unknown."""
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
    if head[:3] == b"BZh" and head[4:10] == b"1AY&SY":
        return Kind("bzip2 archive")
    known = _OTHERS + (_WITH_NUL if b"\0" in head else ())
    return next((Kind(name) for magic, name in known if head.startswith(magic)), None)
