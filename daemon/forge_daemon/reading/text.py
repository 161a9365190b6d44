"""How a file's bytes are interpreted: compression, encoding, byte order mark, or no text at all."""

from forge_daemon.light_typing import NamedTuple
from forge_protocol.errors import ErrorCode, ReadError

from .encodings.detection import SAMPLE, detect, is_binary
from .encodings.encoding import UTF_8, Encoding
from .encodings.wide import Wide
from .lines.line_index import Understood
from .sources.source import Findings, Progress, Source, note

_GZIP = b"\x1f\x8b\x08"
_COMPRESSIONS = {_GZIP: "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"\xfd7zXZ\0": "xz", b"BZh": "bzip2"}
_LONG = 4 * 1024 * 1024
"""The lines of a compressed text are counted for a window only where it is no longer than this."""
_REMEMBERED = 16


class TextForm(NamedTuple):
    """How a file is to be understood."""

    encoding: Encoding | None = None
    """None: as detected."""
    candidates: tuple[Encoding, ...] = ()
    """What it may be in that is not UTF-8."""
    decompress: bool = False
    strip_ansi: bool = False


AUTOMATIC = TextForm()
AS_UTF_8 = TextForm(UTF_8)


def open_text(source: Source, form: TextForm, progress: Progress) -> Source | None:
    """The text of a source; None if it holds none. A source that is already a text is returned as it is."""
    if source.is_text:
        return source
    findings = source.findings
    if findings is not None and (known := findings.texts.get(form)) is not None:
        return known
    if not source.may_be_binary:
        bom = len(UTF_8.bom) if source.read_at(0, len(UTF_8.bom)) == UTF_8.bom else 0
        return source._replace(bom=bom, has_bom=bom > 0, strip_ansi=form.strip_ansi, is_text=True)
    encoding, bom, is_gzip = _understood(source, form, progress)
    if encoding is None:
        return None
    text = _unpacked(source, progress) if is_gzip else source
    read_as, bom_to_skip = encoding, bom
    if isinstance(encoding, Wide):
        text, read_as, bom_to_skip = _as_utf8(text, encoding, bom, progress), UTF_8, 0
    text = text._replace(
        encoding=read_as,
        bom=bom_to_skip,
        file_encoding=encoding,
        has_bom=bom > 0,
        strip_ansi=form.strip_ansi,
        is_text=True,
        findings=None,
    )
    if findings is None or is_gzip or isinstance(encoding, Wide):
        return text
    return note(findings.texts, form, text._replace(findings=Findings()), most=1)


def is_compressed(source: Source, form: TextForm) -> bool:
    """Whether the text has to be decompressed."""
    if source.is_text:
        return source.unpacked is not None
    return form.decompress and source.may_be_binary and source.read_at(0, len(_GZIP)) == _GZIP


def counts_lines(text: Source, up_to: int) -> bool:
    """Whether all lines are counted for a window of the text. Never depends on what is cached."""
    if text.unpacked is not None:
        # A file that is longer than its text has many members with little text.
        return text.origin.size <= min(up_to, _LONG) and not text.unpacked.is_longer_than(min(up_to, _LONG))
    return text.origin.size <= up_to


def no_lines(source: Source, what_for: str) -> str:
    """Why a file that holds no text has no lines."""
    compression = _compression(source.read_at(0, SAMPLE))
    kind = "an xz" if compression == "xz" else f"a {compression or 'binary'}"
    return f"{kind} file has no lines to {what_for}"


def how_to_read(source: Source) -> str | None:
    """A hint for a file that is binary because it is compressed; None for others."""
    compression = _compression(source.read_at(0, SAMPLE))
    if compression is None:
        return None
    return f"decompress it first ({compression} -d); only gzip files that hold text are read directly"


def progress_of(text: Source, progress: Progress) -> Progress:
    """Reports progress in bytes of the file, also for a text derived from it."""
    derived = text.derived
    return progress if derived is None else lambda _done, _total: progress(*derived.done)


def find_end(text: Source, progress: Progress) -> None:
    """Make the size of a text known."""
    if text.derived is not None:
        text.line_index.count(text.read_at, progress_of(text, progress))


def require_whole(text: Source) -> None:
    """Raise `INTERNAL` if a text that was read to its end is damaged or cut off there."""
    if text.failure is not None:
        raise ReadError(ErrorCode.INTERNAL, f"{text.failure}, after {text.size:,} bytes of text")


def _understood(source: Source, form: TextForm, progress: Progress) -> Understood:
    known = source.line_index.marks.understood
    asked = form._replace(strip_ansi=False) if form.strip_ansi else form
    if (understood := known.get(asked)) is None:
        if len(known) >= _REMEMBERED:
            known.clear()
        understood = known[asked] = _look_at(source, form, progress)
    return understood


def _look_at(source: Source, form: TextForm, progress: Progress) -> Understood:
    sample = source.read_at(0, SAMPLE)
    is_whole = len(sample) < SAMPLE
    is_gzip = form.decompress and sample.startswith(_GZIP)
    if is_gzip:
        unpacked = _unpacked(source, progress)
        sample = unpacked.read_at(0, SAMPLE)
        is_whole = len(sample) < SAMPLE
        if not sample and _is_damaged(unpacked):
            return Understood(None, 0, False)
    elif form.decompress and _compression(sample) is not None:
        return Understood(None, 0, False)
    if form.encoding is None:
        encoding = detect(sample, whole=is_whole, candidates=form.candidates)
    else:
        encoding = None if is_binary(sample, form.encoding) else form.encoding
    if encoding is None:
        return Understood(None, 0, False)
    bom = len(encoding.bom) if encoding.bom and sample.startswith(encoding.bom) else 0
    return Understood(encoding, bom, is_gzip)


def _compression(sample: bytes) -> str | None:
    if sample.startswith(b"BZh") and sample[4:10] != b"1AY&SY":
        return None
    return next((name for magic, name in _COMPRESSIONS.items() if sample.startswith(magic)), None)


def _unpacked(source: Source, progress: Progress) -> Source:
    from .sources.derived import DerivedLineIndex, DerivedSource
    from .sources.gzip_text import GzipPoints, GzipText

    points = source.line_index.marks.derived.setdefault("gzip", GzipPoints())
    assert isinstance(points, GzipPoints)
    unpacked = GzipText(source, points, progress)
    return DerivedSource(
        *source._replace(
            read_at=unpacked.read_at,
            line_index=DerivedLineIndex(unpacked, points.marks),
            file=source,
            derived=unpacked,
            unpacked=unpacked,
        )
    )


def _is_damaged(unpacked: Source) -> bool:
    """A file that is only cut off may be a log whose header alone was written so far."""
    from .sources.gzip_text import ENDS_EARLY

    return unpacked.failure not in (None, ENDS_EARLY)


def _as_utf8(source: Source, encoding: Wide, bom: int, progress: Progress) -> Source:
    from .sources.derived import DerivedLineIndex, DerivedSource
    from .sources.wide_text import WidePoints, WideText

    marks = source.line_index.marks
    points = marks.derived.setdefault(encoding.name, WidePoints())
    assert isinstance(points, WidePoints)
    wide = WideText(source, encoding, bom, points, progress)
    return DerivedSource(
        *source._replace(
            read_at=wide.read_at,
            line_index=DerivedLineIndex(wide, points.marks),
            file=source.origin,
            derived=wide,
        )
    )
