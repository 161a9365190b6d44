"""Regular expressions: RE2's syntax through google-re2, with errors in plain words.

RE2 takes time linear in the text and releases the interpreter's lock, so an expression needs no process of its own.
An invalid UTF-8 byte is no character: neither `.` nor `[^x]` matches it, and a line that has one is found by
what is valid in it, as by ripgrep and grep.
"""

import re
from typing import Any

from forge_protocol.errors import ReadError, invalid_argument

from .term import Term, contains_newline

try:
    import re2
except ImportError:
    re2 = None
if not hasattr(re2, "Options"):
    re2 = None  # pyre2 is imported by the same name. Literals are matched by `re` then.

_MAX_MEMORY = 8 * 1024 * 1024

# A token of RE2's syntax, where it matters what it is.
_TOKEN = re.compile(
    r"""
      (?P<quoted> \\Q .*? (?: \\E | (?P<open> \Z ) ) )
    | (?P<class> \[ \^? ]? (?: \[:\^?\w+:] | \\. | [^]\\] )* ] )
    | (?P<escape> \\. )
    | \n
    | (?P<without_m> \( \? \w* - \w* m )
    """,
    re.VERBOSE | re.DOTALL,
)
_LINES = "lines are searched one by one: use ^ and $, the ends of the line"
_REFUSED = {r"\A": _LINES, r"\z": _LINES, r"\C": "use . for any character"}

_LOOK_AROUND = "search for the part that is rarest, or combine several patterns where a filter takes them"
_BACK_REFERENCE = "write out what may be repeated"
_ASCII = r"\w, \d, \s and \b are ASCII; \pL, \pN and the like are Unicode"
_NO_BACKTRACKING = "leave it out: RE2 does not backtrack"
_HINTS = {
    **dict.fromkeys(["(?=", "(?!", "(?<=", "(?<!"], _LOOK_AROUND),
    **dict.fromkeys([*(rf"\{digit}" for digit in range(1, 10)), "(?P", r"\k", r"\g"], _BACK_REFERENCE),
    **dict.fromkeys(["(?a", "(?u", "(?L"], _ASCII),
    **dict.fromkeys(["(?>", "++", "*+", "?+"], _NO_BACKTRACKING),
    **dict.fromkeys([r"\Z", r"\G"], _LINES),
    "(?#": "leave the comment out",
    "(?x": "leave it out, and spaces that are not searched for",
    r"\h": r"use [ \t]",
    r"\u": r"write \x{1234} for a character by its number",
    r"\N": "use . for any character",
    r"\e": r"write \x1b",
}
_REASONS = {
    "invalid perl operator": "{} is not supported",
    "invalid escape sequence": "{} is not an escape sequence of RE2",
    "invalid character class range": "{} is not a range or class of characters",
    "invalid character class": "{} is not a class of characters",
    "invalid named capture group": "{} is not the name of a group",
    "invalid repetition size": "{} repeats too often (nested, too) or from more to less; the maximum is 1,000",
    "bad repetition operator": "{} repeats a repetition",
    "no argument for repetition operator": "there is nothing to repeat before {}",
    "missing )": "a ) is missing",
    "missing ]": "a ] is missing",
    "unexpected )": "a ) has no (",
    "trailing \\": "it ends in the middle of an escape sequence",
    "pattern too large - compile failed": "it is too large: it takes more than 8 MiB of memory",
}


def is_supported() -> bool:
    """Whether expressions can be searched for here."""
    return re2 is not None


def source_of(term: Term) -> str:
    """The term as a part of a larger expression. Raises `INVALID_ARGUMENT` if it is not valid on its own."""
    term = term.checked()
    source = _checked(term.pattern) if term.regex else _escaped(term.pattern, term.ignore_case)
    if term.ignore_case and re2:
        source = f"(?i:{source})"
    return rf"\b(?:{source})\b" if term.whole_word else f"(?:{source})"


def compile_source(source: str) -> Any:
    """A compiled expression with the methods of `re.Pattern`, for bytes. Nothing in it matches a newline."""
    if re2 is None:
        return re.compile(source.encode())
    options = re2.Options()
    options.max_mem = _MAX_MEMORY
    options.never_nl = True
    options.never_capture = True
    options.log_errors = False
    try:
        return re2.compile(f"(?m){source}", options)
    except re2.error as error:
        raise _explained(error.args[0].decode(errors="replace")) from None
    finally:
        re2.purge()  # its cache would keep up to 128 compiled expressions of 8 MiB


def compile_lines(source: str) -> Any:
    """Matches from the first match in a line to the line's end, including its newline."""
    # `never_nl` does not apply to \C, which matches any byte. After `$` that is the newline.
    return compile_source(rf"{source}.*(?:$\C)?" if re2 else rf"{source}.*\n?")


def compile_run(source: str, newlines: int) -> Any | None:
    """Matches consecutive lines that all match, with so many newlines after each; None if that is too large.

    Lines with malformed bytes may end the run.
    """
    newline = r"$\C" if re2 else r"\n"
    try:
        return compile_source(rf"(?:.*{source}.*(?:{newline}){{{newlines}}})+")
    except ReadError:
        return None


def _checked(pattern: str) -> str:
    if re2 is None:
        raise invalid_argument(
            "pattern: regular expressions need google-re2, which is not installed",
            hint="install google-re2, or search for a literal (regex: false)",
        )
    for token in _TOKEN.finditer(pattern):
        part = token[0]
        if ("\n" in part or part == r"\n") and not token["class"]:
            raise contains_newline()
        if part in _REFUSED or token["without_m"]:
            raise invalid_argument(f"pattern: {part} is not supported", hint=_REFUSED.get(part, _LINES))
        if token["open"] is not None:
            pattern += r"\E"  # or the quotation would go on in what is added
    compile_source(pattern)
    return pattern


def _escaped(literal: str, ignore_case: bool) -> str:
    if re2:
        return str(re2.escape(literal))
    if not ignore_case:
        return re.escape(literal)
    cases = ({character, character.lower(), character.upper()} for character in literal)
    return "".join(f"(?:{'|'.join(map(re.escape, sorted(forms)))})" for forms in cases)


def _explained(error: str) -> ReadError:
    kind, _, part = error.partition(": ")
    reason = _REASONS.get(kind, error).replace("{}", part)
    hint = None
    if kind in ("invalid perl operator", "invalid escape sequence", "bad repetition operator"):
        hint = next((hint for start, hint in _HINTS.items() if part.startswith(start)), None)
    elif kind == "no argument for repetition operator":
        hint = rf"write \{part} for the character itself"
    return invalid_argument(f"pattern: not a regular expression: {reason}", hint=hint)
