"""The parameter `filter` of several requests."""

from forge_daemon.reading.match.combined import Terms
from forge_daemon.reading.match.filter import Filter, FilterSpec
from forge_daemon.reading.match.term import Term
from forge_daemon.reading.records.levels import Level
from forge_protocol.errors import ErrorCode, ReadError, invalid_argument
from forge_protocol.filter import FilterParams, TermParams


def filter_of(params: FilterParams | None) -> Filter | None:
    """The filter; `INVALID_ARGUMENT` where its parameters are wrong."""
    if params is None:
        return None
    if params.last_line is not None and params.last_line < (params.first_line or 1):
        raise invalid_argument(f"filter: last_line {params.last_line} is before first_line {params.first_line}")
    spec = FilterSpec(
        _terms_of(params),
        first_line=params.first_line,
        last_line=params.last_line,
        before=params.before,
        after=params.after,
        level=None if params.level is None else Level[params.level.upper()],
        since=params.since,
        until=params.until,
        records=params.records,
        headers=params.headers,
    )
    try:
        return Filter(spec)
    except ReadError as error:
        if error.code != ErrorCode.INVALID_ARGUMENT:
            raise
        raise invalid_argument(f"filter.{error.reason}", hint=error.hint) from None


def _terms_of(params: FilterParams) -> Terms:
    lists = {"any": params.any, "all": params.all, "none": params.none}
    if params.pattern is None:
        terms = {name: tuple(map(_term, terms or ())) for name, terms in lists.items()}
        lines = (params.first_line, params.last_line)
        others = (params.level, params.since, params.until, params.headers or None, *lines)
        if not any(terms.values()) and all(each is None for each in others):
            raise invalid_argument(
                "filter: give pattern, terms in any, all or none, level, since, until, headers, first_line or last_line"
            )
        return Terms(**terms)
    if given := [name for name, terms in lists.items() if terms is not None]:
        raise invalid_argument(f"filter: pattern cannot be combined with {', '.join(given)}")
    term = Term(params.pattern, params.regex, params.ignore_case, params.whole_word)
    return Terms(none=(term,)) if params.invert else Terms(any=(term,))


def _term(params: TermParams) -> Term:
    return Term(params.pattern, params.regex, params.ignore_case, params.whole_word)
