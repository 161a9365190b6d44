"""`server.json`, by which the MCP registry knows the server."""

import json
from pathlib import Path

from forge_daemon import __version__

ROOT = Path(__file__).parents[2]


def test_the_entry_is_of_this_version_and_fits_the_registrys_limits() -> None:
    entry = json.loads((ROOT / "server.json").read_text())
    (package,) = entry["packages"]
    assert entry["version"] == package["version"] == __version__
    assert len(entry["description"]) <= 100
    assert f"mcp-name: {entry['name']}" in (ROOT / "README.md").read_text()
    assert package["packageArguments"][0] == {"type": "positional", "value": "mcp"}
