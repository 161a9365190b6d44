"""VS Code is started once for each test that needs one of its own; the browser once for all."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from editors.vscode import building
from editors.vscode.code import Code
from editors.vscode.code_server import (
    CHROMIUM_FLAGS,
    NEWEST,
    OLDEST,
    Installation,
    NotInstalled,
    find_chromium,
    find_installation,
)
from editors.vscode.window import Window

_PATIENCE_MS = 30_000
"""For what VS Code does in its own time, on a busy machine."""
StartCode = Callable[..., Code]
OpenWindow = Callable[..., Window]


def _need(find: Callable[[], Any]) -> Any:
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
    found: Installation = _need(lambda: find_installation(release))
    return found


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    chromium = _need(find_chromium)
    expect.set_options(timeout=_PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def built() -> Path:
    """The extension's folder, for `extensionDevelopmentPath`."""
    folder: Path = _need(building.build)
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


@pytest.fixture
def open_window(browser: Browser) -> Iterator[OpenWindow]:
    """Opens a window on a running VS Code: `open_window(code, folder)`."""
    contexts = []

    def open_one(
        code: Code,
        folder: Path | None,
        functions: Mapping[str, Callable[..., None]] = MappingProxyType({}),
        **payload: str,
    ) -> Window:
        context = browser.new_context(viewport={"width": 1280, "height": 800}, permissions=["clipboard-read"])
        contexts.append(context)
        window = Window(context.new_page())
        for name, function in functions.items():
            window.page.expose_function(name, function)
        window.open(code.url(folder, **payload))
        return window

    yield open_one
    for context in contexts:
        context.close()
