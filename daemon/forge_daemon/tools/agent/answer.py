"""What a tool of this toolset answers."""

from collections.abc import Iterable
from hashlib import blake2b
from typing import NamedTuple

ATTACHED = "; attached]"
"""Ends the header of an image that comes along."""


class Image(NamedTuple):
    data: bytes
    mime_type: str


class Answer(str):
    """Text. Images come along for a surface that can show them to the model."""

    images: tuple[Image, ...]
    etag: str
    """The etag of the file that was read; empty if it was not one."""
    max_chars: int | None
    """The most characters that it could have had, by the settings of the file's folder and the call."""
    has_lines: bool
    """False: the line that was asked for is not there, or not yet."""
    is_unfinished: bool
    """The last line ends with the file, without a newline: more of it may be written."""

    @classmethod
    def of(
        cls,
        lines: Iterable[str],
        *,
        images: Iterable[Image] = (),
        etag: str = "",
        max_chars: int | None = None,
        has_lines: bool = True,
        is_unfinished: bool = False,
    ) -> "Answer":
        answer = cls("\n".join(lines))
        answer.images = tuple(images)
        answer.etag = etag
        answer.max_chars = max_chars
        answer.has_lines = has_lines
        answer.is_unfinished = is_unfinished
        return answer

    def without_images(self, why: str = "images cannot be sent here") -> "Answer":
        """This answer for a surface that takes text alone, or has no room for the images."""
        return Answer.of([self.replace(ATTACHED, f"; not attached: {why}]")]) if self.images else self

    def with_second_line(self, line: str) -> "Answer":
        """This answer with a line after its header."""
        header, *rest = self.split("\n", 1)
        return Answer.of(
            [header, line, *rest],
            images=self.images,
            etag=self.etag,
            max_chars=self.max_chars,
            has_lines=self.has_lines,
            is_unfinished=self.is_unfinished,
        )

    def digest(self) -> bytes:
        """Equal for answers with the same text from the same, unchanged file."""
        parts = (self.etag.encode(), self.encode(errors="surrogatepass"), *(image.data for image in self.images))
        return blake2b(b"".join(blake2b(part).digest() for part in parts), digest_size=16).digest()
