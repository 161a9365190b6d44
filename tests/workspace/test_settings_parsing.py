"""What is wrong with settings is told by line and key, and nothing else is told."""

from typing import Any

import pytest

from forge_daemon.workspace.patterns import MAX_LIST_BYTES, MAX_PATTERN_LENGTH
from forge_daemon.workspace.settings_parsing import MAX_PROBLEMS, lines_of_keys, parse_file, parse_settings

Told = list[tuple[int | None, str | None, str]]


def faults_of(toml: str | bytes) -> Told:
    parsed = parse_file(toml.encode() if isinstance(toml, str) else toml, is_trusted=True)
    return [(problem.line, problem.key, problem.message) for problem in parsed.problems]


def values_of(toml: bytes) -> dict[str, Any]:
    return dict(parse_file(toml, is_trusted=True).values or {})


def test_every_key_of_the_contract_is_understood() -> None:
    parsed = parse_file(
        b"""
        [tools.read_file]
        max_file_read_bytes = 1
        max_scan_bytes = 2
        show_line_numbers = false
        [tools.agent]
        max_chars = 3000
        [policy]
        deny = ["**/.env"]
        allow = ["*.example"]
        [cache]
        max_bytes = 0
        max_temporary_bytes = 0
        [files]
        encodings = ["shift_jis"]
        """,
        is_trusted=True,
    )
    assert not parsed.problems
    assert parsed.values == {
        "max_file_read_bytes": 1,
        "max_scan_bytes": 2,
        "show_line_numbers": False,
        "agent_max_chars": 3000,
        "deny": ("**/.env",),
        "allow": ("*.example",),
        "cache_max_bytes": 0,
        "max_temporary_bytes": 0,
        "encodings": ("shift_jis",),
    }


def test_an_empty_file_and_a_byte_order_mark_are_fine() -> None:
    assert values_of(b"") == {}
    assert values_of(b"\xef\xbb\xbf[cache]\nmax_bytes = 5\n") == {"cache_max_bytes": 5}


@pytest.mark.parametrize(
    ("toml", "told"),
    [
        ("\nspeed = 1", [(2, "speed", "unknown key")]),
        ("[policy]\n[forge]\nx = 1", [(2, "forge", "unknown key")]),
        ("[tools.read_file]\nmax_lines = 5", [(2, "tools.read_file.max_lines", "unknown key")]),
        ("[cache]\n\nmax_bytes = 'x'", [(3, "cache.max_bytes", "expected an integer")]),
        ("[cache]\nmax_bytes = true", [(2, "cache.max_bytes", "expected an integer")]),
        ("[cache]\nmax_bytes = -1", [(2, "cache.max_bytes", "must be at least 0")]),
        ("cache = {max_bytes = 1.5}", [(1, "cache.max_bytes", "expected an integer")]),
        (
            "[tools.read_file]\nmax_scan_bytes = 0",
            [(2, "tools.read_file.max_scan_bytes", "must be at least 1")],
        ),
        (
            "tools.read_file.show_line_numbers = 1",
            [(1, "tools.read_file.show_line_numbers", "expected true or false")],
        ),
        ("policy = 5", [(1, "policy", "expected a table")]),
        ("[[policy]]", [(1, "policy", "expected a table")]),
        ("[policy]\ndeny = '*'", [(2, "policy.deny", "expected an array")]),
        (
            "[policy]\ndeny = ['a', 'b', 3, 4]",
            [(2, "policy.deny[2]", "expected a string"), (2, "policy.deny[3]", "expected a string")],
        ),
        (
            "[cache]\nmax_bytes = 1979-05-27",
            [(2, "cache.max_bytes", "expected an integer")],
        ),
        (
            "[policy]\ndeny = ['a', 1979-05-27]",
            [(2, "policy.deny[1]", "expected a string")],
        ),
    ],
)
def test_a_fault_is_told_by_line_and_key(toml: str, told: Told) -> None:
    assert faults_of(toml) == told


