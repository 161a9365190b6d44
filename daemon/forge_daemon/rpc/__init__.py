"""What LSP and MCP share: JSON text, frames, envelopes, work on threads, cancellation."""
