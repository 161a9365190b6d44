"""Everything the protocol declares, gathered once for all emitters."""

import ast
import inspect
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import attrs

from forge_protocol import PROTOCOL_VERSION
from forge_protocol.agent_tools import AGENT_ARGUMENTS
from forge_protocol.conversion import LEAVES_OUT_ABSENT, WIRE_NAMES, unstructure
from forge_protocol.error_data import ErrorData
from forge_protocol.registry import REGISTRY, Direction, Entry
from forge_protocol.settings import SettingsFile
from forge_protocol.shapes import Shape, messages_in, shape_of, without_none
from forge_protocol.tools import ReadArguments, ReadFileArguments, ReadFileOutput, ReadOutput


@attrs.frozen(kw_only=True)
class Field:
    name: str
    """As it is spelled on the wire."""
    shape: Shape
    required: bool
    """False: may be left out."""
    nullable: bool
    default: Any
    """The JSON value that holds where the field is absent; None where there is none."""
    doc: str


@attrs.frozen(kw_only=True)
class Message:
    name: str
    doc: str
    is_request: bool
    """Sent by the client, which may leave optional fields out and must not add any. Else sent by the server, which
    sends every field and may send more in a later version."""
    fields: tuple[Field, ...]


@attrs.frozen(kw_only=True)
class Model:
    version: str
    entries: tuple[Entry, ...]
    messages: dict[str, Message]
    """By name, in the order in which the registry mentions them."""


_OTHER_REQUESTS = (
    ReadArguments,
    ReadFileArguments,
    *AGENT_ARGUMENTS.values(),
    SettingsFile,
)
"""Sent through a tool or a settings file, so no entry of the registry mentions them."""

_OTHER_ANSWERS = (ReadOutput, ReadFileOutput, ErrorData)


def build_model() -> Model:
    from_client = [entry for entry in REGISTRY if entry.direction is Direction.CLIENT_TO_SERVER]
    from_server = [entry for entry in REGISTRY if entry.direction is Direction.SERVER_TO_CLIENT]
    requests = _reachable([*(entry.params for entry in from_client), *_results(from_server), *_OTHER_REQUESTS])
    answers = _reachable([*_results(from_client), *(entry.params for entry in from_server), *_OTHER_ANSWERS])
    if both := requests.keys() & answers.keys():
        # An optional field means one thing in a request (null is absent) and another in an answer.
        raise TypeError(f"part of requests and of answers: {', '.join(each.__name__ for each in both)}")
    messages = [_message(each, is_request=each in requests) for each in (*requests, *answers)]
    return Model(
        version=PROTOCOL_VERSION,
        entries=REGISTRY,
        messages={message.name: message for message in messages},
    )


def _results(entries: Iterable[Entry]) -> list[type]:
    return [entry.result for entry in entries if entry.result is not None and attrs.has(entry.result)]


def paragraphs(docstring: str | None) -> str:
    """A docstring whose paragraphs are single lines, however the source wrapped them."""
    return "\n\n".join(" ".join(part.split()) for part in inspect.cleandoc(docstring or "").split("\n\n"))


def _reachable(roots: Iterable[type]) -> dict[type, None]:
    found: dict[type, None] = {}
    for root in roots:
        if root not in found:
            nested = [each for field in attrs.fields(root) for each in messages_in(field.type)]
            found |= {root: None} | _reachable(nested)
    return found


def _message(message_type: type, *, is_request: bool) -> Message:
    docs = _field_docs(message_type)
    leaves_out = issubclass(message_type, LEAVES_OUT_ABSENT)
    return Message(
        name=message_type.__name__,
        doc=paragraphs(message_type.__doc__),
        is_request=is_request,
        fields=tuple(
            _field(field, docs[field.name], is_request=is_request, leaves_out=leaves_out)
            for field in attrs.fields(message_type)
        ),
    )


def _field(field: "attrs.Attribute[Any]", doc: str, *, is_request: bool, leaves_out: bool) -> Field:
    inner, has_none = without_none(field.type)
    has_default = field.default is not attrs.NOTHING
    may_be_absent = has_default and (is_request or leaves_out)
    return Field(
        name=WIRE_NAMES.get(field.name, field.name),
        shape=shape_of(inner),
        required=not may_be_absent,
        nullable=is_request if may_be_absent else has_none,
        default=_default(field) if is_request and has_default else None,
        doc=doc,
    )


def _default(field: "attrs.Attribute[Any]") -> Any:
    factory = getattr(field.default, "factory", None)
    default = factory() if factory else field.default
    return None if attrs.has(type(default)) else unstructure(default)


def _field_docs(message_type: type) -> dict[str, str]:
    docs: dict[str, str] = {}
    for each in reversed(message_type.__mro__):
        if attrs.has(each):
            docs |= _docs_in_source(each)
    return docs


def _docs_in_source(message_type: type) -> dict[str, str]:
    """The string literals under the fields: Python keeps them in the source alone."""
    body = _class_bodies(inspect.getfile(message_type))[message_type.__name__]
    docs: dict[str, str] = {}
    for statement, following in pairwise(body):
        match statement, following:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(doc))):
                docs[name] = paragraphs(doc)
    return docs


@cache
def _class_bodies(file: str) -> dict[str, list[ast.stmt]]:
    module = ast.parse(Path(file).read_text(encoding="utf-8"))
    return {node.name: node.body for node in module.body if isinstance(node, ast.ClassDef)}