def test_all_faults_are_told_at_once_in_the_order_of_the_file() -> None:
    toml = "a = 1\n[cache]\nmax_bytes = 'x'\nmore = 1\n[policy]\nallow = [1]"
    assert [(line, key) for line, key, _ in faults_of(toml)] == [
        (1, "a"),
        (3, "cache.max_bytes"),
        (4, "cache.more"),
        (6, "policy.allow[0]"),
    ]


def test_no_more_faults_are_told_than_anybody_reads() -> None:
    assert len(faults_of("\n".join(f"key{number} = 1" for number in range(1_000)))) == MAX_PROBLEMS


@pytest.mark.parametrize("key", ["deny", "allow"])
@pytest.mark.parametrize("pattern", ["", "!secret", "/etc/../x", "C:/x"])
def test_a_pattern_that_means_nothing_is_a_fault(key: str, pattern: str) -> None:
    [(line, told, message)] = faults_of(f"[policy]\n{key} = [\n'a',\n'{pattern}']")
    assert (line, told) == (2, f"policy.{key}[1]")
    assert message.startswith("a pattern ")
    assert "secret" not in message


def test_a_strange_key_is_quoted_and_bounded() -> None:
    assert faults_of('"a b\\n\\u001b" = 1') == [(None, r"'a b\n\x1b'", "unknown key")]
    assert faults_of("[cache]\n'' = 1") == [(2, "cache.''", "unknown key")]
    [(_, key, _)] = faults_of("k" * 5_000 + " = 1")
    assert key is not None
    assert len(key) < 70


@pytest.mark.parametrize(
    ("toml", "line"),
    [
        ("[cache]\nmax_bytes 5", 2),
        ("[cache]\nmax_bytes = 1\nmax_bytes = 2\n", 3),
        ("\n\nx = [1,\n\n", 3),
        ("x = 1\n'''", 2),
        ("x = 1\ny = \x00", 2),
    ],
)
def test_broken_toml_is_told_by_line(toml: str, line: int) -> None:
    [(told, key, message)] = faults_of(toml)
    assert (told, key) == (line, None)
    assert message.startswith("broken TOML: ")
    assert "(at " not in message


def test_bytes_that_are_not_utf_8_are_told_by_line() -> None:
    assert faults_of(b"# fine\n[cache]\n# \xff\n") == [(3, None, "not UTF-8")]


@pytest.mark.parametrize(
    "toml",
    [
        "[cache]\nmax_bytes = 'hunter2'",
        "[policy]\ndeny = [['hunter2']]",
        "policy = 'hunter2'",
        "[policy]\ndeny = ['!hunter2']",
        "password = 'hunter2'",
        "[cache]\nmax_bytes = 'hunter2",
        "[cache]\nmax_bytes = hunter2",
    ],
)
def test_what_a_file_holds_is_not_repeated(toml: str) -> None:
    assert "hunter2" not in str(faults_of(toml))


