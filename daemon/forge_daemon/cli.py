"""`forge-read`: its commands and options, declared once for parsing, help, error messages and shell completion.

To add an option, add an `Option` row to its command in `COMMANDS`: `Option("--json", "…")` is a flag,
`Option("--limit", "…", value="N", convert=positive)` takes a value. The command's function finds them as `options.json`
and `options.limit`. To add a command, add a `Command` row and a function that imports what it needs when it is called:
every `forge-read read` loads what is imported at the top of this file. `terminal/arguments.py` says what a row may
hold.
"""

import sys
from collections.abc import Sequence

from forge_protocol.errors import ReadError

from . import __version__
from .terminal.arguments import (
    Argument,
    Command,
    Option,
    Options,
    UsageError,
    closest,
    columns,
    parse,
    positive,
    positive_or_zero,
)

_DESCRIPTION = "Read files of any size, safely: in a terminal, or as a daemon for editors and agents."

_EXAMPLES = """\
examples:
  forge-read read server.log --tail 50          the last lines
  forge-read read -f server.log                 the last lines, then what is appended
  forge-read read main.py --start-line 10 --end-line 20
  forge-read read huge.csv | grep -c error      the whole file, a page at a time
  forge-read read photo.jpg --json              the answer of forge/readFile, as JSON
  forge-read read server.log --filter timeout   only the lines that match
  forge-read find --regex "user=\\d+" server.log  the same, printed as by grep
  forge-read count huge.csv                     how many lines
  forge-read serve                              what an editor starts
  forge-read mcp project                        what an agent starts
"""

_READ_DETAILS = """\
Without options the whole file is printed; for a gzip file, the text it holds. On a terminal, lines are numbered,
colours are shown and other control characters are made visible. In a pipe the text is plain UTF-8, and lines end in
a newline alone. With --filter or --columns, escape sequences are left out before lines are matched and printed.

With --filter the options above count only the lines that match. Lines keep their own numbers.

The root is the current directory if the file is in it, else the file's own directory. Links that lead out of the root
are refused, and secrets such as .env files are denied unless your settings allow them.
"""

_FIND_DETAILS = """\
Every line with a match is printed, as grep prints it: with its number and a colon, or a hyphen for the lines around
it. Numbers and colours are printed on a terminal only, unless options say otherwise. The text is searched as a terminal
shows it, without escape sequences; in a gzip file, the text it holds is searched.

Exit code 0: a line matches. 1: none does. 2: a line was too long for the expression, even if others match.
"""

_MCP_DETAILS = """\
Without a FOLDER the client's roots are served, else the current directory. Nothing outside can be read, and secrets
such as .env files are denied unless your settings allow them.
"""


def _read(options: Options) -> int:
    from .terminal.read import read

    return read(options)


def _find(options: Options) -> int:
    from .terminal.find import find

    return find(options)


def _count(options: Options) -> int:
    from .terminal.count import count

    return count(options)


def _serve(options: Options) -> int:
    if options.version:
        return _version()
    from .server.main import serve

    return serve(options.log_file, options.log_level)


def _mcp(options: Options) -> int:
    from .mcp.main import serve

    return serve(options.folder, options.toolset, options.log_file, options.log_level)


def _doctor(options: Options) -> int:
    from .terminal.doctor import doctor

    return doctor(options)


def _completion(options: Options) -> int:
    from .terminal.completion import completion

    return completion(options.shell, COMMANDS)


_REGEX = Option("--regex", "PATTERN is a regular expression (Python's)")
_IGNORE_CASE = Option("--ignore-case", "ignore the difference between upper and lower case", short="-i")
_ENCODING = Option("--encoding", "encoding of the file, such as shift_jis; default: detected", value="NAME")
_LINE_NUMBERS = Option("--line-numbers", "number the lines; default: only on a terminal", short="-n", negatable=True)
_COLOR = Option("--color", "auto: only on a terminal", choices=("auto", "always", "never"), default="auto")

_LOG_OPTIONS = (
    Option("--log-file", "where to write the log; default: stderr", value="FILE"),
    Option("--log-level", "what to log", choices=("debug", "info", "warning", "error"), default="warning"),
)

