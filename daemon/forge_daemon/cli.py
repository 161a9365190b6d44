"""`forge-read`: its commands and options.

To add an option, add it to the function that makes its command's parser; the command finds it in `options`. To add a
command, add such a function to `COMMANDS`. Its default `run` names the function that takes the options and returns the
exit code. Only the module of the command that is run is loaded: `forge-read read` would take much longer if it loaded
what serves an editor.
"""

import sys
from argparse import Action, ArgumentParser, BooleanOptionalAction, Namespace
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from . import __version__
from .terminal.errors import EXIT_CODES_HELP, WRONG_USAGE, exit_code_of, write_message
from .terminal.parser import FILES, Parser, UsageError, closest, columns, number_from
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

_DESCRIBE_DETAILS = """\
Prints what there is to know of a log: its size, how many lines and records it
has, from when to when they were logged, and how many are of each level.

examples:
  forge-read describe server.log
  forge-read describe server.log.2.zst --json
"""

_MCP_DETAILS = """\
Nothing outside the folders can be read, and secrets such as .env files are
denied unless your settings allow them.

examples:
  forge-read mcp project
"""

_COMPLETION_DETAILS = """\
examples:
  forge-read completion bash > ~/.local/share/bash-completion/completions/forge-read
  eval "$(forge-read completion zsh)"
  forge-read completion fish > ~/.config/fish/completions/forge-read.fish
"""


def _read() -> Parser:
    parser = Parser("read", "PATH ...", "print files, or some of their lines", _READ_DETAILS)
    parser.set_defaults(run="terminal.read:read")
    parser.hyphen_options = ("--since", "--until", "--filter", "--not")
    parser.add_paths("a file, - for standard input, or FILE:LINE for the lines around one (with --limit: from it on)")
    lines = parser.add_argument_group("which lines")
    lines.add_argument("--start-line", type=number_from(1), metavar="N", help="first line")
    lines.add_argument("--end-line", type=number_from(1), metavar="N", help="last line, inclusive")
    lines.add_argument("--limit", type=number_from(1), metavar="N", help="how many lines")
    lines.add_argument("--head", type=number_from(1), metavar="N", help="the first N lines")
    lines.add_argument("--tail", type=number_from(1), metavar="N", help="the last N lines")
    lines.add_argument("--around", type=number_from(1), metavar="LINE", help="a line, and ten before and after it")
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
    levels = f"this level or a higher one, may be cut short: {', '.join(LEVELS)}"
    filters.add_argument("--level", type=_level, choices=LEVELS, metavar="LEVEL", help=levels)
    filters.add_argument("--since", metavar="TIME", help="what was logged from then on: 14:05, 2026-11-18T14:05, -30m")
    filters.add_argument("--until", metavar="TIME", help="what was logged before that time")
    filters.add_argument("--records", action="store_true", help="match whole records, such as an error with its trace")
    _add_context_options(filters.add_argument)
    output = parser.add_argument_group("output")
    output.add_argument("--columns", type=columns, metavar="START:COUNT", help="only these characters of every line")
    _add_output_options(output.add_argument)
    output.add_argument("--json", action="store_true", help="print an answer of forge/readFile: up to 10,000 lines")
    return parser


def _find() -> Parser:
    parser = Parser("find", "PATTERN [PATH ...]", "print the lines that match", _FIND_DETAILS)
    parser.set_defaults(run="terminal.find:find")
    parser.add_paths("what to find, and files, folders, or - for standard input", "PATTERN [PATH]")
    parser.hyphen_options = ("-e",)
    patterns = parser.add_argument_group("what to find")
    patterns.add_argument(
        "-e", dest="patterns", action="append", metavar="PATTERN", help="another pattern; all other words are paths"
    )
    _add_pattern_options(patterns.add_argument)
    _add_rotated_option(patterns.add_argument)
    patterns.add_argument("-r", dest="recursive", action="store_true", help="accepted; folders are always searched")
    output = parser.add_argument_group("output")
    _add_context_options(output.add_argument)
    only = output.add_mutually_exclusive_group()
    only.add_argument("-c", "--count", action="store_true", help="print only how many lines match")
    only.add_argument("-l", "--files-with-matches", action="store_true", help="print only the names of files")
    only.add_argument("-o", "--only-matching", action="store_true", help="print only what matches, one a line")
    _add_output_options(output.add_argument)
    return parser


def _list() -> Parser:
    parser = Parser("list", "[PATH]", "list a folder", _LIST_DETAILS)
    parser.set_defaults(run="terminal.list:list_folder")
    parser.add_paths("a folder (default: the current directory)")
    parser.options.add_argument("--depth", type=number_from(1), metavar="N", help="levels of folders (default: 1)")
    parser.options.add_argument("--glob", metavar="PATTERN", help="only what matches, such as '**/*.py'")
    parser.options.add_argument("--json", action="store_true", help="print answers of forge/list, one a line")
    return parser


