"""What bytes mean: binary or text, malformed or not, how their lines end, where they may be cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge_daemon.reading.decoding import Decoded, decode
from forge_daemon.reading.encodings.encoding import UTF_8


@pytest.mark.parametrize(
    ("piece", "decoded"),
    [
        (b"", Decoded("", 0, "none")),
        (b"a", Decoded("a", 0, "none")),
        (b"a\n", Decoded("a\n", 0, "lf")),
        (b"a\r\n", Decoded("a\n", 0, "crlf")),
        (b"a\r\nb", Decoded("a\nb", 0, "crlf")),
        (b"a\r\nb\n", Decoded("a\nb\n", 0, "mixed")),
        (b"a\rb", Decoded("a\rb", 0, "none")),
        (b"a\r\r\n", Decoded("a\r\n", 0, "crlf")),
        (b"a\r", Decoded("a\r", 0, "none")),
        ("é日😀\u2028\x85\x0c\n".encode(), Decoded("é日😀\u2028\x85\x0c\n", 0, "lf")),
        (b"\xef\xbf\xbd", Decoded("\ufffd", 0, "none")),
        (b"\xff", Decoded("\ufffd", 1, "none")),
        (b"\xff\xef\xbf\xbd\xfe\r\n", Decoded("\ufffd\ufffd\ufffd\n", 2, "crlf")),
        (b"\xe3\xef\xbf\xbd", Decoded("\ufffd\ufffd", 1, "none")),
        (b"\xe3\x81", Decoded("\ufffd", 1, "none")),
        (b"\xed\xa0\x80", Decoded("\ufffd" * 3, 3, "none")),
        (b"\xc0\x80", Decoded("\ufffd" * 2, 2, "none")),
        (b"\xf0\x9f\x98\nx", Decoded("\ufffd\nx", 1, "lf")),
    ],
)
def test_bytes_become_normalised_text(piece: bytes, decoded: Decoded) -> None:
    assert decode(piece) == decoded


@pytest.mark.parametrize(
    ("piece", "at_most", "cut"),
    [
        (b"abcdef", 3, 3),
        ("aé日".encode(), 2, 1),
        ("aé日".encode(), 3, 3),
        ("日本".encode(), 5, 3),
        ("a😀b".encode(), 4, 1),
        ("a😀b".encode(), 5, 5),
        (b"ab\r\nc", 3, 2),
        (b"ab\r\nc", 4, 4),
        (b"ab\ncd", 2, 2),
        (b"\x80\x80\x80\x80\x80\x80", 5, 5),
        (b"\xf0\x9f\x98\x80\x80a", 4, 4),
        ("é".encode() + b"x", 1, 2),
        ("日x".encode(), 1, 3),
        ("😀x".encode(), 2, 4),
        (b"\xf0\x9f\x98x", 1, 3),
        (b"\xe3\x81xx", 1, 2),
        (b"\r\nab", 1, 2),
        (b"\xffabc", 0, 1),
        (b"a\xff\xff\xff", 0, 1),
        ("é".encode() + b"\xff\xff", 0, 2),
    ],
)
def test_a_cut_stands_between_characters(piece: bytes, at_most: int, cut: int) -> None:
    assert UTF_8.boundary(piece, at_most) == cut


@given(
    st.one_of(
        st.binary(min_size=1, max_size=24),
        st.lists(
            st.sampled_from([b"\r\n", b"\r", b"a", "é".encode(), "日".encode(), "😀".encode(), b"\x80", b"\xf0"]),
            min_size=1,
            max_size=9,
        ).map(b"".join),
    ),
    st.data(),
)
def test_both_sides_of_a_cut_decode_as_the_whole_does(piece: bytes, data: st.DataObject) -> None:
    at_most = data.draw(st.integers(0, len(piece) - 1))
    cut = UTF_8.boundary(piece, at_most)
    assert 0 < cut <= max(at_most, 4)
    left, right, whole = decode(piece[:cut]), decode(piece[cut:]), decode(piece)
    assert left.text + right.text == whole.text
    assert left.errors + right.errors == whole.errors
