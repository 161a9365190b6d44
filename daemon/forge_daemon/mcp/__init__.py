"""The tools for every agent that speaks the Model Context Protocol. The only room that knows MCP."""
