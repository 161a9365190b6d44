"""Encodings: which one a file is in, and how its bytes become UTF-8."""
