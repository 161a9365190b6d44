"""A short session with the real daemon, as a demonstration: answers and refusals. `make demo` runs it."""

import base64
import json
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.lsp.raw_client import RawClient

REPOSITORY = Path(__file__).resolve().parent.parent
BOLD, DIM, PLAIN = ("\033[1m", "\033[2m", "\033[0m") if sys.stdout.isatty() else ("", "", "")
WIDTH = min(shutil.get_terminal_size().columns, 110)
LOG_LINES = 500_000


def main() -> None:
    with RawClient() as client, tempfile.TemporaryDirectory() as scratch:
        answer = client.initialize(REPOSITORY, Path(scratch))
        server = answer["serverInfo"]
        print(f"{BOLD}{server['name']} {server['version']}{PLAIN} serves this repository over stdio.")
        show_windows(client)
        show_log(client, Path(scratch))
        show_tools(client)
        show_binary(client, Path(scratch))
        show_unsaved(client)
        show_refusal(client)
        show_cache(client)
        print(f"\nshutdown, exit: code {client.shut_down()}")


def show_windows(client: RawClient) -> None:
    request = {"path": "README.md", "max_lines": 5}
    first = ask(client, "A window of a file", "forge/readFile", request)
    print_content(first)
    print_facts(first, "truncated_by", "next_start_line", "next_cursor")
    following = {"path": "README.md", "max_lines": 5, "cursor": first["next_cursor"], "show_line_numbers": True}
    print_content(ask(client, "Its next page, by cursor, numbered", "forge/readFile", following))


def show_log(client: RawClient, scratch: Path) -> None:
    with (scratch / "server.log").open("w", encoding="utf-8") as log:
        for number in range(1, LOG_LINES + 1):
            level = "ERROR" if number % 100_003 == 0 else "INFO"
            log.write(f"2026-11-16 08:{number // 60 % 60:02}:{number % 60:02} {level} request {number} served\n")
    numbered = {"path": "server.log", "show_line_numbers": True}
    heading = f"A window in the middle of a log of {LOG_LINES:,} lines"
    print_content(ask(client, heading, "forge/readFile", {**numbered, "start_line": 250_000, "max_lines": 2}))
    errors = {**numbered, "filter": {"pattern": "ERROR"}}
    print_content(ask(client, "Only its errors, with their own line numbers", "forge/readFile", errors))


def show_tools(client: RawClient) -> None:
    arguments = {"path": "pyproject.toml", "start_line": 5, "limit": 4}
    print_content(call(client, "An agent calls Read", {"name": "Read", "arguments": arguments}))
    arguments = {"path": "LICENSE", "max_lines": 3}
    tool = {"name": "read_file", "arguments": arguments, "toolset": "workspace"}
    answer = call(client, "Another agent calls read_file, of the other toolset", tool)
    print_content(answer)
    print(f"{DIM}{json.dumps(answer['meta'])}{PLAIN}")


def show_binary(client: RawClient, scratch: Path) -> None:
    (scratch / "pixel.bin").write_bytes(bytes(range(48)))
    answer = ask(client, "A binary file", "forge/readFile", {"path": "pixel.bin"})
    data = base64.b64decode(answer["binary"]["data"])
    print(f"{answer['binary']['byte_count']} bytes as base64: {data[:12].hex(' ')} …")


def show_unsaved(client: RawClient) -> None:
    client.open(REPOSITORY / "LICENSE", "Unsaved: this is not on disk yet.\n", version=7)
    answer = ask(client, "An open, unsaved document", "forge/readFile", {"path": "LICENSE"})
    print_content(answer)
    print_facts(answer, "source", "document_version")


def show_refusal(client: RawClient) -> None:
    title("A path that leads out, and a secret")
    for path in ("../../etc/passwd", "deploy/.env"):
        error = client.error("forge/readFile", {"path": path})
        print(f"{error['data']['code']} ({error['code']}): {error['message']}")
        print(f"{DIM}  hint: {error['data'].get('hint')}{PLAIN}")


def show_cache(client: RawClient) -> None:
    title("The cache's figures")
    for folder in client.command("forge.cache.stats", {})["result"]["folders"]:
        print(", ".join(f"{key} {value}" for key, value in folder.items()))


def ask(client: RawClient, heading: str, method: str, params: dict[str, Any]) -> Any:
    title(heading)
    print(f"{DIM}{method} {json.dumps(params)}{PLAIN}")
    start = time.perf_counter()
    answer = client.result(method, params)
    print(f"{DIM}answered in {(time.perf_counter() - start) * 1000:.0f} ms{PLAIN}")
    return answer


def call(client: RawClient, heading: str, tool: dict[str, Any]) -> Any:
    title(heading)
    print(f"{DIM}forge.tools.call {json.dumps(tool)}{PLAIN}")
    return client.command("forge.tools.call", tool)["result"]


def title(text: str) -> None:
    print(f"\n{BOLD}{text}{PLAIN}")


def print_content(answer: Any) -> None:
    for line in answer["content"].splitlines():
        print(f"  {line}" if len(line) <= WIDTH - 4 else f"  {line[: WIDTH - 5]}…")


def print_facts(answer: Any, *names: str) -> None:
    print(f"{DIM}{', '.join(f'{name}: {answer[name]}' for name in names)}{PLAIN}"[: WIDTH + 8])


if __name__ == "__main__":
    main()
