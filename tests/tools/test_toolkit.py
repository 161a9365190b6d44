"""The library: a model's call as it came, and nothing but `ReadError` for what is wrong with it."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge_daemon.tools import AgentToolkit, ErrorCode, ReadError, create_agent_toolkit
from forge_protocol.agent_tools import AGENT_ARGUMENTS

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.binary()
    | st.sampled_from(["a.txt", ".", "..", "/", {1, 2}, object(), Path("a.txt")])
    | st.builds(lambda: 10**5000),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text() | st.integers(), inner, max_size=3),
    max_leaves=6,
)
NAMES = [
    "path",
    "start_line",
    "end_line",
    "limit",
    "head",
    "tail",
    "cursor",
    "max_lines",
    "files",
    "pattern",
    "context",
]


@given(
    st.sampled_from(["Read", "read", "read_file", "find", "read_many", "", None, 7]),
    st.dictionaries(st.sampled_from(NAMES), VALUES) | VALUES,
    st.sampled_from(["forge", "workspace", "agent", "none", None, []]),
)
def test_whatever_a_model_sends_every_fault_is_a_read_error(
    tmp_path_factory: pytest.TempPathFactory, name: Any, arguments: Any, toolset: Any
) -> None:
    folder = tmp_path_factory.getbasetemp() / "toolkit"
    folder.mkdir(exist_ok=True)
    (folder / "a.txt").write_text("one\ntwo\n")
    try:
        create_agent_toolkit(folder).call(name, arguments, toolset)
    except ReadError as error:
        assert error.code in ErrorCode


def test_every_toolset_is_called_by_name_and_alias(toolkit: AgentToolkit, workspace: Path) -> None:
    (workspace / "a.txt").write_text("one\n")
    arguments = {"path": "a.txt"}
    assert toolkit.call("ReadFile", arguments)["content"] == "1| one\n"
    assert toolkit.call("read_file", arguments, toolset="workspace")["content"] == "one"
    assert toolkit.call("read", arguments, toolset="agent") == "[a.txt 1-1/1]\n1\tone"
    assert [tool["name"] for tool in toolkit.definitions("agent")] == list(AGENT_ARGUMENTS)


def test_paths_may_be_path_objects(toolkit: AgentToolkit, workspace: Path) -> None:
    (workspace / "a.txt").write_text("one\n")
    assert toolkit.read(Path("a.txt"))["content"] == "1| one\n"
    assert toolkit.read_file(workspace / "a.txt")["content"] == "one"
    assert "one" in toolkit.call("read", {"path": Path("a.txt")}, toolset="agent")


def test_a_call_that_fits_another_toolset_is_told_so(toolkit: AgentToolkit) -> None:
    with pytest.raises(ReadError) as refused:
        toolkit.call("read_file", {"path": "a", "max_lines": 5})
    assert refused.value.hint == "read_file of toolset workspace takes these arguments"
    with pytest.raises(ReadError) as unknown:
        toolkit.call("find", {"path": "a", "pattern": "x"})
    assert unknown.value.hint == "find of toolset agent takes these arguments"


def test_faulty_settings_are_told(toolkit: AgentToolkit, workspace: Path) -> None:
    (workspace / "a.txt").write_text("one\n")
    (workspace / "forge.toml").write_text("[cache]\nmax_bytes = 'many'\n")
    toolkit.read("a.txt")
    assert [problem.key for problem in toolkit.problems] == ["cache.max_bytes"]


def test_an_error_shows_its_path(toolkit: AgentToolkit) -> None:
    with pytest.raises(ReadError) as missing:
        toolkit.read("none.txt")
    assert repr(missing.value) == "ReadError(NOT_FOUND, 'none.txt: does not exist')"
    with pytest.raises(ReadError, match=r"^\.: is a directory$"):
        toolkit.read(".")


def test_nothing_is_read_in_a_process_whose_locale_has_names_in_another_encoding(workspace: Path) -> None:
    """The library cannot start Python again in UTF-8 mode, and a pattern would not match the name it is written for."""
    (workspace / "geheim-ü").mkdir()
    (workspace / "geheim-ü/a").write_text("secret")
    (workspace / "forge.toml").write_text('[policy]\ndeny = ["geheim-ü/"]\n', encoding="utf-8")
    script = f"""if True:
        from forge_daemon.tools import ReadError, create_agent_toolkit
        for path in "file://{workspace}/geheim-%C3%BC/a", "geheim-\\u00fc/a":
            try:
                print(create_agent_toolkit({str(workspace)!r}).call("read", {{"path": path}}, "agent"))
            except ReadError as error:
                print(error.code.value)
    """
    no_utf8 = {"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    done = subprocess.run([sys.executable, "-c", script], env=os.environ | no_utf8, capture_output=True, text=True)
    assert done.stdout.split() == ["INVALID_ARGUMENT", "INVALID_ARGUMENT"], done.stderr


class TestCreate:
    def test_several_folders_are_served(self, tmp_path: Path) -> None:
        for name in ("api", "web"):
            (tmp_path / name).mkdir()
            (tmp_path / name / "a.txt").write_text(f"of {name}\n")
        toolkit = create_agent_toolkit([tmp_path / "api", str(tmp_path / "web")])
        assert toolkit.call("read", {"path": "web/a.txt"}, toolset="agent") == "[web/a.txt 1-1/1]\n1\tof web"
        with pytest.raises(ReadError, match="more than one workspace folder"):
            toolkit.read("a.txt")

    @pytest.mark.parametrize(("name", "what"), [("nowhere", "no such directory"), ("file", "not a directory")])
    def test_a_folder_that_is_not_there_is_told(self, tmp_path: Path, name: str, what: str) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(ReadError, match=f"{name}: {what}"):
            create_agent_toolkit(tmp_path / name)

    def test_a_policy_applies_over_the_built_in_one(self, workspace: Path) -> None:
        for name in (".env", "b.txt", "c.txt"):
            (workspace / name).write_text("x\n")
        toolkit = create_agent_toolkit(workspace, policy={"deny": ["b.txt"], "allow": [".env"]})
        assert toolkit.read_file(".env")["content"] == "x"
        assert toolkit.read_file("c.txt")["content"] == "x"
        with pytest.raises(ReadError, match="denied"):
            toolkit.read_file("b.txt")

    def test_a_workspace_may_still_deny_what_the_program_allows(self, workspace: Path) -> None:
        (workspace / ".env").write_text("x\n")
        (workspace / "forge.toml").write_text('[policy]\ndeny = [".env"]\n')
        with pytest.raises(ReadError, match="denied"):
            create_agent_toolkit(workspace, policy={"allow": [".env"]}).read_file(".env")

    def test_settings_have_the_shape_of_a_clients(self, workspace: Path) -> None:
        (workspace / "a.txt").write_text("x\n")
        toolkit = create_agent_toolkit(workspace, settings={"tools": {"read_file": {"show_line_numbers": False}}})
        assert toolkit.read("a.txt")["content"] == "x\n"

    def test_wrong_settings_are_refused_by_name(self, workspace: Path) -> None:
        with pytest.raises(ReadError, match=r"policy\.denied"):
            create_agent_toolkit(workspace, policy={"denied": ["x"]})
        with pytest.raises(ReadError, match="max_chars"):
            create_agent_toolkit(workspace, settings={"tools": {"agent": {"max_chars": "many"}}})


def test_a_models_read_with_the_agents_arguments_is_told_of_its_toolset(toolkit: AgentToolkit) -> None:
    with pytest.raises(ReadError) as refused:
        toolkit.call("read", {"path": "a.txt", "start_line": -5})
    assert refused.value.hint == "read of toolset agent takes these arguments"
