"""`forge-read count`: the number of lines of a file of any size."""

from argparse import Namespace

from .files import for_each
from .output import Output
from .windows import open_text_file


def count(options: Namespace) -> int:
    output = Output()

    def count_file(word: str) -> None:
        with open_text_file(word, options, strip_ansi=False) as text:
            number = text.count_lines()
        output.write(f"{number}\n")
        output.flush()

    return for_each(options.paths, count_file)
