"""The daemon: one client, JSON-RPC on stdio. The only package that knows pygls and lsprotocol."""
