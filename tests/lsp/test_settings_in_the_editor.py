"""Settings: where they come from, when they take effect, and how their faults are shown."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.conftest import Start
from tests.lsp.raw_client import Message, RawClient, error_of, folder_item, result_of

FETCHED = {"workspace": {"configuration": True}}
ERROR = 1


def limits(**read: Any) -> dict[str, Any]:
    return {"tools": {"read_file": read}}


def rewrite(file: Path, text: str) -> None:
    """Replace the file atomically: the daemon may be reading it."""
    draft = file.with_suffix(".draft")
    draft.write_text(text)
    draft.replace(file)


def until(wanted: Callable[[], bool]) -> None:
    for _ in range(1000):
        if wanted():
            return
        time.sleep(0.02)
    raise AssertionError("it never happened")


def changed(client: RawClient, file: Path) -> None:
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": file.as_uri(), "type": 2}]})


def diagnostics_of(message: Message) -> list[Any]:
    diagnostics: list[Any] = message["params"]["diagnostics"]
    return diagnostics


@pytest.fixture
def settings_file(workspace: Path) -> Path:
    """Two hundred lines of ten bytes to read, and the file that says how much of it may be read."""
    (workspace / "a.txt").write_text("123456789\n" * 200)
    return workspace / "forge.toml"


def lines_read(client: RawClient) -> int:
    """How many lines the tool gives in one answer."""
    count: int = result_of(client.tool("Read", path="a.txt"))["meta"]["returned_line_count"]
    return count


# Faults ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ("[tools.read_file]\nmax_scan_bytes = 5\nmax_scan = 6\n", 3, "tools.read_file.max_scan"),
        ('[tools.read_file]\n\nmax_scan_bytes = "5"\n', 3, "tools.read_file.max_scan_bytes"),
        ("[policy]\ndeny = [1]\n", 2, "policy.deny"),
        ("\n\nunheard_of = 1\n", 3, "unheard_of"),
        ("[policy]\ndeny = [\n", None, ""),
    ],
)
def test_a_fault_is_shown_in_the_file_and_told_once_by_file_line_and_key(
    start: Start, settings_file: Path, text: str, line: int | None, key: str
) -> None:
    rewrite(settings_file, text)
    client = start()
    client.initialize(settings_file.parent)
    published = client.incoming("textDocument/publishDiagnostics", uri=settings_file.as_uri())
    (diagnostic,) = diagnostics_of(published)
    shown = client.incoming("window/showMessage", type=ERROR)["params"]["message"]
    if line is not None:
        assert diagnostic["range"]["start"] == {"line": line - 1, "character": 0}
        assert f"line {line}" in shown
    assert diagnostic["source"] == "forge-read"
    assert key in diagnostic["message"]
    assert "forge.toml" in shown
    assert key in shown
    assert str(settings_file.parent) not in shown
    client.request("forge/readFile", {"path": "a.txt"})
    changed(client, settings_file)
    client.request("forge/readFile", {"path": "a.txt"})
    assert client.seen("window/showMessage") == []


def test_a_mended_file_is_shown_as_mended_and_one_spoilt_later_as_spoilt(
    client: RawClient, settings_file: Path
) -> None:
    uri = settings_file.as_uri()
    rewrite(settings_file, _limit(30) + "oops = 1\n")
    changed(client, settings_file)
    assert len(diagnostics_of(client.incoming("textDocument/publishDiagnostics", uri=uri))) == 1
    assert lines_read(client) == 3, "only the faulty key is left out"
    rewrite(settings_file, _limit(50))
    changed(client, settings_file)
    assert diagnostics_of(client.incoming("textDocument/publishDiagnostics", uri=uri)) == []
    assert lines_read(client) == 5
    rewrite(settings_file, "not toml at all")
    assert lines_read(client) == 5, "the settings before it stay in force"
    assert len(diagnostics_of(client.incoming("textDocument/publishDiagnostics", uri=uri))) == 1
    settings_file.unlink()
    assert lines_read(client) == 200
    assert diagnostics_of(client.incoming("textDocument/publishDiagnostics", uri=uri)) == []


def test_faults_go_with_their_folder(client: RawClient, settings_file: Path) -> None:
    folder = folder_item(settings_file.parent)
    rewrite(settings_file, "[nonsense]\n")
    changed(client, settings_file)
    for _ in range(40):  # a folder may go while its faults are still being sent
        assert diagnostics_of(client.incoming("textDocument/publishDiagnostics")) != []
        client.change_folders(removed=(folder,))
        assert diagnostics_of(client.incoming("textDocument/publishDiagnostics")) == []
        client.change_folders(added=(folder,))


def test_nothing_is_shown_before_the_handshake_is_over(start: Start, settings_file: Path) -> None:
    rewrite(settings_file, "[nonsense]\n")
    client = start()
    folders = [folder_item(settings_file.parent)]
    client.result("initialize", {"processId": None, "rootUri": None, "capabilities": {}, "workspaceFolders": folders})
    client.read("a.txt")
    assert client.seen("textDocument/publishDiagnostics") == []
    client.notify("initialized", {})
    client.incoming("textDocument/publishDiagnostics", uri=settings_file.as_uri())


def test_faulty_client_settings_are_told_and_the_ones_before_stay(start: Start, settings_file: Path) -> None:
    client = start()
    client.initialize(settings_file.parent, initializationOptions=limits(max_file_read_bytes=50))
    _push(client, limits(max_file_read_bytes="many"))
    shown = client.incoming("window/showMessage", type=ERROR)["params"]["message"]
    assert "tools.read_file.max_file_read_bytes" in shown
    assert lines_read(client) == 5


# Where settings come from ------------------------------------------------------------------------


def test_initialization_options_are_settings(start: Start, settings_file: Path) -> None:
    client = start()
    client.initialize(settings_file.parent, initializationOptions=limits(max_file_read_bytes=50))
    assert lines_read(client) == 5


def test_settings_are_fetched_after_the_handshake_and_whenever_they_changed(start: Start, settings_file: Path) -> None:
    client = start()
    client.initialize(settings_file.parent, capabilities=FETCHED)
    request = client.incoming("workspace/configuration")
    assert request["params"]["items"] == [{"section": "forge"}]
    client.answer(request, [{"trace": {"server": "off"}, **limits(max_file_read_bytes=50)}])
    assert lines_read(client) == 5
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    client.answer(client.incoming("workspace/configuration"), [limits(max_file_read_bytes=100)])
    assert lines_read(client) == 10


@pytest.mark.parametrize(
    ("nothing", "lines"),
    [(None, 3), ({}, 3), ({"trace": {}}, 3), (limits(max_file_read_bytes=None), 3)],
    ids=repr,
)
def test_a_setting_taken_back_in_the_editor_is_no_longer_in_force(
    start: Start, settings_file: Path, nothing: object, lines: int
) -> None:
    """Those that came with the handshake are, until the editor names others."""
    client = start()
    client.initialize(settings_file.parent, capabilities=FETCHED, initializationOptions=limits(max_file_read_bytes=30))
    client.answer(client.incoming("workspace/configuration"), [limits(max_file_read_bytes=50)])
    assert lines_read(client) == 5
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    client.answer(client.incoming("workspace/configuration"), [nothing])
    assert lines_read(client) == lines


@pytest.mark.parametrize("answer", [None, [], [None], [5], {"x": 1}, "x"], ids=repr)
def test_an_odd_answer_about_settings_harms_nothing(start: Start, settings_file: Path, answer: object) -> None:
    client = start()
    client.initialize(settings_file.parent, capabilities=FETCHED, initializationOptions=limits(max_file_read_bytes=50))
    client.answer(client.incoming("workspace/configuration"), answer)
    assert lines_read(client) == 5


def test_a_client_that_cannot_be_asked_sends_its_settings(client: RawClient, settings_file: Path) -> None:
    _push(client, limits(max_file_read_bytes=50))
    assert lines_read(client) == 5
    _push(client, limits(max_file_read_bytes=204_800))
    assert lines_read(client) == 200


def test_what_the_daemon_wants_to_hear_of_is_registered(start: Start, settings_file: Path) -> None:
    client = start()
    dynamic = {"dynamicRegistration": True}
    client.initialize(
        settings_file.parent,
        capabilities={"workspace": {"didChangeConfiguration": dynamic, "didChangeWatchedFiles": dynamic}},
    )
    request = client.incoming("client/registerCapability")
    registered = {each["method"]: each for each in request["params"]["registrations"]}
    assert set(registered) == {"workspace/didChangeConfiguration", "workspace/didChangeWatchedFiles"}
    client.answer(request, None)
    assert lines_read(client) == 200


# What a workspace may do -------------------------------------------------------------------------


def test_a_workspace_may_only_tighten_the_limits(client: RawClient, settings_file: Path) -> None:
    rewrite(settings_file, _limit(50))
    assert lines_read(client) == 5
    rewrite(settings_file, _limit(10_000_000) + "max_scan_bytes = 100\n")
    assert lines_read(client) == 200
    error = error_of(client.tool("Read", path="a.txt", start_line=100))
    assert error["data"]["code"] == "SCAN_LIMIT_EXCEEDED"
    rewrite(settings_file, "[tools.read_file]\nmax_scan_bytes = 1000000000\n")
    assert "result" in client.tool("Read", path="a.txt", start_line=100)


def test_a_workspace_may_deny_but_not_allow(client: RawClient, settings_file: Path) -> None:
    (settings_file.parent / ".env").write_text("SECRET=1")
    rewrite(settings_file, '[policy]\ndeny = ["*.txt"]\nallow = ["**/.env", "a.txt"]\n')
    for name in ("a.txt", ".env"):
        assert client.refusal(name)["code"] == "POLICY_DENIED"
    warning = client.incoming("window/showMessage", type=2)["params"]["message"]
    assert "line 3" in warning
    assert "policy.allow" in warning


def test_a_person_may_allow_what_is_denied_as_built_in(start: Start, settings_file: Path) -> None:
    (settings_file.parent / ".env").write_text("SECRET=1")
    client = start()
    client.initialize(settings_file.parent, initializationOptions={"policy": {"allow": ["**/.env"]}})
    assert client.read(".env")["content"] == "SECRET=1"


@pytest.mark.slow
def test_a_deny_pattern_takes_effect_on_the_next_read(client: RawClient, settings_file: Path) -> None:
    assert client.read("a.txt")["content"]
    rewrite(settings_file, '[policy]\ndeny = ["a.*"]\n')
    refusal = client.refusal("a.txt")
    assert refusal["code"] == "POLICY_DENIED"
    assert "a.*" in refusal["reason"]
    settings_file.unlink()
    assert client.refusal("a.txt")["code"] == "POLICY_DENIED", "the file may be being saved"
    until(lambda: "result" in client.request("forge/readFile", {"path": "a.txt"}))


@pytest.mark.parametrize("policy", [{"deny": "a.*"}, {"deny": ["b", "!a"]}, {"denied": ["a.*"]}])
def test_a_policy_of_the_editor_that_is_not_understood_closes_every_folder(
    start: Start, settings_file: Path, policy: dict[str, Any]
) -> None:
    client = start()
    client.initialize(settings_file.parent, initializationOptions={"policy": policy})
    refusal = client.refusal("a.txt")
    assert refusal["code"] == "POLICY_DENIED"
    assert "the client's settings: policy.den" in refusal["reason"]
    assert "policy.den" in client.incoming("window/showMessage", type=ERROR)["params"]["message"]
    _push(client, {"policy": {"deny": []}})
    assert client.refusal("a.txt")["code"] == "POLICY_DENIED", "each layer has to be understood"


@pytest.mark.slow
def test_a_policy_of_the_user_that_is_not_understood_closes_every_folder_until_it_is(
    start: Start, settings_file: Path, tmp_path: Path
) -> None:
    user = tmp_path / "user.toml"
    user.write_text('[policy]\ndeny = "private/**"\n')
    client = start(env={"FORGE_READ_CONFIG": str(user)})
    client.initialize(settings_file.parent)
    reason = client.refusal("a.txt")["reason"]
    assert reason == "the policy is not known: the user's user.toml, line 2: policy.deny: expected an array"
    rewrite(user, '[policy]\ndeny = ["private/**"]\n')
    until(lambda: "result" in client.request("forge/readFile", {"path": "a.txt"}))
    assert client.refusal("private/a.txt")["code"] == "POLICY_DENIED"


def test_the_users_own_file_counts(start: Start, settings_file: Path, tmp_path: Path) -> None:
    (tmp_path / "user.toml").write_text(_limit(50))
    client = start(env={"FORGE_READ_CONFIG": str(tmp_path / "user.toml")})
    client.initialize(settings_file.parent)
    assert lines_read(client) == 5


def _limit(max_file_read_bytes: int) -> str:
    return f"[tools.read_file]\nmax_file_read_bytes = {max_file_read_bytes}\n"


def _push(client: RawClient, settings: dict[str, Any]) -> None:
    client.notify("workspace/didChangeConfiguration", {"settings": {"forge": settings}})


def test_the_client_is_asked_once_at_a_time_for_its_settings(start: Start, workspace: Path) -> None:
    (workspace / "a").write_text("text\n")
    client = start()
    client.initialize(workspace, capabilities=FETCHED)
    first = client.incoming("workspace/configuration")
    for _ in range(100):
        client.notify("workspace/didChangeConfiguration", {"settings": None})
    client.read("a")
    assert client.seen("workspace/configuration") == []
    client.answer(first, [{"policy": {"deny": ["b"]}}])
    client.answer(client.incoming("workspace/configuration"), [{"policy": {"deny": ["a"]}}])
    assert client.refusal("a")["code"] == "POLICY_DENIED"
    assert client.seen("workspace/configuration") == [], "the latest answer is newer than every change"


def test_a_client_that_refuses_to_tell_its_settings_is_asked_again_after_a_change(
    start: Start, workspace: Path
) -> None:
    client = start()
    client.initialize(workspace, capabilities=FETCHED)
    asked = client.incoming("workspace/configuration")
    client.send({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32603, "message": "no"}})
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    assert client.incoming("workspace/configuration")
