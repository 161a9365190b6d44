"""The tools for every agent that speaks the Model Context Protocol. The only package that knows MCP."""
