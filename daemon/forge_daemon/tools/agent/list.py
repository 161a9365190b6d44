"""The tool `list` of toolset `agent`."""

from forge_daemon.reading.files.file_bytes import Progress
from forge_daemon.requests.list_folder import Listed, list_entries, listing_scope, size_text
from forge_daemon.tools.tool import Tool
from forge_daemon.workspace.hints import full_name
from forge_daemon.workspace.open_tree import count_entries
from forge_daemon.workspace.reader import Reader
from forge_protocol.agent_tools import AGENT_DEFINITIONS, AgentListArguments
from forge_protocol.errors import shortened

from .answer import Answer
from .folders import Folders, max_chars_of, only_folders_at, position_after, shown
from .text import plural

_RESERVED_CHARACTERS = 100
"""For what is around names in the first and the last line."""
_NOT_TO_BE_READ = "(not readable)"


def list_folder(
    reader: Reader, arguments: AgentListArguments, progress: Progress, *, go_on: str = "start_after"
) -> Answer:
    """`go_on`: how an answer that does not hold all says to continue, without the name."""
    folders = only_folders_at(reader, arguments.path)
    scope = listing_scope(folders.glob, arguments.depth)
    max_chars = max_chars_of(reader, folders.roots, arguments.max_chars)
    if len(folders.roots) > 1 and folders.glob is None:
        return _roots(reader, folders)
    start = position_after(reader, folders.roots, arguments.start_after)
    listing = list_entries(reader, folders.roots, scope, start, arguments.limit, progress)
    above = {root: _above(full_name(reader, root.place)) for root in folders.roots}
    # A folder's names stand below its own, which the first line has; what a glob matches may be anywhere.
    named = [
        (_line(entry, above[entry.root] if folders.glob else ""), shown(above[entry.root] + entry.path))
        for entry in listing.entries
    ]
    after = None if listing.next is None else above[folders.roots[listing.next.root]] + listing.next.after
    return _page(_header(reader, arguments, folders, listing.entries), named, after, max_chars, go_on)


def _above(name: str) -> str:
    return "" if name == "." else f"{name}/"


def _roots(reader: Reader, folders: Folders) -> Answer:
    lines = [f"{full_name(reader, root.place)}/ {count_entries(reader, root)[0].total():,}" for root in folders.roots]
    return Answer.of([f"[{plural(len(lines), 'folder')}]", *lines])


def _page(header: str, named: list[tuple[str, str]], after: str | None, max_chars: int, go_on: str) -> Answer:
    """As many lines as fit. Each comes with the path of its entry; `after`: where the listing ended."""
    lines, left = [header], max_chars - len(header) - _RESERVED_CHARACTERS
    last = ""
    for line, path in named:
        left -= len(line) + len(path) - len(last) + 1
        if left < 0 and last:
            return Answer.of([*lines, f"[more: {go_on} {last}]"])
        lines.append(line)
        last = path
    if after is not None:
        lines.append(f"[more: {go_on} {shown(after)}]")
    return Answer.of(lines)


def _header(reader: Reader, arguments: AgentListArguments, folders: Folders, entries: list[Listed]) -> str:
    if folders.glob is not None:
        return f"[{shortened(shown(arguments.path or ''))}{'' if entries else ' no match'}]"
    (root,) = folders.roots
    name, (kinds, skipped) = shown(full_name(reader, root.place)), count_entries(reader, root)
    counts = [plural(kinds[kind], kind) for kind in ("folder", "file", "link") if kinds[kind]]
    if skipped["special"]:
        counts.append(f"{skipped['special']:,} not listed (FIFO, socket or device)")
    after = f" after {shortened(shown(arguments.start_after))}" if arguments.start_after and not entries else ""
    if not counts:
        return f"[{name} {'has only what is denied' if skipped['denied'] else 'is an empty folder'}]"
    return f"[{name} {', '.join(counts)}{f'; none{after}' if after else ''}]"


def _line(entry: Listed, above: str) -> str:
    name = shown(above + entry.path)
    if entry.kind == "link":
        return f"{name} -> {_NOT_TO_BE_READ if entry.target is None else shown(entry.target)}"
    if entry.kind == "folder":
        return name if entry.entry_count is None else f"{name} {entry.entry_count:,}"
    return name if entry.byte_length is None else f"{name} {size_text(entry.byte_length)}"


AGENT_LIST = Tool(AGENT_DEFINITIONS["list"], AgentListArguments, list_folder)
