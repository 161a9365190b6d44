"""Run test suites under the Windows Python. Usage: python -m tests.windows [pytest's arguments]."""

import subprocess
import sys

from .windows_python import REPOSITORY, command, environment, install

SUITES = ("reading", "workspace", "requests", "tools", "terminal", "protocol", "lsp")


def main(arguments: list[str]) -> int:
    install()
    chosen = arguments or [f"tests/{suite}" for suite in SUITES]
    options = ("-p", "windows.skips", "-p", "no:cacheprovider", "-q", "-rs")
    with subprocess.Popen(
        [*command(), "-m", "pytest", *options, *chosen],
        cwd=REPOSITORY,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as running:
        assert running.stdout is not None
        for line in running.stdout:
            print(line, end="", flush=True)
    return running.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
