"""What every face of the daemon shares: JSON text, frames, envelopes, work off the loop, cancellation."""
