"""Random expressions of RE2's syntax, and random lines of every shape for them."""

import random

_ATOMS = [
    *("a", "b", "k", "s", "K", "S", "1", " ", "_", "-", "ab", "ki", "é", "É", "日", "\u017f", "\u212a", "ß", "\ufffd"),
    *(".", r"\d", r"\D", r"\w", r"\W", r"\s", r"\S", r"\b", r"\B", "^", "$", r"\.", r"\x61", r"\x{e9}", r"\t", r"\r"),
    *("[ab]", "[^a]", "[a-k]", "[^a-k]", r"[\w]", r"[^\w]", r"[\d-]", "[é]", "[^é]", "[à-ü]", "[a-é]", "[ -~]"),
    *("[[:alpha:]]", "[[:^digit:]_]", "[]a]", r"[\n\r]", r"[^\n]", r"[\x00-\x1f]", "[😀-😂]", r"[^\s]", r"[\]b]"),
    *(r"\pL", r"\p{Greek}", r"\PN", r"\Qa.\E", r"\Q", r"\012", "(?:)", "", "{", "}", "a{,2}", "\r", "[^\n]"),
]
_REFUSED = [r"\A", r"\z", r"\C", r"\n", "\n", "(?-m:a)", "(?i-m)", r"\1", "(?=a)", "(", ")", "[", "\\"]
_REPEATS = ["*", "+", "?", "{2}", "{0,1}", "{1,3}", "{2,}", "{0}", "{3,70}", "*?", "+?", "??", "{1,2}?", "**", "++"]
_PREFIXES = ["", "", "", "", "(?i)", "(?s)", "(?m)", "(?U)", "(?is)"]
_GROUPS = [
    "({})",
    "(?:{})",
    "(?i:{})",
    "(?-i:{})",
    "(?s:{})",
    "(?P<name>{})",
    "({}|{})",
    "(?:{}|{}|{})",
    "(?s-i:{}|{})",
]
_PIECES = [
    *(text.encode() for text in ("a", "b", "k", "K", "s", "S", "1", " ", "_", "-", ".", "\t", "\r", "\0", "\x1c")),
    *(
        text.encode()
        for text in ("é", "É", "日", "\u017f", "\u212a", "ß", "ẞ", "\ufffd", "😀", "\u03b1", "ab", "ki", "aa")
    ),
    *(b"\xff", b"\x80", b"\xe6\x97", b"\xf0\x9f\x98", b"\xed\xa0\x80", b"\xc3", b"\x82\xa0", b"caf\xe9"),
]


def random_expression(chance: random.Random) -> str:
    """Most compile."""
    return chance.choice(_PREFIXES) + _sequence(chance, 2)


def random_lines(chance: random.Random, number: int) -> list[bytes]:
    """Lines with their endings; the last one may lack its own. Sometimes lines of one kind follow each other."""
    endings = chance.choice([[b"\n"], [b"\n"], [b"\r\n"], [b"\n", b"\r\n", b"\r\r\n"]])
    lines: list[bytes] = []
    while len(lines) < number:
        text = b"".join(chance.choices(_PIECES, k=chance.randrange(9)))
        lines += [text + chance.choice(endings) for _ in range(chance.choice([1, 1, 1, 6]))]
    if chance.random() < 0.3 and (last := lines[-1].removesuffix(b"\n")):
        lines[-1] = last
    return lines


def _sequence(chance: random.Random, depth: int) -> str:
    return "".join(_item(chance, depth) for _ in range(chance.randint(1, 4)))


def _item(chance: random.Random, depth: int) -> str:
    if chance.random() < 0.005:
        return chance.choice(_REFUSED)
    if depth and chance.random() < 0.35:
        group = chance.choice(_GROUPS)
        item = group.format(*(_sequence(chance, depth - 1) for _ in range(group.count("{}"))))
    else:
        item = chance.choice(_ATOMS)
    return item + chance.choice(_REPEATS) if chance.random() < 0.3 else item
