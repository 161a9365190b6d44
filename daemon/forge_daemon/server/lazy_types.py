"""Builds lsprotocol's classes when they are first used, not when they are imported.

lsprotocol declares more than 550 attrs classes; attrs compiles methods for each of them, which takes longer than
everything else before the first answer, and a session uses a few dozen of them. The classes are the same
except that they have no slots. Only the thread that receives messages may use them: work sends plain dictionaries.

If attrs or lsprotocol are not as expected here, the classes are imported the usual way, as with
FORGE_READ_EAGER_TYPES=1.
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
    try:
        _import_lazily()
    except Exception:
        for name in [name for name in sys.modules if name.partition(".")[0] == "lsprotocol"]:
            del sys.modules[name]


def _import_lazily() -> None:
    usual: Any = attrs.define
    attrs.define = _declare  # type: ignore[assignment]
    try:
        from lsprotocol import types
    finally:
        attrs.define = usual
    from lsprotocol import _hooks

    assert _hooks._resolved_forward_references is False
    # References between classes are resolved as each is built.
    _hooks._resolved_forward_references = True
    assert types.Range(types.Position(1, 2), types.Position(3, 4)).end.line == 3


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
