"""`forge.cache.stats` and `forge.cache.clear`."""

from attrs import define


@define(kw_only=True)
class CacheStatsParams:
    """No parameters."""


@define(kw_only=True)
class CacheClearParams:
    """Which cache to empty."""

    workspace_folder: str | None = None
    """A folder's URI or name; every folder if absent."""


@define(kw_only=True)
class FolderCacheStats:
    """The cache of one workspace folder."""

    workspace_folder: str
    """The folder's name."""
    entries: int
    """Files whose line index is cached."""
    bytes: int
    """Memory they take; at most `cache.max_bytes`."""
    hits: int
    """Reads that found a valid entry."""
    misses: int
    """Reads that found none, or an outdated one."""
    evictions: int
    """Entries removed to make room for others."""


@define(kw_only=True)
class CacheStatsResult:
    """The figures of every open folder."""

    folders: list[FolderCacheStats]
    """One for each folder, in the order they were opened."""
