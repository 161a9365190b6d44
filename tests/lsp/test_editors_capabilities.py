"""The daemon as VS Code and Neovim meet it: nothing is sent that they did not say they can take."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, client_capabilities

from forge_protocol.cache import CacheClearParams, CacheStatsParams
from forge_protocol.count_lines import CountLinesParams
from forge_protocol.errors import ErrorCode
from forge_protocol.find import FindParams
from forge_protocol.read_file import ReadFileParams
from forge_protocol.read_files import ReadFilesParams
from forge_protocol.registry import COMMANDS, REQUESTS
from forge_protocol.tools import ToolsCallParams, ToolsListParams
from tests.lsp.forge_client import ForgeClient, ForgeError
from tests.lsp.raw_client import PATIENCE, SERVE, endless_file

EDITORS = ["visual_studio_code", "neovim"]
CONFIG = ClientServerConfig(server_command=SERVE, client_factory=ForgeClient)


@pytest_lsp.fixture(params=EDITORS, config=CONFIG)  # type: ignore[untyped-decorator]
async def editor(request: pytest.FixtureRequest, client: ForgeClient, workspace: Path) -> AsyncIterator[None]:
    (workspace / "a.txt").write_text("".join(f"line {number}\n" for number in range(1, 301)))
    client.set_configuration({"tools": {"read_file": {"max_file_read_bytes": 21}}}, section="forge")
    client.introduction = await client.initialize_session(
        types.InitializeParams(
            capabilities=client_capabilities(request.param),
            workspace_folders=[types.WorkspaceFolder(uri=workspace.as_uri(), name="workspace")],
        )
    )
    yield
    await client.shutdown_session()


async def until(condition: Callable[[], object]) -> None:
    """Wait for the other side, up to a limit."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


async def test_the_daemon_introduces_itself(editor: ForgeClient) -> None:
    introduction = editor.introduction
    assert introduction.server_info is not None
    assert introduction.server_info.name == "forge-read"
    experimental: Any = introduction.capabilities.experimental
    forge = experimental["forge"]
    assert forge["requests"] == [entry.name for entry in REQUESTS]
    assert introduction.capabilities.execute_command_provider is not None
    assert sorted(introduction.capabilities.execute_command_provider.commands) == sorted(forge["commands"])


async def test_the_editors_settings_are_fetched(editor: ForgeClient) -> None:
    async def read_lines(wanted: int) -> None:
        call = ToolsCallParams(name="Read", arguments={"path": "a.txt"})
        async with asyncio.timeout(PATIENCE):
            while (await editor.tools_call(call))["meta"]["returned_line_count"] != wanted:
                await asyncio.sleep(0.01)

    await read_lines(3)
    editor.set_configuration({"tools": {"read_file": {"max_file_read_bytes": 14}}}, section="forge")
    editor.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
    await read_lines(2)


async def test_registrations_are_those_the_editor_takes(editor: ForgeClient) -> None:
    workspace = editor.capabilities.workspace if editor.capabilities else None
    assert workspace is not None
    takes = {
        method
        for method, ability in (
            (types.WORKSPACE_DID_CHANGE_CONFIGURATION, workspace.did_change_configuration),
            (types.WORKSPACE_DID_CHANGE_WATCHED_FILES, workspace.did_change_watched_files),
        )
        if ability and ability.dynamic_registration
    }
    await until(lambda: {each.method for each in editor.registrations} == takes)
    await editor.read_file(ReadFileParams(path="a.txt"))
    assert {each.method for each in editor.registrations} == takes


