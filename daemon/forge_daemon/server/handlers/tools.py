"""`forge.tools.list` and `forge.tools.call`."""

from typing import Any

from forge_daemon.server.client import ProgressToken
from forge_daemon.server.session import Session
from forge_daemon.tools.catalog import ToolCatalog
from forge_protocol.tools import ToolsCallParams, ToolsListParams

_CATALOG = ToolCatalog()


def tools_list(_session: Session, params: ToolsListParams, _token: ProgressToken | None) -> dict[str, Any]:
    return {"tools": _CATALOG.definitions(params.toolset)}


def tools_call(session: Session, params: ToolsCallParams, token: ProgressToken | None) -> Any:
    return session.answer(
        lambda reader, progress: _CATALOG.call(params.name, params.arguments, params.toolset, reader, progress),
        title=params.name,
        token=token,
    )
