"""Recognises private keys, and tokens in the settings of package managers, by the contents of a file.

Names say little: `server.pem` may be a certificate or a key, and `.npmrc` is often checked in without a token.
"""

import re
from collections.abc import Callable

from forge_daemon.reading.texts.compressions import compression_of, decompression
from forge_daemon.reading.texts.compressions.decompress import Decompress
from forge_daemon.reading.texts.derived import START
from forge_daemon.reading.texts.source import End

from .copied_names import originals

ReadStart = Callable[[int], bytes]
"""Returns the first `n` bytes of a file, or all there are."""

HEAD_BYTES = 4096
BUNDLE_BYTES = 1 << 20
"""How far into a file a key is looked for if other keys, certificates or comments may come before it."""

_ARMOUR = rb"-----BEGIN (?:[A-Z0-9 ]{0,40}PRIVATE KEY|OpenVPN )"
_BUNDLE_STARTS = (b"-----BEGIN ", b"Bag Attributes")  # the second as OpenSSL extracts from a key store
_BUNDLE_NAMES = (".pem", ".crt", ".cer", ".cert", ".key", ".chain", ".bundle", ".ca-bundle", ".ovpn", ".p7b")
# Directly before what they describe: with an empty line after it, `# Keys` is the heading of a text.
_COMMENTS = re.compile(rb"(?>(?:[#;][^\n]*\n)*)")
# No text quotes the keys of age and WireGuard without a mark around them, so empty lines may precede those too.
_HEADER = re.compile(rb"(?>(?:[#;][^\n]*\n|\s)*)")
_AFTER_COMMENTS = re.compile(
    rb"---- BEGIN SSH2 (?:ENCRYPTED )?PRIVATE KEY"
    rb"|PuTTY-User-Key-File-\d"
    rb"|untrusted comment: (?!signature )[^\n]{0,60}secret key"  # signify, minisign
    rb"|Private-key-format: v"  # DNSSEC
    rb"|== ed25519v1-secret:"  # an onion service
)
_AFTER_HEADER = re.compile(rb"AGE-SECRET-KEY-1|\[Interface\][^\[]{0,2000}?PrivateKey")
_FIRST_CHARACTERS = (b"", *(bytes([each]) for each in b"{-#;Pu=A[B"))
"""With which a key, or a comment before it, begins. Most files are none by this alone."""
_MAX_KEY_START = 2000
"""So many bytes after the comments show whether a key begins there."""
_BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_MAY_BE_BINARY = (".key", ".der", ".priv", ".private")
_ANY_ENDING = re.compile("|".join(map(re.escape, (*_BUNDLE_NAMES, *_MAY_BE_BINARY))))
_CONTROLS = rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]"
_ZIP = b"PK\x03\x04"
TOKEN_FILES = (".npmrc", ".yarnrc.yml")

# `${NAME}` is replaced by a variable of the environment; with a fallback, `${NAME:-token}`, it may hold a token.
_REFERENCES = rb"(?>(?:\$\{\w++\??(?::?-)?\}|\$\w++|:)*)"
_LITERAL = (
    rb"(?im)(?:_auth|_authToken|_password|npmAuthToken|npmAuthIdent)[\"']?\s*[=:]\s*"
    rb"(?![\"']?" + _REFERENCES + rb"[\"']?[ \t\r]*(?:[#;]|$))\S"
    rb"|://[^\s/@]*:(?!\$)[^\s/@:]+@"
    rb"|PRIVATE KEY-----"
)
_SEQUENCE, _INTEGER, _BIT_STRING, _VERSION = 0x30, 0x02, 0x03, 0xA0


def holds_private_key(name: str, read: ReadStart) -> bool:
    """Whether the file called `name` is a private key or has one in it, compressed, in UTF-16 and in UTF-32 too."""
    text = start_of_text(HEAD_BYTES, read)
    name = name.rpartition("/")[2].lower()
    names = originals(name) if _ANY_ENDING.search(name) else []
    if text is not None and text[:1] not in _FIRST_CHARACTERS and not names:
        return False
    if text is not None and len(text) - _length(_HEADER, text) < _MAX_KEY_START:
        text = start_of_text(BUNDLE_BYTES, read)
    return text is None or _is_key(text) or _is_bundle(names, text, read) or _is_binary_key(names, read)


