"""`forge-read count`: the number of lines of files of any size."""

from argparse import Namespace

from .files import for_each, name_of
from .output import Output
from .parser import require
from .windows import open_text_file


def count(options: Namespace) -> int:
    require(options.paths, "PATH")
    if options.json:
        from .json_answers import count_json

        return count_json(options)
    output = Output()

    def count_file(word: str) -> None:
        with open_text_file(word, options, strip_ansi=False) as text:
            number = text.count_lines()
        name = f" {output.named(name_of(word))}" if len(options.paths) > 1 else ""  # as `wc -l` prints it
        output.write(f"{number}{name}\n")
        output.flush()

    return for_each(options.paths, count_file)
