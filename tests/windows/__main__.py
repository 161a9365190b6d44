"""Run test suites under the Windows Python. Usage: python -m tests.windows [pytest's arguments]."""

import fcntl
import re
import shutil
import subprocess
import sys
from threading import Timer

from .links import Links
from .windows_python import HOME, REPOSITORY, as_windows_path, command, end, environment, install, start_services

SUITES = ("reading", "workspace", "requests", "tools", "terminal", "protocol", "rpc", "lsp", "mcp_server")
COUNTED = ("passed", "failed", "error", "skipped")
MOST_SECONDS = 1800
"""For a suite. pytest ends with the test that takes too long, unless wine hangs as well."""


def main(arguments: list[str]) -> int:
    HOME.mkdir(parents=True, exist_ok=True)
    with (HOME / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit("another run is under way, whose processes this one would end")
        install()
        return run_all(arguments)


def run_all(arguments: list[str]) -> int:
    chosen = [word for word in arguments if not word.startswith("-")] or [f"tests/{suite}" for suite in SUITES]
    options = [word for word in arguments if word.startswith("-")]
    with Links() as links:
        # Suite by suite: where one hangs or crashes, the others still run.
        results = {suite: run(suite, options, links) for suite in chosen}
    print()
    for suite, (code, summary) in results.items():
        print(f"{suite}: {summary}{'' if code == 0 else f' (exit code {code})'}")
    return max(code != 0 for code, _ in results.values())


def run(suite: str, options: list[str], links: Links) -> tuple[int, str]:
    """The exit code, and what pytest counted."""
    print(f"\n{suite}", flush=True)
    temporary = HOME / "temporary" / suite.replace("/", "-")
    shutil.rmtree(temporary, ignore_errors=True)  # wine does not see, nor remove, links that lead nowhere
    temporary.parent.mkdir(exist_ok=True)
    last = ""
    start_services()
    with subprocess.Popen(
        [
            *command(),
            *("-X", "utf8", "-m", "pytest", "-q", "-rs", "--timeout=300"),
            *("-p", "tests.windows.wine", "-p", "no:cacheprovider"),
            f"--basetemp={as_windows_path(temporary)}",
            *options,
            suite,
        ],
        cwd=REPOSITORY,
        env=environment() | {"FORGE_READ_LINKS": str(links.port)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    ) as running:
        assert running.stdout is not None
        overdue = Timer(MOST_SECONDS, end)
        overdue.start()
        for line in running.stdout:
            print(line, end="", flush=True)
            last = line.strip() or last
        overdue.cancel()
    end()
    shutil.rmtree(temporary, ignore_errors=True)
    counts = re.findall(rf"\d+ (?:{'|'.join(COUNTED)})", last)
    return running.returncode, ", ".join(counts) or "did not run to its end"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
