"""Random expressions of Python's whole dialect, and random lines of every shape for them."""

import random
import re
import warnings

_ATOMS = [
    *(
        "a",
        "b",
        "k",
        "s",
        "i",
        "I",
        "K",
        "S",
        "1",
        " ",
        "_",
        "-",
        "ab",
        "ki",
        "é",
        "É",
        "日",
        "\u017f",
        "\u212a",
        "İ",
        "\u0131",
        "ß",
        "\ufffd",
    ),
    *(
        ".",
        r"\d",
        r"\D",
        r"\w",
        r"\W",
        r"\s",
        r"\S",
        r"\b",
        r"\B",
        "^",
        "$",
        r"\A",
        r"\Z",
        r"\.",
        r"\x61",
        r"\t",
        r"\r",
        r"\x00",
    ),
    *(
        "[ab]",
        "[^a]",
        "[a-k]",
        "[^a-k]",
        r"[\w]",
        r"[^\w]",
        r"[\d-]",
        r"[\W]",
        "[é]",
        "[^é]",
        "[à-ü]",
        "[a-é]",
        "[ksi]",
        "[^ksi]",
    ),
    *(
        "[K-S]",
        "[\u212a]",
        "[^\u212a]",
        "[ -~]",
        r"[^\s]",
        r"[^\d1]",
        "[\x00-\x1f]",
        r"[\n\r]",
        r"[^\n]",
        "[😀-😂]",
        "(?!)",
        "(?:)",
        "",
    ),
]
_REPEATS = [
    *("*", "+", "?", "{2}", "{0,1}", "{1,3}", "{2,}", "{,2}", "{0}", "{3,70}", "{70,}"),
    *("*?", "+?", "??", "{1,2}?", "*+", "++", "?+", "{1,3}+", "{2}+"),
]
_PREFIXES = ["", "", "", "(?i)", "(?s)", "(?m)", "(?a)", "(?x)", "(?is)", "(?ia)", "(?ax)", "(?u)"]
_GROUPS = [
    *(
        "({})",
        "(?:{})",
        "(?>{})",
        "(?={})",
        "(?!{})",
        "(?<={})",
        "(?<!{})",
        "(?i:{})",
        "(?-i:{})",
        "(?a:{})",
        "(?u:{})",
        "(?s:{})",
    ),
    *(
        "({}|{})",
        "(?:{}|{})",
        "(?:{}|{}|{})",
        "(?>{}|{})",
        "(?={}|{})",
        "(?x: {} )",
        r"({})\1",
        r"({})?(?(1){}|{})",
        r"({})?(?(1){})",
    ),
    r"(?P<name>{})(?P=name)",
]
_PIECES = [
    *(
        text.encode()
        for text in ("a", "b", "k", "K", "s", "S", "i", "I", "1", " ", "_", "-", ".", "\t", "\r", "\0", "\x1c", "\x85")
    ),
    *(
        text.encode()
        for text in (
            "é",
            "É",
            "日",
            "\u017f",
            "\u212a",
            "İ",
            "\u0131",
            "ß",
            "ẞ",
            "\ufffd",
            "😀",
            "\u2028",
            "\u0663",
            "ab",
            "ki",
            "aa",
        )
    ),
    *(
        b"\xff",
        b"\x80",
        b"\xe6\x97",
        b"\xf0\x9f\x98",
        b"\xed\xa0\x80",
        b"\xc3",
        b"\x82\xa0",
        b"\xb1\xc3\xc4",
        b"caf\xe9",
    ),
]


def random_expression(chance: random.Random) -> tuple[str, re.Pattern[str], bool]:
    """One that compiles, with its pattern and whether case is ignored."""
    while True:
        expression = chance.choice(_PREFIXES) + _sequence(chance, 2)
        ignore_case = chance.random() < 0.3
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return expression, re.compile(expression, re.IGNORECASE if ignore_case else 0), ignore_case
        except re.error:
            pass


def random_lines(chance: random.Random, number: int) -> list[bytes]:
    """Lines with their ends; the last one may lack its own."""
    end = chance.choice([b"\n", b"\n", b"\r\n", b"\r\r\n"])
    lines = [b"".join(chance.choices(_PIECES, k=chance.randrange(9))) + end for _ in range(number)]
    if chance.random() < 0.3 and (last := lines[-1].removesuffix(b"\n")):
        lines[-1] = last
    return lines


def text_of(line: bytes) -> str:
    """As a reader sees it."""
    text = line.decode(errors="replace")
    return text.removesuffix("\n").removesuffix("\r") if text.endswith("\n") else text


def _sequence(chance: random.Random, depth: int) -> str:
    return "".join(_part(chance, depth) for _ in range(chance.randrange(1, 4)))


def _part(chance: random.Random, depth: int) -> str:
    if depth and chance.random() < 0.35:
        group = chance.choice(_GROUPS)
        part = group.format(*(_sequence(chance, depth - 1) for _ in range(group.count("{}"))))
    else:
        part = chance.choice(_ATOMS)
    return part + chance.choice(_REPEATS) if chance.random() < 0.3 else part
