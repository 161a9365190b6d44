"""What to try after a search that found nothing: only what would find something."""

import re
from collections.abc import Collection

from forge_daemon.reading.match.matcher import compile_term
from forge_daemon.reading.match.term import Term
from forge_protocol.errors import ReadError

_LOOKS_LIKE_AN_EXPRESSION = re.compile(
    r"""\\[AbBdDsSwWZ.()[] | [.)\]][*+?] | \| | \[\^?\w-\w | \[\[: | ^\^ | \$$""", re.VERBOSE
)


def alternatives(term: Term) -> dict[str, Term]:
    """What may have been meant, by the arguments that say so."""
    terms = {}
    expression = term._replace(regex=True)
    if not term.regex and _LOOKS_LIKE_AN_EXPRESSION.search(term.pattern) and _is_valid(expression):
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


def _is_valid(term: Term) -> bool:
    try:
        compile_term(term)
    except ReadError:
        return False
    return True
