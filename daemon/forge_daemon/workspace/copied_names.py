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
_ANY_COPY = re.compile("|".join(_COPIES), _IN_ANY_CASE)


def originals(name: str) -> Iterator[str]:
    """A name, and the names of files that it may be a copy of, or a copy of a copy."""
    yield name
    for original in _copied_from(name):
        yield original
        yield from _copied_from(original)


def _copied_from(name: str) -> Iterator[str]:
    if re.search(r"\d", name) and (log := parse(name).log) != name:
        yield log
    for copy in _COPIES if _ANY_COPY.fullmatch(name) else ():
        if copied := re.fullmatch(copy, name, _IN_ANY_CASE):
            yield "".join(filter(None, copied.groups()))
