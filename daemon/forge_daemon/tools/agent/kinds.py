"""The kind of a file that is not text, from its first bytes."""

from typing import NamedTuple

from forge_daemon.reading.files.file_bytes import FileBytes, Progress
from forge_daemon.reading.texts.compressions import compression_of
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.reading.texts.opening import open_text
from forge_daemon.reading.texts.text import Text

_SAMPLE_BYTES = 512


class Kind(NamedTuple):
    name: str
    image_type: str | None = None
    """The MIME type of a picture that models can look at."""
    is_compressed: bool = False
    """It may hold a text."""

    @property
    def is_image(self) -> bool:
        return self.name.endswith((" image", "icon"))


BINARY = Kind("binary")
_IMAGES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)
_OTHERS = (
    (b"%PDF-", "PDF"),
    (b"PK\x03\x04", "ZIP archive"),
    (b"PK\x05\x06", "ZIP archive"),
    (b"7z\xbc\xaf\x27\x1c", "7z archive"),
    (b"Rar!\x1a\x07", "RAR archive"),
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


def text_or_kind(file: FileBytes, form: TextForm, progress: Progress) -> Text | Kind:
    """The text of a file, or what it is if it holds none."""
    kind = known_kind(file)
    text = open_text(file, form, progress) if kind is None or kind.is_compressed else None
    return text or kind or BINARY


def known_kind(file: FileBytes) -> Kind | None:
    """None if its first bytes tell of none. An open document is text."""
    return kind_of(file.read_at(0, _SAMPLE_BYTES)) if file.kind == "disk" else None


def kind_of(head: bytes) -> Kind | None:
    """None if the kind is unknown."""
    if (image_type := _image_type(head)) is not None:
        return Kind(f"{image_type.removeprefix('image/').upper()} image", image_type)
    if head[:4] == b"RIFF" and b"\0" in head:
        return Kind("RIFF audio or video")
    if head[4:8] == b"ftyp" and b"\0" in head:
        return Kind("MP4 video")
    if head[257:262] == b"ustar":
        return Kind("tar archive")
    if (compression := compression_of(head)) is not None:
        return Kind(f"{compression.name} archive", is_compressed=True)
    known = _OTHERS + (_WITH_NUL if b"\0" in head else ())
    return next((Kind(name) for magic, name in known if head.startswith(magic)), None)


def _image_type(head: bytes) -> str | None:
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    return next((image_type for magic, image_type in _IMAGES if head.startswith(magic)), None)
