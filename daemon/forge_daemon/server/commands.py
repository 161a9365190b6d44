"""The parameters of `workspace/executeCommand`, as strict as every other message."""

from typing import Any

from attrs import define, field

from forge_protocol.fields import ProgressToken


@define(kw_only=True)
class ExecuteCommandParams:
    """LSP's own message, with the arguments left as they came."""

    command: str
    """Which command."""
    arguments: list[Any] = field(factory=list)
    """Exactly one object."""
    work_done_token: ProgressToken | None = None
    """Report progress under this token."""
