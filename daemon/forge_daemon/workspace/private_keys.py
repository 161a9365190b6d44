"""Recognises private keys by the contents of a file. Names say little: `server.pem` may be a certificate or a key."""

from collections.abc import Callable

HEAD_BYTES = 4096
BUNDLE_BYTES = 1 << 20
"""How far into a file a key is looked for, where its name says that it may hold several things."""

_ARMOUR = rb"-----BEGIN (?:[A-Z0-9 ]{0,40}PRIVATE KEY|OpenVPN )"
_COMMENT = (b"#", b";")
_COMMENTS = rb"(?:[#;][^\n]*\n)*+"
"""Directly before what they are about: with an empty line after it, `# Keys` is the heading of a text."""
_HEADER = rb"(?:[#;][^\n]*\n|\s)*+"
"""The comments and empty lines before what no text quotes without a mark around it."""
_BEGINNINGS = (
    _COMMENTS + _ARMOUR,
    rb"Bag Attributes\s[\s\S]{0,1500}?" + _ARMOUR,  # as OpenSSL takes it out of a key store
    rb"---- BEGIN SSH2 (?:ENCRYPTED )?PRIVATE KEY",
    rb"PuTTY-User-Key-File-\d",
    _HEADER + rb"AGE-SECRET-KEY-1",  # age-keygen writes two comments before it
    rb"untrusted comment: (?!signature )[^\n]{0,60}secret key",  # of signify and minisign
    _HEADER + rb"\[Interface\][^\[]{0,2000}?PrivateKey",  # of WireGuard
    rb"Private-key-format: v",  # of DNSSEC
    rb"== ed25519v1-secret:",  # of an onion service
)
_FIRST_WORDS = (
    b"-----BEGIN ",
    b"---- BEGIN ",
    b"Bag Attributes",
    b"PuTTY-",
    b"AGE-",
    b"untrusted comment: ",
    b"[Interface]",
    b"Private-key-format: ",
    b"== ed25519v1-secret:",
)
"""One of them starts every key. Most files are known by them, and no pattern need be compiled."""
_BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_BUNDLES = (".pem", ".crt", ".cer", ".cert", ".key", ".chain", ".bundle", ".ca-bundle", ".ovpn", ".p7b")
_ENOUGH = 2000
"""Bytes of a text that tell whether a key begins there."""
_MAY_BE_BINARY = (".key", ".der", ".priv", ".private")
_CONTROLS = rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]"
_GZIP = b"\x1f\x8b"
_MOST_MEMBERS = 4096
_PIECE = 1024
_COPIES = (".gz", "~", ".bak", ".backup", ".old", ".orig", ".save")
_ZIP = b"PK\x03\x04"
_SEQUENCE, _INTEGER, _BIT_STRING, _VERSION = 0x30, 0x02, 0x03, 0xA0


def holds_private_key(name: str, read: Callable[[int], bytes]) -> bool:
    """Whether the file called `name` is a private key or has one in it.

    `read(n)` returns its first `n` bytes, or all there are. Keys in gzip, UTF-16 and UTF-32 are recognised too.
    """
    start = _start_of_text(HEAD_BYTES, read)
    if start is not None and len(start) >= HEAD_BYTES and len(_beginning(start)) < _ENOUGH:
        start = _start_of_text(BUNDLE_BYTES, read)
    if start is None or _begins_a_key(_beginning(start)):
        return True
    name = name.lower()
    if name.endswith(_COPIES):
        for suffix in _COPIES:
            name = name.removesuffix(suffix)
    if name.endswith(_BUNDLES):
        bundle = _start_of_text(BUNDLE_BYTES, read)
        if bundle is None or _is_in(_ARMOUR, _narrow(bundle)):
            return True
    head = read(HEAD_BYTES)
    return name.endswith(_MAY_BE_BINARY) and _is_binary(head) and not _is_public(head)


def _start_of_text(most: int, read: Callable[[int], bytes]) -> bytes | None:
    """The first bytes of a text, compressed or not. None if they lie suspiciously deep in the file."""
    data = read(most)
    text, is_known = _text(data, most)
    if not is_known and len(data) == most < BUNDLE_BYTES:
        data = read(BUNDLE_BYTES)
        text, is_known = _text(data, most)
    return text if is_known or len(data) < BUNDLE_BYTES else None


