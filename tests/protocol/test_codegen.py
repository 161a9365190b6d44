"""The generated files are what the protocol says, now and after the next change."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import NoneType

import pytest
from attrs import define

from forge_daemon.reading.match.term import MAX_CHARACTERS
from forge_daemon.tools import ToolCatalog
from forge_daemon.workspace.settings import Settings
from forge_protocol.codegen import __main__ as codegen
from forge_protocol.codegen import model
from forge_protocol.codegen.examples import NoExample, load_examples
from forge_protocol.codegen.json_schema import emit_json_schema
from forge_protocol.codegen.lua import emit_lua
from forge_protocol.codegen.model import Field, Model, build_model
from forge_protocol.codegen.typescript import emit_typescript
from forge_protocol.error_data import ErrorData
from forge_protocol.fields import Between
from forge_protocol.read_file import ReadFileParams
from forge_protocol.registry import BY_NAME, REGISTRY, Entry
from forge_protocol.settings import declared_settings
from forge_protocol.shapes import Array, Choice, Integer, Plain, Reference, shape_of

ROOT = Path(__file__).parents[2]
GENERATED = codegen.generate(ROOT)
MODEL = build_model()
WHOLE_FILES = codegen.whole_files(ROOT, MODEL)
REFERENCES = {path: WHOLE_FILES[path] for path in WHOLE_FILES.keys() - {"protocol/SETTINGS.md"}}
"""The files that describe every message."""


def field(message: str, name: str) -> Field:
    return next(each for each in MODEL.messages[message].fields if each.name == name)


def test_the_reference_says_how_long_a_pattern_may_be() -> None:
    assert f"1 to {MAX_CHARACTERS:,} characters" in field("FindParams", "pattern").doc


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what the generator reads and writes."""
    shutil.copytree(
        ROOT / "protocol", tmp_path / "protocol", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info")
    )
    shutil.copytree(ROOT / codegen.GOLDEN, tmp_path / codegen.GOLDEN)
    for path, text in GENERATED.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8", newline="\n")
    return tmp_path


def run(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "forge_protocol.codegen", *arguments],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(checkout / "protocol"), *sys.path])},
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_generated_files_are_up_to_date() -> None:
    assert codegen.stale(ROOT, GENERATED) == []


def test_output_is_the_same_every_time() -> None:
    assert codegen.generate(ROOT) == GENERATED


@pytest.mark.parametrize("path", WHOLE_FILES)
def test_a_generated_file_says_so_and_ends_with_one_newline(path: str) -> None:
    text = GENERATED[path]
    assert codegen.NOTICE in text
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert not any(line != line.rstrip() for line in text.splitlines())


@pytest.mark.slow
def test_a_stale_file_is_named_and_written_anew(checkout: Path) -> None:
    (checkout / "protocol/PROTOCOL.md").write_text("edited by hand\n", encoding="utf-8")
    (checkout / "editors/vscode/src/protocol.ts").unlink()
    checked = run(checkout, "--check")
    assert checked.returncode == 1
    assert [line.split()[0] for line in checked.stdout.splitlines()] == [
        "protocol/PROTOCOL.md",
        "editors/vscode/src/protocol.ts",
    ]
    assert not (checkout / "editors/vscode/src/protocol.ts").exists()
    assert run(checkout).returncode == 0
    assert run(checkout, "--check").returncode == 0
    assert (checkout / "protocol/PROTOCOL.md").read_text(encoding="utf-8") == GENERATED["protocol/PROTOCOL.md"]


def test_a_change_of_the_protocol_makes_every_reference_stale(checkout: Path) -> None:
    source = checkout / "protocol/forge_protocol/read_file.py"
    text = source.read_text(encoding="utf-8")
    changed = text.replace('"""The first N lines.', '"""The topmost N lines.')
    assert changed != text
    source.write_text(changed, encoding="utf-8")
    assert len(run(checkout, "--check").stdout.splitlines()) == len(REFERENCES)


def test_line_endings_of_a_checkout_do_not_matter(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"one\r\ntwo\r\n")
    assert codegen.stale(tmp_path, {"file": "one\ntwo\n"}) == []


def test_an_entry_without_example_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / codegen.GOLDEN).mkdir(parents=True)
    monkeypatch.setattr(codegen, "ROOT", tmp_path)
    assert codegen.main(["--check"]) == 2
    assert "forge/countLines" in capsys.readouterr().err


def golden(folder: Path, *exchange: Mapping[str, object]) -> Path:
    conversation = {
        "example_of": "forge/readFile",
        "workspace": {"a.txt": {"text": "one\ntwo\n"}},
        "open_documents": [],
        "exchange": exchange,
    }
    (folder / "golden.json").write_text(json.dumps(conversation), encoding="utf-8")
    return folder


def test_an_example_that_never_gets_a_result_is_told(tmp_path: Path) -> None:
    entry = BY_NAME["forge/readFile"]
    refused = golden(tmp_path, {"method": entry.name, "params": {"path": "nothing"}, "error": {}})
    with pytest.raises(NoExample, match=entry.name):
        load_examples(refused, (entry,))


