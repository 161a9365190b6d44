"""Commands and options as data, and a parser for them.

`argparse` takes longer to import and to set up than a read takes. Help, error messages and shell completion are made
from the same data.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import SimpleNamespace

from forge_daemon.light_typing import Any
from forge_protocol import LARGEST_INTEGER


class Options(SimpleNamespace):
    """The values of one command line. An attribute is named after its option: `--start-line` is `start_line`."""


class UsageError(Exception):
    """A command line with a mistake: what is wrong, and what was probably meant."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Option:
    """`--name`. With `value` or `choices` it takes the next word; otherwise it is a flag."""

    def __init__(
        self,
        name: str,
        summary: str = "",
        *,
        short: str = "",
        value: str = "",
        choices: Sequence[str] = (),
        convert: Callable[[str], Any] | None = None,
        default: Any = None,
        negatable: bool = False,
        final: bool = False,
    ) -> None:
        self.name = name
        self.summary = summary
        self.short = short
        """A one-letter spelling, such as `-f`."""
        self.value = value
        """The name of the value in help, such as `N`."""
        self.choices = choices
        self.convert = convert
        """Converts the word. Raises `ValueError` with the rest of a sentence that begins with the word."""
        self.default = default
        self.negatable = negatable
        """Also accepts `--no-name`. The value is None where neither is given."""
        self.final = final
        """Parsing stops here, as after `--help`."""

    @property
    def takes_value(self) -> bool:
        return bool(self.value or self.choices)

    @property
    def attribute(self) -> str:
        return self.name[2:].replace("-", "_")

    @property
    def spellings(self) -> list[str]:
        negated = [f"--no-{self.name[2:]}"] if self.negatable else []
        return [*([self.short] if self.short else []), self.name, *negated]

    @property
    def initial(self) -> Any:
        return self.default if self.takes_value or self.negatable else False


class Argument:
    """A positional argument. A `repeated` one takes all remaining words, or none."""

    def __init__(self, name: str, *, choices: Sequence[str] = (), repeated: bool = False) -> None:
        self.name = name
        self.choices = choices
        self.repeated = repeated

    @property
    def attribute(self) -> str:
        return self.name.lower()


_AFTER_TWO_HYPHENS = "put -- before a name or pattern that begins with a hyphen"

HELP = Option("--help", "show this help", short="-h", final=True)


class Command:
    def __init__(
        self,
        name: str,
        summary: str,
        run: Callable[[Options], int],
        *,
        arguments: Sequence[Argument] = (),
        options: Mapping[str, Sequence[Option]] | None = None,
        details: str = "",
    ) -> None:
        self.name = name
        self.summary = summary
        self.run = run
        self.arguments = arguments
        groups = dict(options or {"options": ()})
        last = next(reversed(groups))
        self.options = groups | {last: [*groups[last], HELP]}
        """Grouped by their heading in help."""
        self.details = details
        """The last paragraphs of its help."""

    def all_options(self) -> Iterator[Option]:
        for group in self.options.values():
            yield from group


def parse(command: Command, words: Sequence[str]) -> Options:
    """Options and arguments may be mixed. Every word after `--` is an argument."""
    known = {spelling: option for option in command.all_options() for spelling in option.spellings}
    values = {option.attribute: option.initial for option in command.all_options()}
    given: list[str] = []
    rest = list(reversed(words))
    while rest:
        word = rest.pop()
        if word == "--":
            given.extend(reversed(rest))
            break
        if len(word) < 2 or word[0] != "-":
            given.append(word)
            continue
        spelling, value = _split(word)
        option = known.get(spelling)
        if option is None:
            is_flag = word.startswith("--") or len(word) == 2
            hint = closest(spelling, known) or (None if is_flag else _AFTER_TWO_HYPHENS)
            raise UsageError(f"there is no option {spelling}", hint)
        if option.takes_value:
            if value is None and not rest:
                raise UsageError(f"{spelling} needs a value")
            values[option.attribute] = _converted(option, rest.pop() if value is None else value)
        else:
            values[option.attribute] = spelling in (option.name, option.short)
            if option.final:
                return Options(**values)
            if value is not None and word.startswith("--"):
                raise UsageError(f"{spelling} takes no value")
            if value is not None:
                rest.append(f"-{value}")
    return Options(**values, **_arguments(command, given))


def _split(word: str) -> tuple[str, str | None]:
    """Split `--name=value`, `-nvalue` or `-ab` into the option and the rest; None where there is no rest."""
    if word.startswith("--"):
        spelling, equals, value = word.partition("=")
        return spelling, value if equals else None
    return word[:2], word[2:] or None


def _converted(option: Option, word: str) -> Any:
    if option.choices and word not in option.choices:
        raise UsageError(f"{option.name}: {word!r} is not one of {', '.join(option.choices)}")
    if option.convert is None:
        return word
    try:
        return option.convert(word)
    except ValueError as error:
        raise UsageError(f"{option.name}: {word!r} {error}") from None


def _arguments(command: Command, given: list[str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for argument in command.arguments:
        if argument.repeated:
            values[argument.attribute], given = given, []
            continue
        if not given:
            raise UsageError(f"{argument.name} is missing")
        word, *given = given
        if argument.choices and word not in argument.choices:
            raise UsageError(f"{argument.name}: {word!r} is not one of {', '.join(argument.choices)}")
        values[argument.attribute] = word
    if given:
        raise UsageError(f"{given[0]!r} is one argument too many")
    return values


def closest(word: str, candidates: Iterable[str]) -> str | None:
    from difflib import get_close_matches

    found = get_close_matches(word, candidates, 1)
    return f"did you mean {found[0]}?" if found else None


def columns(word: str) -> tuple[int, int]:
    """`START:COUNT`; a start that is left out is 1."""
    start, colon, count = word.partition(":")
    try:
        if colon:
            return positive(start or "1"), positive(count)
    except ValueError:
        pass
    raise ValueError("is not START:COUNT, such as 1:200")


def positive(word: str) -> int:
    return _whole_number(word, 1)


def positive_or_zero(word: str) -> int:
    return _whole_number(word, 0)


def _whole_number(word: str, least: int) -> int:
    number = int(word) if word.isascii() and word.isdigit() else -1
    if not least <= number <= LARGEST_INTEGER:
        raise ValueError(f"is not a whole number from {least} on")
    return number
