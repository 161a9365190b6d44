"""Inside a real VS Code: the viewer beside VS Code's own editor, a window beside reading the whole file."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from .contest import WINDOW_LINES, Contest
from .files import MIB, warm
from .row import Bar, Figures, Row, Skipped

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.editors.vscode.code import Code

_PLAIN_BYTES = 300 * MIB
_READ_WHOLE_BYTES = 40 * MIB
_ACTIVATION_SECONDS = 0.5
_PATIENCE_MS = 300_000
_SETTLED_MS = 2000


class Opened(NamedTuple):
    """What it took to show a log."""

    first_screen: float
    memory: int
    """What all processes of VS Code and of the browser took more than before."""
    deep_line: float | None = None


class InsideTheHost(NamedTuple):
    activation: float
    ours: list[float]
    theirs: list[float]


def _first_screen(contest: Contest) -> Figures:
    return Figures(_viewer(contest).first_screen, _plain(contest).first_screen)


def _deep_line(contest: Contest) -> Figures:
    deep_line = _viewer(contest).deep_line
    assert deep_line is not None
    return Figures(deep_line, _plain(contest).first_screen)


def _memory(contest: Contest) -> Figures:
    return Figures(_viewer(contest).memory, _plain(contest).memory, "bytes")


def _round_trip(contest: Contest) -> Figures:
    inside = _inside_the_host(contest)
    return Figures(statistics.median(inside.ours), statistics.median(inside.theirs))


def _activation(contest: Contest) -> Figures:
    return Figures(_inside_the_host(contest).activation, _ACTIVATION_SECONDS)


@cache
def _viewer(contest: Contest) -> Opened:
    from tests.editors.vscode.viewer import Viewer
    from tests.editors.vscode.window import Window

    warm(contest.log)
    with _code(contest) as code, _page() as page:
        viewer = Viewer(Window(page))
        _select(viewer.window, code, contest.log)
        before = _memory_beneath(os.getpid())
        viewer.window.choose("Forge: Open in Viewer")
        started = perf_counter()
        page.keyboard.press("Enter")
        viewer.part(".row .content > span").first.wait_for()
        first_screen = perf_counter() - started
        page.keyboard.press("Control+G")
        viewer.window.input.fill(str(contest.deep_line))
        started = perf_counter()
        page.keyboard.press("Enter")
        viewer.wait_until_current(contest.deep_line)
        deep_line = perf_counter() - started
        page.wait_for_timeout(_SETTLED_MS)
        return Opened(first_screen, _memory_beneath(os.getpid()) - before, deep_line)


@cache
def _plain(contest: Contest) -> Opened:
    from tests.editors.vscode.window import Window

    log = contest.files.log(_PLAIN_BYTES)
    warm(log)
    with _code(contest) as code, _page() as page:
        _select(Window(page), code, log)
        before = _memory_beneath(os.getpid())
        started = perf_counter()
        page.get_by_role("button", name="Open Anyway").click()
        page.locator(".editor-instance .view-line span span").first.wait_for(timeout=_PATIENCE_MS)
        first_screen = perf_counter() - started
        page.wait_for_timeout(_SETTLED_MS)
        return Opened(first_screen, _memory_beneath(os.getpid()) - before)


@cache
def _inside_the_host(contest: Contest) -> InsideTheHost:
    log = contest.files.log(_READ_WHOLE_BYTES)
    warm(log)
    with tempfile.TemporaryDirectory() as scratch:
        figures = Path(scratch, "figures")
        task = {
            "file": str(log),
            "start_line": 200_000,
            "lines": WINDOW_LINES,
            "repeat": contest.repeat(50),
            "figures": str(figures),
        }
        extension = _built()
        with _code(contest, suite=True, environment={"FORGE_BENCH": json.dumps(task)}) as code, _page() as page:
            ended: list[int] = []
            page.expose_function("codeAutomationExit", lambda status, _logs=None: ended.append(status))
            page.expose_function("codeAutomationLog", lambda _kind, _words: None)
            paths = {
                "extensionDevelopmentPath": str(extension),
                "extensionTestsPath": str(extension / "dist-test/bench/index"),
            }
            page.goto(code.url(contest.files.folder, **paths))
            while not ended:
                page.wait_for_timeout(50)
        if ended != [0]:
            raise RuntimeError("what measures inside the extension host failed")
        return InsideTheHost(**json.loads(figures.read_text()))


def _select(window: Any, code: "Code", log: Path) -> None:
    """Opens the log as a click does: VS Code refuses so large a file, and offers to open it anyway."""
    window.open(code.url(log.parent))
    window.page.locator('.statusbar-item[aria-label*="Forge: running"]').wait_for(timeout=60_000)
    window.page.get_by_role("treeitem", name=log.name, exact=True).dblclick()
    window.page.get_by_role("button", name="Open Anyway").wait_for(timeout=60_000)
    window.page.wait_for_timeout(_SETTLED_MS)


@contextmanager
def _code(contest: Contest, **options: Any) -> Iterator["Code"]:
    from tests.editors.vscode.code import Code
    from tests.editors.vscode.code_server import NEWEST, NotInstalled, find_installation

    try:
        installation = find_installation(NEWEST)
    except NotInstalled as missing:
        raise Skipped(str(missing)) from None
    settings = {"forge.viewer.offerAbove": 0, "workbench.editorLargeFileConfirmation": 50}
    extensions = [] if options.get("suite") else [_package()]
    with Code(installation, extensions=extensions, settings=settings, **options) as code:
        yield code


@contextmanager
def _page() -> Iterator["Page"]:
    """In a browser of its own: memory is measured, and must not have been used before."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise Skipped("playwright is not installed") from None
    from tests.editors.vscode.code_server import CHROMIUM_FLAGS, NotInstalled, find_chromium

    try:
        chromium = find_chromium()
    except NotInstalled as missing:
        raise Skipped(str(missing)) from None
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        yield browser.new_page(viewport={"width": 1280, "height": 800})
        browser.close()


@cache
def _built() -> Path:
    from tests.editors.vscode.building import build
    from tests.editors.vscode.code_server import NotInstalled

    try:
        return build()
    except NotInstalled as missing:
        raise Skipped(str(missing)) from None


@cache
def _package() -> Path:
    from tests.editors.vscode.building import package

    _built()
    return package(Path(tempfile.mkdtemp()))


def _memory_beneath(pid: int) -> int:
    """Of all processes that a process has started, directly or not; shared pages are counted once."""
    if sys.platform != "linux":
        raise Skipped("only Linux tells the memory of a whole tree of processes")
    return sum(_proportional_bytes(child) for child in _descendants(pid))


def _descendants(pid: int) -> Iterator[int]:
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
    for child in map(int, listed.stdout.split()):
        yield child
        yield from _descendants(child)


def _proportional_bytes(pid: int) -> int:
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in rollup.splitlines() if line.startswith("Pss:")), 0)


ROWS = [
    Row(
        "vscode-screen",
        "viewer: first screen of a 1 GiB log, against Open Anyway of 300 MiB",
        Bar(0.1),
        _first_screen,
    ),
    Row("vscode-line", "viewer: to line 10,000,000, against the same", Bar(0.1), _deep_line),
    Row("vscode-memory", "viewer: memory added, against the same", Bar(0.1), _memory),
    Row("vscode-window", "window in VS Code, against fs.readFile of 40 MiB and slicing", Bar(0.1), _round_trip),
    Row("vscode-activate", "activation in VS Code, against 500 ms", Bar(1), _activation),
]
