"""`forge-read read`: files, or some of their lines."""

import os
import re
from argparse import Namespace
from collections.abc import Iterable
from typing import TYPE_CHECKING

from .errors import complain
from .files import for_each
from .output import Output
from .parser import UsageError, require
from .printer import Headers, Printer
from .windows import TextFile, open_text_file, window_request

if TYPE_CHECKING:
    from .matching import Search

_SELECTORS = ("head", "tail", "around", "cursor", "start_line", "end_line", "limit")
_FILE_AND_LINE = r"(?s)(.+?):([1-9][0-9]{0,17})(?::[0-9]+)?:?"
"""As compilers and `grep -n` print it, with or without a column."""


def read(options: Namespace) -> int:
    require(options.paths, "PATH")
    check_options(options)
    search = None
    if options.json:
        from .json_answers import read_json

        return read_json(options)
    if is_filtered(options):
        from .matching import Search, filter_to_read

        search = Search(filter_to_read(options))
    if options.follow:
        from .follow import follow

        return follow(options, search)
    return _print_files(options, search)


def _print_files(options: Namespace, search: "Search | None") -> int:
    output = Output(options.color)
    headers = Headers(output, several=len(options.paths) > 1)

    def print_file(word: str) -> None:
        path, selectors = split_line_number(word, options)
        request = window_request(selectors, search.filter if search else None)
        printer = Printer(output, options, search.pieces if search else None)
        with open_text_file(path, options, strip_ansi=strips_ansi(options)) as text:
            printed = 0
            for window in text.windows(request):
                headers.switch_to(printer, text.name)
                printer.print(window)
                printed += window.returned_line_count
            if output.is_terminal:  # the prompt gets a line of its own
                printer.end_line()
            output.flush()
            if output.is_terminal:
                _advise(text, selectors, printed)

    return for_each(options.paths, print_file)


def check_options(options: Namespace) -> None:
    """Raises `UsageError` if options contradict each other."""
    _refuse_together(options, "follow", ("json", "head", "end_line", "limit", "around"))
    for name in ("head", "tail", "around", "cursor"):
        _refuse_together(options, name, _SELECTORS)
    if options.start_line and options.end_line and options.end_line < options.start_line:
        raise UsageError(f"--end-line {options.end_line} is before --start-line {options.start_line}")
    if not (options.filter or options.exclude):
        _require_for(options, ("regex", "ignore_case", "whole_word", "invert"), "--filter")
    if not is_filtered(options):
        _require_for(options, ("records", "before", "after", "context"), "a filter, such as --filter or --level")


def is_filtered(options: Namespace) -> bool:
    """Whether only some lines are wanted, by what they contain or by their level or time."""
    return any(getattr(options, name) is not None for name in ("filter", "exclude", "level", "since", "until"))


def split_line_number(word: str, options: Namespace) -> tuple[str, Namespace]:
    """`file:LINE`: the lines around it, or from it on if their end is given, unless a file has that name."""
    match = None if os.path.lexists(word) else re.fullmatch(_FILE_AND_LINE, word)
    if match is None:
        return word, options
    for name in ("follow", *_SELECTORS):
        if getattr(options, name) and name not in ("limit", "end_line"):
            raise UsageError(f"{_spelled(name)} cannot be combined with {word!r}")
    selector = "start_line" if options.limit or options.end_line else "around"
    selectors = Namespace(**{**vars(options), selector: int(match[2])})
    check_options(selectors)
    return match[1], selectors


def strips_ansi(options: Namespace) -> bool:
    """Matches and columns are those of the text as the user sees it."""
    return is_filtered(options) or options.columns is not None


def _refuse_together(options: Namespace, one: str, others: Iterable[str]) -> None:
    for other in others:
        if getattr(options, one) and getattr(options, other) and one != other:
            raise UsageError(f"{_spelled(one)} cannot be combined with {_spelled(other)}")


def _require_for(options: Namespace, names: Iterable[str], missing: str) -> None:
    for name in names:
        if getattr(options, name):
            raise UsageError(f"{_spelled(name)} needs {missing}")


def _spelled(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _advise(text: TextFile, selectors: Namespace, printed: int) -> None:
    first = selectors.start_line or selectors.around
    if text.malformed and selectors.encoding is None:
        text.advise_encoding()
    elif first and not printed and not is_filtered(selectors):
        total = text.count_lines()
        complain(f"{text.name}: line {first:,} is past the end ({total:,} line{'s' * (total != 1)})")
