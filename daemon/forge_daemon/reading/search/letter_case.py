"""Case-sensitive and case-insensitive search for a literal, in raw UTF-8.

Case is ignored as `re.IGNORECASE` does, but `re` is many times slower than a search for plain bytes. So the
bytes are folded first: one form of each letter replaces all of its forms. As a form is one whole character,
nothing else is changed, and malformed bytes stay as they are.
"""

import re
from functools import cache

_LETTERS_END = 0x20000
"""The code points after it are ideographs, which have no case."""
_COST_OF_ASCII = 4


class ExactCase:
    """Upper and lower case differ."""

    cost = 1
    """How many times longer a search may take than one for plain bytes."""

    def fold(self, block: bytes) -> bytes:
        return block

    def origin(self, _block: bytes, position: int) -> int:
        """Maps an offset in the folded block to one in the original."""
        return position


class AnyCase(ExactCase):
    """Upper and lower case are the same, for the letters of one literal."""

    def __init__(self, text: str) -> None:
        stands_for: dict[bytes, bytes] = {}
        for character in set(text):
            # ASCII letters are folded by `lower`, which is cheap.
            forms = {form.encode().lower() for form in _forms(character)}
            # The last of the shortest forms, mostly the small letter: then there is less to replace.
            shortest = max(forms, key=lambda form: (-len(form), form))
            stands_for.update((form, shortest) for form in forms - {shortest})
        self._stands_for = stands_for
        self._shortened = [form for form, shortest in stands_for.items() if len(form) > len(shortest)]
        self.cost = _COST_OF_ASCII + len(stands_for)

    def fold(self, block: bytes) -> bytes:
        folded = block.lower()
        if not folded.isascii():
            for form, shortest in self._stands_for.items():
                # To see that one of its bytes is missing takes a tenth of the time of a replacement.
                if all(byte in folded for byte in form):
                    folded = folded.replace(form, shortest)
        return folded

    def origin(self, block: bytes, position: int) -> int:
        if self._shortened and not block.isascii():
            for form in re.finditer(b"|".join(self._shortened), block):
                if form.start() >= position:
                    break
                position += len(form[0]) - len(self._stands_for[form[0]])
        return position


def case_of(text: str, *, ignored: bool) -> ExactCase:
    return AnyCase(text) if ignored else ExactCase()


def _forms(character: str) -> list[str]:
    return re.findall(re.escape(character), _letters(), re.IGNORECASE) or [character]


@cache
def _letters() -> str:
    """All that have more than one form."""
    return "".join(
        letter for letter in map(chr, range(_LETTERS_END)) if letter != letter.lower() or letter != letter.upper()
    )
