"""What a text must hold for a regular expression to match it.

Searching for that is many times faster than trying the expression, and most lines do not contain it.
"""

import re

_LONGEST = 16
_MOST = 4
"""More, or longer ones, would hardly rule out more lines, and each takes its time."""

# U+FFFD is never taken: it also stands for bytes that are malformed.
_TOKEN = re.compile(
    r"""
      (?P<plain> (?: [^][\\(){}.*+?^$|\ufffd] | \\[^\w\ufffd] ) (?! [*+?{] ) )
    | (?P<open> \( (?: \?[:=!] | \?<[=!] | (?!\?) ) )
    | (?P<close> \) )
    | (?P<alternative> \| )
    | (?P<other> \\[AbBdDfnrsStvwWZ] | \\\W | \[ \^? ]? (?: \\. | [^]\\] )* ] | \{[\d,]*} | [^[\\(] )
    | (?P<unsure> . )
    """,
    re.VERBOSE | re.DOTALL,
)


def required_literals(expression: str) -> list[str]:
    """Those outside of groups, the longest first; an empty one where none is certain."""
    runs, depth = [""], 0
    for token in _TOKEN.finditer(expression):
        kind = token.lastgroup
        if kind == "unsure" or (kind == "alternative" and depth == 0):
            return [""]
        depth += (kind == "open") - (kind == "close")
        if kind == "plain" and depth == 0:
            runs[-1] += token[0][-1]
        else:
            runs.append("")
    return [run[:_LONGEST] for run in sorted(runs, key=len, reverse=True)[:_MOST]]
