"""All rows, in the order they are measured and shown."""

from . import background, growth, large_files, memory, round_trips, start_up
from .row import Row

ROWS: list[Row] = [
    *round_trips.ROWS,
    *large_files.ROWS,
    *background.ROWS,
    *start_up.ROWS,
    *growth.ROWS,
    # Memory comes last: it is judged after everything else.
    *memory.ROWS,
]
