"""What LSP and MCP share: JSON text, frames, envelopes, work off the loop, cancellation."""
