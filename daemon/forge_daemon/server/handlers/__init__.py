"""What is served: one file a request, and this list of them."""

from collections.abc import Callable
from typing import Any

from lsprotocol import types

from forge_daemon.server.client import ProgressToken
from forge_daemon.server.session import Session

from .cache import cache_clear, cache_stats
from .configuration import did_change_configuration
from .count_lines import count_lines
from .documents import did_change, did_close, did_open
from .find import find
from .folders import did_change_folders
from .initialize import initialize, initialized
from .progress import cancel_progress
from .read_file import read_file
from .read_files import read_files
from .tools import tools_call, tools_list
from .watched_files import did_change_watched_files

Handler = Callable[[Session, Any], Any]
"""Answers at once, or returns something to await."""
Command = Callable[[Session, Any, ProgressToken | None], Any]

METHODS: dict[str, Handler] = {
    "forge/readFile": read_file,
    "forge/readFiles": read_files,
    "forge/countLines": count_lines,
    "forge/find": find,
    types.INITIALIZED: initialized,
    types.TEXT_DOCUMENT_DID_OPEN: did_open,
    types.TEXT_DOCUMENT_DID_CHANGE: did_change,
    types.TEXT_DOCUMENT_DID_CLOSE: did_close,
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: did_change_configuration,
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: did_change_watched_files,
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: did_change_folders,
    types.WINDOW_WORK_DONE_PROGRESS_CANCEL: cancel_progress,
}

COMMANDS: dict[str, Command] = {
    "forge.tools.list": tools_list,
    "forge.tools.call": tools_call,
    "forge.cache.stats": cache_stats,
    "forge.cache.clear": cache_clear,
}

__all__ = ["COMMANDS", "METHODS", "initialize"]
