"""Serves the tools to agents over the Model Context Protocol. The only package that knows MCP."""
