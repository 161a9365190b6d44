"""The parameter `filter` of several requests."""

from functools import partial

from forge_daemon.reading.search.line_filter import Filter, LineFilter
from forge_daemon.reading.sources.source import Progress
from forge_protocol.errors import ErrorCode, ReadError, invalid_argument
from forge_protocol.filter import FilterParams


def may_block(params: FilterParams | None) -> bool:
    """Whether making the filter may have to wait for another process."""
    if params is None or not params.regex:
        return False
    from forge_daemon.reading.search.line_search import is_checked

    return not is_checked(params.pattern, ignore_case=params.ignore_case)


def line_filter_of(params: FilterParams | None, progress: Progress) -> LineFilter | None:
    """The filter; `INVALID_ARGUMENT` where its parameters are wrong. May block."""
    if params is None:
        return None
    if params.last_line is not None and params.last_line < (params.first_line or 1):
        raise invalid_argument(f"filter: last_line {params.last_line} is before first_line {params.first_line}")
    wanted = Filter(
        params.pattern, params.regex, params.ignore_case, params.invert, params.first_line, params.last_line
    )
    try:
        return LineFilter(wanted, partial(progress, 0, 0))
    except ReadError as error:
        if error.code != ErrorCode.INVALID_ARGUMENT:
            raise
        raise invalid_argument(f"filter.{error.reason}", hint=error.hint) from None
