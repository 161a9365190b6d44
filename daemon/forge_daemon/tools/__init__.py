"""The tools for agents: `Read`, `read_file`, and those of toolset `agent`."""

from forge_daemon.workspace.settings import Problem
from forge_protocol.errors import ErrorCode, ReadError
from forge_protocol.tools import Toolset

from .agent.answer import Answer, Image
from .read_file import ReadFileMeta, ReadFileOutput
from .toolkit import TOOL_DEFINITIONS, AgentToolkit, StrPath, ToolCatalog, create_agent_toolkit

__all__ = [
    "TOOL_DEFINITIONS",
    "AgentToolkit",
    "Answer",
    "ErrorCode",
    "Image",
    "Problem",
    "ReadError",
    "ReadFileMeta",
    "ReadFileOutput",
    "StrPath",
    "ToolCatalog",
    "Toolset",
    "create_agent_toolkit",
]
