"""What cannot run under wine, by name, with the reason."""
