"""From a file to its text: which stages it takes, or why it holds none."""

from functools import partial
from typing import NamedTuple

from forge_daemon.reading.files.file_bytes import FileBytes, Member, Progress, no_progress

from .compressions import Compression, compression_of, decompression
from .concatenated import RotatedText
from .derived import Derived, Stage, State
from .encodings.detection import BINARY_SAMPLE, SAMPLE, detect, has_nul, is_text_with_nuls
from .encodings.encoding import UTF_8
from .form import Format, TextForm
from .source import End, Source
from .strip_ansi import StripAnsi
from .text import Text
from .to_utf8 import ToUtf8


class WhyBinary(NamedTuple):
    """What to say of a file that holds no text."""

    what: str
    """Such as "a binary file", "an xz file"."""
    hint: str | None
    """What to do to read it."""


def open_text(file: FileBytes, form: TextForm, progress: Progress) -> Text | None:
    """None if the file is binary. An open document never is: it is UTF-8. A rotated set is without those that are."""
    if file.is_set:
        return _open_set(file, form, progress)
    if file.kind == "buffer":
        form = form._replace(encoding=UTF_8, candidates=(), decompress=False)
    format_ = _known_format(file, form, progress)
    if format_ is None:
        return None
    encoding, has_bom, compression = format_
    pipeline = _Pipeline(file, form, progress)
    if compression is not None:
        pipeline.decompress(compression)
    bom = len(encoding.bom) if has_bom else 0
    if encoding != UTF_8 or (bom and compression is not None):
        pipeline.add(f"{'bom ' * has_bom}{encoding.name}", ToUtf8(encoding, bom))
    elif bom:
        pipeline.skip(bom)
    if form.strip_ansi:
        pipeline.add("ansi", StripAnsi())
    return Text(file, pipeline.source, pipeline.kind, format_, progress)


def _open_set(file: FileBytes, form: TextForm, progress: Progress) -> Text:
    names = [encoding.name for encoding in (form.encoding, *form.candidates) if encoding is not None]
    kind = f"rotated {form.encoding is None} {names} {form.decompress} {form.strip_ansi}"
    return RotatedText(file, kind, partial(_open_member, form=form), progress)


def _open_member(member: Member, progress: Progress, form: TextForm) -> Text | None:
    file = member.open()
    if file is None:
        return None
    text = open_text(file, form, progress)
    if text is None:
        member.reason = f"is {why_binary(file, form).what}"
    return text


def why_binary(file: FileBytes, form: TextForm) -> WhyBinary:
    """Why `open_text` returned None for a file."""
    sample = file.read_at(0, SAMPLE)
    compression = compression_of(sample)
    if compression is None:
        if not sample.strip(b"\0"):  # as in a log that was truncated under its writer: the text is at the end
            sample = file.read_at(max(0, file.size - SAMPLE), SAMPLE)
            sample = sample[sample.find(b"\n") + 1 :]
        return WhyBinary("a binary file", _hint_about_nuls(sample))
    what = f"{'an' if compression.name == 'xz' else 'a'} {compression.name} file"
    if not form.decompress:
        return WhyBinary(what, f"decompress it first ({compression.name} -d)")
    pipeline = _Pipeline(file, form, no_progress)
    if not pipeline.decompress(compression):
        return WhyBinary(what, f"install {compression.package} to read the text in it")
    if text := pipeline.source.read_at(0, SAMPLE):
        return WhyBinary(f"{what} that holds no text", _hint_about_nuls(text))
    return WhyBinary(what, pipeline.source.end().failure)


def has_nul_at_start(file: FileBytes) -> bool:
    """Whether the file is binary for a tool that reads UTF-8 alone."""
    return has_nul(file.read_at(0, BINARY_SAMPLE))


def is_its_own_text(data: bytes) -> bool:
    """Whether a file with these contents is a text of the same bytes, also without escape sequences."""
    if b"\0" in data or b"\x1b" in data or data.startswith(UTF_8.bom):
        return False
    try:
        return data.isascii() or bool(data.decode())
    except UnicodeDecodeError:
        return False


