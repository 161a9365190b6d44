"""Builds lsprotocol's classes when they are first used, not when they are imported.

lsprotocol declares more than 550 attrs classes; attrs compiles methods for each of them, which takes longer than
everything else before the first answer, and a session uses a few dozen of them. The classes are the same
except that they have no slots. FORGE_READ_EAGER_TYPES=1 switches this off.
"""

import os
import sys
from typing import Any

import attrs

SWITCH = "FORGE_READ_EAGER_TYPES"


def import_types() -> None:
    """Import `lsprotocol.types`; must come before any other import of it."""
    if os.environ.get(SWITCH) or "lsprotocol.types" in sys.modules:
        return
    usual: Any = attrs.define
    attrs.define = _declare  # type: ignore[assignment]
    try:
        from lsprotocol import types  # noqa: F401
    finally:
        attrs.define = usual
    from lsprotocol import _hooks

    # References between classes are resolved as each is built.
    _hooks._resolved_forward_references = True


def _declare(cls: Any) -> Any:
    cls.__attrs_attrs__ = _Fields()
    cls.__init__ = _build_and_initialize
    return cls


class _Fields:
    """Stands where attrs keeps a class's fields: code that looks there needs the class built."""

    def __get__(self, instance: object, cls: Any) -> Any:
        _build(cls)
        return cls.__attrs_attrs__


def _build_and_initialize(self: Any, *args: Any, **kwargs: Any) -> None:
    _build(type(self))
    self.__init__(*args, **kwargs)


def _build(cls: Any) -> None:
    from lsprotocol.types import ALL_TYPES_MAP

    del cls.__attrs_attrs__, cls.__init__
    # Slots would make another class, and this one is known by its name already.
    attrs.define(cls, slots=False)
    attrs.resolve_types(cls, ALL_TYPES_MAP, {})
