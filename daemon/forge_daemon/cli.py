"""`forge-read`: arguments and exit code. What a sub-command needs is imported when it is called."""

import sys
from argparse import (
    ArgumentParser,
    ArgumentTypeError,
    BooleanOptionalAction,
    Namespace,
    RawDescriptionHelpFormatter,
)
from collections.abc import Sequence
from functools import partial
from typing import Any

from forge_protocol.errors import ReadError
from forge_protocol.fields import LARGEST_INTEGER

from . import __version__

# With a width of its own it need not ask the terminal, which takes longer than parsing does.
_FORMAT = partial(RawDescriptionHelpFormatter, width=100)

_DESCRIPTION = "Read files of any size, safely: in a terminal, or as a daemon for editors and agents."

_EXAMPLES = """\
examples:
  forge-read read server.log --tail 50          the last lines
  forge-read read main.py --start-line 10 --end-line 20
  forge-read read huge.csv | grep -c error      the whole file, a page at a time
  forge-read read photo.jpg --json              one answer of the protocol, as JSON
  forge-read count huge.csv                     how many lines
  forge-read serve                              what an editor starts
"""

_READ_DETAILS = """\
Without a selector the whole file is printed. On a terminal lines are numbered and control characters are
made visible; in a pipe the text is plain UTF-8 with newlines alone at the ends of lines.

The root is the current directory if the file is beneath it, else the file's own directory. No link leads out
of it, and secrets such as .env files are denied until your settings allow them.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parse(sys.argv[1:] if arguments is None else list(arguments))
    try:
        return int(options.run(options))
    except ReadError as error:
        from .terminal.errors import report

        return report(error, options.path)
    except KeyboardInterrupt:
        from .terminal.errors import INTERRUPTED

        return INTERRUPTED
    except BrokenPipeError:
        from .terminal.output import silence

        silence()
        return 0
    except OSError as error:
        from .terminal.errors import complain
        from .terminal.output import silence

        silence()
        complain(f"{error.filename}: {error.strerror}" if error.filename else f"{error.strerror}")
        return 1


def _parse(arguments: list[str]) -> Namespace:
    parser = _parser()
    if not arguments:
        if sys.stdin is not None and sys.stdin.isatty():
            parser.print_help()
            parser.exit()
        arguments = ["serve"]
    elif arguments[0].startswith("-") and arguments[0] not in ("-h", "--help", "--version"):
        # Editors start `python -m forge_daemon --stdio`.
        arguments = ["serve", *arguments]
    return parser.parse_args(arguments)


class _Parser(ArgumentParser):
    """Tells where the settings are, but only where help is asked for: finding out takes time."""

    def format_help(self) -> str:
        from .terminal.errors import EXIT_CODES_HELP
        from .workspace.settings import user_settings_path

        settings = (
            f"settings:\n  {user_settings_path()}\n  and forge.toml in the root folder, which may only tighten them"
        )
        return f"{super().format_help()}\n{EXIT_CODES_HELP}\n\n{settings}\n"


def _parser() -> ArgumentParser:
    parser = _Parser(
        "forge-read",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=_FORMAT,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"forge-read {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=ArgumentParser)
    _add_read(_command(commands, "read", "print a file, or some of its lines", _READ_DETAILS))
    _add_count(_command(commands, "count", "count the lines of a file"))
    _add_serve(_command(commands, "serve", "speak JSON-RPC on stdin and stdout; the default without a terminal"))
    _command(commands, "doctor", "say what a bug report needs, and try the daemon").set_defaults(run=_doctor)
    completion = _command(commands, "completion", "print a completion script for your shell")
    completion.add_argument("shell", choices=("bash", "zsh", "fish"))
    completion.set_defaults(run=_completion, commands=commands.choices)
    return parser


def _command(commands: Any, name: str, what: str, details: str | None = None) -> ArgumentParser:
    parser: ArgumentParser = commands.add_parser(
        name,
        help=what,
        description=f"{what[0].upper()}{what[1:]}.",
        epilog=details,
        formatter_class=_FORMAT,
        allow_abbrev=False,
    )
    return parser


def _add_read(parser: ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH")
    lines = parser.add_argument_group("which lines")
    lines.add_argument("--start-line", type=_number, metavar="N", help="first line")
    lines.add_argument("--end-line", type=_number, metavar="N", help="last line, inclusive")
    lines.add_argument("--limit", type=_number, metavar="N", help="how many lines")
    lines.add_argument("--head", type=_number, metavar="N", help="the first N lines")
    lines.add_argument("--tail", type=_number, metavar="N", help="the last N lines")
    lines.add_argument("--around", type=_number, metavar="LINE", help="a line, and ten before and after it")
    lines.add_argument("--cursor", help="go on where an answer with --json stopped: its next_cursor")
    form = parser.add_argument_group("in what form")
    form.add_argument("--line-numbers", action=BooleanOptionalAction, help="default: on a terminal")
    form.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="of line numbers")
    form.add_argument("--json", action="store_true", help="one answer of forge/readFile, of up to 10,000 lines")
    parser.set_defaults(run=_read)


def _add_count(parser: ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH")
    parser.add_argument("--json", action="store_true", help="the answer of forge/countLines")
    parser.set_defaults(run=_count)


def _add_serve(parser: ArgumentParser) -> None:
    parser.add_argument("--stdio", action="store_true", help="accepted, and always so")
    parser.add_argument("--log-file", metavar="FILE", help="default: stderr")
    parser.add_argument("--log-level", choices=("debug", "info", "warning", "error"), default="warning")
    parser.add_argument("--version", action="version", version=f"forge-read {__version__}")
    parser.set_defaults(run=_serve)


def _number(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else 0
    if not 1 <= number <= LARGEST_INTEGER:
        raise ArgumentTypeError(f"{text!r} is not a whole number from 1 on")
    return number


def _read(options: Namespace) -> int:
    from .terminal.read import read

    return read(options)


def _count(options: Namespace) -> int:
    from .terminal.count import count

    return count(options)


def _doctor(options: Namespace) -> int:
    from .terminal.doctor import doctor

    return doctor(options)


def _completion(options: Namespace) -> int:
    from .terminal.completion import completion

    return completion(options)


def _serve(options: Namespace) -> int:
    from .server.main import leave, serve

    leave(serve(options.log_file, options.log_level))
    return 0
