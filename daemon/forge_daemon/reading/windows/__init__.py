"""Cuts a window from a source: the text of an answer, and the facts about it."""
