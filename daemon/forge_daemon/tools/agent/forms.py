"""How a file is opened for a model: decompressed, without terminal escape sequences, in the encoding it names."""

import json
from collections.abc import Callable
from typing import NamedTuple

from forge_daemon.reading.files.file_bytes import FileBytes
from forge_daemon.reading.texts.encodings.encoding import UTF_8
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.requests.request import open_target
from forge_daemon.requests.text_form import AUTO, text_form, with_settings
from forge_daemon.workspace.open_file import Member, OpenFile
from forge_daemon.workspace.reader import Reader, Target
from forge_daemon.workspace.settings import Settings
from forge_protocol.errors import ErrorCode, ReadError, forget_frames

from .answer import Answer
from .notebook import as_cells
from .text import plural

_MAX_NAMED = 8
"""Files that are left out."""
RAW = "raw"
"""As an encoding: a notebook is read as the file that it is."""


class FileForModel(NamedTuple):
    name: str
    file: FileBytes
    form: TextForm
    note: str
    """For the header: what was made of the file."""


def form_for_models(encoding: str | None) -> TextForm:
    """Raises `INVALID_ARGUMENT` if there is no such encoding."""
    return text_form(AUTO if encoding in (None, RAW) else encoding or AUTO, ansi="strip")


def file_for_model(name: str, file: FileBytes, form: TextForm, settings: Settings, *, raw: bool) -> FileForModel:
    """The file in the form in which its lines are counted."""
    cells = None if raw else as_cells(name, file)
    if cells is None:
        return FileForModel(name, file, with_settings(form, settings), "")
    # Its lines are not those of the file.
    return FileForModel(name, cells, form._replace(encoding=UTF_8), " notebook as cells, encoding raw: its JSON")


def read_for_model(file: OpenFile, read: Callable[[FileBytes, int], Answer], max_chars: int) -> Answer:
    """What `read` makes of the file in so many characters, and which files of a rotated set are left out."""
    answer = file.read(lambda snapshot: read(snapshot, max_chars))
    left_out = _left_out(file.members or [])
    if left_out is None:
        return answer
    room = max_chars - len(left_out) - 1
    if len(answer) > room:
        answer = file.read(lambda snapshot: read(snapshot, room))
    return answer.with_second_line(left_out)


def _left_out(members: list[Member]) -> str | None:
    """As far as it is known: an older file is only opened for its lines."""
    named = [f"{member.path.rpartition('/')[2]} ({member.reason})" for member in members if member.reason is not None]
    more = f", and {len(named) - _MAX_NAMED:,} more" if len(named) > _MAX_NAMED else ""
    return f"[left out, or the rest of it: {', '.join(named[:_MAX_NAMED])}{more}]" if named else None


def files_note(file: FileBytes) -> str:
    """For the header, once its lines were read: how many files of a rotated set could be read."""
    return f" {plural(sum(member.reason is None for member in file.members), 'file')}" if file.is_set else ""


def open_for_model(reader: Reader, target: Target) -> OpenFile:
    """Open the file. If there is none, the error says what to call next."""
    try:
        return open_target(reader, target)
    except ReadError as error:
        other = as_meant(target.path)
        if other not in ("", target.path) and error.code in (ErrorCode.NOT_FOUND, ErrorCode.SANDBOX_VIOLATION):
            return _open_instead(reader, target._replace(path=other), error)
        if error.code == ErrorCode.NOT_FOUND and error.hint is None:
            error.hint = 'read "." lists the files'
        raise


def from_shown(name: str) -> str:
    """A name with control characters, which was shown as JSON has it (`folders.shown`). Any other is as it is."""
    if not name.startswith('"'):
        return name
    try:
        meant = json.loads(name)
    except ValueError:
        return name
    return meant if isinstance(meant, str) and not meant.isprintable() else name


def as_meant(path: str) -> str:
    """A name as it was shown, or a path with other separators.

    Models write `/src/app.py` for a path from the root of the workspace, and `src\\\\app.py` on any system.
    """
    if (name := from_shown(path)) != path:
        return name
    return path.replace("\\", "/").lstrip("/")


def _open_instead(reader: Reader, target: Target, error: ReadError) -> OpenFile:
    """Open the file that was probably meant. If there is none, raise whichever error says more."""
    try:
        return open_for_model(reader, target)
    except ReadError as other:
        if other.code in (ErrorCode.NOT_FILE, ErrorCode.POLICY_DENIED) or "did you mean" in (other.hint or ""):
            raise
        forget_frames(other)
        raise error from None
