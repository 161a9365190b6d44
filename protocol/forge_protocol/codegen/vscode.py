"""VS Code's `package.json`: its page of settings and its language model tools. The rest is written by hand."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from forge_protocol.agent_tools import AGENT_DEFINITIONS
from forge_protocol.shapes import Array, schema_of

from .json_schema import reference
from .model import Model
from .settings import Documented, settings_of

PACKAGE = "editors/vscode/package.json"

_FIRST_ORDER = 10
"""In VS Code's settings page, those of the extension itself come first."""


class ToolDisplay(NamedTuple):
    """What a person sees of a tool."""

    name: str
    name_in_prompts: str
    icon: str
    description: str


_DISPLAYS = {
    "read": ToolDisplay(
        "Forge: Read",
        "forgeRead",
        "$(book)",
        "Read a file of the workspace, or some of its lines, with unsaved edits",
    ),
    "find": ToolDisplay(
        "Forge: Find", "forgeFind", "$(search)", "Find the matching lines of a file of any size, or of a folder"
    ),
    "list": ToolDisplay("Forge: List", "forgeList", "$(list-tree)", "List the files and folders in a folder"),
    "read_many": ToolDisplay("Forge: Read Many", "forgeReadMany", "$(files)", "Read several files in one call"),
}


def emit_package(model: Model, root: Path) -> str:
    """The whole file, with what is there now around what is generated."""
    manifest: dict[str, Any] = json.loads((root / PACKAGE).read_text(encoding="utf-8"))
    contributes = manifest["contributes"]
    contributes["configuration"]["properties"] = _properties(model, contributes["configuration"]["properties"])
    contributes["languageModelTools"] = [
        _tool(definition, _DISPLAYS[name]) for name, definition in AGENT_DEFINITIONS.items()
    ]
    return json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"


def _properties(model: Model, present: dict[str, Any]) -> dict[str, Any]:
    settings = settings_of(model)
    tables = tuple({f"forge.{each.setting.key[0]}." for each in settings})
    own = {key: value for key, value in present.items() if not key.startswith(tables)}
    return own | {f"forge.{each.key}": _property(each, order) for order, each in enumerate(settings, _FIRST_ORDER)}


def _property(each: Documented, order: int) -> dict[str, Any]:
    """Null or an empty list: not set. A value here would go over the user's own file."""
    schema = schema_of(each.field.shape, reference)
    is_list = isinstance(each.field.shape, Array)
    if is_list:
        schema["items"] |= {"minLength": 1}
    else:
        schema["type"] = [schema["type"], "null"]
    schema.pop("maximum", None)
    about = f"{each.field.doc} Applies to: {each.setting.scope}. Default: {each.built_in}."
    return {
        "type": schema.pop("type"),
        **schema,
        "default": [] if is_list else None,
        "scope": "machine",
        "order": order,
        "markdownDescription": about,
    }


def _tool(definition: dict[str, Any], shown: ToolDisplay) -> dict[str, Any]:
    return {
        "name": f"forge_{definition['name']}",
        "displayName": shown.name,
        "toolReferenceName": shown.name_in_prompts,
        "canBeReferencedInPrompt": True,
        "icon": shown.icon,
        "userDescription": shown.description,
        "modelDescription": definition["description"],
        "inputSchema": definition["parameters"],
        "tags": ["forge", "read", "files"],
    }
