"""What the bytes of an encoding mean, by Python's codecs."""

import re

from forge_daemon.reading.texts.encodings.encoding import Encoding

DESIGNATION = re.compile(rb"(\x1b(?:\$[@B]|\$\(D|\([BJI]))|\x1b")


def decoded(encoding: Encoding, data: bytes) -> str:
    """What Python's codec makes of the whole, where more lines follow."""
    if encoding.is_wide:
        return data.decode(encoding.codec, "replace")
    if encoding.name == "iso-2022-jp":
        return "\n".join(map(iso_2022_jp_line, data.split(b"\n")))
    return (data + b"\n" * 4).decode(encoding.codec, "replace")[:-4]


def iso_2022_jp_line(line: bytes) -> str:
    """Each line starts in ASCII, and escape sequences that switch no character set are text."""
    text, start, character_set = "", 0, b""
    for escape in DESIGNATION.finditer(line):
        text += (character_set + line[start : escape.start()]).decode("iso2022_jp_ext", "replace")
        text += "" if escape[1] else "\x1b"
        start, character_set = escape.end(), escape[1] or character_set
    return text + (character_set + line[start:]).decode("iso2022_jp_ext", "replace")
