"""`forge-read`: its commands and options.

To add an option, add it to the function that declares its command; the command finds it in `options`. To add a command,
add a row to `COMMANDS`. Only the module of the command that is run is loaded: `forge-read read` would take much longer
if it loaded what serves an editor.
"""

import sys
from argparse import Action, BooleanOptionalAction, Namespace
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from . import __version__
from .terminal.errors import EXIT_CODES_HELP, WRONG_USAGE, exit_code_of, write_message
from .terminal.parser import FILES, Parser, UsageError, answer_characters, closest, columns, positive, positive_or_zero
from .workspace.settings import user_settings_path

TOOLSETS = ("agent", "forge", "workspace")
LEVELS = ("trace", "debug", "info", "notice", "warning", "error", "critical")
SHELLS = ("bash", "zsh", "fish")

_PROGRAM = "Read files of any size, safely: in a terminal, or as a daemon for editors and agents."

_HELP_HINT = "; forge-read --help lists the commands"

_PROGRAM_DETAILS = """\
forge-read COMMAND --help lists the options of a command, with examples.

{exit_codes}

settings:
  {settings}
  and forge.toml in the root folder, which can only tighten them
"""

_READ_DETAILS = """\
Without options the whole file is printed; of a compressed file, the text it
holds. Several files get headers, as from head. Standard input is read to its
end first.

On a terminal, lines are numbered, colours are shown and other control
characters are made visible. In a pipe the text is plain UTF-8, and lines end
in a newline alone. With a filter, the other options count only the lines that
pass, and lines keep their numbers. With a filter or --columns, escape
sequences are removed first.

The level of a line is that of its record: a line with a time, and those after
it without one. --since and --until take a time of day (on the day of the last
time in the file), a date or time as in 2026-11-18T14:05, or an age as in -2h.

The root is the current directory if the file is in it, else the file's own.
Links that lead out of the root are refused, and secrets such as .env files
are denied unless your settings allow them.

examples:
  forge-read read server.log --tail 50
  forge-read read -f server.log worker.log
  forge-read read main.py --start-line 10 --end-line 20
  forge-read read main.py:120
  forge-read read server.log --filter timeout --tail 20
  forge-read read server.log --level warning --since 14:05 --until 14:10
  forge-read read -f server.log --level error --records
  forge-read read --rotated server.log --filter timeout
  journalctl | forge-read read - --tail 100
  forge-read read photo.jpg --json
"""

_FIND_DETAILS = """\
Lines are printed as by grep: after the file's name if there are several, and
a number, each with a colon, or with a hyphen for the lines around a match.
Numbers and colours are printed on a terminal only, unless options say
otherwise. The text is searched as a terminal shows it, without escape
sequences. Standard input is read to its end first.

In a folder, all text files are searched but for those that .gitignore files
name, the directories of version control, secrets, links, compressed files and
files above 64 MiB. Without a path, that is the current directory.

Exit code 0: a line matches; 1: none does; others: a file was not searched.

examples:
  forge-read find timeout server.log
  forge-read find -w parse src tests
  forge-read find -E "status=5[0-9]+" server.log.1.gz -C 2
  forge-read find -e error -e warning -ci server.log worker.log
  journalctl | forge-read find -w sshd -
"""

_LIST_DETAILS = """\
Hidden and ignored names are listed too, secrets are not. On a terminal, files
have their size, folders the number of their entries, and links their target.

examples:
  forge-read list
  forge-read list src --depth 3
  forge-read list --glob "**/*.py" --json
"""

_COUNT_DETAILS = """\
examples:
  forge-read count huge.csv
"""

_DESCRIBE_DETAILS = """\
Prints what there is to know of a log: its size, how many lines and records it
has, from when to when they were logged, and how many are of each level.

examples:
  forge-read describe server.log
  forge-read describe server.log.2.zst --json
"""

