"""`forge-read find`: the lines that match, in one or more files, printed as `grep` prints them."""

import os
from argparse import Namespace

from .errors import NO_MATCH, complain
from .files import for_each
from .folders import search_folder
from .matching import Search, filter_to_find
from .output import Output
from .parser import UsageError, require
from .printer import marked
from .windows import TextFile, lines_of, open_text_file


def find(options: Namespace) -> int:
    """Without a path, the current directory is searched."""
    if options.patterns is None:
        require(options.paths, "PATTERN")
        options.patterns = [options.paths.pop(0)]
    has_folders = any(map(os.path.isdir, options.paths))
    printer = _MatchPrinter(options, with_names=has_folders or len(options.paths) != 1)

    def find_in(word: str) -> None:
        search = _find_in_folder if not options.paths or os.path.isdir(word) else _find_in_file
        search(word, options, printer)

    code = for_each(options.paths or [""], find_in)
    return code or (0 if printer.has_found else NO_MATCH)


def _find_in_file(word: str, options: Namespace, printer: "_MatchPrinter") -> None:
    # The text is searched as a person sees it: two words of different colours are found side by side.
    with open_text_file(word, options, strip_ansi=True) as text:
        number = printer.print(text)
        if printer.is_terminal and options.encoding is None:
            _advise(text, number, options)


def _find_in_folder(word: str, options: Namespace, printer: "_MatchPrinter") -> None:
    skipped = search_folder(word, options.encoding, printer.print, printer.may_print)
    if printer.is_terminal and skipped:
        complain("skipped: " + ", ".join(f"{number:,} {reason}" for reason, number in skipped.items()))


def _advise(text: TextFile, number: int, options: Namespace) -> None:
    if number and text.malformed:
        text.advise_encoding()
    elif not number and not "".join(options.patterns).isascii():
        text.advise_encoding(found=False)


class _MatchPrinter:
    """`name:12:` before a match, `name-12-` before a line around one, `--` between groups of lines."""

    def __init__(self, options: Namespace, *, with_names: bool) -> None:
        self._with_names = with_names
        self._options = options
        spec = filter_to_find(options)
        self._has_context = bool(spec.before or spec.after)
        if self._has_context and (options.count or options.files_with_matches or options.only_matching):
            raise UsageError("context cannot be combined with -c, -l or -o")
        self._search = Search(spec)
        self._output = Output(options.color)
        self.is_terminal = self._output.is_terminal
        self._is_numbered = self.is_terminal if options.line_numbers is None else options.line_numbers
        self._pieces = self._search.pieces if self._output.coloured and not options.invert else None
        self.has_found = False
        self._has_printed = False
        self._last = 0
        """The number of the line that was printed last."""
        self._inside_line = False

    def may_print(self, data: bytes) -> bool:
        """Whether anything is printed for a file with these contents."""
        return self._options.count or len(self._search.filter.passing(data)) > 0

    def print(self, text: TextFile) -> int:
        """Print what was asked for. Returns how many lines match, or 1 if one is enough."""
        name = self._output.named(text.name)
        self._name = name if self._with_names else ""
        if self._options.files_with_matches:
            number = int(any(window.returned_line_count for window in self._search.windows(text)))
            self._output.write(f"{name}\n" * number)
        elif self._options.count:
            number = self._search.count(text)
            self._output.write(f"{self._name}:{number}\n".removeprefix(":"))
        else:
            number = self._print_matches(text) if self._options.only_matching else self._print_lines(text)
        self._output.flush()
        self.has_found = self.has_found or number > 0
        return number

    def _print_matches(self, text: TextFile) -> int:
        found, line = 0, ""
        for window in self._search.windows(text):
            for number, part in lines_of(window):
                line += part  # a line that is too long for one window comes in parts
                if part.endswith("\n") or window.next_cursor is None:
                    found += self._print_matches_in_line(number, line)
                    line = ""
            self._output.flush()
        return found + (self._print_matches_in_line(number, line) if line else 0)

    def _print_matches_in_line(self, number: int, line: str) -> int:
        for piece, is_match in self._search.pieces(line):
            if is_match:
                self._output.write(f"{self._prefix(number, ':')}{self._output.marked(self._output.shown(piece))}\n")
        return 1

    def _print_lines(self, text: TextFile) -> int:
        found, self._last = 0, -1
        for window in self._search.windows(text):
            context = set(window.context_lines or ())
            for number, part in lines_of(window):
                if number != self._last:
                    found += number not in context
                    self._separate(number)
                self._print_part(number, part, "-" if number in context else ":")
            self._output.flush()
        self._end_line()
        return found

    def _separate(self, number: int) -> None:
        """Before a line that does not follow the last one."""
        if self._has_context and self._has_printed and number != self._last + 1:
            self._end_line()
            self._output.write("--\n")

    def _print_part(self, number: int, part: str, mark: str) -> None:
        """A line, or a part of one that is too long for one window."""
        if number != self._last or not self._inside_line:
            self._end_line()
            self._output.write(self._prefix(number, mark))
        self._output.write(marked(self._output, part, self._pieces if mark == ":" else None))
        self._inside_line = not part.endswith("\n")
        self._last = number
        self._has_printed = True

    def _end_line(self) -> None:
        self._output.write("\n" * self._inside_line)
        self._inside_line = False

    def _prefix(self, number: int, mark: str) -> str:
        fields = [self._name, str(number) if self._is_numbered else ""]
        prefix = "".join(f"{field}{mark}" for field in fields if field)
        return self._output.dimmed(prefix) if prefix else ""