def test_an_example_is_the_first_exchange_with_a_result_without_placeholders(tmp_path: Path) -> None:
    entry = BY_NAME["forge/readFile"]
    first = {"method": entry.name, "params": {"path": "nothing"}, "error": {}}
    found = {
        "content": "one\n",
        "etag": {"$any": "string"},
        "mtime_ms": {"$any": "integer"},
        "hint": {"$any": "string?"},
    }
    second = {"method": entry.name, "params": {"path": "a.txt"}, "result": found}
    example = load_examples(golden(tmp_path, first, second), (entry,))[entry.name]
    assert example == {
        "request": {"method": entry.name, "params": {"path": "a.txt"}},
        "result": {"content": "one\n", "etag": "…", "mtime_ms": 0},
    }


def test_a_message_belongs_to_questions_or_to_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "_OTHER_REQUESTS", (ErrorData,))
    with pytest.raises(TypeError, match="ErrorData"):
        build_model()


def test_an_optional_parameter_may_be_left_out_or_null() -> None:
    max_lines = field("ReadFileParams", "max_lines")
    assert (max_lines.required, max_lines.nullable, max_lines.default) == (False, True, 200)
    assert max_lines.shape == Integer(Between(1, 10_000))


def test_an_answer_carries_every_field_but_where_it_leaves_out_the_absent() -> None:
    cursor, hint = field("ReadFileResult", "next_cursor"), field("ErrorData", "hint")
    assert (cursor.required, cursor.nullable) == (True, True)
    assert (hint.required, hint.nullable) == (False, False)


def test_inherited_fields_keep_their_meaning() -> None:
    assert field("ItemError", "reason").doc == field("ErrorData", "reason").doc


def test_names_are_spelled_as_on_the_wire() -> None:
    assert field("ReadFileParams", "workDoneToken").shape is Plain.STRING_OR_INTEGER


def test_items_that_are_checked_one_by_one_are_typed_all_the_same() -> None:
    assert field("ReadFilesParams", "files").shape == Array(Reference(ReadFileParams), Between(1, 50))


def test_the_error_codes_are_a_choice_with_a_name() -> None:
    shape = field("ErrorData", "code").shape
    assert isinstance(shape, Choice)
    assert shape.name == "ErrorCode"


def test_a_type_that_no_language_knows_is_refused() -> None:
    with pytest.raises(TypeError, match="complex"):
        shape_of(complex)


@pytest.mark.parametrize("entry", REGISTRY, ids=[entry.name for entry in REGISTRY])
def test_every_entry_is_in_every_language(entry: Entry) -> None:
    for text in REFERENCES.values():
        assert f'"{entry.name}"' in text or f"### `{entry.name}`" in text


def test_links_of_the_reference_lead_to_headings() -> None:
    text = GENERATED["protocol/PROTOCOL.md"]
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= anchors


@define
class _Told:
    """What a server tells."""

    text: str | None
    """The text."""


def test_a_request_of_the_server_has_a_group_of_its_own_and_may_be_answered_with_null() -> None:
    entry = Entry(
        name="forge/told",
        params=_Told,
        result=NoneType,
        function=None,
        errors=(),
        summary="Tells.",
    )
    message = model._message(_Told, is_request=False)
    told = Model(version="1.0", entries=(entry,), messages={"_Told": message})
    assert '"forge/told": { params: _Told; result: null };' in emit_typescript(told, "")
    assert "export const ServerRequests = {" in emit_typescript(told, "")
    assert "server_requests = {" in emit_lua(told, "")
    method = json.loads(emit_json_schema(told, ""))["x-forge-methods"]["forge/told"]
    assert (method["direction"], method["result"]) == ("server to client", {"type": "null"})


def test_the_schema_allows_unknown_fields_in_answers_only() -> None:
    definitions = json.loads(GENERATED["protocol/forge.schema.json"])["$defs"]
    for message in MODEL.messages.values():
        assert definitions[message.name].get("additionalProperties", True) is not message.is_request


def test_settings_are_the_same_in_the_reference_and_in_vs_code() -> None:
    for setting in declared_settings():
        key = ".".join(setting.key)
        assert f"| `{key}` |" in GENERATED["protocol/SETTINGS.md"]
        properties = json.loads(GENERATED["editors/vscode/package.json"])["contributes"]["configuration"]["properties"]
        assert properties[f"forge.{key}"]["scope"] == "machine"


def test_vs_codes_tools_are_those_of_toolset_agent() -> None:
    tools = json.loads(GENERATED["editors/vscode/package.json"])["contributes"]["languageModelTools"]
    assert [(tool["name"], tool["modelDescription"], tool["inputSchema"]) for tool in tools] == [
        (f"forge_{tool['name']}", tool["description"], tool["parameters"]) for tool in ToolCatalog.definitions("agent")
    ]


def test_what_is_built_in_is_in_force_without_any_settings() -> None:
    for setting in declared_settings():
        in_force = getattr(Settings(), setting.attribute)
        assert in_force == (tuple(setting.built_in) if isinstance(setting.built_in, list) else setting.built_in)


def test_no_comment_in_typescript_ends_early() -> None:
    """A glob such as `src/**/*.py` would end it."""
    text = (ROOT / "editors" / "vscode" / "src" / "protocol.ts").read_text(encoding="utf-8")
    assert all(line.rstrip().endswith("*/") for line in text.splitlines() if "*/" in line)
