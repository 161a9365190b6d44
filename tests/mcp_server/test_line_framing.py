import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge_daemon.rpc.framing import MAX_BODY_BYTES, FrameError
from forge_daemon.rpc.line_framing import LineParser, line

BODIES = st.lists(st.binary().map(lambda body: b"{" + body.replace(b"\n", b" ") + b"}"))


@given(BODIES, st.integers(1, 7))
def test_messages_come_whole_however_they_arrive(bodies: list[bytes], size: int) -> None:
    stream, parser = b"".join(map(line, bodies)), LineParser()
    pieces = [stream[start : start + size] for start in range(0, len(stream), size)]
    assert [body for piece in pieces for body in parser.feed(piece)] == bodies
    assert not parser.inside_frame


def test_a_line_without_end_is_refused() -> None:
    parser = LineParser()
    with pytest.raises(FrameError):
        for _ in range(3):
            list(parser.feed(b"x" * (MAX_BODY_BYTES // 2)))
