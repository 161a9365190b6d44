"""A minimal MCP server made with the official SDK: one tool that reads a file."""

from pathlib import Path

from mcp.server.mcpserver import MCPServer

server = MCPServer("minimal")


@server.tool()
def read(path: str) -> str:
    return Path(path).read_text()


server.run()
