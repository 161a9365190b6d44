"""Says which encoding may be the right one for a file that was printed with malformed text."""

from forge_daemon.reading.sources.source import Progress, Source
from forge_daemon.reading.text import TextForm, open_text
from forge_daemon.tools.agent.forms import fitting_encodings
from forge_daemon.tools.agent.text import plural
from forge_daemon.workspace.open_file import OpenFile

from .errors import complain


def advise(name: str, malformed: int, file: OpenFile, form: TextForm, progress: Progress) -> None:
    """`name` is the path as the user wrote it."""

    def fitting(source: Source) -> str:
        return fitting_encodings(open_text(source, form, progress) or source)

    sequences = plural(malformed, "malformed sequence")
    complain(f"{name}: {sequences} shown as \ufffd", f"try --encoding {file.read(fitting, progress)}")
