"""What a stage reads from, and what a text rests on: bytes at any offset, of which the last may still change."""

from typing import NamedTuple, Protocol

ENDS_EARLY = "ends early"


class End(NamedTuple):
    """The end of a text. What comes before it stays the same when the file grows."""

    flush: bytes = b""
    """What is made of an incomplete character or escape sequence as long as nothing follows it."""
    failure: str | None = None
    """Why the text ends here although there should be more."""
    length: int = 0
    """Where the text ends, without `flush`."""

    @property
    def is_unfinished(self) -> bool:
        """Whether nothing but the rest is missing, as in a compressed file that is still being written."""
        return self.failure is not None and self.failure.endswith(ENDS_EARLY)


class Input(Protocol):
    """Bytes that stay the same when the file grows."""

    def read_at(self, offset: int, length: int, /) -> bytes:
        """Exactly that many bytes, or fewer only at the end."""

    def end(self) -> End:
        """May take a pass over the file."""


class Source(Input, Protocol):
    """One request's view of such bytes."""

    def known_end(self) -> End | None:
        """The end, if it was seen before."""

    def reach(self) -> int:
        """A lower bound of the length, at no cost."""

    def report(self) -> None:
        """Report progress, in bytes of the file. Raises if the work is to stop."""