_SERVE_DETAILS = """\
examples:
  forge-read serve --log-file forge.log --log-level debug
"""

_MCP_DETAILS = """\
Nothing outside the folders can be read, and secrets such as .env files are
denied unless your settings allow them.

examples:
  forge-read mcp project
"""

_DOCTOR = """\
examples:
  forge-read doctor > report.txt
"""

_COMPLETION = """\
examples:
  forge-read completion bash > ~/.local/share/bash-completion/completions/forge-read
  eval "$(forge-read completion zsh)"
  forge-read completion fish > ~/.config/fish/completions/forge-read.fish
"""


class Command(NamedTuple):
    arguments: str
    summary: str
    declare: Callable[[Parser], None]
    function: str
    """What runs it, as `module:name`: it takes the options, and returns the exit code."""
    details: str


def _declare_read(parser: Parser) -> None:
    parser.hyphen_options = ("--since", "--until")
    parser.add_paths("a file, - for standard input, or FILE:LINE for the lines around one (with --limit: from it on)")
    lines = parser.add_argument_group("which lines")
    lines.add_argument("--start-line", type=positive, metavar="N", help="first line")
    lines.add_argument("--end-line", type=positive, metavar="N", help="last line, inclusive")
    lines.add_argument("--limit", type=positive, metavar="N", help="how many lines")
    lines.add_argument("--head", type=positive, metavar="N", help="the first N lines")
    lines.add_argument("--tail", type=positive, metavar="N", help="the last N lines")
    lines.add_argument("--around", type=positive, metavar="LINE", help="a line, and ten before and after it")
    lines.add_argument("--cursor", help="continue after an earlier answer: its next_cursor, from --json")
    lines.add_argument(
        "-f",
        "--follow",
        action="store_true",
        help="print the last lines (default: 10), then what is appended, across rotation",
    )
    _add_rotated_option(lines.add_argument)
    filters = parser.add_argument_group("filter")
    append: dict[str, Any] = {"action": "append", "metavar": "PATTERN"}
    filters.add_argument("--filter", **append, help="only the lines that match; several: that match all of them")
    filters.add_argument("--not", dest="exclude", **append, help="without the lines that match; may be repeated")
    _add_pattern_options(filters.add_argument)
    levels = f"this level or a higher one: {', '.join(LEVELS)}"
    filters.add_argument("--level", choices=LEVELS, metavar="LEVEL", help=levels)
    filters.add_argument("--since", metavar="TIME", help="what was logged from then on: 14:05, 2026-11-18T14:05, -30m")
    filters.add_argument("--until", metavar="TIME", help="what was logged before that time")
    filters.add_argument("--records", action="store_true", help="match whole records, such as an error with its trace")
    number: dict[str, Any] = {"type": positive_or_zero, "metavar": "N"}
    filters.add_argument("-A", "--after", **number, help="also N lines after each that passes")
    filters.add_argument("-B", "--before", **number, help="also N lines before each that passes")
    filters.add_argument("-C", "--context", **number, help="also N lines before and after each that passes")
    output = parser.add_argument_group("output")
    output.add_argument("--columns", type=columns, metavar="START:COUNT", help="only these characters of every line")
    _add_output_options(output.add_argument)
    output.add_argument("--json", action="store_true", help="print an answer of forge/readFile: up to 10,000 lines")


def _declare_find(parser: Parser) -> None:
    parser.add_paths("what to find, and files, folders, or - for standard input", "PATTERN [PATH]")
    parser.hyphen_options = ("-e",)
    patterns = parser.add_argument_group("what to find")
    patterns.add_argument(
        "-e", dest="patterns", action="append", metavar="PATTERN", help="another pattern; all other words are paths"
    )
    _add_pattern_options(patterns.add_argument)
    _add_rotated_option(patterns.add_argument)
    output = parser.add_argument_group("output")
    number: dict[str, Any] = {"type": positive_or_zero, "metavar": "N"}
    output.add_argument("-A", "--after-context", **number, help="print N lines after each match")
    output.add_argument("-B", "--before-context", **number, help="print N lines before each match")
    output.add_argument("-C", "--context", **number, help="print N lines before and after each match")
    only = output.add_mutually_exclusive_group()
    only.add_argument("-c", "--count", action="store_true", help="print only how many lines match")
    only.add_argument("-l", "--files-with-matches", action="store_true", help="print only the names of files")
    only.add_argument("-o", "--only-matching", action="store_true", help="print only what matches, one a line")
    _add_output_options(output.add_argument)


