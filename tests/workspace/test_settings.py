"""Which settings are in force: built-in, the user's file, the client, and a workspace that only tightens."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forge_daemon.workspace import settings as settings_module
from forge_daemon.workspace.settings import Problem, Settings, SettingsStore
from forge_protocol.settings import Setting, Workspace, declared_settings


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "user.toml"
    monkeypatch.setenv("FORGE_READ_CONFIG", str(path))
    return path


@pytest.fixture
def nothing_is_being_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings_module, "SAVING_NS", -(10**18))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    path = tmp_path / "workspace"
    path.mkdir()
    return path


@pytest.fixture
def store(user: Path) -> SettingsStore:
    return SettingsStore()


def read_file(**values: object) -> dict[str, Any]:
    return {"tools": {"read_file": values}}


def test_without_any_file_the_built_in_values_are_in_force(store: SettingsStore, root: Path) -> None:
    assert store.for_folder(str(root)) == Settings(
        max_file_read_bytes=204800,
        max_scan_bytes=2097152,
        show_line_numbers=True,
        deny=(),
        allow=(),
        workspace_deny=(),
        cache_max_bytes=67108864,
        max_temporary_bytes=8589934592,
        agent_max_chars=32000,
        encodings=None,
        closed_by=None,
    )
    assert store.problems() == []


@pytest.mark.usefixtures("nothing_is_being_saved")
@pytest.mark.parametrize("setting", declared_settings(), ids=lambda setting: ".".join(setting.key))
def test_every_setting_is_taken_from_you_and_from_a_workspace_as_it_is_declared(
    store: SettingsStore, user: Path, root: Path, setting: Setting
) -> None:
    value: Any = {bool: False, int: 1000}.get(type(setting.built_in), ["big5"])
    taken: Any = ("big5",) if value == ["big5"] else value
    text = f"[{'.'.join(setting.key[:-1])}]\n{setting.key[-1]} = {json.dumps(value)}\n"
    (root / "forge.toml").write_text(text)
    by_workspace: dict[str, Any] = {
        Workspace.EXTENDS: {f"workspace_{setting.attribute}": taken},
        Workspace.IGNORED: {},
    }.get(setting.workspace, {setting.attribute: taken})
    assert store.for_folder(str(root)) == Settings()._replace(**by_workspace)
    (root / "forge.toml").unlink()
    user.write_text(text)
    assert store.for_folder(str(root)) == Settings()._replace(**{setting.attribute: taken})


def test_a_workspace_may_name_encodings_where_nobody_nearer_does(store: SettingsStore, user: Path, root: Path) -> None:
    (root / "forge.toml").write_text("[files]\nencodings = ['shift_jis', 'windows-1252']")
    assert store.for_folder(str(root)).encodings == ("shift_jis", "windows-1252")
    user.write_text("[files]\nencodings = ['gb18030']")
    assert store.for_folder(str(root)).encodings == ("gb18030",)
    store.set_client({"files": {"encodings": []}})
    assert store.for_folder(str(root)).encodings == ()
    assert store.problems() == []


def test_an_unknown_encoding_is_left_out_and_reported(store: SettingsStore, user: Path, root: Path) -> None:
    user.write_text("[files]\nencodings = ['utf-9', 'big5']")
    assert store.for_folder(str(root)).encodings == ("big5",)
    assert [(problem.line, problem.key) for problem in store.problems()] == [(2, "files.encodings[0]")]
    store.set_client({"files": {"encodings": ["big5"] * 17}})
    assert store.for_folder(str(root)).encodings == ("big5",)
    assert store.problems()[-1].message == "the number of items must be at most 16"


@pytest.mark.parametrize("encodings", ["['utf-9', 'big5', 5]", "[5, 'utf-9', 'big5']", "['big5', 'utf-9', 'hz']"])
def test_only_the_faulty_encodings_of_a_workspace_are_left_out(
    store: SettingsStore, root: Path, encodings: str
) -> None:
    (root / "forge.toml").write_text(f"[files]\nencodings = {encodings}")
    assert store.for_folder(str(root)).encodings == ("big5",)
    assert [(problem.line, problem.severity) for problem in store.problems()] == [(2, "error")] * 2


def test_the_user_may_loosen_and_the_client_comes_after_the_user(store: SettingsStore, user: Path, root: Path) -> None:
    user.write_text("[tools.read_file]\nmax_scan_bytes = 1000000000\nmax_file_read_bytes = 7\n[cache]\nmax_bytes = 0")
    store.set_client(read_file(max_file_read_bytes=1_000_000, show_line_numbers=False))
    in_force = store.for_folder(str(root))
    assert in_force.max_scan_bytes == 1_000_000_000
    assert in_force.max_file_read_bytes == 1_000_000
    assert in_force.show_line_numbers is False
    assert in_force.cache_max_bytes == 0


def test_deny_patterns_add_up_and_other_lists_are_replaced(store: SettingsStore, user: Path, root: Path) -> None:
    user.write_text("[policy]\ndeny = ['a']\nallow = ['b']")
    store.set_client({"policy": {"deny": ["c"], "allow": ["d"]}})
    in_force = store.for_folder(str(root))
    assert (in_force.deny, in_force.allow, in_force.workspace_deny) == (("a", "c"), ("d",), ())


def test_what_a_later_layer_leaves_out_stays_as_an_earlier_one_said(
    store: SettingsStore, user: Path, root: Path
) -> None:
    user.write_text("[policy]\nallow = ['b']")
    store.set_options({"policy": {"deny": ["*.csv"]}, "cache": {"max_bytes": 5}, "tools": {}})
    configurations: list[dict[str, Any]] = [{}, {"tools": {}}, {"cache": {"max_bytes": 7}}, {"policy": {"deny": []}}]
    for configuration in (None, *configurations):
        store.set_client(configuration)
        in_force = store.for_folder(str(root))
        assert (in_force.deny, in_force.allow) == (("*.csv",), ("b",))
        assert in_force.cache_max_bytes == (7 if configuration and "cache" in configuration else 5)
    store.set_client({"policy": {"allow": []}})
    assert store.for_folder(str(root)).allow == ()


def test_a_workspace_lowers_limits_and_denies_more(store: SettingsStore, root: Path) -> None:
    (root / "forge.toml").write_text(
        "[tools.read_file]\nmax_file_read_bytes = 10\nmax_scan_bytes = 20\nshow_line_numbers = false\n"
        "[policy]\ndeny = ['private/']\n[cache]\nmax_bytes = 30"
    )
    store.set_client({"policy": {"deny": ["x"]}})
    assert store.for_folder(str(root)) == Settings(
        max_file_read_bytes=10,
        max_scan_bytes=20,
        show_line_numbers=False,
        deny=("x",),
        workspace_deny=("private/",),
        cache_max_bytes=30,
    )
    assert store.problems() == []


def test_a_workspace_limit_above_the_one_in_force_has_no_effect(store: SettingsStore, root: Path) -> None:
    (root / "forge.toml").write_text("[tools.read_file]\nmax_scan_bytes = 5000000\n\n[cache]\nmax_bytes = 67108864\n")
    assert store.for_folder(str(root)) == Settings()
    assert store.problems() == []


def test_a_workspace_cannot_allow_anything_and_that_is_told(store: SettingsStore, root: Path) -> None:
    toml = root / "forge.toml"
    toml.write_text("[policy]\ndeny = ['a']\nallow = ['.env']\n")
    in_force = store.for_folder(str(root))
    assert (in_force.allow, in_force.workspace_deny) == ((), ("a",))
    [problem] = store.problems()
    assert problem[:4] == ("forge.toml", str(toml), 3, "policy.allow")
    assert problem.severity == "warning"
    assert problem.message.startswith("ignored: ")


def test_a_workspace_says_nothing_for_another_folder(store: SettingsStore, root: Path, tmp_path: Path) -> None:
    (root / "forge.toml").write_text("cache.max_bytes = 1")
    assert store.for_folder(str(root)).cache_max_bytes == 1
    assert store.for_folder(str(tmp_path)) == Settings()


@pytest.mark.parametrize(
    ("toml", "line", "key"),
    [
        ("cache.max_bytes = 1\nspeed = 1", 2, "speed"),
        ("cache.max_bytes = 1\ntools = 1", 2, "tools"),
        ("cache.max_bytes = 1\n[tools.read_file]\nmax_scan_bytes = 'x'", 3, "tools.read_file.max_scan_bytes"),
    ],
)
def test_a_faulty_key_is_left_out_and_told(
    store: SettingsStore, user: Path, root: Path, toml: str, line: int, key: str | None
) -> None:
    for path, name in ((user, "the user's user.toml"), (root / "forge.toml", "forge.toml")):
        path.write_text(toml)
        assert store.for_folder(str(root)) == Settings(cache_max_bytes=1)
        [problem] = store.problems()
        assert problem[:4] == (name, str(path), line, key)
        assert problem.severity == "error"
        path.unlink()


def test_an_unknown_table_is_only_a_warning(store: SettingsStore, root: Path) -> None:
    (root / "forge.toml").write_text("cache.max_bytes = 1\n[tools.edit]\nx = 1")
    assert store.for_folder(str(root)) == Settings(cache_max_bytes=1)
    assert [(problem.key, problem.severity) for problem in store.problems()] == [("tools.edit", "warning")]


@pytest.mark.parametrize(
    ("toml", "told"),
    [
        ("cache.max_bytes = 1\n[policy\n", "forge.toml, line 2: broken TOML: "),
        ("[policy]\ndeny = ['a', '!b']", "forge.toml, line 2: policy.deny[1]: a pattern cannot start with"),
        ("[policy]\nallow = 5", "forge.toml, line 2: policy.allow: expected an array"),
        ("[policy]\ndney = ['a']", "forge.toml, line 2: policy.dney: unknown key"),
        ("policy = 5", "forge.toml, line 1: policy: expected a table"),
        ("[Policy]\ndeny = ['a']", "forge.toml, line 1: Policy: unknown key"),
        ("[policy]\ndeny = [" + "'x/x/x/x/x/x'," * 6000 + "]", "forge.toml, line 2: policy.deny: more than "),
        ("#" * 300_000, "forge.toml: larger than 256 KiB"),
        ("\udcff", "forge.toml, line 1: not UTF-8"),
    ],
)
def test_a_workspace_whose_policy_is_not_understood_is_closed(
    store: SettingsStore, root: Path, toml: str, told: str
) -> None:
    (root / "forge.toml").write_text(toml, errors="surrogateescape")
    closed_by = store.for_folder(str(root)).closed_by
    assert closed_by is not None
    assert closed_by.startswith(told)
    (root / "forge.toml").write_text("[policy]\ndeny = ['a']")
    assert store.for_folder(str(root)) == Settings(workspace_deny=("a",))


def test_a_workspace_file_that_is_a_link_closes_the_folder(store: SettingsStore, root: Path) -> None:
    (root / "forge.toml").symlink_to("elsewhere.toml")
    assert store.for_folder(str(root)).closed_by == "forge.toml: a symbolic link, which is not followed"


def test_a_workspace_file_that_is_a_directory_closes_the_folder(store: SettingsStore, root: Path) -> None:
    (root / "forge.toml").mkdir()
    assert store.for_folder(str(root)).closed_by == "forge.toml: not a regular file"


@pytest.mark.usefixtures("nothing_is_being_saved")
def test_the_last_policy_that_was_understood_stays(store: SettingsStore, root: Path) -> None:
    toml = root / "forge.toml"
    toml.write_text("[policy]\ndeny = ['a']\n[cache]\nmax_bytes = 5")
    store.for_folder(str(root))
    toml.write_text("[policy]\ndeny = ['b']\nx = 1\n[cache]\nmax_bytes = 4")
    assert store.for_folder(str(root)) == Settings(workspace_deny=("a",), cache_max_bytes=4)
    toml.write_text("[policy\n")
    assert store.for_folder(str(root)) == Settings(workspace_deny=("a",), cache_max_bytes=4)
    toml.unlink()
    assert store.for_folder(str(root)) == Settings()
    toml.write_text("[policy\n")
    assert store.for_folder(str(root)).closed_by is not None


@pytest.mark.parametrize(
    ("toml", "deny", "told"),
    [
        ("[policy]\ndeny = ['a', '!b', 'c']", ("a", "c"), "line 2: policy.deny[1]: a pattern cannot start with"),
        ("[policy]\ndeny = 'a'", (), "line 2: policy.deny: expected an array"),
        ("[policy]\ndenied = ['a']", (), "line 2: policy.denied: unknown key"),
        ("[policy]\ndeny = ['a']\n[cache\n", (), "line 3: broken TOML"),
        ("[policy]\ndeny = ['a']\n#" + "x" * 300_000, (), "larger than 256 KiB"),
    ],
)
def test_the_users_own_policy_fails_closed_until_it_is_understood(
    store: SettingsStore, user: Path, root: Path, toml: str, deny: tuple[str, ...], told: str
) -> None:
    user.write_text(toml)
    in_force = store.for_folder(str(root))
    assert in_force.deny == deny, "the good patterns apply"
    assert in_force.closed_by is not None
    assert in_force.closed_by.startswith("the user's user.toml")
    assert told in in_force.closed_by
    assert str(user.parent) not in in_force.closed_by
    user.write_text("[policy]\ndeny = ['a']")
    assert store.for_folder(str(root)) == Settings(deny=("a",))
    user.write_text(toml)
    assert store.for_folder(str(root)) == Settings(deny=("a",)), "the last good version stays"


@pytest.mark.parametrize("policy", [{"deny": "a"}, {"deny": ["a", "!b"]}, {"denied": ["a"]}, 5])
def test_the_clients_policy_fails_closed_until_it_is_understood(
    store: SettingsStore, root: Path, policy: object
) -> None:
    store.set_options({"policy": policy, "cache": {"max_bytes": 5}})
    store.set_client({})
    in_force = store.for_folder(str(root))
    assert in_force.closed_by is not None
    assert in_force.closed_by.startswith("the client's settings: policy")
    assert in_force.cache_max_bytes == 5
    store.set_options({"policy": {"deny": ["a"]}})
    assert store.for_folder(str(root)) == Settings(deny=("a",))
    store.set_options({"policy": policy})
    assert store.for_folder(str(root)) == Settings(deny=("a",))


@pytest.mark.parametrize("value", [5, [], {"cache": {"max_bytes": "x"}}, {"speed": 1}])
def test_other_mistakes_of_the_client_close_nothing(store: SettingsStore, root: Path, value: object) -> None:
    store.set_options(value)
    assert store.for_folder(str(root)) == Settings()
    assert len(store.problems()) == 1


@pytest.mark.parametrize("of", ["user", "workspace"])
def test_a_policy_that_is_being_saved_stays_in_force(
    store: SettingsStore, user: Path, root: Path, of: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    toml = user if of == "user" else root / "forge.toml"
    toml.write_text("[policy]\ndeny = ['a']")
    before = store.for_folder(str(root))
    assert before in (Settings(deny=("a",)), Settings(workspace_deny=("a",)))
    toml.write_text("")
    assert store.for_folder(str(root)) == before
    toml.unlink()
    assert store.for_folder(str(root)) == before
    toml.write_text("\n")
    assert store.for_folder(str(root)) == before
    toml.write_text("[poli")
    assert store.for_folder(str(root)) == before
    toml.write_text("[cache]\nmax_bytes = 5\n")
    assert store.for_folder(str(root)) == before, "a part of a file may be TOML too"
    toml.write_text("")
    monkeypatch.setattr(settings_module, "SAVING_NS", 0)
    assert store.for_folder(str(root)) == Settings(), "nobody is saving it any more"


@pytest.mark.parametrize("of", ["user", "workspace"])
def test_a_policy_that_is_gone_for_good_is_no_longer_in_force(
    store: SettingsStore, user: Path, root: Path, of: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    toml = user if of == "user" else root / "forge.toml"
    toml.write_text("[policy]\ndeny = ['a']")
    before = store.for_folder(str(root))
    toml.unlink()
    assert store.for_folder(str(root)) == before
    monkeypatch.setattr(settings_module, "SAVING_NS", 0)
    assert store.for_folder(str(root)) == Settings()


def test_a_file_without_a_policy_counts_at_once_whatever_happens_to_it(store: SettingsStore, root: Path) -> None:
    toml = root / "forge.toml"
    toml.write_text("cache.max_bytes = 5")
    assert store.for_folder(str(root)).cache_max_bytes == 5
    toml.write_text("")
    assert store.for_folder(str(root)) == Settings()


@pytest.mark.usefixtures("nothing_is_being_saved")
def test_a_broken_edit_of_a_workspace_file_does_not_loosen(store: SettingsStore, root: Path) -> None:
    toml = root / "forge.toml"
    good = "[policy]\ndeny = ['private/']\nallow = ['x']\n[cache]\nmax_bytes = 5"
    toml.write_text(good)
    before = store.for_folder(str(root))
    toml.write_text(good + " 5")
    assert store.for_folder(str(root)) == before
    assert before.workspace_deny == ("private/",)
    assert [(problem.line, problem.severity) for problem in store.problems()] == [(5, "error")]
    toml.write_text("cache.max_bytes = 6")
    assert store.for_folder(str(root)) == Settings(cache_max_bytes=6)
    assert store.problems() == []


def test_a_file_that_is_taken_away_takes_its_settings_along(store: SettingsStore, user: Path, root: Path) -> None:
    for path in (user, root / "forge.toml"):
        path.write_text("cache.max_bytes = 5")
        assert store.for_folder(str(root)).cache_max_bytes == 5
        path.write_text("broken")
        store.for_folder(str(root))
        path.unlink()
        assert store.for_folder(str(root)) == Settings()
        assert store.problems() == []


def test_faulty_settings_of_the_client_are_told_and_the_last_good_policy_stays(
    store: SettingsStore, root: Path
) -> None:
    store.set_client({"policy": {"deny": ["a"]}})
    store.set_client({"cache": {"max_bytes": "6"}, "tools": {"read_file": {"max_scan_bytes": 7}}})
    assert store.for_folder(str(root)) == Settings(max_scan_bytes=7)
    assert store.problems() == [
        Problem("the client's settings", None, None, "cache.max_bytes", "expected an integer", "error")
    ]
    store.set_client({"policy": {"deny": ["a"]}})
    store.set_client({"policy": {"deny": ["//x"]}})
    assert store.for_folder(str(root)).deny == ("a",)
    assert [problem.key for problem in store.problems()] == ["policy.deny[0]"]
    store.set_client(5)
    assert store.for_folder(str(root)).deny == ("a",)


@pytest.mark.parametrize("nothing", [None, {}, {"tools": None, "policy": {"deny": None}}])
def test_a_client_without_settings_changes_nothing(store: SettingsStore, root: Path, nothing: object) -> None:
    store.set_client({"cache": {"max_bytes": 5}})
    store.set_client(nothing)
    assert store.for_folder(str(root)) == Settings()
    assert store.problems() == []


def test_a_closed_folder_has_no_problems(store: SettingsStore, root: Path) -> None:
    (root / "forge.toml").write_text("oops")
    store.for_folder(str(root))
    assert len(store.problems()) == 1
    store.forget(str(root))
    assert store.problems() == []


def test_settings_that_stay_the_same_are_the_same_object(store: SettingsStore, user: Path, root: Path) -> None:
    user.write_text("cache.max_bytes = 5")
    assert store.for_folder(str(root)) is store.for_folder(str(root))


LIMIT = st.none() | st.integers(1, 2**63 - 1) | st.integers(1, 10)
PATTERNS = st.lists(st.sampled_from(["a", "*.key", "b/**/c", "/d/", "?"]), max_size=4, unique=True)
VALUES = st.fixed_dictionaries(
    {
        "tools": st.fixed_dictionaries(
            {
                "read_file": st.fixed_dictionaries(
                    {
                        "max_file_read_bytes": LIMIT,
                        "max_scan_bytes": LIMIT,
                        "show_line_numbers": st.none() | st.booleans(),
                    }
                )
            }
        ),
        "policy": st.fixed_dictionaries({"deny": PATTERNS, "allow": PATTERNS}),
        "cache": st.fixed_dictionaries({"max_bytes": LIMIT}),
    }
)


def to_toml(tables: dict[str, Any], prefix: str = "") -> str:
    lines = []
    for key, value in tables.items():
        if isinstance(value, dict):
            lines.append(to_toml(value, f"{prefix}{key}."))
        elif value is not None:
            lines.append(f"{prefix}{key} = {json.dumps(value)}\n")
    return "".join(lines)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(of_user=VALUES, of_client=VALUES, of_workspace=VALUES)
def test_a_workspace_file_never_loosens(
    user: Path, root: Path, of_user: dict[str, Any], of_client: dict[str, Any], of_workspace: dict[str, Any]
) -> None:
    toml = root / "forge.toml"
    toml.unlink(missing_ok=True)
    user.write_text(to_toml(of_user))
    store = SettingsStore()
    store.set_client(of_client)
    base = store.for_folder(str(root))
    toml.write_text(to_toml(of_workspace))
    in_force = store.for_folder(str(root))
    assert in_force.max_file_read_bytes <= base.max_file_read_bytes
    assert in_force.max_scan_bytes <= base.max_scan_bytes
    assert in_force.cache_max_bytes <= base.cache_max_bytes
    assert (in_force.deny, in_force.allow) == (base.deny, base.allow)
    assert in_force.workspace_deny == tuple(of_workspace["policy"]["deny"])
    asked = of_workspace["tools"]["read_file"]
    if asked["max_scan_bytes"] is not None:
        assert in_force.max_scan_bytes == min(asked["max_scan_bytes"], base.max_scan_bytes)
    if asked["show_line_numbers"] is not None:
        assert in_force.show_line_numbers == asked["show_line_numbers"]
    assert {problem.severity for problem in store.problems()} <= {"warning"}


def test_where_there_are_no_files_nothing_heavy_is_imported(user: Path, root: Path) -> None:
    program = (
        "import sys\n"
        "before = set(sys.modules)\n"
        "from forge_daemon.workspace.settings import SettingsStore\n"
        f"SettingsStore().for_folder({str(root)!r})\n"
        "heavy = {'attrs', 'cattrs', 'asyncio', 'dataclasses', 'pathlib', 'platformdirs', 'tomllib'}\n"
        "print(sorted(heavy & (set(sys.modules) - before)))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
