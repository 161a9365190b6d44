"""Short names for bytes, that tell nothing about them."""

try:
    # The same function without OpenSSL, whose loading takes longer than most reads.
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b


def digest(*parts: bytes, size: int) -> bytes:
    """Of the parts one by one, so that moving a byte from one to the next makes another digest."""
    function = blake2b(digest_size=size)
    for part in parts:
        function.update(len(part).to_bytes(8, "little"))
        function.update(part)
    result: bytes = function.digest()
    return result