def _hint_about_nuls(sample: bytes) -> str | None:
    return "it is text with NULs: give its encoding to read it" if is_text_with_nuls(sample) else None


class FileSource:
    """A file as it is, or what follows its byte order mark."""

    def __init__(self, file: FileBytes, progress: Progress, start: int = 0) -> None:
        self._file = file
        self._progress = progress
        self._start = start
        self._position = 0
        self._end = End(length=file.size - start)

    def read_at(self, offset: int, length: int) -> bytes:
        offset += self._start
        data = self._file.read_at(offset, max(0, min(length, self._file.size - offset)))
        self._position = offset + len(data)
        return data

    def end(self) -> End:
        return self._end

    known_end = end

    def reach(self) -> int:
        return self._end.length

    def report(self) -> None:
        self._progress(self._position, self._file.size)


class _Pipeline:
    """The stages from a file to its text."""

    def __init__(self, file: FileBytes, form: TextForm, progress: Progress) -> None:
        self.source: Source = FileSource(file, progress)
        self.kind = ""
        self._file = file
        self._form = form
        self._progress = progress

    def decompress(self, compression: Compression) -> bool:
        """False if the library is missing."""
        stage = decompression(compression, self._form.max_temporary_bytes)
        if stage is not None:
            self.add(compression.name, stage)
        return stage is not None

    def skip(self, bom: int) -> None:
        self.source = FileSource(self._file, self._progress, bom)
        self.kind = "bom"

    def add(self, name: str, stage: Stage) -> None:
        self.kind = f"{self.kind} {name}".lstrip()
        key = self.kind, "derived", self._form.max_temporary_bytes
        knowledge, size = self._file.knowledge, self._file.size
        state = knowledge.get(key, lambda: State(stage, size))
        if state.size < size:
            state = state.grown(size)
            knowledge.put(key, state)
        elif state.size > size:
            state = State(stage, size)  # a request that was overtaken by another
        self.source = Derived(self.source, state)


class _Detected(NamedTuple):
    format: Format | None
    """None: the file is binary."""
    size: int
    """The size of the file."""
    is_final: bool
    """However the file grows."""
    memory: int = 512


_UNKNOWN = _Detected(None, -1, False)


def _known_format(file: FileBytes, form: TextForm, progress: Progress) -> Format | None:
    key = "format", form._replace(strip_ansi=False)
    detected = file.knowledge.get(key, lambda: _UNKNOWN)
    if not (detected.is_final or detected.size == file.size):
        detected = _detect_format(file, form, progress)
        file.knowledge.put(key, detected)
    return detected.format


def _unpacked_sample(pipeline: _Pipeline, compression: Compression) -> bytes | None:
    """How the decompressed text begins; None if it cannot be read."""
    if not pipeline.decompress(compression):
        return None
    sample = pipeline.source.read_at(0, SAMPLE)
    end = End() if sample else pipeline.source.end()
    # A file that only ends early may be a log of which nothing but the header was written so far.
    return sample if end.failure is None or end.is_unfinished else None


def _detect_format(file: FileBytes, form: TextForm, progress: Progress) -> _Detected:
    pipeline = _Pipeline(file, form, progress)
    sample = pipeline.source.read_at(0, SAMPLE)
    compression = compression_of(sample) if form.decompress else None
    if compression is not None:
        unpacked = _unpacked_sample(pipeline, compression)
        if unpacked is None:
            return _Detected(None, file.size, True)
        sample = unpacked
    is_whole = len(sample) < SAMPLE
    encoding = form.encoding
    if encoding is None and not (compression and compression_of(sample)):
        encoding = detect(sample, is_whole=is_whole, candidates=form.candidates)
    has_bom = encoding is not None and encoding.bom != b"" and sample.startswith(encoding.bom)
    found = Format(encoding, has_bom, compression) if encoding else None
    return _Detected(found, file.size, not is_whole)
