"""Short digests of bytes, which reveal nothing about them."""

from hashlib import blake2b


def digest(*parts: bytes, size: int) -> bytes:
    """The digest of a sequence of parts. Moving a byte from one part to the next changes it."""
    state = blake2b(b"".join(b"%d " % len(part) for part in parts), digest_size=size)
    for part in parts:
        state.update(part)
    return state.digest()
