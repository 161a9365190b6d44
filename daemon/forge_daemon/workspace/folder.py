"""Workspace folders, places in them, and how `file:` URIs and paths name them.

Everything is text, except for resolving a folder's root. Paths are absolute with `/` between names on every system,
without a trailing `/` unless nothing is before it (`/`, `C:/`).
"""

import os
import re
import sys
from collections.abc import Callable, Sequence
from threading import Lock
from typing import NamedTuple

from forge_daemon.daemon_threads import with_timeout
from forge_protocol.errors import ErrorCode, ReadError, invalid_argument

from . import windows

URI_SCHEME = "file:"
MAX_PATH_CHARACTERS = 32 * 1024
"""More than any system takes. Without a limit, judging one path could delay every other request."""
PATIENCE_SECONDS = 1.0
"""Longer than storage that works takes to answer."""
MAX_USERS = 96
"""Requests that use the storage of one folder at the same time. Only a few of them are quick ones."""
_LITERAL_IN_URI = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")


class Folder:
    """One open workspace folder."""

    def __init__(self, name: str, root: str, uri: str) -> None:
        self.name = name
        self.root = root
        """Absolute, as the client gave it: links in it are the user's own choice."""
        self.uri = uri
        self.is_open = True
        """False once the client has closed it."""
        self.resolved_root: str | None = None
        """The root with its links resolved when the folder was first used; None until then."""
        self.resolved_volume: tuple[int, str] | None = None
        """On Windows also the volume, and its own name for the directory."""
        self._key = name, root, uri
        self._lock = Lock()
        self.in_use = _InUse()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Folder) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"Folder{self._key!r}"

    @property
    def real_root(self) -> str:
        """The root with its links resolved: once, so that a link put in its place later has no effect. May block."""
        if (resolved := self.resolved_root) is None:
            resolved = real_path(self.root)
            with self._lock:  # whoever comes first
                resolved = self.resolved_root = self.resolved_root or resolved
        return resolved

    @property
    def root_or_timeout(self) -> str:
        """The resolved root, or the root as given if its storage does not answer in time."""
        return self.resolved_root or with_timeout(lambda: self.real_root, PATIENCE_SECONDS, self.root) or self.root


class _InUse:
    """While a request uses a folder's storage. If that is dead, it cannot use up all threads of the process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._users = 0

    def __enter__(self) -> None:
        with self._lock:
            if self._users == MAX_USERS:
                raise ReadError(
                    ErrorCode.INTERNAL,
                    f"{MAX_USERS} requests are already waiting for the storage of this workspace folder",
                    retriable=True,
                )
            self._users += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._users -= 1


class Place(NamedTuple):
    """A path in a workspace folder, whether or not it exists."""

    folder: Folder
    relative: str
    """Lexically normalised, `/` between names, never above the folder; `""` is the folder itself."""
    must_be_directory: bool = False
    """The path asked for ended in `/`, so that a file would be the wrong thing."""

    @property
    def spelling(self) -> str:
        """The path for the operating system, relative to the folder's root."""
        path = self.relative or "."
        return f"{path}/" if self.must_be_directory else path

    @property
    def absolute(self) -> str:
        return f"{self.folder.root.rstrip('/')}/{self.relative}".rstrip("/") or "/"


def folder_from_uri(uri: str, name: str | None = None) -> Folder:
    """A client's workspace folder. Without a name it is named after its last path component."""
    if not is_file_uri(uri):
        raise invalid_argument("a workspace folder must be a file: URI")
    try:
        root = path_of_file_uri(uri)
    except ReadError as fault:
        raise invalid_argument(f"the workspace folder cannot be used: {fault.reason}") from None
    return Folder(name or _last_name(root), root, uri)


def folder_from_path(path: str) -> Folder:
    """The folder at an absolute path of this system."""
    if sys.getfilesystemencoding() != "utf-8":  # patterns would not match the names they were written for
        raise invalid_argument(
            "the locale of this process has file names in another encoding than UTF-8",
            hint="start Python in UTF-8 mode (PYTHONUTF8=1)",
        )
    root = normal_path(path)
    return Folder(_last_name(root), root, _uri_of(root))


def path_from_uri(uri: str) -> str | None:
    """The absolute path a URI names, or None if it names no file on this machine."""
    try:
        return path_of_file_uri(uri) if is_file_uri(uri) else None
    except ReadError:
        return None


def is_file_uri(text: str) -> bool:
    return text[: len(URI_SCHEME)].lower() == URI_SCHEME


def path_of_file_uri(uri: str) -> str:
    """The absolute path a `file:` URI names; a `ReadError` says why it names none."""
    return normal_path(decoded_file_uri(uri))


