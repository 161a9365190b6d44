"""Help texts and usage errors, made from the declared commands."""

from collections.abc import Iterable

from forge_daemon.workspace.settings import user_settings_path
from forge_protocol.errors import ErrorCode

from .arguments import Argument, Command, Option, UsageError
from .errors import EXIT_CODES, EXIT_CODES_HELP, complain
from .output import Output

_PROGRAM_USAGE = "usage: forge-read COMMAND [OPTIONS]"
_INDENT = "  "
_GAP = 2


def print_help(text: str) -> int:
    output = Output()
    output.write(text)
    output.close()
    return 0


def program_help(description: str, commands: Iterable[Command], examples: str) -> str:
    rows = [(command.name, command.summary) for command in commands]
    return "\n\n".join(
        (
            _PROGRAM_USAGE,
            description,
            _table("commands", rows),
            "forge-read COMMAND --help lists the options of a command. forge-read --version prints the version.",
            examples.rstrip(),
            EXIT_CODES_HELP,
            f"settings:\n  {user_settings_path()}\n  and forge.toml in the root folder, which can only tighten them\n",
        )
    )


def command_help(command: Command) -> str:
    sentence = f"{command.summary[0].upper()}{command.summary[1:]}."
    groups = [_table(title, [_row(option) for option in options]) for title, options in command.options.items()]
    details = [command.details.rstrip()] if command.details else []
    return "\n\n".join((_usage(command), sentence, *groups, *details)) + "\n"


def report_usage(error: UsageError, command: Command | None) -> int:
    """Print what is wrong and where to find help. Returns the exit code."""
    usage = _usage(command) if command else _PROGRAM_USAGE
    help_of = f"{command.name} --help lists the options" if command else "--help lists the commands"
    complain(
        f"{error.message}; {error.hint}" if error.hint else error.message,
        f"{usage}    (forge-read {help_of})",
    )
    return EXIT_CODES[ErrorCode.INVALID_ARGUMENT]


def _usage(command: Command) -> str:
    return " ".join(("usage: forge-read", command.name, *map(_shown, command.arguments), "[OPTIONS]"))


def _shown(argument: Argument) -> str:
    name = _choices(argument.choices) or argument.name
    return f"[{name} ...]" if argument.repeated else name


def _row(option: Option) -> tuple[str, str]:
    value = _choices(option.choices) or option.value
    spelled = ", ".join(option.spellings) if option.short else " / ".join(option.spellings)
    default = f"default: {option.default}" if option.default is not None else ""
    return f"{spelled} {value}".rstrip(), "; ".join(filter(None, (option.summary, default)))


def _choices(choices: Iterable[str]) -> str:
    listed = ",".join(choices)
    return f"{{{listed}}}" if listed else ""


def _table(title: str, rows: list[tuple[str, str]]) -> str:
    width = max(len(left) for left, _ in rows) + _GAP
    return "\n".join([f"{title}:", *(f"{_INDENT}{left:<{width}}{right}".rstrip() for left, right in rows)])