@pytest.mark.parametrize(
    "toml",
    [
        ".".join("k" * 100_000) + " = 1",
        "x = {" + ".".join("k" * 100_000) + " = 1}",
        "x = " + "[" * 100_000,
        "x = " + "1" * 100_000,
        "[cache]\nmax_bytes = 0x" + "f" * 100_000,
        "[policy]\ndeny = ['" + "x" * (MAX_PATTERN_LENGTH + 1) + "']",
        "[policy]\ndeny = [" + "'x/x'," * (MAX_LIST_BYTES // 3 + 1) + "]",
    ],
)
def test_a_file_made_to_keep_the_daemon_busy_is_refused(toml: str) -> None:
    assert len(faults_of(toml)) == 1


@pytest.mark.parametrize("value", [5, [], "tools", True])
def test_settings_that_are_no_object_are_a_fault_of_the_whole(value: object) -> None:
    parsed = parse_settings(value)
    assert parsed.values is None
    assert [(problem.key, problem.message) for problem in parsed.problems] == [(None, "expected an object")]


def test_settings_nested_deeper_than_the_stack_are_a_fault_like_any_other() -> None:
    value: dict[str, object] = {}
    for _ in range(5_000):
        value = {"deeper": value}
    assert [problem.key for problem in parse_settings(value).problems] == ["deeper"]


def test_only_the_faulty_key_is_left_out() -> None:
    values, problems, policy_problem = parse_file(
        b"""
        speed = 1
        [tools.read_file]
        max_file_read_bytes = 'x'
        max_scan_bytes = 2
        [policy]
        deny = ["a", "!b", "c", 4]
        [cache]
        max_bytes = 3
        """,
        is_trusted=True,
    )
    assert values == {"max_scan_bytes": 2, "deny": ("a", "c"), "cache_max_bytes": 3}
    assert [problem.key for problem in problems] == [
        "speed",
        "tools.read_file.max_file_read_bytes",
        "policy.deny[3]",
        "policy.deny[1]",
    ]
    assert policy_problem == problems[2]


@pytest.mark.parametrize(
    ("toml", "key", "severity"),
    [
        ("[tools.edit]\nx = 1", "tools.edit", "warning"),
        ("[editor]", "editor", "warning"),
        ("[cache.more]", "cache.more", "warning"),
        ("speed = 1", "speed", "error"),
        ("[policy.more]", "policy.more", "error"),
        ("[policy]\ndney = []", "policy.dney", "error"),
    ],
)
def test_an_unknown_table_is_a_warning_but_in_the_policy(toml: str, key: str, severity: str) -> None:
    parsed = parse_file(toml.encode(), is_trusted=True)
    assert [(problem.key, problem.severity) for problem in parsed.problems] == [(key, severity)]
    assert (parsed.policy_problem is not None) == key.startswith("policy")


def test_a_fault_in_the_policy_is_seen_behind_any_number_of_others() -> None:
    toml = "\n".join(f"key{number} = 1" for number in range(1_000)) + "\n[policy]\nx = 1"
    policy_problem = parse_file(toml.encode(), is_trusted=True).policy_problem
    assert policy_problem is not None
    assert (policy_problem.line, policy_problem.key) == (1002, "policy.x")


TEXT = """\
# policy.deny is not here
title = "a = 1 # no comment"
[tools.read_file] # a comment
max_scan_bytes = 5
"quoted key" = 1

[ policy ]
deny = [
  "[cache]",  # ] and [ in a comment
]
  allow = []
cache.max_bytes = 1
files = { encodings = [] }
[[array.of.tables]]
k = -1.5
"""


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("title", 2),
        ("tools", 3),
        ("tools.read_file", 3),
        ("tools.read_file.max_scan_bytes", 4),
        ("tools.read_file.quoted key", 5),
        ("policy", 7),
        ("policy.deny", 8),
        ("policy.allow", 11),
        ("policy.cache.max_bytes", 12),
        ("policy.files", 13),
        ("array.of.tables", 14),
        ("missing", None),
        ("policy.missing", None),
    ],
)
def test_a_key_is_found_on_its_line(key: str, line: int | None) -> None:
    for text in (TEXT, TEXT.replace("\n", "\r\n")):
        assert lines_of_keys(text).get(tuple(key.split("."))) == line


def test_a_key_that_no_line_begins_with_is_reported_on_the_line_of_its_table() -> None:
    assert faults_of("\n[cache]\nx = {}\n'max_bytes.' = 1") == [
        (2, "cache.'max_bytes.'", "unknown key"),
        (3, "cache.x", "unknown key"),
    ]


def test_finding_lines_takes_time_in_proportion_to_the_text() -> None:
    """If it took the square of that, the suite's time limit would fail."""
    for text in ("=" * 200_000, ".=" * 100_000, "[" * 200_000, " " * 200_000, "a.a!" * 60_000 + "=", "\n=" * 100_000):
        assert len(lines_of_keys(text)) <= 100_000
