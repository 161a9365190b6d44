"""What git ignores: the patterns of `.gitignore` files, each for the directory it is in and those below."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

# `pathspec` is imported when there is a file to apply: few requests need it.

IGNORE_FILE = ".gitignore"
EXCLUDE_FILE = ".git/info/exclude"
MAX_IGNORE_FILE_BYTES = 256 * 1024
"""A larger file is not applied. Each pattern is compiled, which takes some time."""
MAX_ASTERISKS = 8
"""A pattern with more is not applied: without RE2 it may take very long to match."""


class _Level(NamedTuple):
    prefix: int
    """The length of the directory's path, with its `/`."""
    patterns: "GitIgnoreSpec"


class IgnoreRules(NamedTuple):
    """The patterns that apply in a directory. Paths are relative to the workspace folder."""

    levels: tuple[_Level, ...] = ()

    def with_file(self, directory: str, content: bytes) -> "IgnoreRules":
        """With the patterns of a file in a directory. They override those from above."""
        if not 0 < len(content) <= MAX_IGNORE_FILE_BYTES:
            return self
        lines = content.decode("utf-8", "replace").removeprefix("\ufeff").splitlines()
        used = [line for line in lines if line and not line.startswith("#") and line.count("*") <= MAX_ASTERISKS]
        patterns = _compile(used) if used else None
        if patterns is None:
            return self
        return IgnoreRules((*self.levels, _Level(len(directory) + 1 if directory else 0, patterns)))

    def ignores(self, relative: str) -> bool:
        """Whether an entry is ignored, given that its directory is not. The path of a directory ends in `/`."""
        for prefix, patterns in reversed(self.levels):
            ignored = patterns.check_file(relative[prefix:]).include
            if ignored is not None:
                return ignored
        return False


def _compile(lines: list[str]) -> "GitIgnoreSpec | None":
    """Git skips a pattern that it does not understand. `pathspec` raises errors of several libraries for these."""
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines(lines)
    except Exception:
        if len(lines) == 1:
            return None
    understood = [line for line in lines if _compile([line]) is not None]
    return _compile(understood) if len(understood) < len(lines) else None
