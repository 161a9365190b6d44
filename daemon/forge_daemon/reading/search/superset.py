"""An RE2 pattern that matches every line a Python expression matches, and perhaps others.

Python parses the expression, so the dialect stays Python's. The pattern is applied to raw bytes as Latin-1, with `^`
and `$` at lines: an ASCII character is one byte, any other character, malformed bytes included, is one or more
high bytes. What RE2 does not have (back references, look-around) is left out or loosened.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]

from forge_daemon.light_typing import Any

Encode = Callable[[str], bytes | None]
"""The one form that a character has in the bytes; None where it may have several, or is not known."""

_ASCII = frozenset(range(128))
_ASCII_TEXT = "".join(map(chr, range(128)))
_ASCII_LETTERS_WITH_OTHER_FORMS = frozenset(map(ord, "iIkKsS"))
"""Without regard to case they match U+0130, U+0131, U+212A and U+017F."""
_HIGH = r"[\x80-\xff]+"
_NEVER = r"[^\x00-\xff]"
_REST_OF_LINE = r"[^\n]*"
_LINE_END = r"\r?$"


class Untranslatable(Exception):
    """The expression contains something that has no RE2 translation."""


Superset = tuple[bytes, bool]
"""The pattern, in Latin-1, and whether it is exact: matches no other line of ASCII without carriage returns."""


def superset(expression: str, *, ignore_case: bool, most_repeats: int, encode: Encode) -> Superset:
    """Counted repeats are exact up to `most_repeats`."""
    tree = parser.parse(expression, re.IGNORECASE if ignore_case else 0)
    translation = _Translation(most_repeats, encode)
    translated = translation.sequence(tree, tree.state.flags, first=True, last=True)
    return b"(?m)" + translated.encode("latin-1"), translation.is_exact


def utf8_form(character: str) -> bytes | None:
    return None if character == "\ufffd" else character.encode()


class _Translation:
    """`first` and `last`: whether the part translated is at the start or end of the expression."""

    def __init__(self, most_repeats: int, encode: Encode) -> None:
        self._most_repeats = most_repeats
        self._encode = encode
        self.is_exact = True
        """Of what was translated until now."""

    def sequence(self, nodes: Iterable[Any], flags: int, *, first: bool, last: bool) -> str:
        nodes = list(nodes)
        end = len(nodes) - 1
        return "".join(
            self._node(operation, argument, flags, first and index == 0, last and index == end)
            for index, (operation, argument) in enumerate(nodes)
        )

    def _node(self, operation: Any, argument: Any, flags: int, first: bool, last: bool) -> str:
        self.is_exact &= _is_exact(operation, argument, flags, last)
        if operation is codes.LITERAL:
            return self._literal(argument, flags)
        if operation is codes.NOT_LITERAL:
            return _one_of(_ASCII - {argument}, high=True)
        if operation is codes.ANY:
            return _one_of(_ASCII, high=True)
        if operation is codes.IN:
            return _set(argument, flags)
        if operation is codes.BRANCH:
            return self._any_of(argument[1], flags, first, last)
        if operation is codes.SUBPATTERN:
            _, added, removed, part = argument
            # Of `a`, `L` and `u` a group has one: its own takes the place of the one outside.
            inherited = flags & ~parser.TYPE_FLAGS if added & parser.TYPE_FLAGS else flags
            return self._any_of([part], (inherited | added) & ~removed, first, last)
        if operation is codes.ATOMIC_GROUP:
            return self._any_of([argument], flags, first, last)
        if operation is codes.GROUPREF_EXISTS:
            _, if_matched, otherwise = argument
            return self._any_of([if_matched, otherwise or []], flags, first, last)
        if operation in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            least, most, part = argument
            # Python stops repeating what matches the empty string, and then may miss matches.
            is_counted = int(most) > self._most_repeats and most is not codes.MAXREPEAT
            self.is_exact &= part.getwidth()[0] > 0 and least <= self._most_repeats and not is_counted
            return self._repeat(int(least), int(most), part, flags)
        if operation is codes.GROUPREF:
            return _REST_OF_LINE
        if operation is codes.AT:
            return _position(argument, last)
        if operation is codes.ASSERT:
            # What stands before the whole match, or after it, can be part of ours.
            direction, part = argument
            outside = last if direction > 0 else first
            return self._any_of([part], flags, direction < 0, direction > 0) if outside else ""
        if operation is codes.ASSERT_NOT:
            return ""
        if operation is codes.FAILURE:
            return _NEVER
        raise Untranslatable(operation)

    def _any_of(self, parts: Iterable[Any], flags: int, first: bool, last: bool) -> str:
        alternatives = "|".join(self.sequence(part, flags, first=first, last=last) for part in parts)
        return f"(?:{alternatives})"

    def _repeat(self, least: int, most: int, part: Any, flags: int) -> str:
        repeated = self._any_of([part], flags, False, False)
        least = min(least, self._most_repeats)
        if most <= self._most_repeats:
            return f"{repeated}{{{least},{most}}}"
        return repeated + {0: "*", 1: "+"}.get(least, f"{{{least},}}")

    def _literal(self, code: int, flags: int) -> str:
        character = chr(code)
        if flags & re.IGNORECASE:
            ascii_forms = frozenset(map(ord, re.findall(re.escape(character), _ASCII_TEXT, re.IGNORECASE)))
            return _one_of(ascii_forms, high=code > 127 or bool(ascii_forms & _ASCII_LETTERS_WITH_OTHER_FORMS))
        if code < 128:
            return _one_of({code}, high=False)
        form = self._encode(character)
        return _HIGH if form is None else "".join(map(_byte, form))


_EXACT = frozenset({codes.ANY, codes.BRANCH, codes.MAX_REPEAT, codes.MIN_REPEAT, codes.FAILURE})
"""What is translated as it is, apart from its parts."""


def _is_exact(operation: Any, argument: Any, flags: int, last: bool) -> bool:
    """Whether a node, apart from its parts, is translated so that no other line of ASCII matches."""
    any_case = flags & re.IGNORECASE
    if operation is codes.LITERAL:
        return not any_case or argument < 128
    if operation is codes.NOT_LITERAL:
        return not any_case
    if operation is codes.IN:
        return not any_case or all(
            (kind is codes.LITERAL and part < 128) or (kind is codes.RANGE and part[1] < 128) for kind, part in argument
        )
    if operation is codes.AT:
        at_end = last and argument in (codes.AT_END, codes.AT_END_STRING)
        return at_end or argument in (codes.AT_BEGINNING, codes.AT_BEGINNING_STRING)
    if operation is codes.SUBPATTERN:
        # Python looks for where a match may begin with the flags that are outside of the group.
        _, added, removed, _ = argument
        return not (added or removed)
    return operation in _EXACT


def _position(where: Any, last: bool) -> str:
    if where in (codes.AT_BEGINNING, codes.AT_BEGINNING_STRING):
        return "^"
    if where in (codes.AT_END, codes.AT_END_STRING):
        # A carriage return before the newline is not part of the text: nothing may have to match after it.
        return _LINE_END if last else ""
    if where in (codes.AT_BOUNDARY, codes.AT_NON_BOUNDARY):
        return ""
    raise Untranslatable(where)


def _set(items: Iterable[Any], flags: int) -> str:
    negated, members, high = False, set[int](), False
    for operation, argument in items:
        if operation is codes.NEGATE:
            negated = True
        elif operation is codes.LITERAL:
            members.add(argument)
            high |= argument > 127
        elif operation is codes.RANGE:
            low, top = argument
            members.update(range(low, min(top, 127) + 1))
            high |= top > 127
        elif operation is codes.CATEGORY:
            ascii_members, others = _category(argument, bool(flags & re.ASCII))
            members |= ascii_members
            high |= others
        else:
            raise Untranslatable(operation)
    if negated:
        return _one_of(_ASCII - members, high=True)
    if flags & re.IGNORECASE:
        members |= {ord(form) for code in members & _ASCII for form in (chr(code).lower(), chr(code).upper())}
        if high:
            members |= _ASCII_LETTERS_WITH_OTHER_FORMS
        high |= bool(members & _ASCII_LETTERS_WITH_OTHER_FORMS)
    return _one_of(members & _ASCII, high=high)


_CATEGORIES = {
    codes.CATEGORY_DIGIT: r"\d",
    codes.CATEGORY_NOT_DIGIT: r"\D",
    codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S",
    codes.CATEGORY_WORD: r"\w",
    codes.CATEGORY_NOT_WORD: r"\W",
}


@cache
def _category(category: Any, ascii_only: bool) -> tuple[frozenset[int], bool]:
    """Its ASCII characters, as `re` itself sees them, and whether it has others."""
    if category not in _CATEGORIES:
        raise Untranslatable(category)
    pattern = re.compile(_CATEGORIES[category], re.ASCII if ascii_only else 0)
    # With `re.ASCII` all others are alike.
    return frozenset(map(ord, pattern.findall(_ASCII_TEXT))), not ascii_only or pattern.match("\x80") is not None


def _one_of(members: Iterable[int], *, high: bool) -> str:
    """One character: an ASCII one of these, or any other. A newline is never part of a line."""
    ordered = sorted(set(members) - {0x0A})
    if not ordered:
        return _HIGH if high else _NEVER
    if len(ordered) == 1 and not high:
        return _byte(ordered[0])
    ascii_part = f"[{''.join(_ranges(ordered))}]"
    return f"(?:{ascii_part}|{_HIGH})" if high else ascii_part


def _ranges(ordered: list[int]) -> Iterable[str]:
    start = previous = ordered[0]
    for code in [*ordered[1:], 0x100]:
        if code != previous + 1:
            yield _byte(start) if start == previous else f"{_byte(start)}-{_byte(previous)}"
            start = code
        previous = code


def _byte(code: int) -> str:
    return f"\\x{code:02x}"
