"""The engine: windows of bytes that somebody else opened. It knows no surface, no JSON and no LSP."""
