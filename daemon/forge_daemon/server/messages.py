"""LSP's own messages: JSON values to typed parameters, and results to JSON values."""

from collections.abc import Callable
from typing import Any

from attrs import define, field
from cattrs import BaseValidationError, Converter, transform_error
from lsprotocol import types

from forge_protocol.conversion import structure, unstructure
from forge_protocol.errors import invalid_argument
from forge_protocol.fields import ProgressToken

NOTIFICATIONS = frozenset(method for method, kinds in types.METHOD_TO_TYPES.items() if kinds[1] is None)
_MAX_FAULTS = 5


@define(kw_only=True)
class ExecuteCommandParams:
    """The parameters of `workspace/executeCommand`, with the arguments left as they came."""

    command: str
    """Which command."""
    arguments: list[Any] = field(factory=list)
    """One object; none means an empty one."""
    work_done_token: ProgressToken | None = None
    """Report progress under this token."""


_COMMAND_KEYS = {"command", "arguments", "workDoneToken"}


class LspMessages:
    """Uses pygls' converter for what lsprotocol declares."""

    def __init__(self, converter: Converter) -> None:
        self._converter = converter

    def with_types(self, method: str, run: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """A function that takes typed parameters, for parameters as JSON. It raises `INVALID_ARGUMENT` if they are
        faulty."""
        params_type: Any = types.METHOD_TO_TYPES[method][2]
        if params_type is None:
            return run
        if method == types.INITIALIZE:
            return lambda params: run(self._structure(_with_used_capabilities(params), params_type))
        return lambda params: run(self._structure(params, params_type))

    def command(self, params: Any) -> ExecuteCommandParams:
        """The parameters of `workspace/executeCommand`. Unknown keys are ignored, as in all of LSP's own messages."""
        if isinstance(params, dict):
            params = {key: value for key, value in params.items() if key in _COMMAND_KEYS}
        return structure({} if params is None else params, ExecuteCommandParams)

    def _structure(self, params: Any, params_type: Any) -> Any:
        try:
            return self._converter.structure(params, params_type)
        except BaseValidationError as error:
            raise invalid_argument("; ".join(transform_error(error, path="")[:_MAX_FAULTS])) from None
        except Exception:
            raise invalid_argument("the parameters do not fit the method") from None

    def to_json(self, value: Any) -> Any:
        if type(value).__module__.startswith("forge_protocol"):
            return unstructure(value)
        if hasattr(type(value), "__attrs_attrs__"):
            return self._converter.unstructure(value)
        return value


_USED_CAPABILITIES = {
    "general": ("positionEncodings",),
    "window": ("workDoneProgress",),
    "workspace": ("configuration", "didChangeConfiguration", "didChangeWatchedFiles", "workspaceFolders"),
}


def _with_used_capabilities(params: Any) -> Any:
    """Only the capabilities used here: structuring all of them takes longer than the rest of the handshake."""
    capabilities = params.get("capabilities") if isinstance(params, dict) else None
    if not isinstance(capabilities, dict):
        return params
    used = {
        part: {key: value for key, value in capabilities[part].items() if key in keys}
        for part, keys in _USED_CAPABILITIES.items()
        if isinstance(capabilities.get(part), dict)
    }
    return {**params, "capabilities": used}
