"""`forge.tools.list`."""

from typing import Any

from forge_daemon.server.session import Session
from forge_daemon.tools.catalog import ToolCatalog
from forge_protocol.tools import ToolsListParams


def tools_list(_session: Session, params: ToolsListParams) -> dict[str, Any]:
    return {"tools": ToolCatalog.definitions(params.toolset)}
