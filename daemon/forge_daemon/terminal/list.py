"""`forge-read list`: what is in a folder, one name a line."""

import os
from argparse import Namespace

from forge_daemon.requests.list_folder import Listed, folder_roots, list_entries, listing_scope, size_text
from forge_daemon.requests.tree_search import Position

from .files import for_each, locate_folder
from .output import Output
from .parser import require_at_most_one
from .progress import Progress

PAGE = 1000


def list_folder(options: Namespace) -> int:
    require_at_most_one(options.paths)
    options.paths = options.paths or [os.curdir]
    if options.json:
        from .json_answers import list_json

        return list_json(options)
    output = Output()
    return for_each(options.paths, lambda word: _print_names(word, options, output))


def _print_names(word: str, options: Namespace, output: Output) -> None:
    _, reader, path = locate_folder(word)
    roots, scope = folder_roots(reader, path), listing_scope(options.glob, options.depth)
    position: Position | None = Position()
    while position is not None:
        with Progress() as progress:
            listing = list_entries(reader, roots, scope, position, PAGE, progress)
        for entry in listing.entries:
            name = output.named(entry.path)
            output.write(f"{name}{output.dimmed(_about(entry, output))}\n" if output.is_terminal else f"{name}\n")
        output.flush()
        position = listing.next


def _about(entry: Listed, output: Output) -> str:
    if entry.kind == "link":
        return "" if entry.target is None else f" -> {output.named(entry.target)}"
    if entry.kind == "folder":
        return "" if entry.entry_count is None else f" {entry.entry_count:,}"
    return "" if entry.byte_length is None else f" {size_text(entry.byte_length)}"
