"""A cursor says exactly where to continue, and anything that is not one is refused."""

import string
from binascii import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge_daemon.reading.files.same_file import RACY_SUFFIX, etag_of
from forge_daemon.reading.match.run import Place
from forge_daemon.reading.window.cursor import Cursor, cursor_at, decode_cursor, encode_cursor
from forge_daemon.reading.window.read import read_window
from forge_daemon.reading.window.window import WindowRequest
from forge_protocol import LARGEST_INTEGER
from forge_protocol.errors import ErrorCode, ReadError
from tests.reading.sources import in_memory, no_progress, text_in, window_of


@st.composite
def places(draw: st.DrawFn) -> Cursor:
    size = draw(st.integers(0, LARGEST_INTEGER))
    numbers = st.integers(-size, size)
    return Cursor(
        etag_of(draw(st.binary())) + draw(st.sampled_from(["", RACY_SUFFIX])),
        size,
        draw(st.binary(min_size=8, max_size=8)).hex(),
        Place(draw(st.integers(0, size)), draw(numbers), draw(numbers), draw(st.booleans())),
        draw(st.none() | st.integers(1, LARGEST_INTEGER)),
        draw(st.sampled_from(["", "0123456789ab"])),
    )


PLACES = places()


ETAG = etag_of(b"")


@given(PLACES)
def test_a_cursor_comes_back_as_it_was(cursor: Cursor) -> None:
    assert decode_cursor(encode_cursor(cursor)) == cursor


@given(PLACES)
def test_a_cursor_can_stand_in_a_url_and_after_an_option(cursor: Cursor) -> None:
    assert set(encode_cursor(cursor)) <= set(string.ascii_letters + string.digits + "-_.~")
    assert not encode_cursor(cursor._replace(etag="-" + cursor.etag)).startswith("-")


@given(PLACES, st.integers(0, 90), st.sampled_from("AZaz09-_."))
def test_a_cursor_with_one_wrong_character_is_refused(cursor: Cursor, position: int, character: str) -> None:
    text = encode_cursor(cursor)
    position %= len(text)
    changed = text[:position] + character + text[position + 1 :]
    if changed != text:
        assert_refused(changed)


@given(st.text())
def test_any_other_text_is_refused(text: str) -> None:
    assert_refused(text)


@given(PLACES, st.sampled_from(["+", " ", "_", "0", "\u0661"]), st.integers(4, 10))
def test_a_number_written_otherwise_is_refused(cursor: Cursor, prefix: str, field: int) -> None:
    parts = encode_cursor(cursor).split(".")
    parts[field] = prefix + parts[field]
    body = ".".join(parts[1:])
    assert_refused(f"{crc32(body.encode()):08x}.{body}")


@pytest.mark.parametrize(("offset", "last"), [(-1, None), (0, -1)])
def test_a_forged_place_before_the_file_is_refused(offset: int, last: int | None) -> None:
    assert_refused(encode_cursor(Cursor(ETAG, 10, "00", Place(offset, 1, 1), last)))


@pytest.mark.parametrize(
    "text", ["", ".", "....", "é", "\ud800....", f"{ETAG}.{'9' * 5000}.1.0.00000000", "A" * 100_000, "." * 100_000]
)
def test_what_is_nearly_a_cursor_is_refused(text: str) -> None:
    assert_refused(text)


def assert_refused(text: str) -> None:
    with pytest.raises(ReadError) as caught:
        decode_cursor(text)
    assert caught.value.code == ErrorCode.INVALID_ARGUMENT
    assert caught.value.hint is not None


@pytest.mark.parametrize("changed", [b"1\n2\n3", b"1\n2\n4\n", b"0\n1\n2\n3\n", b"1\n\0\n3\n", b""])
def test_a_cursor_of_another_state_is_content_modified_and_names_the_new_one(changed: bytes) -> None:
    cursor = window_of(b"1\n2\n3\n", WindowRequest(max_lines=1)).next_cursor
    with pytest.raises(ReadError) as caught:
        window_of(changed, WindowRequest(selection=cursor))
    assert caught.value.code == ErrorCode.CONTENT_MODIFIED
    assert caught.value.etag == in_memory(changed).etag
    assert caught.value.retriable


@pytest.mark.parametrize(
    ("offset", "line"), [(2**40, 1), (2**64 - 1, 1), (0, 2**40), (2, LARGEST_INTEGER), (2, -LARGEST_INTEGER)]
)
def test_a_forged_place_outside_the_file_is_refused(offset: int, line: int) -> None:
    assert_refused(encode_cursor(Cursor(ETAG, 5, "00", Place(offset, line, line))))


@given(st.integers(0, 9), st.integers(-4, 3), st.none() | st.integers(1, 9))
def test_a_forged_place_inside_the_file_still_ends(offset: int, line: int, last: int | None) -> None:
    source = in_memory(b"1\n\xe3\x81\x82\r\n3\n")
    selection: Cursor | None = cursor_at(source, text_in(source), Place(offset, line, line), last)
    for _ in range(source.size + 1):
        window = read_window(source, WindowRequest(selection=selection, max_bytes=2), no_progress)
        if window.next_cursor is None:
            return
        selection = decode_cursor(encode_cursor(window.next_cursor))
    raise AssertionError("the cursors lead on for ever")
