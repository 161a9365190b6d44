"""What to try after a search that found nothing: only what would find something."""

import re
from collections.abc import Callable

from forge_daemon.reading.match.matcher import compile_term
from forge_daemon.reading.match.term import Term
from forge_protocol.errors import ReadError

_LOOKS_LIKE_AN_EXPRESSION = re.compile(
    r"""\\[AbBdDsSwWZ.()[] | [.)\]][*+?] | \| | \[\^?\w-\w | \[\[: | ^\^ | \$$""", re.VERBOSE
)


def what_to_try(term: Term, matches: Callable[[Term], bool]) -> str:
    """For the end of a sentence: the arguments with which a search that found nothing would find a match."""
    tries = []
    other = term._replace(regex=True)
    if not term.regex and _LOOKS_LIKE_AN_EXPRESSION.search(term.pattern) and _is_valid(other):
        if matches(other):
            tries.append("regex")
        elif matches(other._replace(ignore_case=True)):
            tries.append("regex with ignore_case")
    if not term.ignore_case and matches(term._replace(ignore_case=True)):
        tries.append("ignore_case")
    if tries:
        return f"; try {' or '.join(tries)}"
    return "; a match lies within one line" if "\\n" in term.pattern else ""


def _is_valid(term: Term) -> bool:
    try:
        compile_term(term)
    except ReadError:
        return False
    return True
