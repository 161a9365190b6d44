"""The text form of an answer: a header, numbered lines, and where it continues."""

from collections.abc import Iterator

from forge_daemon.reading.windows.window import Facts
from forge_daemon.workspace.suggestions import Listing

from .page import Line, Page


def text_of_page(name: str, page: Page, last_asked: int | None, total: int | None, encodings: str) -> Iterator[str]:
    """`encodings` is what may help where bytes could not be decoded."""
    first, last = page.lines[0].number, page.lines[-1].number
    has_more = page.next_line is not None and (last_asked is None or page.next_line <= last_asked)
    if page.lines[0].column > 1 and not any(line.text for line in page.lines):
        which = f"{first}: the line ends" if first == last else f"{first}-{last}: the lines end"
        yield f"[{name} {which} before column {page.lines[0].column}]"
    else:
        total = page.facts.line_count if total is None else total
        of_all = "" if total is None else f"/{total}"
        yield f"[{name} {first}-{last}{of_all}{notes(page.facts, page.decode_errors, encodings)}]"
        for line in page.lines:
            yield numbered(line)
    if has_more:
        yield f"[more: start_line {page.next_line}]"
    if page.failure is not None:
        yield f"[{page.failure}]"


def numbered(line: Line, after_number: str = "\t") -> str:
    return f"{line.number}{after_number}{line.text}{_rest(line)}"


def past_the_end(name: str, first: int, total: int, how_to_see_the_end: str = "start_line -20") -> str:
    if total == 0:
        return f"[{name} is empty]"
    return (
        f"[{name} has {plural(total, 'line')}: line {first} is past the end; {how_to_see_the_end} shows the last lines]"
    )


def text_of_listing(name: str, listing: Listing) -> Iterator[str]:
    if not listing.names and listing.was_cut_short:
        yield f"[{name} folder, too slow to list: name a file in it]"
        return
    if not listing.names:
        yield f"[{name} folder, nothing to read in it]"
        return
    yield f"[{name} folder]"
    yield from listing.names
    if listing.omitted:
        yield f"[{plural(listing.omitted, 'more name')}]"


def plural(count: int, thing: str, ending: str = "s") -> str:
    return f"{count:,} {thing}{ending * (count != 1)}"


def notes(facts: Facts, decode_errors: int, encodings: str) -> str:
    """What is unusual about a text. `encodings` is what may help where bytes could not be decoded."""
    said = ["unsaved"] if facts.source == "buffer" else []
    if facts.encoding != "utf-8":
        said.append(facts.encoding)
    if decode_errors:
        said.append(f"{plural(decode_errors, 'undecodable byte')}, try encoding {encodings}")
    return "".join(f" {note}" for note in said)


def _rest(line: Line) -> str:
    if not line.omitted_bytes:
        return ""
    column = line.column + len(line.text)
    return f"… [+{line.omitted_bytes:,} bytes: start_line {line.number}, start_column {column}]"
