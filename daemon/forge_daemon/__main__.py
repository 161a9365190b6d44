"""The process `forge-read`, and `python -m forge_daemon`, which is the same."""

import gc
import os
import sys


def run() -> None:
    """Most commands end so soon that collecting garbage, and tidying up at the end, would take much of their time."""
    gc.set_threshold(100_000)
    from forge_daemon.cli import main

    code = main()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, AttributeError):  # closed, from the start or by now: what can be said was said
        code = code or 70
    os._exit(code)


if __name__ == "__main__":
    run()
