"""Where a key stands in a TOML text."""

import tomllib
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge_daemon.workspace import toml_lines
from forge_daemon.workspace.toml_lines import Key, lines_of, longest_key


def line_of(text: str, key: list[str]) -> int | None:
    return lines_of(text, [tuple(key)]).get(tuple(key))


TEXT = '''\
# policy.deny is not here
title = "a = 1 # no comment"
[tools.read_file] # a comment
max_scan_bytes = 5
"quoted key" = 1
'literal.key' = 2
"esc\\u0061ped" = 3

[policy]
deny = [
  "[cache]",  # ] and [ in a comment
  \'\'\'
max_bytes = 7
\'\'\',
]
text = """
allow = ["x"]
\\"""
still = "inside"
"""""
allow = []

[ cache . inner ]
x.y . z = { a = 1, b = { c = 2 } }
[[array.of.tables]]
k = -1.5
[array.of]
other = 1979-05-27T07:32:00Z
'''


def test_the_text_of_these_tests_is_valid_toml() -> None:
    assert tomllib.loads(TEXT)["policy"]["allow"] == []


@pytest.mark.parametrize(
    ("key", "line"),
    [
        (["title"], 2),
        (["tools"], 3),
        (["tools", "read_file"], 3),
        (["tools", "read_file", "max_scan_bytes"], 4),
        (["tools", "read_file", "quoted key"], 5),
        (["tools", "read_file", "literal.key"], 6),
        (["tools", "read_file", "escaped"], 7),
        (["policy"], 9),
        (["policy", "deny"], 10),
        (["policy", "text"], 16),
        (["policy", "allow"], 21),
        (["cache", "inner"], 23),
        (["cache", "inner", "x", "y"], 24),
        (["cache", "inner", "x", "y", "z"], 24),
        (["cache", "inner", "x", "y", "z", "b", "c"], 24),
        (["array", "of", "tables"], 25),
        (["array", "of", "tables", "k"], 26),
        (["array", "of", "other"], 28),
    ],
)
def test_a_key_is_found_on_its_line(key: list[str], line: int) -> None:
    assert line_of(TEXT, key) == line


@pytest.mark.parametrize("key", [["max_bytes"], ["policy", "max_bytes"], ["policy", "still"], ["cache", "a"]])
def test_what_stands_in_a_string_is_no_key(key: list[str]) -> None:
    assert line_of(TEXT, key) is None


def test_windows_line_ends_count_once() -> None:
    assert line_of(TEXT.replace("\n", "\r\n"), ["policy", "allow"]) == 21


def test_a_text_without_a_last_newline_is_read_to_its_end() -> None:
    assert line_of("\n\na = [\n1\n]\nb = 2", ["b"]) == 6


def test_all_keys_are_found_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    passes = 0
    statements = toml_lines._statements

    def counted(text: str) -> Iterator[toml_lines._Statement]:
        nonlocal passes
        passes += 1
        return statements(text)

    monkeypatch.setattr(toml_lines, "_statements", counted)
    keys: list[Key] = [(f"key{number}",) for number in range(20)]
    text = "\n" * 200_000 + "".join(f"key{number} = 1\n" for number in range(20))
    assert lines_of(text, [*keys, (), ("missing",)]) == {key: 200_001 + index for index, key in enumerate(keys)}
    assert passes == 1


def test_the_parts_of_dotted_keys_are_counted() -> None:
    assert longest_key("a = 1") == 1
    assert longest_key("[a.b]\nc . \"d.d.d\" . 'e' = {f.g = 1}") == 3
    assert longest_key('a = ["1.2.3.4.5", "b.c.d.e"] # f.g.h.i') == 1
    assert longest_key("x = {" + ".".join("k" * 40) + " = 1}") == 40


VALUES = [
    '""',
    '"\\""',
    "'#'",
    '[\n"]",\n]',
    "{ a.b = [1], c = '}' }",
    '"""\nk = 1\n\\""""""',
    "'''\n[k]\n'''",
    "1.5 # [",
]
NAMES = ["{}", '"{}"', "'{}'", "{}.sub", '{} . "s=.b"']


@given(st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(VALUES), st.booleans())))
def test_no_value_hides_the_keys_behind_it(statements: list[tuple[str, str, bool]]) -> None:
    text, expected = "", {}
    for number, (name, value, is_table) in enumerate(statements):
        expected[f"key{number}"] = text.count("\n") + 1
        key = name.format(f"key{number}")
        text += f"[{key}]\nin.side = {value}\n" if is_table else f"[key{number}.t]\nx = {value}\n"
    assert set(tomllib.loads(text)) == set(expected)
    assert {key: line_of(text, [key]) for key in expected} == expected


@given(st.text(alphabet="ab.=[]{}\"'\\#\n ,"))
def test_any_text_is_read_to_its_end(text: str) -> None:
    assert longest_key(text) >= 1
    assert line_of(text.replace("\\", "/"), ["c"]) is None
