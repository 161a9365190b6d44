"""Private keys are known by what is in a file, certificates and public keys are read."""

import gzip
import io
import zipfile

import pytest

from forge_daemon.workspace.policy import Policy
from forge_daemon.workspace.private_keys import BUNDLE_BYTES, holds_private_key
from forge_protocol.errors import ErrorCode, ReadError

PRIVATE = b"-----BEGIN PRIVATE KEY-----\nMC4C\n-----END PRIVATE KEY-----\n"
CERTIFICATE = b"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
PUBLIC = b"-----BEGIN PUBLIC KEY-----\nMCow\n-----END PUBLIC KEY-----\n"

# The outlines that DER gives to each, with the lengths that real ones have.
DER_PKCS8 = bytes.fromhex("302e020100300506032b657004220420") + bytes(32)
DER_SEC1 = bytes.fromhex("303102010104205f") + b"\x5f" * 31 + bytes.fromhex("a00a06082a8648ce3d030107")
DER_ENCRYPTED = (
    bytes.fromhex("3081a3305f06092a864886f70d01050d3052") + b"\x01" * 80 + bytes.fromhex("0440") + b"\x02" * 64
)
DER_CERTIFICATE = bytes.fromhex("308201f53082019ba003020102021414") + b"\x01" * 400
DER_REQUEST = bytes.fromhex("3082012f3081d7020100") + b"\x01" * 200
DER_PUBLIC = bytes.fromhex("302a300506032b6570032100") + b"\x03" * 32


def holds(name: str, data: bytes) -> bool:
    return holds_private_key(name, lambda length: data[:length])


def keynote() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("Index/Document.iwa", b"\0" * 50)
    return file.getvalue()


@pytest.mark.parametrize("name", ["server.pem", "notes.txt", "key", "a/b.crt"])
@pytest.mark.parametrize(
    "data",
    [
        PRIVATE,
        b"-----BEGIN RSA PRIVATE KEY-----\n",
        b"-----BEGIN OPENSSH PRIVATE KEY-----\n",
        b"-----BEGIN ENCRYPTED PRIVATE KEY-----\n",
        b"-----BEGIN PGP PRIVATE KEY BLOCK-----\n",
        b"\xef\xbb\xbf" + PRIVATE,
        b"\n  \r\n" + PRIVATE,
        PRIVATE.decode().encode("utf-16"),
        PRIVATE.decode().encode("utf-32"),
        gzip.compress(PRIVATE, mtime=0),
        b"PuTTY-User-Key-File-3: ssh-ed25519\n",
        b"---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n",
        b"AGE-SECRET-KEY-1QQQ\n",
        b"-----BEGIN OpenVPN Static key V1-----\n",
        b"untrusted comment: minisign encrypted secret key\n",
        b"untrusted comment: signify secret key\n",
        b"[Interface]\nAddress = 10.0.0.2/32\nPrivateKey = QUJD\n",
        b'{\n  "type": "service_account",\n  "private_key": "-----BEGIN PRIVATE KEY-----\\nMC4C\\n"\n}\n',
    ],
)
def test_a_file_that_begins_with_a_private_key_is_one_under_any_name(name: str, data: bytes) -> None:
    assert holds(name, data)


@pytest.mark.parametrize(
    "name", ["site.pem", "site.CRT", "site.key", "site.cer", "vpn.ovpn", "site.pem.gz", "site.pem.bak"]
)
def test_a_bundle_is_searched(name: str) -> None:
    assert holds(name, CERTIFICATE * 100 + PRIVATE)
    assert holds(name, (CERTIFICATE + PRIVATE).decode().encode("utf-16-le"))
    assert holds(name, CERTIFICATE.ljust(BUNDLE_BYTES - 1000) + PRIVATE)
    assert not holds(name, CERTIFICATE * 100 + PUBLIC)


def test_a_compressed_bundle_is_searched_too() -> None:
    assert holds("site.pem.gz", gzip.compress(CERTIFICATE * 100 + PRIVATE, mtime=0))
    assert not holds("site.pem.gz", gzip.compress(CERTIFICATE * 100))


EMPTY = gzip.compress(b"", mtime=0)


def member(text: bytes, size: int) -> bytes:
    """A member of so many bytes: its header names a file, at length."""
    packed = gzip.compress(text, mtime=0)[10:]
    return b"\x1f\x8b\x08\x08" + bytes(6) + b"n" * (size - 11 - len(packed)) + b"\0" + packed


