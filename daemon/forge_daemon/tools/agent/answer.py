"""What a tool of this toolset answers."""

from collections.abc import Iterable
from typing import NamedTuple


class Image(NamedTuple):
    data: bytes
    mime_type: str


class Answer(str):
    """Text. Images come along for a surface that can show them to the model."""

    images: tuple[Image, ...]
    content_bytes: int
    """The size of what was read, without headers and line numbers."""

    @classmethod
    def of(cls, lines: Iterable[str], *, images: Iterable[Image] = (), content_bytes: int = 0) -> "Answer":
        answer = cls("\n".join(lines))
        answer.images = tuple(images)
        answer.content_bytes = content_bytes
        return answer
