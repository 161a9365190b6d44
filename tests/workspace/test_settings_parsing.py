"""What is wrong with settings is told by line and key, and nothing else is told."""

import pytest

from forge_daemon.workspace.patterns import LONGEST_PATTERN, MOST_PATTERNS
from forge_daemon.workspace.settings_parsing import (
    MOST_FAULTS,
    MOST_ITEMS,
    Fault,
    NotSettings,
    parse_file,
    parse_settings,
)

Told = list[tuple[int | None, str | None, str]]


def faults_of(toml: str | bytes) -> Told:
    faults: tuple[Fault, ...]
    try:
        faults = parse_file(toml.encode() if isinstance(toml, str) else toml).faults
    except NotSettings as error:
        faults = (error.fault,)
    return [(fault.line, fault.shown_key, fault.message) for fault in faults]


def test_every_key_of_the_contract_is_understood() -> None:
    values, faults, *_ = parse_file(
        b"""
        [tools.read_file]
        max_file_read_bytes = 1
        max_scan_bytes = 2
        show_line_numbers = false
        [policy]
        deny = ["**/.env"]
        allow = ["*.example"]
        [cache]
        max_bytes = 0
        """
    )
    assert not faults
    read = values.tools.read_file
    assert (read.max_file_read_bytes, read.max_scan_bytes, read.show_line_numbers) == (1, 2, False)
    assert (values.policy.deny, values.policy.allow) == (["**/.env"], ["*.example"])
    assert values.cache.max_bytes == 0


def test_an_empty_file_and_a_byte_order_mark_are_fine() -> None:
    assert parse_file(b"").values == parse_settings({}).values
    assert parse_file(b"\xef\xbb\xbf[cache]\nmax_bytes = 5\n").values.cache.max_bytes == 5


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
    assert len(faults_of("\n".join(f"key{number} = 1" for number in range(1_000)))) == MOST_FAULTS


@pytest.mark.parametrize("key", ["deny", "allow"])
@pytest.mark.parametrize("pattern", ["", "!secret", "/etc/../x", "C:/x"])
def test_a_pattern_that_means_nothing_is_a_fault(key: str, pattern: str) -> None:
    [(line, told, message)] = faults_of(f"[policy]\n{key} = [\n'a',\n'{pattern}']")
    assert (line, told) == (2, f"policy.{key}[1]")
    assert message.startswith("a pattern ")
    assert "secret" not in message


def test_a_strange_key_is_quoted_and_bounded() -> None:
    assert faults_of('"a b\\n\\u001b" = 1') == [(1, r"'a b\n\x1b'", "unknown key")]
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
        "[policy]\ndeny = [" + "1," * (MOST_ITEMS + 1) + "]",
        "[policy]\ndeny = ['" + "x" * (LONGEST_PATTERN + 1) + "']",
        "[policy]\ndeny = [" + "'x'," * (MOST_PATTERNS + 1) + "]",
    ],
)
def test_a_file_made_to_keep_the_daemon_busy_is_refused(toml: str) -> None:
    assert len(faults_of(toml)) == 1


@pytest.mark.parametrize("value", [5, [], "tools", True])
def test_settings_that_are_no_object_are_a_fault_of_the_whole(value: object) -> None:
    with pytest.raises(NotSettings) as raised:
        parse_settings(value)
    assert (raised.value.fault.shown_key, raised.value.fault.message) == (None, "expected an object")


def test_settings_nested_deeper_than_the_stack_are_a_fault_like_any_other() -> None:
    value: dict[str, object] = {}
    for _ in range(5_000):
        value = {"deeper": value}
    assert [fault.shown_key for fault in parse_settings(value).faults] == ["deeper"]


def test_only_the_faulty_key_is_left_out() -> None:
    values, faults, policy_fault, _ = parse_file(
        b"""
        speed = 1
        [tools.read_file]
        max_file_read_bytes = 'x'
        max_scan_bytes = 2
        [policy]
        deny = ["a", "!b", "c"]
        [cache]
        max_bytes = 3
        """
    )
    assert (values.tools.read_file.max_file_read_bytes, values.tools.read_file.max_scan_bytes) == (None, 2)
    assert values.cache.max_bytes == 3
    assert values.policy.deny == ["a", "c"]
    assert [fault.shown_key for fault in faults] == ["speed", "tools.read_file.max_file_read_bytes", "policy.deny[1]"]
    assert policy_fault == faults[2]


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
    parsed = parse_file(toml.encode())
    assert [(fault.shown_key, fault.severity) for fault in parsed.faults] == [(key, severity)]
    assert (parsed.policy_fault is not None) == key.startswith("policy")


def test_a_fault_in_the_policy_is_seen_behind_any_number_of_others() -> None:
    toml = "\n".join(f"key{number} = 1" for number in range(1_000)) + "\n[policy]\nx = 1"
    policy_fault = parse_file(toml.encode()).policy_fault
    assert policy_fault is not None
    assert (policy_fault.line, policy_fault.shown_key) == (1002, "policy.x")
