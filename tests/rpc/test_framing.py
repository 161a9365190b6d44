"""Frames out of bytes, however they are cut."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge_daemon.rpc.framing import (
    MAX_BODY_BYTES,
    MAX_HEADER_BYTES,
    FrameError,
    FrameParser,
    LineFraming,
    content_length,
    frame,
)

HEADERS = st.sampled_from(
    [
        b"Content-Length: %d\r\n\r\n",
        b"content-length:%d\n\n",
        b"X: y\r\nCONTENT-LENGTH : %d \r\n\r\n",
        b"Content-Length: %d\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n",
        b"Content-Length: %d\n\r\n",
    ]
)
BODIES = st.one_of(
    st.binary(max_size=50),
    st.sampled_from([b"", b"\n", b"\r\n\r\n", b"Content-Length: 5\r\n\r\n", b"x" * 10_000]),
)


def cut(stream: bytes, places: list[int]) -> list[bytes]:
    edges = [0, *sorted(place % (len(stream) + 1) for place in places), len(stream)]
    return [stream[start:end] for start, end in pairwise(edges)]


@given(st.lists(st.tuples(HEADERS, BODIES), max_size=6), st.lists(st.integers(0, 100_000), max_size=20))
def test_any_cut_of_valid_frames_gives_their_bodies_back(frames: list[tuple[bytes, bytes]], places: list[int]) -> None:
    stream = b"".join(header % len(body) + body for header, body in frames)
    parser = FrameParser()
    assert [body for part in cut(stream, places) for body in parser.feed(part)] == [body for _, body in frames]
    assert not parser.inside_frame


@given(st.binary(max_size=40))
def test_a_frame_of_ours_is_one_frame(body: bytes) -> None:
    assert list(FrameParser().feed(frame(body))) == [body]


@given(st.lists(st.binary(max_size=4000), max_size=8))
def test_garbage_ends_in_an_error_or_waits_with_a_bounded_header(parts: list[bytes]) -> None:
    parser = FrameParser()
    try:
        for part in parts:
            list(parser.feed(part))
    except FrameError:
        return
    assert sum(map(len, parts)) < MAX_HEADER_BYTES


def test_a_header_that_never_ends_is_given_up() -> None:
    parser = FrameParser()
    assert list(parser.feed(b"x" * (MAX_HEADER_BYTES - 1))) == []
    assert parser.inside_frame
    with pytest.raises(FrameError, match="no end of header"):
        list(parser.feed(b"x"))


def test_a_length_as_long_as_allowed_is_taken_and_one_more_is_not() -> None:
    assert content_length(b"Content-Length: %d" % MAX_BODY_BYTES) == MAX_BODY_BYTES
    with pytest.raises(FrameError, match="larger than"):
        content_length(b"Content-Length: %d" % (MAX_BODY_BYTES + 1))


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"Content-Length",
        b"Content-Length: ",
        b"Content-Length: 5 5",
        b"Content-Length: -1",
        b"Content-Length: \xb2",
        b"Content-Length: 1_0",
        b"Content-Length: 5\nContent-Length: 6",
        b"Content-Lengths: 5",
        b"garbage\nContent-Length: 5",
    ],
)
def test_a_header_without_one_clear_length_is_refused(header: bytes) -> None:
    with pytest.raises(FrameError):
        content_length(header)


def test_bodies_before_the_fault_are_still_given() -> None:
    bodies = FrameParser().feed(frame(b"1") + frame(b"2") + b"garbage\n\n")
    assert [next(bodies), next(bodies)] == [b"1", b"2"]
    with pytest.raises(FrameError):
        next(bodies)


# One message a line ------------------------------------------------------------------------------


@given(st.lists(st.binary(min_size=1).map(lambda line: b"x" + line.replace(b"\n", b"") + b"x")), st.integers(1, 7))
def test_lines_come_out_whole_however_they_arrive(lines: list[bytes], step: int) -> None:
    framing = LineFraming()
    stream = b"".join(piece for line in lines for piece in framing.wrap(line))
    parts = [stream[start : start + step] for start in range(0, len(stream), step)]
    assert [line for part in parts for line in framing.feed(part)] == lines
    assert not framing.inside_frame


def test_blank_lines_and_carriage_returns_are_no_part_of_a_message() -> None:
    framing = LineFraming()
    assert list(framing.feed(b'\n \n{"a":1}\r\n\n{"b"')) == [b'{"a":1}']
    assert framing.inside_frame
    assert list(framing.feed(b":2}\n  ")) == [b'{"b":2}']
    assert not framing.inside_frame


def test_a_line_that_never_ends_is_refused() -> None:
    framing = LineFraming()
    assert list(framing.feed(bytes(MAX_BODY_BYTES))) == []
    with pytest.raises(FrameError, match="larger than"):
        list(framing.feed(b"x"))
