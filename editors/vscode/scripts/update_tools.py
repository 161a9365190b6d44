"""Writes the daemon's definitions of the toolset `agent` into `package.json`; with `--check` only compares them."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from forge_daemon.tools import ToolCatalog

_MANIFEST = Path(__file__).resolve().parent.parent / "package.json"
_SHOWN = {
    "read": (
        "Forge: Read",
        "forgeRead",
        "$(book)",
        "Read a file of the workspace, or some of its lines, with unsaved edits",
    ),
    "find": ("Forge: Find", "forgeFind", "$(search)", "Find the matching lines of a file of any size"),
    "read_many": ("Forge: Read Many", "forgeReadMany", "$(files)", "Read several files in one call"),
}
"""Display name, name in prompts, icon and description for the user."""


def contributions() -> list[dict[str, Any]]:
    tools = []
    for definition in ToolCatalog.definitions("agent"):
        name = definition["name"]
        display, reference, icon, description = _SHOWN[name]
        tools.append(
            {
                "name": f"forge_{name}",
                "displayName": display,
                "toolReferenceName": reference,
                "canBeReferencedInPrompt": True,
                "icon": icon,
                "userDescription": description,
                "modelDescription": definition["description"],
                "inputSchema": definition["parameters"],
                "tags": ["forge", "read", "files"],
            }
        )
    return tools


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    manifest = json.loads(_MANIFEST.read_text(encoding="utf-8"))
    current = manifest["contributes"]["languageModelTools"]
    wanted = contributions()
    if current == wanted:
        return 0
    if check:
        print(f"package.json does not have the daemon's tools: run {Path(__file__).name}", file=sys.stderr)
        return 1
    manifest["contributes"]["languageModelTools"] = wanted
    _MANIFEST.write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
