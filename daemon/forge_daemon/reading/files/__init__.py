"""An open file as bytes: a snapshot that can be read at any offset, and the rule for "still the same file"."""