def _count() -> Parser:
    parser = Parser("count", "PATH ...", "count the lines of files")
    parser.set_defaults(run="terminal.count:count")
    parser.add_paths("a file, or - for standard input")
    _add_rotated_option(parser.options.add_argument)
    _add_encoding_option(parser.options.add_argument)
    parser.options.add_argument("--json", action="store_true", help="print the answer of forge/countLines")
    return parser


def _describe() -> Parser:
    parser = Parser("describe", "PATH ...", "print what a log has in it", _DESCRIBE_DETAILS)
    parser.set_defaults(run="terminal.describe:describe")
    parser.add_paths("a file, or - for standard input")
    _add_rotated_option(parser.options.add_argument)
    _add_encoding_option(parser.options.add_argument)
    parser.options.add_argument("--no-scan", dest="scan", action="store_false", help="count nothing: answer at once")
    parser.options.add_argument("--json", action="store_true", help="print the answer of forge/describe")
    return parser


def _serve() -> Parser:
    parser = Parser("serve", "", "serve an editor: JSON-RPC on stdin and stdout")
    parser.set_defaults(run="server.main:serve")
    parser.options.add_argument(
        "--stdio", action="store_true", help="accepted for editors that pass it; stdio is always used"
    )
    _add_log_options(parser.options.add_argument)
    parser.options.add_argument("--version", **_VERSION)
    return parser


def _mcp() -> Parser:
    parser = Parser("mcp", "[FOLDER ...]", "serve an agent: MCP on stdin and stdout", _MCP_DETAILS)
    parser.set_defaults(run="mcp.main:serve")
    parser.add_paths("what to serve (default: the client's roots, else the current directory)", "FOLDER")
    parser.options.add_argument(
        "--toolset", choices=TOOLSETS, default="agent", help="which tools to serve (default: agent)"
    )
    parser.options.add_argument(
        "--max-chars",
        type=number_from(1000),
        metavar="N",
        help="the most characters in one answer of toolset agent (default: 32000)",
    )
    _add_log_options(parser.options.add_argument)
    return parser


def _completion() -> Parser:
    parser = Parser("completion", "SHELL", "print a completion script", _COMPLETION_DETAILS)
    parser.set_defaults(run="cli:completion")
    parser.arguments.add_argument("shell", choices=SHELLS, metavar="SHELL", help=f"one of {', '.join(SHELLS)}")
    return parser


def _doctor() -> Parser:
    parser = Parser("doctor", "", "print what a bug report needs, and test the daemon")
    parser.set_defaults(run="terminal.doctor:doctor")
    return parser


AddArgument = Callable[..., Action]
_VERSION: dict[str, Any] = {"action": "version", "version": f"forge-read {__version__}", "help": "print the version"}


def _level(word: str) -> str:
    """Also its beginning, as in `err` and `WARN`."""
    return next((level for level in LEVELS if word and level.startswith(word.lower())), word)


def _add_pattern_options(add_argument: AddArgument) -> None:
    add_argument("-E", "--regex", action="store_true", help="PATTERN is a regular expression")
    add_argument("-i", "--ignore-case", action="store_true", help="match upper and lower case alike")
    add_argument("-v", "--invert", action="store_true", help="only the lines that do not match")
    add_argument("-w", "--whole-word", action="store_true", help="match whole words only")


def _add_context_options(add_argument: AddArgument) -> None:
    number: dict[str, Any] = {"type": number_from(0), "metavar": "N"}
    add_argument("-A", "--after", **number, help="also N lines after each that matches")
    add_argument("-B", "--before", **number, help="also N lines before each that matches")
    add_argument("-C", "--context", **number, help="also N lines before and after each that matches")


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
    "read": _read,
    "find": _find,
    "list": _list,
    "count": _count,
    "describe": _describe,
    "serve": _serve,
    "mcp": _mcp,
    "doctor": _doctor,
    "completion": _completion,
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
    parser = program_parser() if command is None else command()
    try:
        if command is None:
            if name.startswith("-"):
                parser.parse_known_args([name])  # which prints the help or the version
                raise UsageError(f"unknown option {name!r}")
            raise UsageError(f"unknown command {name!r}{closest(name, list(COMMANDS)) or _HELP_HINT}")
        options = parser.parse(words[1:])
        module, _, function = options.run.partition(":")
        code: int = getattr(import_module(f".{module}", __package__), function)(options)
        return code
    except UsageError as error:
        write_message(f"{parser.format_usage()}{parser.prog}: error: {error}")
        return WRONG_USAGE


def program_parser() -> Parser:
    """Knows all commands and options, for help and completion. A command line is parsed by its command's own parser."""
    details = _PROGRAM_DETAILS.format(exit_codes=EXIT_CODES_HELP, settings=user_settings_path())
    parser = Parser("", "COMMAND [OPTIONS]", _PROGRAM, details.replace("%", "%%"))
    parser.options.add_argument("--version", **_VERSION)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND [OPTIONS]", parser_class=ArgumentParser)
    for name, command in COMMANDS.items():
        of_command = command()
        commands.add_parser(name, help=of_command.summary, add_help=False, parents=[of_command])
    return parser


def completion(options: Namespace) -> int:
    from .terminal.completion import print_completion

    return print_completion(program_parser(), options.shell)
