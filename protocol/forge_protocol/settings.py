"""Settings: the same tables in `forge.toml`, in the user's file, and from the client.

Order: built-in defaults, then the user's file, then the client (`initializationOptions`, and section `forge` of
`workspace/configuration`). A workspace's own `forge.toml` comes last and may only tighten.

Each field declares its setting once: the text under it, its type, its built-in value, what a workspace may do to it,
and its scope. The tables in the documents and VS Code's settings are generated from that.
"""

from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, NamedTuple

from attrs import define, field, fields, has

from . import built_in
from .fields import AnswerCharacters, Between, NotNegative, Positive


class Workspace(StrEnum):
    """What a workspace's own `forge.toml` may do to a setting."""

    LOWERS = "may lower it"
    EXTENDS = "may add to it"
    SETS = "may set it"
    DEFAULTS = "may set it where nothing else does"
    IGNORED = "is ignored"


class Setting(NamedTuple):
    """What is declared of a setting besides its name, type and description."""

    key: tuple[str, ...]
    """The tables and the name: `tools`, `read_file`, `max_scan_bytes`."""
    built_in: Any
    """The default: in force if nothing is set."""
    workspace: Workspace
    """What a workspace's own file may do to it."""
    scope: str
    """What it applies to."""
    attribute: str
    """The name of the value in force, in the daemon."""

    def given_in(self, settings: "SettingsFile") -> Any:
        """The value in a layer; None if it has none."""
        value: Any = settings
        for part in self.key:
            value = getattr(value, part)
        return value


def _setting(built_in: Any, workspace: Workspace, scope: str, *, attribute: str | None = None) -> Any:
    """A field that a layer may leave out."""
    return field(default=None, metadata={"setting": (built_in, workspace, scope, attribute)})


@define(kw_only=True)
class ReadToolSettings:
    """`[tools.read_file]`: the tool `Read`."""

    max_file_read_bytes: Positive | None = _setting(built_in.MAX_FILE_READ_BYTES, Workspace.LOWERS, "tool `Read`")
    """The most file content that one answer holds, in bytes."""
    max_scan_bytes: Positive | None = _setting(built_in.MAX_SCAN_BYTES, Workspace.LOWERS, "tool `Read`")
    """The furthest that a line selection may reach into a file, in bytes."""
    show_line_numbers: bool | None = _setting(True, Workspace.SETS, "tool `Read`")
    """Whether lines are numbered if the call does not say."""


@define(kw_only=True)
class AgentToolsSettings:
    """`[tools.agent]`: the toolset `agent`."""

    max_chars: AnswerCharacters | None = _setting(
        built_in.AGENT_MAX_CHARS, Workspace.LOWERS, "toolset `agent`", attribute="agent_max_chars"
    )
    """The most characters in one answer."""


@define(kw_only=True)
class ToolsSettings:
    """`[tools]`."""

    read_file: ReadToolSettings = field(factory=ReadToolSettings)
    """The tool `Read`."""
    agent: AgentToolsSettings = field(factory=AgentToolsSettings)
    """The toolset `agent`."""


@define(kw_only=True)
class PolicySettings:
    """`[policy]`: gitignore-like patterns (`**`, `*`, `?`), relative to the folder, case-insensitive."""

    deny: list[str] | None = _setting([], Workspace.EXTENDS, "every read")
    """Patterns of files that are never read, in addition to the built-in list of secrets. Those of a workspace's
    `forge.toml` override any `allow`."""
    allow: list[str] | None = _setting([], Workspace.IGNORED, "every read")
    """Patterns of files that are read even if a deny pattern matches."""


@define(kw_only=True)
class CacheSettings:
    """`[cache]`."""

    max_bytes: NotNegative | None = _setting(
        built_in.CACHE_MAX_BYTES, Workspace.LOWERS, "every workspace folder", attribute="cache_max_bytes"
    )
    """The most memory that the line indexes of one workspace folder may take, in bytes."""
    max_temporary_bytes: NotNegative | None = _setting(
        built_in.MAX_TEMPORARY_BYTES, Workspace.LOWERS, "every workspace folder"
    )
    """The most disk space for texts that are unpacked into a temporary file, in bytes. 0: never."""


@define(kw_only=True)
class FilesSettings:
    """`[files]`: how files are understood."""

    encodings: Annotated[list[str], Between(0, 16)] | None = _setting(None, Workspace.DEFAULTS, "every read")
    """Encodings to try for a file that is not UTF-8 and has no byte order mark: the first one that fits its first
    64 KiB is used. Labels of the web's Encoding Standard."""


@define(kw_only=True)
class SettingsFile:
    """All tables; each may be left out."""

    tools: ToolsSettings = field(factory=ToolsSettings)
    """The tools."""
    policy: PolicySettings = field(factory=PolicySettings)
    """What may be read."""
    cache: CacheSettings = field(factory=CacheSettings)
    """Memory and disk space."""
    files: FilesSettings = field(factory=FilesSettings)
    """How files are understood."""


@cache
def declared_settings() -> tuple[Setting, ...]:
    """Every setting, in the order of the tables."""
    return tuple(_declared_in(SettingsFile, ()))


def _declared_in(table: type, key: tuple[str, ...]) -> Iterator[Setting]:
    for each in fields(table):
        here = (*key, each.name)
        if each.type is not None and has(each.type):
            yield from _declared_in(each.type, here)
        else:
            built_in, workspace, scope, attribute = each.metadata["setting"]
            yield Setting(here, built_in, workspace, scope, attribute or each.name)
