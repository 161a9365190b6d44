"""How the words of a command line become values."""

import pytest

from forge_daemon.terminal.arguments import Argument, Command, Option, UsageError, parse, positive

COMMAND = Command(
    "show",
    "show files",
    lambda _options: 0,
    arguments=[Argument("KIND", choices=("text", "image")), Argument("FILE", repeated=True)],
    options={
        "options": [
            Option("--all", short="-a"),
            Option("--bare", short="-b"),
            Option("--count", short="-c", value="N", convert=positive),
            Option("--numbers", negatable=True),
        ]
    },
)


def values(*words: str) -> dict[str, object]:
    given = vars(parse(COMMAND, words))
    return {name: value for name, value in given.items() if value not in (False, None, [])}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["text"], {"kind": "text"}),
        (["text", "a", "b"], {"kind": "text", "file": ["a", "b"]}),
        (["-a", "text", "a", "--bare"], {"kind": "text", "file": ["a"], "all": True, "bare": True}),
        (["text", "-ab"], {"kind": "text", "all": True, "bare": True}),
        (["text", "-c3"], {"kind": "text", "count": 3}),
        (["text", "-abc", "3"], {"kind": "text", "all": True, "bare": True, "count": 3}),
        (["text", "--count=3"], {"kind": "text", "count": 3}),
        (["text", "--count", "3", "--count", "4"], {"kind": "text", "count": 4}),
        (["text", "--numbers"], {"kind": "text", "numbers": True}),
        (["text", "--", "-a", "--count"], {"kind": "text", "file": ["-a", "--count"]}),
        (["text", "-"], {"kind": "text", "file": ["-"]}),
        (["--help", "--no-such-option"], {"help": True}),
    ],
)
def test_words_become_values(words: list[str], expected: dict[str, object]) -> None:
    assert values(*words) == expected


def test_a_negated_option_is_not_the_same_as_none() -> None:
    assert parse(COMMAND, ["text", "--no-numbers"]).numbers is False
    assert parse(COMMAND, ["text"]).numbers is None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["text", "-ax"], "there is no option -x"),
        (["text", "--all=1"], "--all takes no value"),
        (["text", "-ac"], "-c needs a value"),
        (["sound"], "KIND: 'sound' is not one of text, image"),
        ([], "KIND is missing"),
    ],
)
def test_mistakes_are_named(words: list[str], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(COMMAND, words)
    assert caught.value.message == message
