"""The parts of the extension that need no VS Code: `editors/vscode/test/unit`."""

import subprocess

from editors.vscode import building
from editors.vscode.code import EXTENSION
from editors.vscode.conftest import need


def test_the_unit_tests_pass() -> None:
    npm = need(building.npm)
    done = subprocess.run([npm, "run", "--silent", "test:unit"], cwd=EXTENSION, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