async def test_every_request_and_command_answers_in_its_own_shape(editor: ForgeClient) -> None:
    first = await editor.read_file(ReadFileParams(path="a.txt", max_lines=2))
    assert (first.content, first.next_start_line) == ("line 1\nline 2\n", 3)
    rest = await editor.read_file(ReadFileParams(path="a.txt", cursor=first.next_cursor, max_lines=10_000))
    assert rest.meta.returned_line_count == 298
    many = await editor.read_files(ReadFilesParams(files=[{"path": "a.txt", "head": 1}, {"path": "none"}]))
    assert many.results[0].result is not None
    assert many.results[1].error is not None
    assert many.results[1].error.code == ErrorCode.NOT_FOUND
    assert (await editor.count_lines(CountLinesParams(path="a.txt"))).line_count == 300
    found = await editor.find(FindParams(path="a.txt", pattern="line 77"))
    assert found.match is not None
    assert found.match.line == 77
    tools = (await editor.tools_list(ToolsListParams(toolset="workspace"))).tools
    assert [tool.name for tool in tools] == ["read_file"]
    output = await editor.tools_call(
        ToolsCallParams(name="read_file", arguments={"path": "a.txt"}, toolset="workspace")
    )
    assert output["meta"]["returned_line_count"] == 200
    stats = await editor.cache_stats(CacheStatsParams())
    assert [each.workspace_folder for each in stats.folders] == ["workspace"]
    cleared = await editor.cache_clear(CacheClearParams(workspace_folder="workspace"))
    assert cleared.folders[0].entries == 0


async def test_an_error_carries_its_data(editor: ForgeClient) -> None:
    with pytest.raises(ForgeError) as caught:
        await editor.read_file(ReadFileParams(path="a.text"))
    assert caught.value.json_rpc_code == -32803
    assert caught.value.data.code == ErrorCode.NOT_FOUND
    assert caught.value.data.path == "a.text"
    assert "a.txt" in (caught.value.data.hint or "")


async def test_an_open_document_is_served_as_the_editor_has_it(editor: ForgeClient, workspace: Path) -> None:
    uri = (workspace / "a.txt").as_uri()
    document = types.TextDocumentItem(uri=uri, language_id="plaintext", version=1, text="draft\U0001f600 one\n")
    editor.text_document_did_open(types.DidOpenTextDocumentParams(text_document=document))
    encoding = editor.introduction.capabilities.position_encoding
    start = types.Position(0, {"utf-8": 10, "utf-16": 8, "utf-32": 7}[str(encoding)])
    editor.text_document_did_change(
        types.DidChangeTextDocumentParams(
            text_document=types.VersionedTextDocumentIdentifier(uri=uri, version=2),
            content_changes=[
                types.TextDocumentContentChangePartial(
                    range=types.Range(start, types.Position(0, start.character + 3)), text="two"
                )
            ],
        )
    )
    answer = await editor.read_file(ReadFileParams(path="a.txt"))
    assert (answer.content, answer.source, answer.document_version) == ("draft\U0001f600 two\n", "buffer", 2)


@pytest.mark.slow
async def test_progress_of_long_work_is_shown_and_can_be_stopped(editor: ForgeClient, workspace: Path) -> None:
    endless = endless_file(workspace / "endless")
    counting = asyncio.create_task(editor.count_lines(CountLinesParams(path=endless.name)))
    await until(lambda: any(len(reports) >= 2 for reports in editor.progress_reports.values()))
    (token,) = editor.progress_reports
    editor.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token=token))
    with pytest.raises(ForgeError) as caught:
        await counting
    assert caught.value.data.code == ErrorCode.CANCELLED
    await until(lambda: isinstance(editor.progress_reports[token][-1], types.WorkDoneProgressEnd))
    assert isinstance(editor.progress_reports[token][0], types.WorkDoneProgressBegin)


async def test_faulty_settings_become_diagnostics(editor: ForgeClient, workspace: Path) -> None:
    file = workspace / "forge.toml"
    file.write_text("[policy]\nforbid = []\n")
    event = types.FileEvent(uri=file.as_uri(), type=types.FileChangeType.Created)
    editor.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes=[event]))
    await until(lambda: editor.diagnostics.get(file.as_uri()))
    (diagnostic,) = editor.diagnostics[file.as_uri()]
    assert diagnostic.range.start.line == 1
    await until(lambda: editor.messages)
    assert "policy.forbid" in editor.messages[0].message


def test_the_reference_client_knows_every_entry_of_the_registry() -> None:
    methods = {entry.name: _method_name(entry.name) for entry in (*REQUESTS, *COMMANDS)}
    assert [name for name, method in methods.items() if not hasattr(ForgeClient, method)] == []


def _method_name(entry: str) -> str:
    """`forge/readFile` is `read_file`, `forge.tools.call` is `tools_call`."""
    plain = entry.removeprefix("forge/").removeprefix("forge.").replace(".", "_")
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in plain)
