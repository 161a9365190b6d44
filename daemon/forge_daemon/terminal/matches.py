"""The matching lines of a file, printed as they are found."""

import time
from collections.abc import Callable, Iterator

from forge_daemon.reading.search.line_filter import Filter, LineFilter
from forge_daemon.reading.search.line_search import LineTooLong
from forge_daemon.reading.selection import Lines
from forge_daemon.reading.windows.window import Window, WindowRequest
from forge_daemon.workspace.open_file import OpenFile

from .highlight import highlight_of
from .output import Output
from .pages import lines_of, pages, read_page
from .progress import Progress

_SOON_SECONDS = 0.1
"""About so often what was found is printed."""
_GROWTH = 4


class Matches:
    """As `grep -n` prints them: `12:` before a match, `12-` before a line around one, `--` between groups."""

    def __init__(
        self,
        file: OpenFile,
        request: WindowRequest,
        wanted: Filter,
        progress: Progress,
        output: Output,
        pass_over: Callable[[LineTooLong], None],
        *,
        is_numbered: bool,
    ) -> None:
        self._file = file
        self._request = request
        self._wanted = wanted
        self._pass_over = pass_over
        self._progress = progress
        self._output = output
        self._show = highlight_of(wanted, output) or output.shown
        self._is_numbered = is_numbered
        self._last = 0
        """The number of the last line that was printed."""
        self._inside_line = False
        self.malformed = 0
        """Sequences in the matching lines that were printed."""

    def print(self, *, context: int) -> int:
        """Print the matching lines. Returns how many there were."""
        found = 0
        for page in self._pages():
            self._progress.clear()
            self.malformed += page.decode_errors
            for number, text in lines_of(page):
                if number > self._last:
                    self._print_context_before(number, context, is_first=found == 0)
                    found += 1
                self._print_line(number, text, ":", self._show(text))
            self._output.close()
        if found:
            self._print_context(self._last + 1, self._last + context)
        if self._inside_line:
            self._output.write("\n")
        return found

    def _pages(self) -> Iterator[Window]:
        """The first match by itself, then as many at a time as are found in a moment."""
        request = self._request._replace(max_lines=1)
        size = 1
        while True:
            start = time.monotonic()
            try:
                page = read_page(self._file, request, self._progress)
            except LineTooLong as error:
                request = self._before_or_after(error, request)
                size = 1
                continue
            size = size * _GROWTH if time.monotonic() - start < _SOON_SECONDS else max(1, size // _GROWTH)
            yield page
            if page.next_cursor is None:
                return
            request = request._replace(selection=page.next_cursor, max_lines=size)

    def _before_or_after(self, error: LineTooLong, request: WindowRequest) -> WindowRequest:
        """First the matches before a line that cannot be searched, one by one; then those after it."""
        if request.max_lines != 1:
            return request._replace(max_lines=1)
        self._pass_over(error)
        line_filter = LineFilter(self._wanted._replace(first_line=error.line + 1))
        return self._request._replace(line_filter=line_filter, max_lines=1)

    def _print_context_before(self, number: int, context: int, *, is_first: bool) -> None:
        """The lines between two matches that belong to the context of either."""
        first = max(1, number - context)
        if not is_first and context:
            after = min(self._last + context, number - 1)
            self._print_context(self._last + 1, after)
            if first > after + 1:
                self._output.write("--\n")
            first = max(first, after + 1)
        self._print_context(first, number - 1)

    def _print_context(self, first: int, last: int) -> None:
        if first > last:
            return
        request = self._request._replace(selection=Lines(first, last), line_filter=None)
        for page in pages(self._file, request, self._progress):
            self._progress.clear()
            for number, text in lines_of(page):
                self._print_line(number, text, "-", self._output.shown(text))

    def _print_line(self, number: int, text: str, mark: str, shown: str) -> None:
        """A line that is too long for one page comes in parts."""
        continues_line = self._inside_line and number == self._last
        if self._inside_line and not continues_line:
            self._output.write("\n")
        if self._is_numbered and not continues_line:
            shown = self._output.dimmed(f"{number}{mark}") + shown
        self._output.write(shown)
        self._inside_line = not text.endswith("\n")
        self._last = number
