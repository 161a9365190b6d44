"""The commands for people and scripts: everything but `serve` and `mcp`."""
