"""`forge-read completion`: a script that makes a shell complete commands, options, their values and file names."""

from argparse import ArgumentParser

import shtab

from .output import Output


def print_completion(parser: ArgumentParser, shell: str) -> int:
    script = shtab.complete(parser, shell)
    # Bash itself completes file names, with quotes where they are needed.
    script = script.replace("complete -o bashdefault ", "complete -o bashdefault -o default ")
    output = Output()
    output.write(script)
    output.flush()
    return 0
