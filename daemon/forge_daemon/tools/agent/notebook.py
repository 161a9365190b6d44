"""A Jupyter notebook as its cells: what a person sees of it, without the JSON around it and the pictures in it."""

import json
from collections.abc import Iterator
from typing import Any

from forge_daemon.reading.files.file_bytes import FileBytes, Knowledge

NOTEBOOK = ".ipynb"
MAX_BYTES = 64 * 1024 * 1024
"""A longer file is read as it is."""
MAX_OUTPUT_LINES = 10
MAX_OUTPUT_CHARACTERS = 1_000


def as_cells(name: str, file: FileBytes) -> FileBytes | None:
    """The cells of a notebook as a text; None if the file is not one."""
    if not name.lower().endswith(NOTEBOOK) or file.size > MAX_BYTES:
        return None
    try:
        notebook = json.loads(file.read_at(0, file.size))
        text = "\n".join(_lines(notebook["cells"])) + "\n"
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    data = text.encode(errors="replace")
    return file._replace(
        size=len(data),
        read_at=lambda offset, length: data[offset : offset + length],
        knowledge=Knowledge(),
        key=b"",
    )


def _lines(cells: list[dict[str, Any]]) -> Iterator[str]:
    for number, cell in enumerate(cells, 1):
        yield f"[cell {number} {cell['cell_type']}]"
        yield from _joined(cell["source"]).removesuffix("\n").split("\n")
        for output in cell.get("outputs", ()):
            yield from _output(output)
    if not cells:
        yield "[no cells]"


def _output(output: dict[str, Any]) -> Iterator[str]:
    if output["output_type"] == "stream":
        yield from _in_short(_joined(output["text"]), "output")
    elif output["output_type"] == "error":
        yield from _in_short(f"{output['ename']}: {output['evalue']}", "error")
    else:
        for kind, data in output["data"].items():
            if kind == "text/plain":
                yield from _in_short(_joined(data), "output")
            elif kind.startswith("image/"):
                yield f"[picture {kind.removeprefix('image/')}]"


def _in_short(text: str, what: str) -> Iterator[str]:
    lines = text.removesuffix("\n").split("\n")
    shown = "\n".join(lines[:MAX_OUTPUT_LINES])[:MAX_OUTPUT_CHARACTERS]
    yield f"[{what}]"
    yield from shown.split("\n")
    if omitted := len(text.removesuffix("\n")) - len(shown):
        yield f"[{what}: {omitted:,} more characters]"


def _joined(text: str | list[str]) -> str:
    """A text, or its lines."""
    return text if isinstance(text, str) else "".join(text)
