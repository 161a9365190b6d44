"""The two contracts that agents know: `Read` and `read_file`."""

from forge_protocol.errors import ReadError

from .catalog import TOOL_DEFINITIONS, ToolCatalog
from .toolkit import create_agent_toolkit

__all__ = ["TOOL_DEFINITIONS", "ReadError", "ToolCatalog", "create_agent_toolkit"]
