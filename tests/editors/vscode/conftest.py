"""VS Code is started once for each test that needs one of its own; the browser once for all."""

import os
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ViewportSize, expect, sync_playwright

from tests.editors.vscode import building
from tests.editors.vscode.code import EXTENSION, Code
from tests.editors.vscode.code_server import (
    CHROMIUM_FLAGS,
    NEWEST,
    OLDEST,
    Installation,
    NotInstalled,
    find_chromium,
    find_installation,
)
from tests.editors.vscode.logs import lay_out
from tests.editors.vscode.viewer import Viewer
from tests.editors.vscode.window import Window

_PATIENCE_MS = 30_000
"""For what VS Code does in its own time, on a busy machine."""
_MAX_SECONDS = 300
_MAX_LOG_CHARACTERS = 2000
DARK = "Default Dark Modern"
_VIEWER_SETTINGS = {
    "workbench.colorTheme": DARK,
    "workbench.preferredDarkColorTheme": DARK,
    "forge.viewer.offerAbove": 1,
    "forge.viewer.highlights": [
        {"pattern": "plain$", "color": "#4ec9b0"},
        {"pattern": r"alert\(", "color": "#ff00ff", "wholeLine": True},
    ],
    "[ini]": {"files.encoding": "windows1251"},
}
_VIEWPORT: ViewportSize = {"width": 1280, "height": 800}
StartCode = Callable[..., Code]
ShowWindow = Callable[[Code], AbstractContextManager[Window]]
OpenWindow = Callable[[Code, Path | None], Window]
TakePicture = Callable[[Viewer, str], None]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A busy machine takes its time to start VS Code."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.timeout(_MAX_SECONDS))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Tells of a failure what was on the screen."""
    report = yield
    windows: dict[Window, Code] = getattr(item, "funcargs", {}).get("windows", {}) if report.failed else {}
    for number, (window, code) in enumerate(windows.items(), 1):
        picture = Path(tempfile.gettempdir(), f"forge-{item.name}-{report.when}-{number}.png")
        report.sections.append((f"window {number}", window.evidence(picture)))
        report.sections.append((f"server of window {number}", code.log()[-_MAX_LOG_CHARACTERS:]))
        window.spoiled = True
    return report


def need(find: Callable[[], Any]) -> Any:
    """Where everything must be tested, what is missing is a failure."""
    try:
        return find()
    except NotInstalled as missing:
        if os.environ.get("CI") == "true":
            pytest.fail(str(missing))
        pytest.skip(str(missing))


@pytest.fixture(scope="package")
def installation() -> Installation:
    """The newest VS Code; `FORGE_VSCODE=oldest` takes the oldest supported one."""
    release = OLDEST if os.environ.get("FORGE_VSCODE") == OLDEST.name else NEWEST
    found: Installation = need(lambda: find_installation(release))
    return found


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    chromium = need(find_chromium)
    expect.set_options(timeout=_PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def built() -> Path:
    """The extension's folder, for `extensionDevelopmentPath`."""
    folder: Path = need(building.build)
    return folder


@pytest.fixture(scope="package")
def package(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `.vsix`, as a user installs it."""
    return building.package(tmp_path_factory.mktemp("package"))


@pytest.fixture
def start_code(installation: Installation) -> Iterator[StartCode]:
    """Starts a VS Code with a fresh profile; takes what `Code` takes."""
    with ExitStack() as running:
        yield lambda **options: running.enter_context(Code(installation, **options))


@pytest.fixture(scope="package")
def windows() -> dict[Window, Code]:
    """Those that are open, each with its VS Code."""
    return {}


@pytest.fixture(scope="package")
def shown(browser: Browser, windows: dict[Window, Code]) -> ShowWindow:
    """Shows a window on a running VS Code as long as the context lasts: `with shown(code) as window`."""

    @contextmanager
    def show(code: Code) -> Iterator[Window]:
        context = browser.new_context(viewport=_VIEWPORT, permissions=["clipboard-read", "clipboard-write"])
        window = Window(context.new_page())
        windows[window] = code
        try:
            yield window
        finally:
            del windows[window]
            context.close()

    return show


@pytest.fixture
def open_window(shown: ShowWindow) -> Iterator[OpenWindow]:
    """Opens a window on a running VS Code: `open_window(code, folder)`."""
    with ExitStack() as opened:

        def open_one(code: Code, folder: Path | None) -> Window:
            window = opened.enter_context(shown(code))
            window.open(code.url(folder))
            return window

        yield open_one


@pytest.fixture(scope="package")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """With the logs that the viewer is tried with."""
    folder = tmp_path_factory.mktemp("logs") / "logs"
    folder.mkdir()
    lay_out(folder)
    yield folder
    (folder / "server.log").unlink()


@pytest.fixture(scope="package")
def last_line(folder: Path) -> int:
    with (folder / "server.log").open("rb") as log:
        log.seek(-300, 2)
        return int(log.read().rsplit(b" #", 1)[1].split()[0])


@pytest.fixture(scope="package")
def shared_window(
    installation: Installation, shown: ShowWindow, package: Path, folder: Path
) -> Iterator[Callable[[], Window]]:
    """One for all: what a test changes, it changes back. After a failure there is a new one."""
    with ExitStack() as running:
        current: list[Window] = []

        def usable() -> Window:
            if not current or current[-1].spoiled:
                running.close()
                code = running.enter_context(Code(installation, extensions=[package], settings=_VIEWER_SETTINGS))
                current.append(running.enter_context(shown(code)))
                current[-1].open(code.url(folder))
                current[-1].wait_until_watched(folder)
            return current[-1]

        yield usable


@pytest.fixture
def shared_code(shared_window: Callable[[], Window], windows: dict[Window, Code]) -> Code:
    """The VS Code of the window for all."""
    return windows[shared_window()]


@pytest.fixture
def viewer(shared_window: Callable[[], Window]) -> Iterator[Viewer]:
    viewer = Viewer(shared_window())
    yield viewer
    if not viewer.window.spoiled:
        viewer.close()


@pytest.fixture
def server_log(viewer: Viewer, last_line: int) -> Viewer:
    viewer.open("server.log")
    viewer.page.keyboard.press("Control+Home")
    viewer.wait_until_current(1)
    viewer.window.status(f"1 / {last_line:,}").wait_for()
    return viewer


@pytest.fixture
def take_picture(tmp_path: Path) -> TakePicture:
    """For the documents. One that is there already is left alone: remove it to have it taken anew."""

    def take(viewer: Viewer, name: str) -> None:
        picture = EXTENSION / "media" / name
        if picture.exists():
            picture = tmp_path / name
        viewer.page.set_viewport_size({"width": 900, "height": 500})
        viewer.window.run("View: Toggle Primary Side Bar Visibility")
        viewer.page.mouse.move(25, 350)  # out of the viewer, which has more to show to a pointer
        viewer.page.wait_for_timeout(500)
        viewer.page.screenshot(path=picture)
        viewer.page.set_viewport_size({"width": 1280, "height": 800})
        viewer.window.run("View: Toggle Primary Side Bar Visibility")
        assert 10_000 < picture.stat().st_size < 200_000

    return take
