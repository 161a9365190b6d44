"""The reference client: one method for each thing that can be asked, parameters and results typed.

Built on pytest-lsp's client, which checks every message against the capabilities of the editor it plays.
"""

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

from attrs import define
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import default_converter
from pytest_lsp import LanguageClient, LanguageClientProtocol
from pytest_lsp.client import register_lsp_features

from forge_protocol.cache import CacheClearParams, CacheStatsParams, CacheStatsResult
from forge_protocol.conversion import structure, unstructure
from forge_protocol.count_lines import CountLinesParams, CountLinesResult
from forge_protocol.describe import DescribeParams, DescribeResult
from forge_protocol.error_data import ErrorData
from forge_protocol.find import FindParams, FindResult
from forge_protocol.find_files import FindFilesParams, FindFilesResult
from forge_protocol.find_time import FindTimeParams, FindTimeResult
from forge_protocol.follow import FollowParams, FollowResult, UnfollowParams
from forge_protocol.list_folder import ListParams, ListResult
from forge_protocol.read_file import ReadFileParams, ReadFileResult
from forge_protocol.read_files import ReadFilesParams, ReadFilesResult
from forge_protocol.records import RecordsParams, RecordsResult
from forge_protocol.registry import BY_NAME
from forge_protocol.tools import ToolsCallParams, ToolsListParams, ToolsListResult
from tests.lsp.raw_client import PATIENCE

T = TypeVar("T")


@define
class Answer:
    """An answer whose result is left as it came; pygls would make objects of it that know no field names."""

    id: str | int
    jsonrpc: str
    result: Any


class ForgeClientProtocol(LanguageClientProtocol):
    def get_result_type(self, method: str) -> type | None:  # type: ignore[override]
        return Answer if method in BY_NAME else super().get_result_type(method)


class ForgeError(Exception):
    """An error answer, with its data as the protocol describes it."""

    def __init__(self, error: JsonRpcException) -> None:
        super().__init__(error.message)
        self.json_rpc_code = error.code
        self.data = structure(error.data, ErrorData)


class ForgeClient(LanguageClient):
    """Speaks to the daemon as an editor's extension would."""

    def __init__(self) -> None:
        super().__init__(protocol_cls=ForgeClientProtocol, converter_factory=default_converter)
        self.introduction = types.InitializeResult(capabilities=types.ServerCapabilities())
        self.registrations: list[types.Registration] = []
        register_lsp_features(self)
        self.feature(types.CLIENT_REGISTER_CAPABILITY)(_register_capability)

    async def read_file(self, params: ReadFileParams) -> ReadFileResult:
        return structure(await self._request("forge/readFile", params), ReadFileResult)

    async def read_files(self, params: ReadFilesParams) -> ReadFilesResult:
        return structure(await self._request("forge/readFiles", params), ReadFilesResult)

    async def count_lines(self, params: CountLinesParams) -> CountLinesResult:
        return structure(await self._request("forge/countLines", params), CountLinesResult)

    async def find(self, params: FindParams) -> FindResult:
        return structure(await self._request("forge/find", params), FindResult)

    async def find_time(self, params: FindTimeParams) -> FindTimeResult:
        return structure(await self._request("forge/findTime", params), FindTimeResult)

    async def describe(self, params: DescribeParams) -> DescribeResult:
        return structure(await self._request("forge/describe", params), DescribeResult)

    async def records(self, params: RecordsParams) -> RecordsResult:
        return structure(await self._request("forge/records", params), RecordsResult)

    async def find_files(self, params: FindFilesParams) -> FindFilesResult:
        return structure(await self._request("forge/findFiles", params), FindFilesResult)

    async def list(self, params: ListParams) -> ListResult:
        return structure(await self._request("forge/list", params), ListResult)

    async def follow(self, params: FollowParams) -> FollowResult:
        return structure(await self._request("forge/follow", params), FollowResult)

    async def unfollow(self, params: UnfollowParams) -> None:
        await self._request("forge/unfollow", params)

    async def tools_list(self, params: ToolsListParams) -> ToolsListResult:
        return structure(await self._command("forge.tools.list", params), ToolsListResult)

    async def tools_call(self, params: ToolsCallParams) -> Any:
        """The output of the tool: its own shape."""
        return await self._command("forge.tools.call", params)

    async def cache_stats(self, params: CacheStatsParams) -> CacheStatsResult:
        return structure(await self._command("forge.cache.stats", params), CacheStatsResult)

    async def cache_clear(self, params: CacheClearParams) -> CacheStatsResult:
        return structure(await self._command("forge.cache.clear", params), CacheStatsResult)

    async def _request(self, method: str, params: object) -> Any:
        request = self.protocol.send_request_async(method, unstructure(params))  # type: ignore[no-untyped-call]
        return await _answered(request)

    async def _command(self, name: str, argument: object) -> Any:
        params = types.ExecuteCommandParams(command=name, arguments=[unstructure(argument)])
        return await _answered(self.workspace_execute_command_async(params))


def _register_capability(client: ForgeClient, params: types.RegistrationParams) -> None:
    client.registrations += params.registrations


async def _answered(answer: Awaitable[T]) -> T:
    try:
        return await asyncio.wait_for(answer, PATIENCE)
    except JsonRpcException as error:
        raise ForgeError(error) from None
