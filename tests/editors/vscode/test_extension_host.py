"""The suite that runs inside the extension host: `editors/vscode/test/suite`."""

import json
from pathlib import Path

from tests.editors.vscode.code import REPOSITORY
from tests.editors.vscode.conftest import ShowWindow, StartCode

_ENDLESS = 4 << 30
"""So that a count of it shows progress before it ends, however fast the machine."""
_MAX_SECONDS = 240


def _lay_out(root: Path) -> Path:
    """Two folders, opened together; gives the file to open."""
    first, second = root / "first", root / "second"
    first.mkdir()
    second.mkdir()
    (first / "notes.txt").write_text("alpha\nbeta\ngamma\n")
    (first / "both.txt").write_text("of the first\n")
    (second / "both.txt").write_text("of the second\n")
    (first / ".env").write_text("TOKEN=secret\n")
    (first / "sjis.txt").write_bytes("日本語\n".encode("cp932"))
    (first / "bytes.bin").write_bytes(bytes([0, 1, 2, 255]))
    (first / "long.txt").write_text("".join(f"line {number}\n" for number in range(1, 50_001)))
    with (first / "endless.log").open("wb") as sparse:
        sparse.write(b"a line\n" * 2000)
        sparse.truncate(_ENDLESS)
    workspace = root / "both.code-workspace"
    workspace.write_text(json.dumps({"folders": [{"path": "first"}, {"path": "second"}]}))
    return workspace


def test_the_suite_inside_the_extension_host_passes(
    built: Path, start_code: StartCode, shown: ShowWindow, tmp_path: Path
) -> None:
    report = tmp_path / "report"
    report.touch()
    environment = {
        "FORGE_SUITE_REPORT": str(report),
        "FORGE_SUITE_GOLDEN": str(REPOSITORY / "tests/protocol/golden"),
    }
    settings = {"files.candidateGuessEncodings": ["shiftjis"]}
    code = start_code(suite=True, environment=environment, settings=settings)
    url = code.url(
        _lay_out(tmp_path),
        extensionDevelopmentPath=str(built),
        extensionTestsPath=str(built / "dist-test/suite/index"),
    )
    ended: list[int] = []
    with shown(code) as window:
        window.page.expose_function("codeAutomationExit", lambda status, _logs=None: ended.append(status))
        window.page.expose_function("codeAutomationLog", lambda _kind, _words: None)
        window.open(url)
        try:
            window.until(lambda: ended, bool, seconds=_MAX_SECONDS)
        finally:
            print(report.read_text())
    assert ended == [0]
