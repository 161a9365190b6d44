"""Searching the files of a folder on the command line."""

import os
from collections import Counter
from collections.abc import Callable
from math import inf

from forge_daemon.requests.text_form import AUTO, text_form, with_settings
from forge_daemon.requests.tree_search import MAX_FILE_BYTES
from forge_daemon.workspace.open_tree import open_tree_entry, text_at_once, tree_roots, walk_tree
from forge_daemon.workspace.tree import Scope
from forge_protocol.errors import ErrorCode, ReadError

from .errors import report
from .files import locate_folder
from .output import flush
from .progress import Progress
from .windows import TextFile

_SKIPPED = {ErrorCode.BINARY_NOT_SUPPORTED: "binary or compressed", ErrorCode.POLICY_DENIED: "denied"}


def search_folder(
    word: str, encoding: str | None, search: Callable[[TextFile], object], may_match: Callable[[bytes], bool]
) -> Counter[str]:
    """Call `search` for each file of a folder. Returns how many were skipped, by reason. An empty word is "here".

    `may_match` tells by the contents of a plain file whether it is worth searching.
    """
    form = text_form(encoding or AUTO, "never", "strip")
    _, reader, path = locate_folder(word or os.curdir)
    above = f"{word.rstrip('/')}/" if word else ""
    skipped: Counter[str] = Counter()
    (root,) = tree_roots(reader, path)
    rules = reader.policies.of(root.place.folder)
    form = with_settings(form, rules.settings)
    walk = walk_tree(reader, root, Scope(as_git=True), inf)
    with Progress() as progress:
        for found in walk.entries(reader.folders):
            if not found.entry.is_file:
                continue
            name = f"{above}{found.relative}"
            try:
                if encoding is None and not _may_match(text_at_once(reader, root, found, rules), may_match):
                    continue
                with open_tree_entry(reader, root, found, rules) as file:
                    if file.identity is not None and file.identity.size > MAX_FILE_BYTES:
                        skipped["too large"] += 1
                    else:
                        search(TextFile(name, file, form, progress))
            except ReadError as error:
                if error.code not in _SKIPPED:
                    flush()
                    report(error, name)
                skipped[_SKIPPED.get(error.code, "unreadable")] += 1
    del walk.skipped["ignored"], walk.skipped["special"]  # as is expected of a search
    return skipped + walk.skipped


def _may_match(text: bytes | None, may_match: Callable[[bytes], bool]) -> bool:
    """Whether to search a file, by its text if that is known."""
    return text is None or may_match(text)
