"""The daemon: one client, JSON-RPC on stdio. The only rooms that know pygls and lsprotocol."""
