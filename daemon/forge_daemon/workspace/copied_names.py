"""Names of copies: what the file that was copied, rotated or compressed is called."""

import re
from collections.abc import Iterator

from .rotated_names import parse

_COPIES = (
    r"(.+)(?:~|\.(?:bak|backup|copy|old|orig|save|tmp|gz|bz2|xz|zst|sw[op]))",
    r"\.(.+)\.sw[op]",
    r"#(.+)#",
    # Browsers and file managers put a mark before the last dot, or after a name without one.
    r"copy of (.+)",
    r"(.+?)(?: -)? copy(?: \d+)?(\.[^.]*)?",
    r"(.+?) \((?:\d+|[^()]*copy)\)(\.[^.]*)?",
)
"""How copies are named: the groups together are the name of the original."""
_IN_ANY_CASE = re.IGNORECASE | re.DOTALL
_MAY_BE_COPY = re.compile(r"[\d~#)]|copy|\.(?:bak|backup|old|orig|save|tmp|gz|bz2|xz|zst|sw[op])$", _IN_ANY_CASE)


def originals(name: str) -> list[str]:
    """A name, and the names of files that it may be a copy of, or a copy of a copy."""
    if not _MAY_BE_COPY.search(name):
        return [name]
    copied = list(_copied_from(name))
    return [name, *copied, *(original for each in copied for original in _copied_from(each))]


def _copied_from(name: str) -> Iterator[str]:
    if re.search(r"\d", name) and (log := parse(name).log) != name:
        yield log
    for copy in _COPIES:
        if copied := re.fullmatch(copy, name, _IN_ANY_CASE):
            yield "".join(filter(None, copied.groups()))
