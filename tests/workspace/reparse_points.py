"""The data of reparse points, as Windows gives it for links."""

import struct


def reparse_data(target: str, *, junction: bool = False, tag: int | None = None) -> bytes:
    """As FSCTL_GET_REPARSE_POINT gives it, the printed name first as Windows puts it."""
    name, printed = target.encode("utf-16-le"), b"p\0"
    names = struct.pack("<HHHH", len(printed), len(name), 0, len(printed)) + b"\0\0\0\0" * (not junction)
    kind = tag or (0xA0000003 if junction else 0xA000000C)
    return struct.pack("<IHH", kind, len(names + name + printed), 0) + names + printed + name
