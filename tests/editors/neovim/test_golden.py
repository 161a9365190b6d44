"""The golden conversations, held from Lua."""

import json
from pathlib import Path

import pytest

from tests.protocol.golden_messages import GOLDEN, Conversation, lay_out, load_all

from .nvim import Nvim


@pytest.fixture(scope="module")
def nvim(shared_nvim: Nvim) -> Nvim:
    """One that names no encodings, like the client of the conversations."""
    shared_nvim.lua("vim.o.fileencodings = 'utf-8' require('forge.daemon').restart()")
    shared_nvim.wait_for("require('forge.daemon').ready() ~= nil")
    return shared_nvim


def replay(nvim: Nvim, root: Path, golden: Path) -> list[str]:
    script = Path(__file__).with_name("golden.lua")
    code = "local script, root, file = ... return dofile(script).replay(root, file)"
    return list(nvim.lua(code, str(script), str(root), str(golden)))


@pytest.mark.parametrize("conversation", load_all(), ids=lambda conversation: conversation.file)
def test_the_answers_are_the_golden_ones(nvim: Nvim, tmp_path: Path, conversation: Conversation) -> None:
    lay_out(conversation, tmp_path)
    assert replay(nvim, tmp_path.resolve(), GOLDEN / f"{conversation.file}.json") == []


def test_a_deviation_would_be_noticed(nvim: Nvim, tmp_path: Path) -> None:
    conversation = json.loads((GOLDEN / "count_lines.json").read_text())
    (tmp_path / "notes.txt").write_text("one\ntwo\n")
    conversation["exchange"] = conversation["exchange"][:1]
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(conversation))
    assert sorted(replay(nvim, tmp_path.resolve(), changed)) == [
        "answer 1.result.byte_length: expected 31, got 8",
        "answer 1.result.line_count: expected 5, got 2",
    ]
