"""The golden conversations, held with the real process: one for all of them, folders coming and going."""

from pathlib import Path
from typing import Any

import pytest

from forge_protocol.codegen.examples import resolve
from tests.lsp.raw_client import RawClient
from tests.protocol.golden_messages import Conversation, lay_out, load_all, match


@pytest.mark.parametrize("conversation", load_all(), ids=lambda conversation: conversation.file)
def test_the_daemon_answers_as_the_golden_messages_say(
    client: RawClient, workspace: Path, conversation: Conversation
) -> None:
    lay_out(conversation, workspace)
    for document in conversation.open_documents:
        client.open(workspace / document["path"], document["text"], document["version"])
    results: list[Any] = []
    for step in conversation.exchange:
        answer = client.request(step.method, resolve(step.params, results))
        results.append(answer.get("result"))
        expected = {"jsonrpc": "2.0", "id": answer["id"], **resolve(step.answer, results)}
        assert match(expected, answer) == [], f"{step.method} {step.params}"
    for document in conversation.open_documents:
        client.close(workspace / document["path"])
