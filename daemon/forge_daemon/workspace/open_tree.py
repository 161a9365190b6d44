"""Directories of the open folders: where walks begin, and the files that they come to.

The checks of a read hold for a directory, and for each of the files.
"""

from collections import Counter
from collections.abc import Callable

from forge_daemon.reading.files.disk import DiskFile, read_small
from forge_daemon.reading.texts.opening import is_its_own_text
from forge_protocol.errors import ErrorCode, ReadError

from .folder import Place, innermost, normal_path, split_anchor
from .location import folder_called, in_named_folder, is_inside_another, locate, require_folder
from .open_file import OpenFile, unreadable
from .policies import Rules
from .reader import Reader
from .sandbox import open_place, open_unlinked, require_regular_file
from .tree import Kind, Scope, TreeEntry, TreeRoot, TreeWalk, beneath
from .walk import release


def tree_roots(reader: Reader, path: str | None, workspace_folder: str | None = None) -> list[TreeRoot]:
    """The directories that a path means; without a path, the open folders. May block.

    Raises the error of the first place if there is none: `NOT_FOUND` for a file, as nothing is below it.
    """
    folders = reader.folders
    if path is None:
        if workspace_folder is not None:
            folders = (folder_called(workspace_folder, folders),)
        require_folder(folders)
        places = [Place(folder, "") for folder in folders if not is_inside_another(folder, folders)]
    else:
        given = locate(path, folders, workspace_folder)
        named = in_named_folder(path, folders) if workspace_folder is None else []
        places = list({place.absolute: place for place in (*given, *named)}.values())
    roots: list[TreeRoot] = []
    errors: list[ReadError] = []
    for place in places:
        try:
            roots.append(tree_root(reader, place))
        except ReadError as error:
            errors.append(error.at(place.relative))
    if roots:
        return roots
    raise next((error for error in errors if error.code != ErrorCode.NOT_FOUND), errors[0])


def tree_root(reader: Reader, place: Place) -> TreeRoot:
    """The directory at a place."""
    _check_directory(reader, place, asked=place)
    opened = open_place(place._replace(must_be_directory=True), reader.folders)
    release(opened.fd)
    target = opened.leads_to or place
    _check_directory(reader, target, asked=place)
    return TreeRoot(place._replace(must_be_directory=False), target._replace(must_be_directory=False))


def _check_directory(reader: Reader, place: Place, asked: Place) -> None:
    """Raise `POLICY_DENIED` if nothing below a directory may be read."""
    policy = reader.policies.for_tree(place.folder)
    if policy.denies_all_below(place.relative):
        denial = policy.denial(_as_directory(place).relative)
        if denial is not None:
            raise denial.error(place.relative, asked.relative)


def walk_tree(
    reader: Reader, root: TreeRoot, scope: Scope, deadline: float, proceed: Callable[[], None] = lambda: None
) -> TreeWalk:
    folders = dict.fromkeys((root.place.folder, root.target.folder))
    policies = [reader.policies.for_tree(folder) for folder in folders]
    if len(policies) == 1 and root.place.relative != root.target.relative:
        policies *= 2
    return TreeWalk(root, scope, policies, deadline, proceed)


def count_entries(reader: Reader, root: TreeRoot) -> tuple[Counter[Kind], Counter[str]]:
    """How many entries a listing of the root shows, by kind, and how many it does not, by reason. May block."""
    directory = open_place(root.place._replace(must_be_directory=True), reader.folders).fd
    try:
        walk = walk_tree(reader, root, Scope(), 0)
        return walk.count(directory), walk.skipped
    except OSError as error:
        raise unreadable(error, root.place.relative) from None
    finally:
        release(directory)


def open_tree_entry(reader: Reader, root: TreeRoot, found: TreeEntry, rules: Rules) -> OpenFile:
    """Open a file that a walk came to; its name was checked already. A link in its place now is not followed.

    `rules` are those of the root's folder.
    """
    place, target = root.places_of(found.relative)
    if (document := reader.document_at(place, target)) is not None:
        return OpenFile(place, target, rules, document.snapshot(None))
    try:
        disk = DiskFile(open_unlinked(found.entry.name, found.directory), None)
    except OSError as error:
        raise unreadable(error, place.relative) from None
    try:
        require_regular_file(disk.status, place)
    except ReadError:
        disk.close()
        raise
    return OpenFile(place, target, rules, disk)


def text_at_once(reader: Reader, root: TreeRoot, found: TreeEntry, rules: Rules) -> bytes | None:
    """All of a file that a walk came to, if it is small, on disk, and UTF-8 as it is; None for any other.

    What such a file says at this moment, with the checks of `open_tree_entry` and of its contents. Most files of a
    search are looked at like this, and never opened again.
    """
    if reader.documents and reader.document_at(*root.places_of(found.relative)) is not None:
        return None
    try:
        fd = open_unlinked(found.entry.name, found.directory)
        try:
            data = read_small(fd)
        finally:
            release(fd)
    except OSError as error:
        raise unreadable(error, found.relative) from None
    if data is None or not is_its_own_text(data):
        return None
    for start in {root.place.relative, root.target.relative}:
        path = beneath(start, found.relative)
        rules.policy.check_contents(path, lambda length: data[:length], asked=path)
    return data


def link_target(reader: Reader, place: Place, written: str) -> str | None:
    """Where a link at a place leads, for an answer: nothing outside the folders is named, and nothing denied."""
    is_absolute = bool(split_anchor(written)[0])
    above = place.relative.rpartition("/")[0]
    path = normal_path(written if is_absolute else f"{place.folder.root}/{above}/{written}")
    target = innermost(path, reader.folders)
    if target is None or not (reader.policies.allows(target) and reader.policies.allows(_as_directory(target))):
        return None
    return target.relative or "." if is_absolute else written


def _as_directory(place: Place) -> Place:
    return place._replace(relative=f"{place.relative}/" if place.relative else "")
