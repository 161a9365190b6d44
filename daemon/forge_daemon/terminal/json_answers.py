"""`--json`: the answers of the protocol, one a line."""

from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator

from attrs import evolve

from forge_daemon.reading.match.filter import Filter
from forge_daemon.reading.window.window import COUNT_LINES_UP_TO
from forge_daemon.requests.count_lines import count_lines
from forge_daemon.requests.list_folder import list_folder
from forge_daemon.requests.read_file import result_of, window_of
from forge_daemon.requests.request import open_target
from forge_daemon.requests.text_form import AUTO
from forge_daemon.rpc.json_text import encode
from forge_daemon.workspace.reader import Target
from forge_protocol.conversion import unstructure
from forge_protocol.count_lines import CountLinesParams
from forge_protocol.list_folder import ListParams

from .files import for_each, locate, locate_folder
from .list import PAGE
from .matching import filter_to_read
from .output import Output
from .progress import Progress
from .read import is_filtered, split_line_number, strips_ansi
from .windows import form_of, window_request

MAX_LINES = 10_000
"""As many as one answer may hold."""


def read_json(options: Namespace) -> int:
    wanted = Filter(filter_to_read(options)) if is_filtered(options) else None

    def answers(word: str, progress: Progress) -> Iterator[object]:
        path, selectors = split_line_number(word, options)
        request = window_request(selectors, wanted)._replace(
            form=form_of(options, strip_ansi=strips_ansi(options)),
            max_lines=MAX_LINES,
            on_binary="base64",
            count_lines_up_to=COUNT_LINES_UP_TO,
        )
        with locate(path) as (_, reader, absolute):
            target = Target(absolute, rotated=options.rotated)
            with open_target(reader, target) as file:
                yield result_of(file, window_of(file, request, progress), numbered=options.line_numbers is True)

    return print_answers(options.paths, answers)


def count_json(options: Namespace) -> int:
    def answers(word: str, progress: Progress) -> Iterator[object]:
        with locate(word) as (_, reader, path):
            params = CountLinesParams(path=path, encoding=options.encoding or AUTO, rotated=options.rotated)
            yield count_lines(reader, params, progress)

    return print_answers(options.paths, answers)


def list_json(options: Namespace) -> int:
    def answers(word: str, progress: Progress) -> Iterator[object]:
        _, reader, path = locate_folder(word)
        params = ListParams(path=path, glob=options.glob, depth=options.depth, limit=PAGE)
        while True:
            answer = list_folder(reader, params, progress)
            yield answer
            if answer.next_cursor is None:
                return
            params = evolve(params, cursor=answer.next_cursor)

    return print_answers(options.paths, answers)


def print_answers(words: Iterable[str], answers: Callable[[str, Progress], Iterable[object]]) -> int:
    output = Output()

    def print_answers(word: str) -> None:
        with Progress() as progress:
            for answer in answers(word, progress):
                progress.clear()
                output.write_json(encode(unstructure(answer)))
                output.flush()

    return for_each(words, print_answers)
