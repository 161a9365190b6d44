"""The engine: windows of files that the caller has opened. It knows no surface, no JSON and no LSP."""
