"""The suite that runs inside the extension host: `editors/vscode/test/suite`."""

import json
from pathlib import Path

from editors.vscode.code import REPOSITORY
from editors.vscode.conftest import OpenWindow, StartCode

_GIB = 1 << 30


def _lay_out(root: Path) -> Path:
    """Two folders, opened together; gives the file to open."""
    first, second = root / "first", root / "second"
    first.mkdir()
    second.mkdir()
    (first / "notes.txt").write_text("alpha\nbeta\ngamma\n")
    (first / "both.txt").write_text("of the first\n")
    (second / "both.txt").write_text("of the second\n")
    (first / ".env").write_text("TOKEN=secret\n")
    (first / "bytes.bin").write_bytes(bytes([0, 1, 2, 255]))
    (first / "long.txt").write_text("".join(f"line {number}\n" for number in range(1, 50_001)))
    with (first / "endless.log").open("wb") as sparse:
        sparse.write(b"a line\n" * 2000)
        sparse.truncate(_GIB)
    workspace = root / "both.code-workspace"
    workspace.write_text(json.dumps({"folders": [{"path": "first"}, {"path": "second"}]}))
    return workspace


def test_the_suite_inside_the_extension_host_passes(
    built: Path, start_code: StartCode, open_window: OpenWindow, tmp_path: Path
) -> None:
    report = tmp_path / "report"
    code = start_code(
        suite=True,
        environment={
            "FORGE_SUITE_REPORT": str(report),
            "FORGE_SUITE_GOLDEN": str(REPOSITORY / "tests/protocol/golden"),
        },
    )
    ended: list[int] = []
    window = open_window(
        code,
        _lay_out(tmp_path),
        functions={
            "codeAutomationExit": lambda status, _logs=None: ended.append(status),
            "codeAutomationLog": lambda _kind, _words: None,
        },
        extensionDevelopmentPath=str(built),
        extensionTestsPath=str(built / "dist-test/suite/index"),
    )
    while not ended:
        window.page.wait_for_timeout(50)
    print(report.read_text())
    assert ended == [0]