@pytest.mark.parametrize(
    "data",
    [
        EMPTY + gzip.compress(PRIVATE),
        EMPTY * 1000 + gzip.compress(PRIVATE),
        EMPTY * 5000 + gzip.compress(PRIVATE),
        b"".join(gzip.compress(PRIVATE[start : start + 1]) for start in range(len(PRIVATE))),
        EMPTY + b"\0" * 512 + gzip.compress(PRIVATE),
        EMPTY + b"\0" * 256 * 1024 + gzip.compress(PRIVATE),
        member(b"\n", 4095) + gzip.compress(PRIVATE),
        member(PRIVATE, 2 * BUNDLE_BYTES),
    ],
    ids=[
        "after an empty one",
        "after 1,000 empty ones",
        "after 5,000 empty ones",
        "a byte in each",
        "after padding",
        "after much padding",
        "after one whose end is that of what is read first",
        "after a very long name",
    ],
)
def test_members_of_a_gzip_file_are_one_text(data: bytes) -> None:
    assert holds("notes", data)
    assert holds("site.pem.gz", gzip.compress(CERTIFICATE) + data)


def test_a_key_may_lie_deep_in_a_bundle_or_after_white_space() -> None:
    assert holds("site.pem.gz", gzip.compress(CERTIFICATE * 100) + gzip.compress(b"\n") * 4200 + gzip.compress(PRIVATE))
    for blanks in (4080, 4095, 5000):
        assert holds("notes", b"\n" * blanks + PRIVATE)
        assert holds("notes", b"\xef\xbb\xbf" + b"\n" * blanks + PRIVATE)
        assert holds("notes", ("\n" * blanks + PRIVATE.decode()).encode("utf-16"))
    assert not holds("notes", b"\n" * 5000 + PUBLIC)


def test_a_small_file_that_is_padded_with_more_than_is_read_is_read() -> None:
    assert not holds("log.gz", gzip.compress(b"a line\n") + b"\0" * 3 * BUNDLE_BYTES)


def test_a_log_in_many_members_is_read() -> None:
    assert not holds("log.gz", gzip.compress(b"a line\n") * 20_000)
    assert not holds("log.gz", EMPTY * 1000 + gzip.compress(b"a line\n"))
    assert not holds("log.gz", EMPTY)


def test_what_only_begins_like_gzip_is_read() -> None:
    assert not holds("log.gz", b"\x1f\x8bnonsense")


@pytest.mark.parametrize("data", [DER_PKCS8, DER_SEC1, DER_ENCRYPTED, b"\x00\x01\x02\x03" * 8])
@pytest.mark.parametrize("name", ["server.key", "server.DER", "server.key.bak"])
def test_a_binary_key_is_denied(name: str, data: bytes) -> None:
    assert holds(name, data)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("cacert.pem", CERTIFICATE * 200),
        ("public.key", PUBLIC),
        ("public.key", b"-----BEGIN PGP PUBLIC KEY BLOCK-----\n"),
        ("cert.der", DER_CERTIFICATE),
        ("request.der", DER_REQUEST),
        ("public.der", DER_PUBLIC),
        ("slides.key", keynote()),
        ("en.key", "title = Überschrift\n".encode()),
        ("en.key", "title\n".encode("utf-16")),
        ("photo.jpg", b"\xff\xd8\x00\x01"),
        ("test_keys.py", b"KEY = '''" + PRIVATE + b"'''\n"),
        ("README.md", b"# Keys\n\n" + PRIVATE),
        ("schema.json", b'{"properties": {"private_key": {"type": "string"}}}'),
        ("desktop.ini", b"[Interface]\nTheme = dark\n[Keys]\nPrivateKey = none\n"),
        ("release.minisig", b"untrusted comment: signature from minisign secret key\n"),
        ("empty.pem", b""),
        ("empty.key", b""),
    ],
)
def test_certificates_public_keys_and_ordinary_files_are_read(name: str, data: bytes) -> None:
    assert not holds(name, data)


def test_a_refusal_says_why_and_can_be_overridden() -> None:
    with pytest.raises(ReadError, match="holds a private key") as caught:
        Policy().check_contents("tls/site.pem", lambda length: PRIVATE[:length], asked="site")
    assert (caught.value.code, caught.value.path) == (ErrorCode.POLICY_DENIED, "site")
    assert caught.value.hint is not None
    assert '"/tls/site.pem"' in caught.value.hint
    Policy(allow=["/tls/site.pem"]).check_contents("tls/site.pem", lambda length: PRIVATE[:length], asked="site")
