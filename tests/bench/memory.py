"""What the daemon keeps."""

from forge_daemon.workspace.settings import Settings

from .contest import Contest
from .files import MIB
from .quantities import size
from .row import Bar, Figures, Row
from .timing import resident_bytes

_WORKING_BYTES = 32 * MIB


def _index(contest: Contest) -> Figures:
    contest.forget()
    contest.forge.request("forge/countLines", {"path": contest.log.name})
    stats = contest.forge.request("workspace/executeCommand", {"command": "forge.cache.stats", "arguments": [{}]})
    return Figures(sum(folder["bytes"] for folder in stats["folders"]), MIB, "bytes")


def _resident(contest: Contest) -> Figures:
    ours = resident_bytes(contest.forge.pid)
    allowed = contest.memory_at_start + _WORKING_BYTES + Settings().cache_max_bytes
    return Figures(ours, allowed, "bytes", f"{size(contest.memory_at_start)} at the start")


ROWS = [
    Row("index", "index of 1 GiB, against 1 MiB", Bar(1), _index),
    Row("resident", "resident size, against start + 32 MiB + cache limit", Bar(1), _resident),
]
