"""What one writes first with pygls: a decorated function that opens the file and slices the lines."""

from itertools import islice
from typing import Any

from pygls.lsp.server import LanguageServer

server = LanguageServer("plain", "1")


@server.feature("plain/readFile")
def read_file(params: Any) -> dict[str, str]:
    first = params.start_line - 1
    with open(params.path, encoding="utf-8") as file:
        return {"content": "".join(islice(file, first, first + params.max_lines))}


if __name__ == "__main__":
    server.start_io()
