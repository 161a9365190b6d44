"""Tools and their answers in the format of MCP."""

from base64 import b64encode
from typing import Any

from forge_daemon.rpc import json_text
from forge_daemon.tools import ToolCatalog
from forge_daemon.tools.agent.answer import Answer, Image
from forge_protocol.errors import ReadError

_TITLES = {
    "read": "Read lines of a file",
    "find": "Find matching lines",
    "list": "List a folder",
    "read_many": "Read several files",
    "Read": "Read a file",
    "read_file": "Read a file",
}
_ANNOTATIONS = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}


def tools(toolset: str, max_chars: int) -> list[dict[str, Any]]:
    """What `tools/list` answers. An answer has at most so many characters: clients need not cut it."""
    meta = {"_meta": {"anthropic/maxResultSizeChars": max_chars}} if toolset == "agent" else {}
    return [
        {
            "name": definition["name"],
            "title": _TITLES[definition["name"]],
            "description": definition["description"],
            "inputSchema": definition["parameters"],
            "annotations": _ANNOTATIONS,
            **meta,
        }
        for definition in ToolCatalog.definitions(toolset)
    ]


def content_of(output: Any) -> dict[str, Any]:
    """What `tools/call` answers: text as it is, an object both as structured content and as text."""
    if isinstance(output, Answer):
        return {"content": [_text(output), *map(_image, output.images)]}
    return {"content": [_text(json_text.encode(output).decode())], "structuredContent": output}


def refusal(error: ReadError) -> dict[str, Any]:
    """A tool's error as an answer, so that the model sees it and can act on it."""
    return {
        "content": [_text(error.message if error.hint is None else f"{error.message}\n{error.hint}")],
        "isError": True,
    }


def _image(image: Image) -> dict[str, Any]:
    return {"type": "image", "data": b64encode(image.data).decode(), "mimeType": image.mime_type}


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
