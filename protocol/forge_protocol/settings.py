"""Settings: the same tables in `forge.toml`, in the user's file, and from the client.

Order: built-in, then the user's file, then the client (`initializationOptions`, and section `forge` of
`workspace/configuration`). A workspace's own `forge.toml` comes last and may only tighten.
"""

from attrs import define, field

from .fields import NotNegative, Positive


@define(kw_only=True)
class ReadToolSettings:
    """`[tools.read_file]`: the tool `Read`."""

    max_file_read_bytes: Positive | None = None
    """The most file content one answer holds. Built-in: 204800."""
    max_scan_bytes: Positive | None = None
    """The furthest a line selection may reach into a file. Built-in: 2097152."""
    show_line_numbers: bool | None = None
    """Whether lines are numbered where the call does not say. Built-in: true."""


@define(kw_only=True)
class ToolsSettings:
    """`[tools]`."""

    read_file: ReadToolSettings = field(factory=ReadToolSettings)
    """The tool `Read`."""


@define(kw_only=True)
class PolicySettings:
    """`[policy]`: gitignore-like patterns (`**`, `*`, `?`), relative to the folder, case-insensitive."""

    deny: list[str] = field(factory=list)
    """Never read these: added to the built-in list of secrets. A workspace's `deny` beats any `allow`."""
    allow: list[str] | None = None
    """Exceptions. Ignored, and reported, in a workspace's own file."""


@define(kw_only=True)
class CacheSettings:
    """`[cache]`."""

    max_bytes: NotNegative | None = None
    """The most memory the line indexes of one workspace folder may take. Built-in: 67108864."""


@define(kw_only=True)
class FilesSettings:
    """`[files]`: how files are understood."""

    encodings: list[str] | None = None
    """What a file may be in that is not UTF-8 and has no byte order mark: the first of these that its first 64 KiB
    fit. Labels of the web's Encoding Standard, at most 16. Built-in: none. A workspace's list counts where no other
    is set."""


@define(kw_only=True)
class SettingsFile:
    """All tables; each may be left out."""

    tools: ToolsSettings = field(factory=ToolsSettings)
    """The tools."""
    policy: PolicySettings = field(factory=PolicySettings)
    """What may be read."""
    cache: CacheSettings = field(factory=CacheSettings)
    """Memory."""
    files: FilesSettings = field(factory=FilesSettings)
    """How files are understood."""