COMMANDS = (
    Command(
        "read",
        "print a file, or some of its lines",
        _read,
        arguments=[Argument("PATH")],
        options={
            "which lines": [
                Option("--start-line", "first line", value="N", convert=positive),
                Option("--end-line", "last line, inclusive", value="N", convert=positive),
                Option("--limit", "how many lines", value="N", convert=positive),
                Option("--head", "the first N lines", value="N", convert=positive),
                Option("--tail", "the last N lines", value="N", convert=positive),
                Option("--around", "a line, and ten before and after it", value="LINE", convert=positive),
                Option("--cursor", "continue after an earlier answer: its next_cursor, from --json", value="CURSOR"),
            ],
            "as it grows": [
                Option(
                    "--follow", "print the last lines (default: 10), then what is appended, across rotation", short="-f"
                ),
            ],
            "filter": [
                Option("--filter", "only the lines that match", value="PATTERN"),
                _REGEX,
                _IGNORE_CASE,
                Option("--invert", "with --filter: only the lines that do not match", short="-v"),
            ],
            "output": [
                Option("--columns", "only these characters of every line", value="START:COUNT", convert=columns),
                _ENCODING,
                _LINE_NUMBERS,
                _COLOR,
                Option("--json", "print one answer of forge/readFile, of up to 10,000 lines"),
            ],
        },
        details=_READ_DETAILS,
    ),
    Command(
        "find",
        "print the lines that match, or count them",
        _find,
        arguments=[Argument("PATTERN"), Argument("PATH")],
        options={
            "what to find": [_REGEX, _IGNORE_CASE],
            "output": [
                Option(
                    "--context",
                    "print N lines before and after each match",
                    short="-C",
                    value="N",
                    convert=positive_or_zero,
                ),
                Option("--count", "print only how many lines match", short="-c"),
                _ENCODING,
                _LINE_NUMBERS,
                _COLOR,
            ],
        },
        details=_FIND_DETAILS,
    ),
    Command(
        "count",
        "count the lines of a file",
        _count,
        arguments=[Argument("PATH")],
        options={
            "output": [
                _ENCODING,
                Option("--json", "print the answer of forge/countLines"),
            ]
        },
    ),
    Command(
        "serve",
        "serve an editor: JSON-RPC on stdin and stdout; the default in a pipe",
        _serve,
        options={
            "options": [
                Option("--stdio", "accepted for editors that pass it; stdio is always used"),
                *_LOG_OPTIONS,
                Option("--version", "print the version", final=True),
            ]
        },
    ),
    Command(
        "mcp",
        "serve an agent: the Model Context Protocol on stdin and stdout",
        _mcp,
        arguments=[Argument("FOLDER", repeated=True)],
        options={
            "options": [
                Option("--toolset", "which tools to serve", choices=("agent", "forge", "workspace"), default="agent"),
                *_LOG_OPTIONS,
            ]
        },
        details=_MCP_DETAILS,
    ),
    Command("doctor", "print what a bug report needs, and test the daemon", _doctor),
    Command(
        "completion",
        "print a completion script for your shell",
        _completion,
        arguments=[Argument("SHELL", choices=("bash", "zsh", "fish"))],
    ),
)


def main(arguments: Sequence[str] | None = None) -> int:
    words = sys.argv[1:] if arguments is None else list(arguments)
    path = command = None
    try:
        if not words and sys.stdin is not None and sys.stdin.isatty():
            words = ["--help"]
        if words[:1] in (["-h"], ["--help"]):
            return _help()
        if words[:1] == ["--version"]:
            return _version()
        command, words = _command(words)
        options = parse(command, words)
        if options.help:
            return _help(command)
        path = getattr(options, "path", None)
        return command.run(options)
    except UsageError as error:
        from .terminal.help import report_usage

        return report_usage(error, command)
    except ReadError as error:
        from .terminal.errors import report

        return report(error, path)
    except KeyboardInterrupt:
        from .terminal.errors import INTERRUPTED

        return INTERRUPTED
    except BrokenPipeError:
        from .terminal.output import silence

        silence()
        return 0
    except OSError as error:
        from .terminal.errors import UNEXPECTED, complain
        from .terminal.output import silence

        silence()
        if sys.platform == "win32" and error.errno == 22 and error.filename is None:
            return 0  # EINVAL is what Windows makes of a broken pipe
        complain(f"{error.filename}: {error.strerror}" if error.filename else f"{error.strerror}")
        return UNEXPECTED
    except Exception:
        import traceback

        from .terminal.errors import UNEXPECTED

        traceback.print_exc()
        return UNEXPECTED


def _command(words: list[str]) -> tuple[Command, list[str]]:
    """Editors start `python -m forge_daemon --stdio`: without a command it is `serve`."""
    name, rest = ("serve", words) if not words or words[0].startswith("-") else (words[0], words[1:])
    for command in COMMANDS:
        if command.name == name:
            return command, rest
    raise UsageError(f"there is no command {name!r}", closest(name, [command.name for command in COMMANDS]))


def _help(command: Command | None = None) -> int:
    from .terminal.help import command_help, print_help, program_help

    return print_help(command_help(command) if command else program_help(_DESCRIPTION, COMMANDS, _EXAMPLES))


def _version() -> int:
    from .terminal.help import print_help

    return print_help(f"forge-read {__version__}\n")
