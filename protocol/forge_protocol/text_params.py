"""What requests about one text have in common: which file, and how its bytes are interpreted."""

from typing import Literal

from attrs import define

from .fields import ProgressToken


@define(kw_only=True)
class TextParams:
    """Which file, and in what form."""

    path: str
    """As in `forge/readFile`."""
    workspace_folder: str | None = None
    """As in `forge/readFile`."""
    source: Literal["auto", "disk", "buffer", "unsaved"] = "auto"
    """As in `forge/readFile`."""
    encoding: str = "auto"
    """As in `forge/readFile`."""
    ansi: Literal["keep", "strip"] = "keep"
    """As in `forge/readFile`. Columns and matches are those of the text without escape sequences, too."""
    decompress: Literal["auto", "never"] = "auto"
    """As in `forge/readFile`."""
    rotated: bool = False
    """As in `forge/readFile`."""
    work_done_token: ProgressToken | None = None
    """LSP's own: report progress under this token if it takes long."""
