"""Which folder a path on the command line belongs to."""

import os

from forge_daemon.workspace import sandbox
from forge_daemon.workspace.folder import folder_from_path, normal_path, relative_to
from forge_daemon.workspace.reader import Reader
from forge_daemon.workspace.settings import SettingsStore
from forge_protocol.errors import ErrorCode, ReadError, invalid_argument


def open_workspace(path: str) -> tuple[Reader, str]:
    """A reader for the file, and the file's absolute path.

    The root is the current directory if the file is beneath it, else the file's own directory: the user named it.
    """
    if not path:
        raise invalid_argument("the path is empty")
    root = _working_directory()
    if root is None and not os.path.isabs(path):
        raise ReadError(ErrorCode.NOT_FOUND, "does not exist, nor does the working directory")
    absolute = os.path.abspath(path)
    if root is None or relative_to(normal_path(root), normal_path(absolute)) is None:
        root = os.path.dirname(absolute)
        _require_directory(root)
    if path.endswith(("/", "/.", os.sep)):
        absolute = os.path.join(absolute, "")
    # For one file, walking the path takes less time than loading ctypes for openat2.
    sandbox.open_directly = None
    return Reader([folder_from_path(root)], SettingsStore()), absolute


def _working_directory() -> str | None:
    try:
        return os.getcwd()
    except OSError:  # it was removed
        return None


def _require_directory(root: str) -> None:
    try:
        os.stat(os.path.join(root, ""))
    except (FileNotFoundError, NotADirectoryError):
        raise ReadError(ErrorCode.NOT_FOUND, "does not exist, nor does its directory") from None
    except OSError:
        pass  # opening the file will report the reason
