"""What to try after a search that found nothing: only what would find something."""

import re
from collections.abc import Collection

from forge_daemon.reading.match.matcher import compile_term
from forge_daemon.reading.match.term import Term
from forge_protocol.errors import ReadError

_LOOK_AROUND = re.compile(r"\(\?<?[=!] is not supported$")


def explained(error: ReadError) -> ReadError:
    """The error with a hint that a call of `find` can follow: it takes one pattern."""
    if _LOOK_AROUND.search(error.reason):
        error.hint = "search for the part that is rarest, and see by the lines found which are meant"
    return error


def alternatives(term: Term) -> dict[str, Term]:
    """What may have been meant, by the arguments that say so."""
    terms = {}
    expression = term._replace(regex=True)
    if not term.regex and _is_more_than_a_literal(expression):
        terms["regex"] = expression
        terms["regex with ignore_case"] = expression._replace(ignore_case=True)
    if not term.ignore_case:
        terms["ignore_case"] = term._replace(ignore_case=True)
    return terms


def what_to_try(term: Term, matching: Collection[str]) -> str:
    """For the end of a sentence. `matching`: the alternatives that would find something."""
    tries = [each for each in matching if not (each == "regex with ignore_case" and "regex" in matching)]
    if tries:
        return f"; try {' or '.join(tries)}"
    return "; a match lies within one line" if "\\n" in term.pattern else ""


def _is_more_than_a_literal(expression: Term) -> bool:
    """Whether it is valid, and not one of plain characters."""
    try:
        compile_term(expression)
        return expression.checked().regex
    except ReadError:
        return False
