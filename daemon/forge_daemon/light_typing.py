"""What the modules that every command imports need of `typing`, without importing it.

`import typing`, with what it imports, takes as long as Python takes to start, and its named tuples take half as long
again as those of `collections`. Type checkers see `typing` itself; at run time a hint from here means nothing.
"""

TYPE_CHECKING = False
"""Type checkers know the name, wherever it comes from."""

if TYPE_CHECKING:
    from typing import Any, Literal, NamedTuple, NoReturn, Protocol, Self, TypeVar
else:
    from collections import namedtuple

    Any = NoReturn = Protocol = Self = object

    class Literal:
        def __class_getitem__(cls, _values):
            return object

    def TypeVar(_name):
        return object

    class _NamedTupleType(type):
        """Makes what `typing.NamedTuple` makes: a class of `collections.namedtuple`, with the methods of the body."""

        def __new__(cls, name, bases, namespace):
            if not bases:
                return super().__new__(cls, name, bases, namespace)
            # From Python 3.14 on, a body has no hints until there is a class.
            hints = namespace.get("__annotations__") or type(name, (), dict(namespace)).__annotations__
            defaults = [namespace.pop(field) for field in hints if field in namespace]
            made = namedtuple(name, hints, defaults=defaults, module=namespace["__module__"])
            for key, value in namespace.items():
                setattr(made, key, value)
            return made

    class NamedTuple(metaclass=_NamedTupleType):
        pass


__all__ = ["TYPE_CHECKING", "Any", "Literal", "NamedTuple", "NoReturn", "Protocol", "Self", "TypeVar"]
