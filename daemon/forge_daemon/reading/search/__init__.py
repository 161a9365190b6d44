"""Searching the lines of a text of any size: literals and regular expressions."""
