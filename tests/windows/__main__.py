"""Run test suites under the Windows Python. Usage: python -m windows [pytest's arguments]."""

import shutil
import subprocess
import sys

from .links import Links
from .windows_python import HOME, REPOSITORY, as_windows_path, command, end, environment, install

SUITES = ("reading", "workspace", "requests", "tools", "terminal", "protocol", "rpc", "lsp", "mcp_server")


def main(arguments: list[str]) -> int:
    install()
    chosen = [word for word in arguments if not word.startswith("-")] or [f"tests/{suite}" for suite in SUITES]
    options = [word for word in arguments if word.startswith("-")]
    temporary = HOME / "temporary"
    with Links() as links:
        failed = 0
        # Suite by suite: where one hangs or crashes, the others still run.
        for suite in chosen:
            print(f"\n{suite}", flush=True)
            shutil.rmtree(temporary, ignore_errors=True)  # wine does not see, nor remove, links that lead nowhere
            failed |= _run(
                *("-X", "utf8", "-m", "pytest", "-q", "-rs", "--timeout=120"),
                *("-p", "windows.wine", "-p", "no:cacheprovider"),
                f"--basetemp={as_windows_path(temporary)}",
                *options,
                suite,
                variables={"FORGE_READ_LINKS": str(links.port)},
            )
    end()
    shutil.rmtree(temporary, ignore_errors=True)
    return failed


def _run(*words: str, variables: dict[str, str]) -> int:
    with subprocess.Popen(
        [*command(), *words],
        cwd=REPOSITORY,
        env=environment() | variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    ) as running:
        assert running.stdout is not None
        for line in running.stdout:
            print(line, end="", flush=True)
    return running.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