def _declare_list(parser: Parser) -> None:
    parser.add_paths("a folder (default: the current directory)")
    parser.options.add_argument("--depth", type=positive, metavar="N", help="how many levels of folders (default: 1)")
    parser.options.add_argument("--glob", metavar="PATTERN", help="only what matches, such as '**/*.py'")
    parser.options.add_argument("--json", action="store_true", help="print answers of forge/list, one a line")


def _declare_count(parser: Parser) -> None:
    parser.add_paths("a file, or - for standard input")
    _add_rotated_option(parser.options.add_argument)
    _add_encoding_option(parser.options.add_argument)
    parser.options.add_argument("--json", action="store_true", help="print the answer of forge/countLines")


def _declare_describe(parser: Parser) -> None:
    parser.add_paths("a file, or - for standard input")
    _add_rotated_option(parser.options.add_argument)
    _add_encoding_option(parser.options.add_argument)
    parser.options.add_argument("--no-scan", dest="scan", action="store_false", help="count nothing: answer at once")
    parser.options.add_argument("--json", action="store_true", help="print the answer of forge/describe")


def _declare_serve(parser: Parser) -> None:
    parser.options.add_argument(
        "--stdio", action="store_true", help="accepted for editors that pass it; stdio is always used"
    )
    _add_log_options(parser.options.add_argument)
    parser.options.add_argument("--version", **_VERSION)


def _declare_mcp(parser: Parser) -> None:
    parser.add_paths("what to serve (default: the client's roots, else the current directory)", "FOLDER")
    parser.options.add_argument(
        "--toolset", choices=TOOLSETS, default="agent", help="which tools to serve (default: agent)"
    )
    parser.options.add_argument(
        "--max-chars",
        type=answer_characters,
        metavar="N",
        help="the most characters in one answer of toolset agent (default: 32000)",
    )
    _add_log_options(parser.options.add_argument)


def _declare_completion(parser: Parser) -> None:
    parser.arguments.add_argument("shell", choices=SHELLS, metavar="SHELL", help=f"one of {', '.join(SHELLS)}")


AddArgument = Callable[..., Action]
_VERSION: dict[str, Any] = {"action": "version", "version": f"forge-read {__version__}", "help": "print the version"}


def _add_pattern_options(add_argument: AddArgument) -> None:
    add_argument("-E", "--regex", action="store_true", help="PATTERN is a regular expression")
    add_argument("-i", "--ignore-case", action="store_true", help="match upper and lower case alike")
    add_argument("-v", "--invert", action="store_true", help="only the lines that do not match")
    add_argument("-w", "--whole-word", action="store_true", help="match whole words only")


def _add_rotated_option(add_argument: AddArgument) -> None:
    add_argument("--rotated", action="store_true", help="a log and its rotated files as one text, the oldest first")


def _add_encoding_option(add_argument: AddArgument) -> None:
    add_argument("--encoding", metavar="NAME", help="encoding of the file, such as shift_jis (default: detected)")


def _add_output_options(add_argument: AddArgument) -> None:
    _add_encoding_option(add_argument)
    numbers = "number the lines (default: only on a terminal)"
    add_argument("-n", "--line-numbers", action=BooleanOptionalAction, help=numbers)
    colours = "auto (the default): only on a terminal"
    add_argument("--color", choices=("auto", "always", "never"), default="auto", help=colours)