def holds_token(read: ReadStart) -> bool:
    """Whether such a file contains a token or a password, not just the name of a variable."""
    if len(read(BUNDLE_BYTES)) == BUNDLE_BYTES:
        return True  # nobody writes that many settings
    text = start_of_text(BUNDLE_BYTES, read)
    return text is None or re.search(_LITERAL, text) is not None


def start_of_text(size: int, read: ReadStart) -> bytes | None:
    """The first bytes of a text, decompressed, without a byte order mark, NULs and leading white space.

    None if the text begins suspiciously deep in a compressed file.
    """
    text: bytes | None = read(size)
    if text and (compression := compression_of(text)) and (stage := decompression(compression, 0)):
        text = _decompressed(stage, size, read)
    if text is None:
        return None
    text = text.translate(None, b"\0") if b"\0" in text else text  # UTF-16 and UTF-32
    for mark in _BYTE_ORDER_MARKS:
        text = text.removeprefix(mark)
    return text.lstrip()


def _length(pattern: re.Pattern[bytes], text: bytes) -> int:
    """Of what the pattern, which may be empty, matches at the beginning of a text."""
    matched = pattern.match(text)
    return matched.end() if matched else 0


class _Start:
    """The beginning of a file, for a stage that decompresses it."""

    def __init__(self, read: ReadStart) -> None:
        self._read = read

    def read_at(self, offset: int, length: int) -> bytes:
        return self._read(min(offset + length, BUNDLE_BYTES))[offset:]

    def end(self) -> End:
        return End(length=len(self._read(BUNDLE_BYTES)))


def _decompressed(stage: Decompress, size: int, read: ReadStart) -> bytes | None:
    """The first `size` bytes of the text; None if less of it is in the beginning of the file, and more may follow."""
    start, text = _Start(read), bytearray()
    for step in stage.steps(start, START):
        if isinstance(step, End):
            is_cut = step.failure is None or step.is_unfinished
            return None if is_cut and start.end().length == BUNDLE_BYTES else bytes(text)
        text += step.text
        if len(text) >= size:
            break
    return bytes(text[:size])


def _is_key(text: bytes) -> bool:
    if text.startswith(b"{"):
        return _is_service_account(text) or _is_json_web_key(text)
    after_comments = _AFTER_COMMENTS.match(text, _length(_COMMENTS, text))
    return bool(after_comments or _AFTER_HEADER.match(text, _length(_HEADER, text)))


def _is_bundle(names: list[str], text: bytes, read: ReadStart) -> bool:
    """Whether a key is among other keys, certificates and comments."""
    is_named_so = any(name.endswith(_BUNDLE_NAMES) for name in names)
    if not is_named_so and not text.startswith(_BUNDLE_STARTS, _length(_COMMENTS, text)):
        return False
    bundle = start_of_text(BUNDLE_BYTES, read)
    return bundle is None or re.search(_ARMOUR, bundle) is not None


def _is_binary_key(names: list[str], read: ReadStart) -> bool:
    if not any(name.endswith(_MAY_BE_BINARY) for name in names):
        return False
    head = read(HEAD_BYTES)
    return _is_binary(head) and not _is_public(head)


def _is_service_account(text: bytes) -> bool:
    """The key of one, as cloud providers issue it."""
    return b'"private_key"' in text and b"-----BEGIN " in text and b"PRIVATE KEY-----" in text


def _is_json_web_key(text: bytes) -> bool:
    """One key or a set of them, of which one is private (`d`) or shared (`k`)."""
    return b'"kty"' in text and re.search(rb'"[dk]"\s*:\s*"', text) is not None


def _is_binary(head: bytes) -> bool:
    return not head.startswith((b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")) and bool(re.search(_CONTROLS, head))


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
    """Where the contents of the DER sequence at `position` begin; None if there is none."""
    if data[position : position + 1] != bytes([_SEQUENCE]) or len(data) < position + 2:
        return None
    length = data[position + 1]
    return position + 2 + (length & 0x7F if length & 0x80 else 0)