def decoded_file_uri(uri: str) -> str:
    """The path in a `file:` URI as it is written there: with its `..` and its trailing `/`."""
    check_encodable(uri)
    path, host = uri[len(URI_SCHEME) :], ""
    if "?" in path or "#" in path:
        raise invalid_argument("a file: URI has no query and no fragment: write ? as %3F and # as %23")
    if path.startswith("//"):
        host, slash, path = path[2:].partition("/")
        path = slash + path
    if not path.startswith("/"):
        raise invalid_argument("a file: URI must be absolute, like file:///home/me/notes.txt")
    path = _percent_decoded(path)
    if "\0" in path:
        raise invalid_argument("a path cannot contain a NUL character")
    if host.lower() == "localhost":
        host = ""
    if windows.ACTIVE:
        return windows.path_in_uri(host, path)
    if host:
        raise ReadError(ErrorCode.SANDBOX_VIOLATION, "the URI names a file on another machine")
    return path


def check_encodable(text: str) -> None:
    """Refuse what no path of this system can hold."""
    if len(text) > MAX_PATH_CHARACTERS:
        raise invalid_argument(f"the path is longer than {MAX_PATH_CHARACTERS:,} characters")
    if "\0" in text:
        raise invalid_argument("a path cannot contain a NUL character")
    try:
        # A name on Windows can be half a character. No answer could show it, and no client send it.
        text.encode() if windows.ACTIVE else os.fsencode(text)
    except UnicodeEncodeError:
        raise invalid_argument("the path contains a lone surrogate (half a character)") from None


def split_anchor(path: str) -> tuple[str, str]:
    """Where an absolute path starts, and the rest; a relative path has the anchor `""`."""
    if windows.ACTIVE:
        return windows.split_anchor(windows.with_slashes(path))
    return ("/", path[1:]) if path.startswith("/") else ("", path)


def normal_path(path: str) -> str:
    """An absolute path without `.`, `..`, empty names and, on Windows, backslashes. Links are left alone."""
    anchor, rest = split_anchor(path)
    names: list[str] = []
    for name in rest.split("/"):
        if name == "..":
            del names[-1:]
        elif name not in ("", "."):
            names.append(name)
    return anchor + "/".join(names)


def relative_to(root: str, path: str) -> str | None:
    """`path` relative to `root`, both normal; None if it is not inside. Whole names are compared."""
    above = root.rstrip("/") + "/"
    if not windows.ACTIVE:
        return path[len(above) :] if path.startswith(above) else "" if f"{path}/" == above else None
    names = path.split("/")
    depth = above.count("/")
    if comparable(names[:depth]) != comparable(above.split("/")[:-1]):
        return None
    return "/".join(names[depth:])


def real_path(root: str) -> str:
    """A folder's root with its links resolved (`/tmp` is `/private/tmp` on macOS)."""
    try:
        real = os.path.realpath(root)
    except OSError:  # a link that changes while it is being resolved
        return root
    return normal_path(windows.without_extension(real) if windows.ACTIVE else real)


def innermost(path: str, folders: Sequence[Folder]) -> Place | None:
    """The place of an absolute, normal path: by the roots as given, else by the resolved roots."""
    return _innermost(path, folders, lambda folder: folder.root) or _innermost(
        path, folders, lambda folder: folder.root_or_timeout
    )


def _innermost(path: str, folders: Sequence[Folder], root_of: Callable[[Folder], str]) -> Place | None:
    places = [
        Place(folder, relative) for folder in folders if (relative := relative_to(root_of(folder), path)) is not None
    ]
    return min(places, key=lambda place: len(place.relative), default=None)


def comparable(names: list[str]) -> list[str]:
    """Equal for names that the system treats as the same."""
    return [name.casefold() for name in names] if windows.ACTIVE else names


def _last_name(root: str) -> str:
    return root.rstrip("/").rpartition("/")[2] or root


def _uri_of(root: str) -> str:
    # A drive's colon stays as it is: not every editor knows the drive by `%3A`.
    drive, path = ("", root) if root.startswith("/") else (f"/{root[:2]}", root[2:])
    encoded = "".join(chr(byte) if byte in _LITERAL_IN_URI else f"%{byte:02X}" for byte in os.fsencode(path))
    return f"{URI_SCHEME}{encoded}" if encoded.startswith("//") else f"{URI_SCHEME}//{drive}{encoded}"


def _percent_decoded(text: str) -> str:
    if "%" not in text:
        return text
    decoded = re.sub(rb"%([0-9A-Fa-f]{2})", lambda escape: bytes.fromhex(escape[1].decode()), os.fsencode(text))
    try:
        return decoded.decode() if windows.ACTIVE else os.fsdecode(decoded)
    except UnicodeDecodeError:
        raise invalid_argument("the percent-encoded bytes of the URI are not UTF-8") from None