def _text(data: bytes, most: int) -> tuple[bytes | None, bool]:
    """The text that the data hold, and whether more data could add nothing to it.

    Members of a gzip file that follow each other are one text. None where `data` are many members and hardly any text.
    """
    if not data.startswith(_GZIP):
        return data, True
    import zlib

    from forge_daemon.reading.sources.gzip_text import MOST_PADDING

    text, position = bytearray(), 0
    for _ in range(_MOST_MEMBERS):
        member = zlib.decompressobj(wbits=31)
        while not member.eof and position < len(data) and len(text) < most:
            piece = data[position : position + _PIECE]
            position += len(piece)
            try:
                text += member.decompress(piece, most - len(text))
            except zlib.error:
                return bytes(text) or data, True
        position -= len(member.unused_data)
        padding = _zeros_at(data, position)
        position += padding
        # No member is read after so many zeros.
        if len(text) >= most or padding > 2 * MOST_PADDING:
            return bytes(text), True
        following = data[position : position + len(_GZIP)]
        if following != _GZIP:
            return bytes(text), not _GZIP.startswith(following)
    return None, True


def _zeros_at(data: bytes, start: int) -> int:
    """How many zeros there are in a row."""
    position = start
    while piece := data[position : position + 64 * _PIECE]:
        rest = piece.lstrip(b"\0")
        position += len(piece) - len(rest)
        if rest:
            break
    return position - start


def _is_in(pattern: bytes, text: bytes) -> bool:
    import re

    return re.search(pattern, text) is not None


def _beginning(text: bytes) -> bytes:
    """The text without what may precede a key."""
    text = _narrow(text)
    for mark in _BYTE_ORDER_MARKS:
        text = text.removeprefix(mark)
    return text.lstrip()


def _begins_a_key(text: bytes) -> bool:
    if text.startswith(b"{"):
        return _is_service_account(text) or _is_json_web_key(text)
    text = text[:HEAD_BYTES]
    if text.startswith(_COMMENT):
        if not any(words in text for words in _FIRST_WORDS):
            return False
    elif not text.startswith(_FIRST_WORDS):
        return False
    import re

    return any(re.match(beginning, text) for beginning in _BEGINNINGS)


def _is_service_account(text: bytes) -> bool:
    """The key of one, as clouds hand it out."""
    return b'"private_key"' in text and b"-----BEGIN " in text and b"PRIVATE KEY-----" in text


def _is_json_web_key(text: bytes) -> bool:
    """One key or a set of them, of which one is private (`d`) or shared (`k`)."""
    return b'"kty"' in text and _is_in(rb'"[dk]"\s*:\s*"', text)


def _narrow(text: bytes) -> bytes:
    return text.translate(None, b"\0") if b"\0" in text else text


def _is_binary(head: bytes) -> bool:
    return not head.startswith((b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")) and _is_in(_CONTROLS, head)


def _is_public(head: bytes) -> bool:
    """A ZIP archive (a Keynote presentation), or a certificate, request or public key in DER."""
    if head.startswith(_ZIP):
        return True
    outer = _inside(head, 0)
    if outer is None or head[outer : outer + 1] != bytes([_SEQUENCE]):
        return False
    inner = _inside(head, outer)
    if inner is None or inner >= len(head):
        return False
    if head[inner] in (_VERSION, _INTEGER):
        return True
    # An algorithm: a public key has a bit string after it, an encrypted private key an octet string.
    after = inner + head[outer + 1]
    return head[outer + 1] < 0x80 and head[after : after + 1] == bytes([_BIT_STRING])


def _inside(data: bytes, position: int) -> int | None:
    """Where the contents of the DER sequence at `position` begin; None where there is none."""
    if data[position : position + 1] != bytes([_SEQUENCE]) or len(data) < position + 2:
        return None
    length = data[position + 1]
    return position + 2 + (length & 0x7F if length & 0x80 else 0)
