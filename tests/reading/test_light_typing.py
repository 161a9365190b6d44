import typing

from forge_daemon import light_typing


class Heavy(typing.NamedTuple):
    """Two fields."""

    first: int
    second: str = "two"

    @property
    def both(self) -> str:
        return f"{self.first} {self.second}"


class Light(light_typing.NamedTuple):
    """Two fields."""

    first: int
    second: str = "two"

    @property
    def both(self) -> str:
        return f"{self.first} {self.second}"


_SAME = ["__annotations__", "__bases__", "__doc__", "__match_args__", "__module__", "_field_defaults", "_fields"]


def test_a_light_named_tuple_is_what_the_one_of_typing_is() -> None:
    light, heavy = Light(1), Heavy(1)
    assert tuple(light) == tuple(heavy) == (1, "two")
    assert repr(light._replace(first=3)) == repr(heavy._replace(first=3)).replace("Heavy", "Light")
    assert (light.both, light._asdict(), hash(light)) == (heavy.both, heavy._asdict(), hash(heavy))
    assert [getattr(Light, name) for name in _SAME] == [getattr(Heavy, name) for name in _SAME]


def test_it_has_all_the_names_that_it_promises() -> None:
    assert all(hasattr(light_typing, name) for name in light_typing.__all__)
