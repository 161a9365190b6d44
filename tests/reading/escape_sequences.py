"""Text without terminal escape sequences, for what a test expects."""

from forge_daemon.reading.texts.strip_ansi import strip as strip_bytes


def strip(text: str) -> str:
    return strip_bytes(text.encode("utf-8", "surrogateescape")).decode("utf-8", "surrogateescape")
