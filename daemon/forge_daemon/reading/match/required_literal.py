"""The longest literal that every match of an expression contains: a prefilter, as searching for bytes is faster."""

import re

_TOKEN = re.compile(
    r"""
      (?P<plain> (?: [^][\\(){}.*+?^$|] | \\\W ) (?! [*+?{] ) )
    | (?P<open> \( (?: \?: | \?P?<\w+> | (?!\?) ) )
    | (?P<close> \) (?P<repeated> (?= [*+?{] ) )? )
    | (?P<alternative> \| )
    | (?P<other> \\[aBbDdfrSstvWw] | \\[Pp](?:\w|\{\^?\w+}) | \\x(?:[\da-fA-F]{2}|\{[\da-fA-F]+}) | \\\W
        | \[ \^? ]? (?: \[:\^?\w+:] | \\. | [^]\\] )* ] | \{[\d,]*} | [^[\\(] )
    | (?P<unsure> . )
    """,
    re.VERBOSE | re.DOTALL,
)


def required_literal(expression: str) -> str:
    """Empty if none is certain: the tokenizer knows the common part of RE2's syntax (not flags, for example)."""
    groups: list[list[str] | None] = [[""]]  # the literals of each open group; None where it has alternatives
    for token in _TOKEN.finditer(expression):
        kind, literals = token.lastgroup, groups[-1]
        if kind == "unsure" or (kind == "close" and len(groups) == 1):
            return ""
        if kind == "open":
            groups.append([""])
        elif kind == "alternative":
            groups[-1] = None
        elif kind == "close":
            inner = groups.pop()
            if (outer := groups[-1]) is not None:
                outer += _required(inner, is_repeated=token["repeated"] is not None)
        elif literals is not None:
            literals += [literals.pop() + token[0][-1]] if kind == "plain" else [""]
    return max(groups[0] or [""], key=len)


def _required(literals: list[str] | None, *, is_repeated: bool) -> list[str]:
    """The literals of a group, which may be repeated zero times."""
    return [""] if is_repeated or literals is None else [*literals, ""]
