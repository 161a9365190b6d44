"""Toolset `agent`: plain text, few tokens, any part of any file."""

from .find import AGENT_FIND
from .list import AGENT_LIST
from .read import AGENT_READ
from .read_many import AGENT_READ_MANY

AGENT_TOOLS = (AGENT_READ, AGENT_FIND, AGENT_LIST, AGENT_READ_MANY)

__all__ = ["AGENT_FIND", "AGENT_LIST", "AGENT_READ", "AGENT_READ_MANY", "AGENT_TOOLS"]
