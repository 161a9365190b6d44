"""`forge-read count`: the number of lines of a file of any size."""

from argparse import Namespace

from .files import for_each
from .output import Output
from .parser import require, require_at_most_one
from .windows import open_text_file


def count(options: Namespace) -> int:
    require(options.paths, "PATH")
    require_at_most_one(options.paths)
    if options.json:
        from .json_answers import count_json

        return count_json(options)
    output = Output()

    def count_file(word: str) -> None:
        with open_text_file(word, options, strip_ansi=False) as text:
            number = text.count_lines()
        output.write(f"{number}\n")
        output.flush()

    return for_each(options.paths, count_file)
