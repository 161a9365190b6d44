"""Cuts a window from a view of a text: the lines of an answer, and the facts about it."""
