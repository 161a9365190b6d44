# ruff: noqa: RUF001 (letters of other alphabets are meant)
"""Which encoding may help with a text that is not UTF-8. Advice for a model or a person, never a decision.

Every encoding in which the sample decodes gets a score: how much of what is not ASCII then looks like writing. In Latin
words letters with accents stand beside ASCII letters, other alphabets do not mix with it, letters of both cases follow
each other as people write them, and ideographs and syllables stand in runs.
"""

import re
from collections.abc import Callable

from .encodings.detection import SAMPLE
from .encodings.encoding import UTF_8
from .encodings.names import encoding_called
from .text import Text

Score = Callable[[str], float]

MIN_SCORE = 0.7
_LOOKED_AT = 4096
"""Characters, from the first that is not ASCII on."""
_WORD = re.compile(r"[^\W\d_]+")
_HIGH = re.compile(r"[^\x00-\x7f]+")
_MARK = re.compile(r"[^\x00-\x7f](?<![^\W\d_])")
"""What is not ASCII and not a letter."""
_ASCII = re.compile("[A-Za-z]")
_MARKS = frozenset("©®™°€£§«»“”„‘’‚–—…•·¿¡½¼¾±²³µ×№\xa0")
"""What stands between words of any language."""


def is_malformed(text: Text) -> bool:
    """Whether the start of a text is not UTF-8."""
    sample = text.read_at(0, SAMPLE)
    return not UTF_8.fits(sample, is_whole=len(sample) < SAMPLE)


def fitting_encoding(text: Text, near: int = 0) -> str:
    """The encoding in which a text that is not UTF-8 most likely makes sense; empty if there is none.

    `near`: where undecodable bytes are, if not at the start.
    """
    if text.encoding != "utf-8":
        sample, is_whole = text.file.read_at(0, SAMPLE), text.file.size < SAMPLE
    else:
        sample = text.read_at(0, SAMPLE)
        sample = text.read_at(near, SAMPLE) if sample.isascii() else sample
        is_whole = len(sample) < SAMPLE
    return likeliest(sample, is_whole=is_whole)


def likeliest(sample: bytes, *, is_whole: bool) -> str:
    best, best_score = "", MIN_SCORE
    for name, score in _SCORES.items():
        encoding = encoding_called(name)
        if encoding.fits(sample, is_whole=is_whole):
            found = score(_part(sample.decode(encoding.codec, "replace")))
            if found > best_score:
                best, best_score = name, found
    return best


def _part(text: str) -> str:
    first = _HIGH.search(text)
    return text[max(0, first.start() - 20) :][:_LOOKED_AT] if first else ""


def _latin(usual: str, rare: str = "") -> Score:
    """Beside ASCII letters, or alone: `usual` are the other letters of the languages, `rare` ones count half."""
    return _alphabet(usual, rare, lambda word: not word.isascii() and (len(word) == 1 or bool(_ASCII.search(word))))


def _cyrillic(text: str) -> float:
    """Nearly every second letter is a vowel, which tells upper case in one encoding from lower case in another."""
    letters = [letter for letter in text.lower() if "а" <= letter <= "ё"]
    vowels = sum(letter in "аеёиоуыэюя" for letter in letters)
    usual = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъёіїєґў"
    return _alphabet(usual)(text) * min(1.0, 3.3 * vowels / max(1, len(letters)))


def _alphabet(usual: str, rare: str = "", fits: Callable[[str], bool] = lambda word: not _ASCII.search(word)) -> Score:
    """The score for texts in an alphabet: the share of letters and marks that are usual, in words that fit."""
    weights = dict.fromkeys(usual + usual.upper(), 1.0) | dict.fromkeys(rare + rare.upper(), 0.5)

    def score(text: str) -> float:
        good = number = 0.0
        for word in _WORD.findall(text):
            letters = [letter for letter in word if letter > "\x7f"]
            number += len(letters)
            if fits(word) and _has_usual_case(word):
                good += sum(weights.get(letter, 0.0) for letter in letters)
        for mark in _MARK.finditer(text):
            before, after = text[mark.start() - 1 : mark.start()], text[mark.end() : mark.end() + 1]
            number += 1
            good += mark[0] in _MARKS and (mark[0] in "’·" or not (before.isalpha() and after.isalpha()))
        return good / number if number else 0.0

    return score


def _has_usual_case(word: str) -> bool:
    return word == word.lower() or word == word.upper() or word[1:] == word[1:].lower()


def _in_runs(typical: Callable[[str], float]) -> Score:
    """The score for texts in a script without letters: `typical` is how many of the characters are usual in it."""

    def score(text: str) -> float:
        runs = _HIGH.findall(text)
        characters = "".join(runs)
        is_script = sum(map(_is_east_asian, characters)) >= 0.95 * len(characters)
        if not is_script or 2 * len(characters) < 3 * len(runs):
            return 0.0
        words = [each for each in characters if each > "\u303f" and not "\uff00" <= each <= "\uff60"]
        return typical("".join(words)) / len(words) if words else 0.0

    return score


def _is_east_asian(character: str) -> bool:
    return "\u3000" <= character <= "\u30ff" or "\u3400" <= character <= "\ud7a3" or "\uff00" <= character <= "\uff60"


def _japanese(text: str) -> float:
    """Half of a text is kana."""
    return min(len(text), 2 * sum("\u3040" <= character <= "\u30ff" for character in text))


def _between(codec: str, first: int, last: int) -> Callable[[str], float]:
    """How many have their first byte there in an older standard: it has what is in frequent use."""
    return lambda text: sum(first <= each.encode(codec, "replace")[0] <= last for each in text)


_CENTRAL_EUROPEAN = _latin("ąćęłńóśźżáčďéěíňřšťúůýžöüőűôäľĺŕăâîß", "şţ")
_SCORES: dict[str, Score] = {
    "windows-1252": _latin("äöüßéèêëàâçîïôûùœæøåáíóúñãìòµªº", "õ"),
    "windows-1250": _CENTRAL_EUROPEAN,
    "iso-8859-2": _CENTRAL_EUROPEAN,
    "windows-1254": _latin("çğıöşüâîéİ"),
    "windows-1251": _cyrillic,
    "koi8-r": _cyrillic,
    "ibm866": _cyrillic,
    "iso-8859-5": _cyrillic,
    "windows-1253": _alphabet("αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋ"),
    "windows-1255": _alphabet("אבגדהוזחטיכלמנסעפצקרשתםןףץך"),
    "windows-1256": _alphabet("ابتثجحخدذرزسشصضطظعغفقكلمنهويةىءأإآؤئپچژگ"),
    "euc-kr": _in_runs(_between("euc_kr", 0xB0, 0xC8)),
    "euc-jp": _in_runs(_japanese),
    "shift_jis": _in_runs(_japanese),
    "big5": _in_runs(_between("big5", 0xA4, 0xC6)),
    "gb18030": _in_runs(_between("gb2312", 0xB0, 0xD7)),
}
"""The usual ones first: of two that fit alike, the first is named."""
