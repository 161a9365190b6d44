import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge_daemon.workspace.patterns import (
    MAX_LIST_BYTES,
    MAX_PATTERN_LENGTH,
    MAX_WILDCARD_NAMES,
    Patterns,
    check_pattern,
    pattern_faults,
)


def matches(pattern: str, relative: str) -> bool:
    found = Patterns([pattern]).first_match(relative)
    assert found in (None, pattern)
    return found is not None


@pytest.mark.parametrize(
    ("pattern", "relative"),
    [
        (".env", ".env"),
        (".env", "a/b/.env"),
        (".env", ".env/below/it"),
        ("*.pem", "a/server.PEM"),
        ("*.PEM", "server.pem"),
        ("*", "anything/at/all"),
        ("a*b*c", "axxbxxc"),
        ("a*b*c", "abcbc"),
        ("?.txt", "x/a.txt"),
        ("a**b", "a-b"),
        ("dir/", "x/dir/file"),
        ("dir/file", "dir/file"),
        ("/top", "top"),
        ("/top", "top/below"),
        ("a/*/c", "a/b/c"),
        ("**/a", "a"),
        ("**/a", "x/y/a"),
        ("**/a/b", "x/a/b/c"),
        ("a/**/b", "a/b"),
        ("a/**/b", "a/x/y/b"),
        ("a/**/b/**/c", "a/b/x/b/c"),
        ("a/**", "a/x"),
        ("/**/a", "x/a"),
        ("**", "x"),
        ("**/**", "x/y"),
        ("[a].txt", "[a].txt"),
        ("a+(b)|c", "a+(b)|c"),
        ("a b", "x/a b"),
        ("STRASSE", "straße"),
        ("caf\u00e9", "CAFE\u0301"),
        ("*.key", "x.\u212aey"),
        ("a*", "a\nb"),
        (".env", ".e\u00adnv"),
        ("id_rsa", "id_rsa\ufe0f"),
        (".e\u200dnv", ".ENV"),
        ("\u1f80", "\u1f88"),
        ("\u03b1\u0345", "\u1fb3"),
        ("?.txt", "日.txt"),
        ("a?c", "x/aéc/y"),
        ("**/?", "xy/日"),
        ("日本*", "x/日本語"),
        ("x/**/**/y", "x/y"),
        ("**/*/c", "b/c"),
    ],
)
def test_a_pattern_covers_what_it_should(pattern: str, relative: str) -> None:
    assert matches(pattern, relative)


@pytest.mark.parametrize(
    ("pattern", "relative"),
    [
        (".env", "x.env"),
        (".env", ".envy"),
        (".env", "a.env/b"),
        ("*.pem", "pem"),
        ("a*b", "a/b"),
        ("a?b", "a/b"),
        ("a*b*c", "axxc"),
        ("dir/", "dir"),
        ("dir/", "dirx/file"),
        ("dir/file", "x/dir/file"),
        ("/top", "x/top"),
        ("a/*/c", "a/c"),
        ("a/*/c", "a/b/b/c"),
        ("a/**/b", "x/a/b"),
        ("a/**/b", "ab"),
        ("a/**", "a"),
        ("**/a/b", "a/x/b"),
        ("[ab].txt", "a.txt"),
        ("a.c", "abc"),
        ("??.txt", "日.txt"),
        ("?", "日本"),
        ("日", "本"),
        ("**/*/c", "c"),
        ("*", ""),
        ("**", ""),
    ],
)
def test_a_pattern_does_not_cover(pattern: str, relative: str) -> None:
    assert not matches(pattern, relative)


def test_the_pattern_is_named_as_written() -> None:
    patterns = Patterns(["/Docs/Secret", "*.PEM", "Build/"])
    assert patterns.first_match("x/a.pem") == "*.PEM"
    assert patterns.first_match("docs/secret/x") == "/Docs/Secret"
    assert patterns.first_match("x/build/y") == "Build/"
    assert patterns.first_match("readme") is None


def test_no_patterns_cover_nothing() -> None:
    assert Patterns([]).first_match("x") is None


