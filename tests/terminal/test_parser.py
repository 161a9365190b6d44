"""How the words of a command line become options."""

import pytest

from forge_daemon.cli import COMMANDS
from forge_daemon.terminal.parser import UsageError


def parsed(name: str, *words: str) -> dict[str, object]:
    """The options that differ from their defaults."""
    parser = COMMANDS[name]()
    defaults = vars(parser.parse(["bash"] if name == "completion" else []))
    return {option: value for option, value in vars(parser.parse(words)).items() if value != defaults[option]}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["x", "a"], {"paths": ["x", "a"]}),
        (["-i", "x", "a", "--count", "b"], {"paths": ["x", "a", "b"], "ignore_case": True, "count": True}),
        (["-ivnC2", "x"], {"paths": ["x"], "ignore_case": True, "invert": True, "line_numbers": True, "context": 2}),
        (["-C", "2", "x"], {"paths": ["x"], "context": 2}),
        (["--context=2", "x"], {"paths": ["x"], "context": 2}),
        (["--context", "2", "--context", "4"], {"context": 4}),
        (["--no-line-numbers"], {"line_numbers": False}),
        (["--", "-i", "--count"], {"paths": ["-i", "--count"]}),
        (["x", "--", "-a"], {"paths": ["x", "-a"]}),
        (["x", "-"], {"paths": ["x", "-"]}),
        (["--", "-5", "a"], {"paths": ["-5", "a"]}),
        (["-e", "x", "-e", "y", "a"], {"patterns": ["x", "y"], "paths": ["a"]}),
        (["-e", "-x", "-ie", "--y=1", "a"], {"patterns": ["-x", "--y=1"], "ignore_case": True, "paths": ["a"]}),
        (["-e", "=", "a"], {"patterns": ["="], "paths": ["a"]}),
    ],
)
def test_options_and_paths_may_be_mixed(words: list[str], expected: dict[str, object]) -> None:
    assert parsed("find", *words) == expected


@pytest.mark.parametrize(
    ("name", "words", "message"),
    [
        ("find", ["--count=1"], "argument -c/--count: ignored explicit argument '1'"),
        ("find", ["-iC"], "argument -C/--context: expected one argument"),
        ("find", ["--con", "2"], "unknown option '--con'; did you mean --count?"),
        ("find", ["-c", "-l"], "argument -l/--files-with-matches: not allowed with argument -c/--count"),
        ("find", ["->x"], "unknown option '->x'; put -- before a name or pattern that begins with a hyphen"),
        ("find", ["-5", "x", "a"], "unknown option '-5'; put -- before a name or pattern"),
        ("read", ["a", "-5"], "unknown option '-5'; put -- before a name or pattern"),
        ("serve", ["more"], "unexpected argument 'more'"),
        ("serve", ["--", "--stdio"], "unexpected argument '--stdio'"),
        ("serve", ["more", "--none"], "unknown option '--none'; put -- before"),
        ("completion", [], "the following arguments are required: SHELL"),
        ("read", ["--columns", "5"], "argument --columns: '5' is not START:COUNT, such as 1:200"),
        ("read", ["--columns", "0:5"], "argument --columns: '0:5' is not START:COUNT, such as 1:200"),
    ],
)
def test_mistakes_on_the_command_line_are_named(name: str, words: list[str], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parsed(name, *words)
    assert str(caught.value).startswith(message)


def test_columns_begin_at_the_first_where_none_is_given() -> None:
    assert parsed("read", "--columns", ":80") == {"columns": (1, 80)}
