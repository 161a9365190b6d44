"""`forge-read list`: what is in a folder, one name a line."""

from argparse import Namespace

from attrs import evolve

from forge_daemon.requests.list_folder import Listed, folder_roots, list_entries, listing_scope, size_text
from forge_daemon.requests.list_folder import list_folder as answer_of
from forge_daemon.requests.tree_search import Position
from forge_daemon.rpc.json_text import encode
from forge_protocol.conversion import unstructure
from forge_protocol.list_folder import ListParams

from .files import for_each, locate_folder
from .output import Output
from .parser import UsageError
from .progress import Progress

_PAGE = 1000


def list_folder(options: Namespace) -> int:
    if len(options.paths) > 1:
        raise UsageError(f"unexpected argument {options.paths[1]!r}")
    output = Output()
    print_list = _print_json if options.json else _print_names
    return for_each(options.paths or ["."], lambda word: print_list(word, options, output))


def _print_json(word: str, options: Namespace, output: Output) -> None:
    _, reader, path = locate_folder(word)
    params = ListParams(path=path, glob=options.glob, depth=options.depth, limit=_PAGE)
    while True:
        with Progress() as progress:
            answer = answer_of(reader, params, progress)
        output.write_json(encode(unstructure(answer)))
        output.flush()
        if answer.next_cursor is None:
            return
        params = evolve(params, cursor=answer.next_cursor)


def _print_names(word: str, options: Namespace, output: Output) -> None:
    _, reader, path = locate_folder(word)
    roots, scope = folder_roots(reader, path), listing_scope(options.glob, options.depth)
    position: Position | None = Position()
    while position is not None:
        with Progress() as progress:
            listing = list_entries(reader, roots, scope, position, _PAGE, progress)
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
