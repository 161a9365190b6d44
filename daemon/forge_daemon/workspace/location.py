"""Which places in the open folders a path may mean. Works on text, except for resolving the folders' roots."""

from collections.abc import Sequence

from forge_protocol.errors import ErrorCode, ReadError, invalid_argument

from . import windows
from .folder import (
    Folder,
    Place,
    check_encodable,
    decoded_file_uri,
    innermost,
    is_file_uri,
    normal_path,
    path_from_uri,
    relative_to,
    split_anchor,
)
from .policy import denial_outside

_MAX_CHARACTERS = 1024 * 1024
"""Of a relative path, once for each folder that it may lie in: judging them takes time in proportion."""


def locate(path: str, folders: Sequence[Folder], workspace_folder: str | None = None) -> list[Place]:
    """Every place `path` may mean, at least one.

    A relative path means one place per folder; where its `..` climb out of a folder, the place in the open
    folder they land in, if any. An absolute path or `file:` URI means one place, in the innermost folder.
    `workspace_folder`, a name or URI, leaves only that folder to start from.
    """
    if not path:
        raise invalid_argument("the path is empty")
    check_encodable(path)
    require_folder(folders)
    bases = folders if workspace_folder is None else [folder_called(workspace_folder, folders)]
    literal = decoded_file_uri(path) if is_file_uri(path) else path
    anchor, rest = split_anchor(literal)
    places = _absolute(literal, bases, folders) if anchor else _relative(rest, bases, folders)
    must_be_directory = rest.rpartition("/")[2] in ("", ".", "..")
    if windows.ACTIVE:
        _refuse_windows_names(places)
    return [place._replace(must_be_directory=True) for place in places] if must_be_directory else places


def require_folder(folders: Sequence[Folder]) -> None:
    if not folders:
        raise ReadError(
            ErrorCode.SANDBOX_VIOLATION,
            "no workspace folder is open",
            hint="open a folder first: only files inside an open workspace folder can be read",
        )


def is_inside_another(folder: Folder, folders: Sequence[Folder]) -> bool:
    """Whether a walk through all folders meets this one below another; of two with the same root, the first stays."""
    position = folders.index(folder)
    return any(
        (within := relative_to(other.root, folder.root)) is not None and (within or index < position)
        for index, other in enumerate(folders)
        if index != position
    )


def lexical_name(path: str, folders: Sequence[Folder]) -> str | None:
    """The name of a path for errors, from its text alone. None if it lies outside or is not valid."""
    try:
        check_encodable(path)
        literal = decoded_file_uri(path) if is_file_uri(path) else path
    except ReadError:
        return None
    if not literal or not folders:
        return None
    if not split_anchor(literal)[0]:
        within = (relative_to(folder.root, normal_path(f"{folder.root}/{literal}")) for folder in folders)
        return next((name for name in within if name is not None), literal)
    absolute = normal_path(literal)
    within = (relative_to(folder.root, absolute) for folder in folders)
    return min((name for name in within if name is not None), key=len, default=None)


def _absolute(path: str, bases: Sequence[Folder], folders: Sequence[Folder]) -> list[Place]:
    normal = normal_path(path)
    place = innermost(normal, bases)
    if place is not None:
        return [place]
    if innermost(normal, folders) is not None:
        raise invalid_argument(f"the path is not inside the workspace folder {_named(bases)}")
    raise _outside(None, [normal], folders)


def _relative(path: str, bases: Sequence[Folder], folders: Sequence[Folder]) -> list[Place]:
    if len(path) * len(bases) > _MAX_CHARACTERS:
        raise invalid_argument(
            f"the path is too long to be tried in {len(bases):,} workspace folders",
            hint="say which folder is meant (workspace_folder), or give the absolute path",
        )
    places: dict[Place, None] = {}
    normals: list[str] = []
    for base in bases:
        normals.append(normal := normal_path(f"{base.root}/{path}"))
        within = relative_to(base.root, normal)
        place = Place(base, within) if within is not None else innermost(normal, folders)
        if place is not None:
            places[place] = None
    if not places:
        raise _outside(path, normals, folders)
    return list(places)


def in_named_folder(path: str, folders: Sequence[Folder]) -> list[Place]:
    """The places of a relative path that begins with a folder's name, if several folders are open."""
    anchor, rest = split_anchor(path)
    if len(folders) < 2 or anchor or is_file_uri(path):
        return []
    normal = normal_path(f"/{rest}").lstrip("/")
    ending = "/" if rest.rpartition("/")[2] in ("", ".", "..") else ""
    if ".." in rest.split("/") and normal_path(f"/-/{rest}") != normal_path(f"/-/{normal}"):
        return []  # it leads out
    places = []
    for folder in folders:
        if f"{normal}/".startswith(f"{folder.name}/"):
            try:
                places += locate(f"./{normal[len(folder.name) + 1 :]}{ending}", folders, folder.uri)
            except ReadError:
                continue
    return places


def folder_called(wanted: str, folders: Sequence[Folder]) -> Folder:
    root = path_from_uri(wanted)
    for folder in folders:
        if folder.uri == wanted or (root is not None and relative_to(folder.root, root) == ""):
            return folder
    called = [folder for folder in folders if folder.name == wanted]
    if not called:
        raise invalid_argument(f"no open workspace folder is called {wanted!r}; open: {_named(folders)}")
    if len(called) > 1:
        raise invalid_argument(
            f"{len(called)} open workspace folders are called {wanted!r}: use the URI of the one you mean"
        )
    return called[0]


def _refuse_windows_names(places: list[Place]) -> None:
    for place in places:
        for name in filter(None, place.relative.split("/")):
            fault = windows.fault_in_name(name)
            if fault is not None:
                raise invalid_argument(f"{name!r} cannot be read: {fault}", path=place.relative)


def _outside(asked: str | None, paths: Sequence[str], folders: Sequence[Folder]) -> ReadError:
    """Policy comes first here too. It judges the text alone, so that nothing outside is revealed."""
    hint = f"open: {_named(folders)}"
    reason = "the path leads out of every open workspace folder"
    denial = next(filter(None, map(denial_outside, paths)), None)
    if denial is None:
        return ReadError(ErrorCode.SANDBOX_VIOLATION, reason, path=asked, hint=hint)
    denied = f"reading it is denied by the {denial.reason}"
    return ReadError(ErrorCode.POLICY_DENIED, denied, path=asked, hint=f"{reason}; {hint}")


def _named(folders: Sequence[Folder]) -> str:
    return ", ".join(repr(folder.name) for folder in folders)
