"""`forge.cache.stats` and `forge.cache.clear`."""

from forge_daemon.server.session import Session
from forge_protocol.cache import CacheClearParams, CacheStatsParams, CacheStatsResult, FolderCacheStats


def cache_stats(session: Session, _params: CacheStatsParams) -> CacheStatsResult:
    return _figures(session)


def cache_clear(session: Session, params: CacheClearParams) -> CacheStatsResult:
    session.reader.clear_cache(params.workspace_folder)
    return _figures(session)


def _figures(session: Session) -> CacheStatsResult:
    return CacheStatsResult(
        folders=[
            FolderCacheStats(workspace_folder=name, **figures._asdict())
            for name, figures in session.reader.cache_figures()
        ]
    )
