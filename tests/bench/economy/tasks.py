"""Reading tasks, each as an agent would solve it with each tool, as cheaply as that tool allows.

A tool without a way to solve a task is left out of it. What must have been seen at the end is the same for all.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from .tools import Tool
from .workplace import SMALL_MODULES

Steps = Callable[[Tool], object]


class Task(NamedTuple):
    name: str
    needs: list[str]
    """Solved where all of these were seen."""
    forge: Steps
    filesystem: Steps | None = None
    text_editor: Steps | None = None
    commander: Steps | None = None

    def steps(self, tool: Tool) -> Steps | None:
        return {
            "forge-read": self.forge,
            "server-filesystem": self.filesystem,
            "mcp-text-editor": self.text_editor,
            "desktop-commander": self.commander,
        }[tool.name]


def tasks(folder: Path) -> list[Task]:
    def full(name: str) -> str:
        return str(folder / name)

    def lines_of(name: str) -> list[str]:
        return (folder / name).read_text().splitlines()

    def line_with(name: str, text: str) -> int:
        return next(number for number, line in enumerate(lines_of(name), 1) if text in line)

    def ranges(name: str, start: int, end: int | None = None) -> Steps:
        part = {"start": start} if end is None else {"start": start, "end": end}
        return lambda tool: tool("get_text_file_contents", files=[{"file_path": full(name), "ranges": [part]}])

    def whole(name: str) -> Steps:
        return lambda tool: tool("read_text_file", path=full(name))

    def part(name: str, offset: int = 0, length: int = 100_000) -> Steps:
        """As Desktop Commander reads; a negative offset counts from the end."""
        return lambda tool: tool("read_file", path=full(name), offset=offset, length=length)

    def search(name: str, pattern: str, context: int = 0, *, literal: bool = True) -> Steps:
        """As Desktop Commander searches; it needs ripgrep."""
        return lambda tool: tool(
            "start_search",
            path=full(name),
            pattern=pattern,
            searchType="content",
            contextLines=context,
            literalSearch=literal,
            ignoreCase=False,
        )

    def read(name: str, **arguments: object) -> Steps:
        return lambda tool: tool("read", path=name, **arguments)

    def find(name: str, pattern: str, **arguments: object) -> Steps:
        return lambda tool: tool("find", path=name, pattern=pattern, **arguments)

    argparse = "lib/argparse.py"
    turtle = "lib/turtle.py"
    parse_args = line_with(argparse, "def parse_known_args")
    log_lines = 1_000_000
    with (folder / "server.log").open() as log:
        far = next(line.strip() for number, line in enumerate(log, 1) if number == log_lines)
    schema = line_with("forge.schema.json", '"ReadFileResult"')
    everyday = [
        Task(
            "a settings file of 22 lines",
            [lines_of("tsconfig.json")[-2]],
            read("tsconfig.json"),
            whole("tsconfig.json"),
            ranges("tsconfig.json", 1),
        ),
        Task(
            "a whole module of 28 lines",
            [lines_of("lib/this.py")[-1]],
            read("lib/this.py"),
            whole("lib/this.py"),
            ranges("lib/this.py", 1),
        ),
        Task(
            "a whole module of 500 lines",
            [lines_of("lib/textwrap.py")[-1]],
            read("lib/textwrap.py"),
            whole("lib/textwrap.py"),
            ranges("lib/textwrap.py", 1),
        ),
        Task(
            "40 lines in the middle of a long module",
            [lines_of(argparse)[1999], lines_of(argparse)[2038]],
            read(argparse, start_line=2000, end_line=2039),
            lambda tool: tool("read_text_file", path=full(argparse), head=2039),
            ranges(argparse, 2000, 2039),
        ),
        Task(
            "the first 20 lines of a long module",
            [lines_of(turtle)[19]],
            read(turtle, limit=20),
            lambda tool: tool("read_text_file", path=full(turtle), head=20),
            ranges(turtle, 1, 20),
        ),
        Task(
            "a function whose line is not known",
            [lines_of(argparse)[parse_args + 8]],
            find(argparse, "def parse_known_args", context=10),
            whole(argparse),
            ranges(argparse, 1),
        ),
        Task(
            "all functions of a module",
            ["def indent", "def dedent", "def _split"],
            find("lib/textwrap.py", r"^\s*(class|def) ", regex=True, context=0),
            whole("lib/textwrap.py"),
            ranges("lib/textwrap.py", 1),
        ),
        Task(
            "every use of a name",
            [line for line in lines_of("lib/ast.py") if "NodeVisitor" in line],
            find("lib/ast.py", "NodeVisitor", context=0),
            whole("lib/ast.py"),
            ranges("lib/ast.py", 1),
        ),
        Task(
            "a word in any case",
            [line for line in lines_of("pyproject.toml") if "mit" in line.lower().split('"')][:1] or ["MIT"],
            find("pyproject.toml", "mit", ignore_case=True, context=0),
            whole("pyproject.toml"),
            ranges("pyproject.toml", 1),
        ),
        Task(
            "a definition in a JSON schema",
            [lines_of("forge.schema.json")[schema + 2]],
            find("forge.schema.json", '"ReadFileResult": {', context=10),
            whole("forge.schema.json"),
            ranges("forge.schema.json", 1),
        ),
        Task(
            "row 15,000 of a table",
            ["15000,customer"],
            read("table.csv", start_line=15001, limit=1),
            lambda tool: tool("read_text_file", path=full("table.csv"), head=15001),
            ranges("table.csv", 15001, 15001),
        ),
        Task(
            "the rows of one customer",
            ["977,customer 0,", "1954,customer 0,"],
            find("table.csv", ",customer 0,", context=0),
            whole("table.csv"),
            ranges("table.csv", 1),
        ),
        Task(
            "line 1,000,000 of a log of 128 MiB",
            [far],
            read("server.log", start_line=log_lines, limit=1),
            None,
            ranges("server.log", log_lines, log_lines),
        ),
        Task(
            "the last 50 lines of a log of 128 MiB",
            [_last_lines(folder / "server.log", 50)[0]],
            read("server.log", start_line=-50),
            # It counts what comes after the last newline as a line.
            lambda tool: tool("read_text_file", path=full("server.log"), tail=51),
        ),
        Task(
            "the first error of a log, and what led to it",
            ["ERROR"],
            find("server.log", "ERROR", limit=1, context=3),
            lambda tool: tool("read_text_file", path=full("server.log"), head=30),
            ranges("server.log", 1, 30),
        ),
        Task(
            "the start of a line of 5 MB",
            ["Turtle graphics is a popular way"],
            read("bundle.min.js"),
        ),
        Task(
            "a word deep inside a line of 5 MB",
            ["def shearfactor"],
            find("bundle.min.js", "def shearfactor"),
        ),
        Task(
            "the code of a notebook with a picture in it",
            ["read_csv", "groupby", "describe()"],
            read("analysis.ipynb"),
            whole("analysis.ipynb"),
            ranges("analysis.ipynb", 1),
        ),
        Task(
            "six small modules",
            [lines_of(f"lib/{name}")[-1] for name in SMALL_MODULES],
            lambda tool: tool("read_many", files=[{"path": f"lib/{name}"} for name in SMALL_MODULES]),
            lambda tool: tool("read_multiple_files", paths=[full(f"lib/{name}") for name in SMALL_MODULES]),
            lambda tool: tool(
                "get_text_file_contents",
                files=[{"file_path": full(f"lib/{name}"), "ranges": [{"start": 1}]} for name in SMALL_MODULES],
            ),
        ),
        Task(
            "what a folder holds",
            ["argparse.py", "json"],
            read("lib"),
            lambda tool: tool("list_directory", path=full("lib")),
        ),
        Task(
            "a file whose folder was guessed wrong",
            ["class JSONDecodeError"],
            lambda tool: (
                tool("read", path="src/decoder.py", limit=40),
                tool("read", path="lib/json/decoder.py", start_line=20, limit=10),
            ),
            lambda tool: (
                tool("read_text_file", path=full("src/decoder.py"), head=40),
                tool("search_files", path=str(folder), pattern="**/decoder.py"),
                tool("read_text_file", path=full("lib/json/decoder.py"), head=29),
            ),
        ),
        Task(
            "an empty file, said to be empty",
            ["empty"],
            read("empty.txt"),
            whole("empty.txt"),
            ranges("empty.txt", 1),
        ),
        Task(
            "a secret, refused with the reason",
            ["denied"],
            read(".env"),
            whole(".env"),
            ranges(".env", 1),
        ),
        Task(
            "what a file is that is not text",
            ["ZIP"],
            read("lib.zip"),
            whole("lib.zip"),
            ranges("lib.zip", 1),
        ),
        Task(
            "one module of 4,000 lines in full",
            [lines_of(turtle)[-1]],
            lambda tool: [tool("read", path=turtle, start_line=start) for start in _pages(tool, turtle)],
            whole(turtle),
            ranges(turtle, 1),
        ),
    ]
    newer = [
        Task(
            "a module read again, unchanged",
            [lines_of("lib/textwrap.py")[-1]],
            lambda tool: (
                tool("read", path="lib/textwrap.py"),
                tool("read", path="lib/textwrap.py", if_changed=True),
            ),
            lambda tool: (whole("lib/textwrap.py")(tool), whole("lib/textwrap.py")(tool)),
            lambda tool: (ranges("lib/textwrap.py", 1)(tool), ranges("lib/textwrap.py", 1)(tool)),
        ),
        Task(
            "a small file beside two large ones",
            [lines_of("tsconfig.json")[-2]],
            lambda tool: tool("read_many", files=[{"path": turtle}, {"path": argparse}, {"path": "tsconfig.json"}]),
            lambda tool: tool("read_multiple_files", paths=[full(turtle), full(argparse), full("tsconfig.json")]),
            lambda tool: tool(
                "get_text_file_contents",
                files=[
                    {"file_path": full(name), "ranges": [{"start": 1}]} for name in (turtle, argparse, "tsconfig.json")
                ],
            ),
        ),
        Task(
            "the last 3 errors of a log of 128 MiB",
            [_last_with(folder / "server.log", "ERROR")],
            find("server.log", "ERROR", start_line=-3, context=0),
        ),
        Task(
            "the second place of a word in a line of 5 MB",
            ["def shearfactor"],
            lambda tool: (
                tool("find", path="bundle.min.js", pattern="def shearfactor"),
                tool("find", path="bundle.min.js", pattern="def shearfactor", start_column=_next_column(tool)),
            ),
        ),
        Task(
            "a path that begins with a slash",
            [lines_of("lib/this.py")[-1]],
            read("/lib/this.py"),
            whole("lib/this.py"),
            ranges("lib/this.py", 1),
        ),
    ]
    commander = {
        "a settings file of 22 lines": part("tsconfig.json"),
        "a whole module of 28 lines": part("lib/this.py"),
        "a whole module of 500 lines": part("lib/textwrap.py"),
        "40 lines in the middle of a long module": part(argparse, 1999, 40),
        "the first 20 lines of a long module": part(turtle, 0, 20),
        "a function whose line is not known": search(argparse, "def parse_known_args", 10),
        "all functions of a module": search("lib/textwrap.py", r"^\s*(class|def) ", literal=False),
        "every use of a name": search("lib/ast.py", "NodeVisitor"),
        "row 15,000 of a table": part("table.csv", 15_000, 1),
        "the rows of one customer": search("table.csv", ",customer 0,"),
        "line 1,000,000 of a log of 128 MiB": part("server.log", log_lines - 1, 1),
        "the last 50 lines of a log of 128 MiB": part("server.log", -51),  # as for the other one
        "the first error of a log, and what led to it": part("server.log", 0, 30),
        "the code of a notebook with a picture in it": part("analysis.ipynb"),
        "six small modules": lambda tool: tool(
            "read_multiple_files", paths=[full(f"lib/{name}") for name in SMALL_MODULES]
        ),
        "a small file beside two large ones": lambda tool: tool(
            "read_multiple_files", paths=[full(turtle), full(argparse), full("tsconfig.json")]
        ),
        "a module read again, unchanged": lambda tool: (part("lib/textwrap.py")(tool), part("lib/textwrap.py")(tool)),
        "what a folder holds": lambda tool: tool("list_directory", path=full("lib"), depth=1),
        "an empty file, said to be empty": part("empty.txt"),
        "a secret, refused with the reason": part(".env"),
        "what a file is that is not text": part("lib.zip"),
        "one module of 4,000 lines in full": part(turtle),
    }
    return [task._replace(commander=commander.get(task.name)) for task in (*everyday, *newer)]


def _pages(tool: Tool, name: str) -> list[int]:
    """Where the pages of a file begin, found out without being charged for it."""
    starts, spent = [1], (tool.calls, tool.spent, tool.seen)
    while "[more: start_line " in (answer := tool("read", path=name, start_line=starts[-1])):
        starts.append(int(answer.rpartition("[more: start_line ")[2].rstrip("]")))
    tool.calls, tool.spent, tool.seen = spent
    return starts


def _next_column(tool: Tool) -> int:
    """Where the last answer says that the next match is."""
    return int(tool.seen.rpartition("next match: start_column ")[2].split("]")[0])


def _last_with(path: Path, word: str) -> str:
    """The last line of a log that has a word."""
    return next(line for line in reversed(_last_lines(path, 5_000)) if word in line)


def _last_lines(path: Path, count: int) -> list[str]:
    with path.open("rb") as file:
        file.seek(-256 * count, 2)
        return [line.decode() for line in file.read().splitlines()[-count:]]