def _add_log_options(add_argument: AddArgument) -> None:
    log_file = add_argument("--log-file", metavar="FILE", help="where to write the log (default: stderr)")
    log_file.complete = FILES  # type: ignore[attr-defined]
    levels = ("debug", "info", "warning", "error")
    add_argument("--log-level", choices=levels, default="warning", help="what to log (default: warning)")


COMMANDS = {
    "read": Command(
        "PATH ...", "print files, or some of their lines", _declare_read, "terminal.read:read", _READ_DETAILS
    ),
    "find": Command(
        "PATTERN [PATH ...]", "print the lines that match", _declare_find, "terminal.find:find", _FIND_DETAILS
    ),
    "list": Command("[PATH]", "list a folder", _declare_list, "terminal.list:list_folder", _LIST_DETAILS),
    "count": Command("PATH", "count the lines of a file", _declare_count, "terminal.count:count", _COUNT_DETAILS),
    "describe": Command(
        "PATH ...", "print what a log has in it", _declare_describe, "terminal.describe:describe", _DESCRIBE_DETAILS
    ),
    "serve": Command(
        "", "serve an editor: JSON-RPC on stdin and stdout", _declare_serve, "server.main:serve", _SERVE_DETAILS
    ),
    "mcp": Command(
        "[FOLDER ...]", "serve an agent: MCP on stdin and stdout", _declare_mcp, "mcp.main:serve", _MCP_DETAILS
    ),
    "doctor": Command(
        "", "print what a bug report needs, and test the daemon", lambda _: None, "terminal.doctor:doctor", _DOCTOR
    ),
    "completion": Command("SHELL", "print a completion script", _declare_completion, "cli:completion", _COMPLETION),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit code."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    if words[:1] == ["--stdio"]:  # from editors that pass nothing else
        words.insert(0, "serve")
    try:
        return _run(words)
    except BaseException as error:
        return exit_code_of(error)


def _run(words: Sequence[str]) -> int:
    name = words[0] if words else "--help"
    command = COMMANDS.get(name)
    parser = program_parser() if command is None else Parser(**_settings(name, command))
    try:
        if command is None:
            if name.startswith("-"):
                parser.parse_known_args([name])  # which prints the help or the version
                raise UsageError(f"unknown option {name!r}")
            raise UsageError(f"unknown command {name!r}{closest(name, list(COMMANDS)) or _HELP_HINT}")
        command.declare(parser)
        options = parser.parse(words[1:])
        module, _, function = command.function.partition(":")
        code: int = getattr(import_module(f".{module}", __package__), function)(options)
        return code
    except UsageError as error:
        write_message(f"{parser.format_usage()}{parser.prog}: error: {error}")
        return WRONG_USAGE


def program_parser() -> Parser:
    """Knows all commands and options, for help and completion. A command line is parsed by its command's own parser."""
    details = _PROGRAM_DETAILS.format(exit_codes=EXIT_CODES_HELP, settings=user_settings_path())
    usage = "%(prog)s COMMAND [OPTIONS]"
    parser = Parser(prog="forge-read", usage=usage, description=_PROGRAM, epilog=details.replace("%", "%%"))
    parser.options.add_argument("--version", **_VERSION)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND [OPTIONS]")
    for name, command in COMMANDS.items():
        command.declare(commands.add_parser(name, help=command.summary, **_settings(name, command)))
    return parser


def completion(options: Namespace) -> int:
    from .terminal.completion import print_completion

    return print_completion(program_parser(), options.shell)


def _settings(name: str, command: Command) -> dict[str, Any]:
    return {
        "prog": f"forge-read {name}",
        "usage": f"%(prog)s [OPTIONS] {command.arguments}".rstrip(),
        "description": f"{command.summary[0].upper()}{command.summary[1:]}.",
        "epilog": command.details,
    }
