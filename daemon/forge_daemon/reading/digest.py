"""Short digests of bytes, which reveal nothing about them."""

from array import array

try:
    # The same function without OpenSSL, which takes longer to load than most reads.
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b


def digest(*parts: bytes, size: int) -> bytes:
    """The digest of a sequence of parts. Moving a byte from one part to the next changes it."""
    state = blake2b(array("Q", map(len, parts)).tobytes(), digest_size=size)
    for part in parts:  # not joined: that would take as much memory again, and the time to get it from the system
        state.update(part)
    result: bytes = state.digest()
    return result
