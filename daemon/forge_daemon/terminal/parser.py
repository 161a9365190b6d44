"""`argparse` as `forge-read` uses it: options and paths in any order, suggestions, no control characters printed."""

import argparse
import re
from collections.abc import Callable, Sequence
from typing import NoReturn

from forge_protocol import LARGEST_INTEGER

from .escape_controls import escape_controls
from .output import Output

FILES = {"zsh": "_files", "fish": "(__fish_complete_path (commandline -ct))"}
"""How shells complete file names, in the form of `shtab`. Bash does so by itself."""


class UsageError(Exception):
    """The command line is wrong; the message says why."""


class Parser(argparse.ArgumentParser):
    hyphen_options: tuple[str, ...] = ()
    """Options whose value may begin with a hyphen, which `argparse` alone takes only as part of the same word."""

    def __init__(self, command: str, arguments: str, summary: str, details: str = "") -> None:
        """Of a command, or of the program if the name is empty."""
        super().__init__(
            prog=f"forge-read {command}".rstrip(),
            usage=f"%(prog)s {'[OPTIONS] ' if command else ''}{arguments}".rstrip(),
            description=f"{summary[0].upper()}{summary[1:]}{'.' if command else ''}",
            epilog=details,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            add_help=False,
            allow_abbrev=False,
        )
        self.summary = summary
        self.color = False  # from Python 3.14 on, help would have escape sequences
        # For what is added to the parser itself, `argparse` loads `shutil`, which takes as long as reading a file.
        self.arguments = self.add_argument_group("arguments")
        self.options = self.add_argument_group("options")
        self.options.add_argument("-h", "--help", action="help", help="show this help")

    def add_paths(self, summary: str, metavar: str = "PATH") -> None:
        action = self.arguments.add_argument("paths", nargs="*", metavar=metavar, help=summary)
        action.complete = FILES  # type: ignore[attr-defined]

    def parse(self, words: Sequence[str]) -> argparse.Namespace:
        """Every word after `--` is a path. `argparse` itself loses it where paths and options are mixed."""
        words = self._join_hyphens(words)
        end = words.index("--") if "--" in words else len(words)
        options, unknown = self.parse_known_intermixed_args(words[:end])
        if unknown:
            self.error(self._unknown(next((word for word in unknown if word.startswith("-")), unknown[0])))
        if "paths" in options:
            # What looks like a negative number is an argument to `argparse`, and meant as by `head -5`.
            if number := next((word for word in options.paths if re.fullmatch(r"-\d+", word)), None):
                self.error(self._unknown(number))
            options.paths += words[end + 1 :]
        elif end + 1 < len(words):
            self.error(f"unexpected argument {words[end + 1]!r}")
        return options

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)

    def print_help(self, file: object = None) -> None:
        output = Output()
        output.write(escape_controls(self.format_help()))
        output.flush()

    def _join_hyphens(self, words: Sequence[str]) -> list[str]:
        joined: list[str] = []
        for word in words:
            if word.startswith("-") and joined and self._takes_hyphens(joined[-1]):
                joined[-1] += f"={word}" if joined[-1].startswith("--") else word
            else:
                joined.append(word)
        return joined

    def _takes_hyphens(self, word: str) -> bool:
        """Whether a word is one of these options, or letters of which the last one is."""
        letters = re.fullmatch(r"-[a-zA-Z]*([a-zA-Z])", word)
        return (f"-{letters[1]}" if letters else word) in self.hyphen_options

    def _unknown(self, word: str) -> str:
        if not word.startswith("-"):
            return f"unexpected argument {word!r}"
        option = word.partition("=")[0]
        known = re.findall(r"(?<!\w)--?[a-zA-Z][a-z-]*", self.format_help())
        return f"unknown option {option!r}{closest(option, known)}"


def require(words: Sequence[str], name: str) -> None:
    if not words:
        raise UsageError(f"the following arguments are required: {name}")


def require_at_most_one(words: Sequence[str]) -> None:
    if len(words) > 1:
        raise UsageError(f"unexpected argument {words[1]!r}")


def closest(word: str, candidates: Sequence[str]) -> str:
    """A hint at what may be meant, for the end of a message."""
    from difflib import get_close_matches

    found = get_close_matches(word, candidates, 1)
    if found:
        return f"; did you mean {found[0]}?"
    return "; put -- before a name or pattern that begins with a hyphen" if word.startswith("-") else ""


def number_from(least: int) -> Callable[[str], int]:
    """The type of an option that is a whole number."""

    def parse(word: str) -> int:
        number = int(word) if word.isascii() and word.isdigit() else -1
        if not least <= number <= LARGEST_INTEGER:
            raise argparse.ArgumentTypeError(f"{word!r} is not a whole number from {least} on")
        return number

    return parse


def columns(word: str) -> tuple[int, int]:
    """`START:COUNT`; a start that is left out is 1."""
    start, _, count = word.partition(":")
    try:
        return number_from(1)(start or "1"), number_from(1)(count)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"{word!r} is not START:COUNT, such as 1:200") from None
