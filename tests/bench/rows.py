"""All rows, in the order they are measured and shown."""

from . import (
    background,
    filtering,
    growth,
    large_files,
    live,
    logs,
    memory,
    neovim,
    round_trips,
    searching,
    start_up,
    texts,
    vscode,
)
from .row import Row

ROWS: list[Row] = [
    *round_trips.ROWS,
    *large_files.ROWS,
    *searching.ROWS,
    *filtering.ROWS,
    *logs.ROWS,
    *texts.ROWS,
    *background.ROWS,
    *start_up.ROWS,
    *growth.ROWS,
    *live.ROWS,
    # The daemon's memory is judged after everything else that is asked of it.
    *memory.ROWS,
    *neovim.ROWS,
    *vscode.ROWS,
]
