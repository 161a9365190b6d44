"""What to try after a search that found nothing: only what would find something."""

import re

from forge_daemon.reading.lines.index import LineIndex
from forge_daemon.reading.match.combined import Terms
from forge_daemon.reading.match.filter import Filter, FilterSpec
from forge_daemon.reading.match.term import Term
from forge_daemon.reading.texts.encoding_advice import fitting_encoding, is_malformed
from forge_daemon.reading.texts.text import Text
from forge_daemon.reading.window.filtered_view import filtered_view
from forge_protocol.errors import ReadError

_LOOKS_LIKE_AN_EXPRESSION = re.compile(
    r"""\\[AbBdDsSwWZ.()[] | [.)\]][*+?] | \| | \[\^?\w-\w | \[\[: | ^\^ | \$$""", re.VERBOSE
)


def advice_for(text: Text, term: Term, first_line: int, *, has_encoding: bool) -> str:
    """The arguments that would find a match. Takes no longer than the search did, for each of them."""
    if not (term.pattern.isascii() or has_encoding) and is_malformed(text) and (names := fitting_encoding(text)):
        return f"; try encoding {names}"
    tries = []
    if not term.regex and _LOOKS_LIKE_AN_EXPRESSION.search(term.pattern):
        other = term._replace(regex=True)
        if _matches(text, other, first_line):
            tries.append("regex")
        elif _matches(text, other._replace(ignore_case=True), first_line):
            tries.append("regex with ignore_case")
    if not term.ignore_case and _matches(text, term._replace(ignore_case=True), first_line):
        tries.append("ignore_case")
    if tries:
        return f"; try {' or '.join(tries)}"
    return "; a match lies within one line" if "\\n" in term.pattern else ""


def _matches(text: Text, term: Term, first_line: int) -> bool:
    try:
        wanted = Filter(FilterSpec(Terms(all=(term,)), first_line=first_line))
    except ReadError:  # it is no expression
        return False
    return filtered_view(text, LineIndex(text), wanted).first_from(0) is not None
