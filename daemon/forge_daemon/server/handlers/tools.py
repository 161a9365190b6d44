"""`forge.tools.list` and `forge.tools.call`."""

from typing import Any

from forge_daemon.server.client import ProgressToken
from forge_daemon.server.session import Session
from forge_daemon.tools.catalog import ToolCatalog
from forge_protocol.tools import ToolsCallParams, ToolsListParams


def tools_list(_session: Session, params: ToolsListParams, _token: ProgressToken | None) -> dict[str, Any]:
    return {"tools": ToolCatalog.definitions(params.toolset)}


def tools_call(session: Session, params: ToolsCallParams, token: ProgressToken | None) -> Any:
    with ToolCatalog.naming_other_toolsets(params.name, params.arguments, params.toolset):
        tool = ToolCatalog.tool(params.name, params.toolset)
        return session.answer(tool, params.arguments, title=params.name, token=token)
