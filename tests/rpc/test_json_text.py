"""JSON as bytes: the same with and without orjson."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forge_daemon.rpc import json_text

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


@pytest.fixture(params=["orjson", "json"], autouse=True)
def encoder(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "json":
            patch.setattr(json_text, "orjson", None)
        yield


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(VALUES)
def test_what_is_encoded_is_decoded_to_the_same(value: object) -> None:
    assert json_text.decode(json_text.encode(value)) == value


def test_text_beyond_ascii_is_written_as_it_is() -> None:
    assert json_text.encode({"a": "日本\U0001f600\u2028"}) == '{"a":"日本\U0001f600\u2028"}'.encode()


@pytest.mark.parametrize("value", ["\ud800", "a\udfffb", {"\ud800": ["日\ud800"]}], ids=ascii)
def test_half_a_character_is_escaped(value: object) -> None:
    assert json.loads(json_text.encode(value)) == value


@pytest.mark.parametrize("value", [2**63, 2**64, -(10**30), 2**53 + 1])
def test_integers_of_any_size_stay_exact(value: int) -> None:
    assert json_text.encode({"id": value}) == b'{"id":%d}' % value
    assert json_text.decode(b"[%d]" % value) == [value]


def test_deep_values_are_encoded() -> None:
    value: object = 1
    for _ in range(400):
        value = [value]
    assert json_text.decode(json_text.encode(value)) == value


@pytest.mark.parametrize(
    "body", [b"NaN", b"[Infinity]", b"-Infinity", b"", b"\xff", b"\xef\xbb\xbf1", b"[1,]", b"'a'", b"1" * 5000]
)
def test_what_is_not_strict_json_in_utf_8_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError, match=r"JSON|Expecting|codec|BOM|digit|Illegal|Extra"):
        json_text.decode(body)


def test_nesting_without_end_is_refused() -> None:
    with pytest.raises((RecursionError, ValueError)):
        json_text.decode(b"[" * 100_000)
