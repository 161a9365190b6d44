"""Hints for the user of a terminal, after a file was printed."""

from forge_daemon.reading.sources.source import Progress, Source
from forge_daemon.reading.text import TextForm, open_text
from forge_daemon.reading.windows.facts import count_lines
from forge_daemon.tools.agent.forms import fitting_encodings, is_malformed
from forge_daemon.tools.agent.text import plural
from forge_daemon.workspace.open_file import OpenFile

from .errors import complain


def advise_encoding(name: str, malformed: int, file: OpenFile, form: TextForm, progress: Progress) -> None:
    """Say which encoding may be the right one. `name` is the path as the user wrote it."""

    def fitting(source: Source) -> str:
        return fitting_encodings(open_text(source, form, progress) or source)

    sequences = plural(malformed, "malformed sequence")
    complain(f"{name}: {sequences} shown as \ufffd", f"try --encoding {file.read(fitting, progress)}")


def advise_search(name: str, file: OpenFile, form: TextForm, progress: Progress) -> None:
    """Say so if there may be no match only because the encoding is wrong."""

    def fitting(source: Source) -> str | None:
        text = open_text(source, form, progress)
        return fitting_encodings(text) if text is not None and is_malformed(text) else None

    if (encodings := file.read(fitting, progress)) is not None:
        complain(f"{name}: no match, but its text is not valid UTF-8", f"try --encoding {encodings}")


def tell_the_end(name: str, line: int, file: OpenFile, form: TextForm, progress: Progress) -> None:
    """Say why nothing was printed."""
    total = file.read(lambda source: count_lines(source, progress, form=form), progress)
    complain(f"{name}: line {line:,} is past the end ({plural(total, 'line')})")
