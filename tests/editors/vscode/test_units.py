"""The parts of the extension that need no VS Code: `editors/vscode/test/unit`."""

import subprocess
from pathlib import Path


def test_the_unit_tests_pass(built: Path) -> None:
    done = subprocess.run(["node", "--test", "dist-test/unit/"], cwd=built, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
