"""Encodings: which one a file is in, how its bytes become text, and where its lines may be cut.

A byte 0x0A is a newline and nothing else in every encoding here but UTF-16 and UTF-32, so lines are found in the bytes
as they are. UTF-16 and UTF-32 are read through `sources.wide_text`, which presents them as UTF-8.
"""