@pytest.mark.parametrize(
    ("pattern", "fault"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("/", "empty"),
        ("!x", "policy.allow"),
        ("C:\\Users\\x", "path of the machine"),
        ("c:/x", "path of the machine"),
        ("~/.ssh", "path of the machine"),
        ("\\\\server\\x", "path of the machine"),
        ("//server/x", "path of the machine"),
        ("file:///x", "path of the machine"),
        ("../x", "never match"),
        ("a/./b", "never match"),
        ("a//b", "never match"),
    ],
)
def test_a_pattern_that_cannot_mean_anything_is_refused(pattern: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        check_pattern(pattern)
    with pytest.raises(ValueError, match=fault):
        Patterns(["ok", pattern])


def test_no_pattern_can_make_matching_run_away() -> None:
    hostile = Patterns(["*a" * 60 + "b", "**/a*/" * 60 + "b", "x/" + "**/a/" * 60 + "b"])
    assert hostile.first_match("a" * 4000) is None
    assert hostile.first_match("x/" + "a/" * 1000 + "c") is None


def test_a_list_as_large_as_may_be_is_matched_without_backtracking() -> None:
    """With backtracking this takes minutes: the suite's time limit is what would fail."""
    hostile = Patterns([f"**/a/**/{'b*' * 24}{number:04}" for number in range(MAX_WILDCARD_NAMES)])
    assert hostile.first_match("a/" * 16_000 + "x") is None
    assert hostile.first_match("a/" * 1000 + "b" * 24 + "0999") == f"**/a/**/{'b*' * 24}0999"
    assert Patterns(["*a"]).first_match("e\u0315\u0300" * 10_000) is None


@pytest.mark.parametrize(
    ("patterns", "fault"),
    [
        (["a" * MAX_PATTERN_LENGTH] * 65, (None, "more than 65,536 bytes of patterns")),
        (["é" * MAX_PATTERN_LENGTH] * 33, (None, "more than 65,536 bytes of patterns")),
        (
            [f"a/*{number}/{number}?" for number in range(501)],
            (None, "more than 1,000 different names with `*` or `?`"),
        ),
        (["a", "b" * (MAX_PATTERN_LENGTH + 1)], (1, "a pattern cannot be longer than 1,024 characters")),
        (["a", "b", "!c"], (2, "a pattern cannot start with `!`: exceptions go into `policy.allow`")),
    ],
)
def test_a_limit_that_is_exceeded_is_named(patterns: list[str], fault: tuple[int | None, str]) -> None:
    assert list(pattern_faults(patterns)) == [fault]


def test_a_list_at_its_limits_is_accepted() -> None:
    assert list(pattern_faults(["a" * MAX_PATTERN_LENGTH] * (MAX_LIST_BYTES // MAX_PATTERN_LENGTH))) == []
    assert list(pattern_faults([f"*{number}" for number in range(MAX_WILDCARD_NAMES)])) == []


def test_the_state_of_a_directory_serves_every_file_in_it() -> None:
    patterns = Patterns(["build/", "/docs/*.txt", "*.log"])
    build, docs, nothing = patterns.descend(["x", "build"]), patterns.descend(["docs"]), Patterns(["/a"]).descend(["b"])
    assert [patterns.match(build, name) for name in ("a", "b.log", "")] == ["build/"] * 3
    assert [patterns.match(docs, name) for name in ("a.txt", "b.log", "c.py")] == ["/docs/*.txt", "*.log", None]
    assert nothing == 0, "no pattern can match below"


def by_definition(pattern: list[str], names: list[str]) -> bool:
    """The plain meaning: some leading part of the path matches, name by name."""
    if not pattern:
        return True
    if pattern[0] == "**":
        return any(by_definition(pattern[1:], names[start:]) for start in range(len(names) + 1))
    return bool(names) and name_matches(pattern[0], names[0]) and by_definition(pattern[1:], names[1:])


def name_matches(pattern: str, name: str) -> bool:
    if not pattern:
        return not name
    if pattern[0] == "*":
        return any(name_matches(pattern[1:], name[start:]) for start in range(len(name) + 1))
    return bool(name) and pattern[0] in ("?", name[0]) and name_matches(pattern[1:], name[1:])


SEGMENTS = st.lists(st.one_of(st.just("**"), st.text("aé日*?", min_size=1, max_size=5)), min_size=1, max_size=5)
NAMES = st.lists(st.text("aé日", min_size=1, max_size=4), min_size=1, max_size=6)


@given(SEGMENTS, NAMES)
def test_matching_is_what_the_definition_says(segments: list[str], names: list[str]) -> None:
    definition = segments.copy()
    while definition and definition[-1] == "**":
        definition.pop()
    if definition != segments:
        definition.append("*")  # everything below, but not the directory itself
    assert matches("/" + "/".join(segments), "/".join(names)) == by_definition(definition, names)


@given(st.lists(SEGMENTS, min_size=1, max_size=6), NAMES)
def test_a_list_covers_what_one_of_its_patterns_covers(lists: list[list[str]], names: list[str]) -> None:
    patterns, path = ["/".join(segments) for segments in lists], "/".join(names)
    covering = [pattern for pattern in dict.fromkeys(patterns) if matches(pattern, path)]
    found = Patterns(patterns).first_match(path)
    assert found in covering if covering else found is None
