"""`forge-read find`: the lines that match, in one or more files, printed as `grep` prints them."""

import os
from argparse import Namespace
from collections.abc import Iterator

from .errors import NO_MATCH, complain
from .files import for_each
from .folders import search_folder
from .matching import Search, filter_to_find
from .output import Output
from .parser import UsageError, require
from .printer import Printer
from .windows import TextFile, lines_of, open_text_file


def find(options: Namespace) -> int:
    """Without a path, the current directory is searched."""
    if options.patterns is None:
        require(options.paths, "PATTERN")
        options.patterns = [options.paths.pop(0)]
    with_names = len(options.paths) != 1 or os.path.isdir(options.paths[0])
    printer = _MatchPrinter(Output(options.color), options, with_names=with_names)

    def find_in(word: str) -> None:
        search = _find_in_folder if not options.paths or os.path.isdir(word) else _find_in_file
        search(word, options, printer)

    code = for_each(options.paths or [""], find_in)
    return code or (0 if printer.has_found else NO_MATCH)


def _find_in_file(word: str, options: Namespace, printer: "_MatchPrinter") -> None:
    # The text is searched as a person sees it: two words of different colours are found side by side.
    with open_text_file(word, options, strip_ansi=True) as text:
        found = printer.print_file(text)
        if printer.output.is_terminal and options.encoding is None:
            if found and text.malformed:
                text.advise_encoding()
            elif not found and not "".join(options.patterns).isascii():
                text.advise_encoding(found=False)


def _find_in_folder(word: str, options: Namespace, printer: "_MatchPrinter") -> None:
    skipped = search_folder(word, options.encoding, printer.print_file, printer.may_print)
    if printer.output.is_terminal and skipped:
        complain("skipped: " + ", ".join(f"{number:,} {reason}" for reason, number in skipped.items()))


class _MatchPrinter(Printer):
    """`name:12:` before a match, `name-12-` before a line around one, `--` between groups of lines."""

    def __init__(self, output: Output, options: Namespace, *, with_names: bool) -> None:
        spec = filter_to_find(options)
        self._has_context = bool(spec.before or spec.after)
        if self._has_context and (options.count or options.files_with_matches or options.only_matching):
            raise UsageError("context cannot be combined with -c, -l or -o")
        self._search = Search(spec)
        super().__init__(output, options, self._search.pieces)
        self._options = options
        self._with_names = with_names
        self._name = ""
        self._last: int | None = None
        """The number of the line that was printed last."""
        self.has_found = False

    def may_print(self, data: bytes) -> bool:
        """Whether anything is printed for a file with these contents."""
        return self._options.count or len(self._search.filter.passing(data)) > 0

    def print_file(self, text: TextFile) -> bool:
        """Print what was asked for. Returns whether a line matches."""
        name = self.output.named(text.name)
        self._name = name if self._with_names else ""
        if self._options.count:
            number = text.count_lines(self._search.filter)
            self.output.write(f"{self._name}:{number}\n".removeprefix(":"))
            found = number > 0
        elif self._options.files_with_matches:
            found = any(window.returned_line_count for window in self._search.windows(text))
            self.output.write(f"{name}\n" * found)
        else:
            found = self._print_matches(text) if self._options.only_matching else self._print_lines(text)
        self.output.flush()
        self.has_found = self.has_found or found
        return found

    def _print_lines(self, text: TextFile) -> bool:
        found = False
        if self._last is not None:
            self._last = -1  # the lines of another file are another group
        for window in self._search.windows(text):
            found = found or window.returned_line_count > 0
            self.print(window)
            self.output.flush()
        self.end_line()
        return found

    def _print_matches(self, text: TextFile) -> bool:
        found = False
        for number, line in self._whole_lines(text):
            found = True
            for piece, is_match in self._search.pieces(line):
                if is_match:
                    start = self._line_start(number, is_context=False)
                    self.output.write(f"{start}{self.output.marked(self.output.shown(piece))}\n")
        return found

    def _whole_lines(self, text: TextFile) -> Iterator[tuple[int, str]]:
        """Also those that are too long for one window."""
        number, line = 0, ""
        for window in self._search.windows(text):
            for number, part in lines_of(window):
                line += part
                if part.endswith("\n"):
                    yield number, line
                    line = ""
            self.output.flush()
        if line:
            yield number, line

    @property
    def _is_plain(self) -> bool:
        return super()._is_plain and not self._with_names and not self._has_context

    def _line_start(self, number: int, *, is_context: bool) -> str:
        is_apart = self._has_context and self._last is not None and number != self._last + 1
        self._last = number
        mark = "-" if is_context else ":"
        fields = [self._name, str(number) if self.is_numbered else ""]
        prefix = "".join(f"{field}{mark}" for field in fields if field)
        return "--\n" * is_apart + (self.output.dimmed(prefix) if prefix else "")
