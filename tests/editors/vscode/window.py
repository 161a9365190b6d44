"""What a person does in a window of VS Code, and sees of it."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from playwright.sync_api import Error, Locator, Page

_LINES = """() => [...document.querySelectorAll('.editor-instance .view-lines .view-line')]
  .sort((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top))
  .map(line => line.textContent.replace(/\\u00a0/g, ' '))"""
_KEPT = """async key => {
  const done = request => new Promise(resolve => { request.onsuccess = () => resolve(request.result); });
  for (const { name } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name));
    const value = store => done(database.transaction(store).objectStore(store).get(key));
    const [found] = (await Promise.all([...database.objectStoreNames].map(value))).filter(Boolean);
    database.close();
    if (found) return found;
  }
  return '';
}"""
# Its state is stored once a minute, and whenever the user turns to another window.
_LEAVE = """() => {
  for (const focus of [true, false]) {
    document.hasFocus = () => focus;
    document.dispatchEvent(new Event('visibilitychange'));
  }
  delete document.hasFocus;
}"""
_ATTEMPTS = 30
_PATIENCE_MS = 1500
Value = TypeVar("Value")


class Window:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.spoiled = False
        """A test failed in it: nothing is known of its state."""

    def open(self, url: str) -> None:
        self.page.goto(url)
        self.page.locator(".monaco-workbench .part.statusbar").wait_for(timeout=60_000)

    def wait_until_watched(self, folder: Path) -> None:
        """Files that come and go are seen in the explorer: what is written before VS Code watches the folder is not."""
        probe = folder / "is it watched"
        row = self.page.locator(".explorer-folders-view .monaco-list-row", has_text=probe.name)
        for _ in range(_ATTEMPTS):
            with suppress(Error):
                probe.touch()
                row.wait_for(timeout=_PATIENCE_MS)
                probe.unlink()
                row.wait_for(state="detached", timeout=_PATIENCE_MS)
                return
            probe.unlink(missing_ok=True)
        raise AssertionError(f"VS Code does not watch {folder}")

    def evidence(self, picture: Path) -> str:
        """What it shows, to find the cause of a failure."""
        texts = []
        for frame in self.page.frames:
            with suppress(Error):
                if frame.parent_frame is None or frame.frame_element().is_visible():
                    texts.append(frame.locator("body").inner_text(timeout=1000))
        with suppress(Error):
            self.page.screenshot(path=picture)
            texts.append(f"A picture of it is {picture}")
        return "\n".join(texts)

    @property
    def input(self) -> Locator:
        """The palette's and every other quick input's."""
        return self.page.locator(".quick-input-widget input.input")

    def run(self, command: str) -> None:
        """Run a command from the palette, by its title."""
        for _ in range(_ATTEMPTS):
            self.choose(command)
            if self.input.is_visible():  # it goes away where something else takes the focus late
                self.input.press("Enter")
                return
        raise AssertionError(f"the palette goes away before {command!r} is chosen")

    def choose(self, command: str) -> None:
        """Have it ready in the palette, which lists the commands known when it was opened."""
        row = self.page.locator(".quick-input-list .monaco-list-row", has_text=command).first
        for _ in range(_ATTEMPTS):
            self.page.keyboard.press("F1")
            try:
                self.input.fill(f">{command}", timeout=_PATIENCE_MS)
                row.wait_for(timeout=_PATIENCE_MS)
            except Error:
                if self.input.is_visible():  # else the key would be for the editor
                    self.page.keyboard.press("Escape")
            else:
                return
        raise AssertionError(f"the palette does not offer {command!r}")

    def answer(self, prompt: str, text: str) -> None:
        """Fill in what a command asks for."""
        self.page.locator(".quick-input-widget", has_text=prompt).wait_for()
        self.input.fill(text)
        self.input.press("Enter")

    def choose_file(self, path: Path) -> None:
        """In the dialog for files, which forgets what is typed before it has listed its first folder."""
        rows = self.page.locator(".quick-input-list .monaco-list-row")
        rows.filter(has_text="..").first.wait_for()

        def is_listed() -> bool:
            if self.input.input_value() != str(path):
                self.input.fill(str(path))
                return False
            return rows.filter(has_text=path.name).first.is_visible()

        self.until(is_listed, bool)
        self.page.keyboard.press("Enter")

    def save_as(self, path: Path) -> None:
        """In the dialog for a new file, which proposes a name once it has listed the folder."""
        rows = self.page.locator(".quick-input-list .monaco-list-row")
        rows.filter(has_text="..").first.wait_for()

        def is_entered() -> bool:
            if self.input.input_value() == str(path):
                return True
            self.input.fill(str(path))
            self.page.wait_for_timeout(300)
            return False

        self.until(is_entered, bool)
        self.page.keyboard.press("Enter")

    def lines(self) -> list[str]:
        """The text of the editor, as far as it is visible."""
        lines: list[str] = self.page.evaluate(_LINES)
        return lines

    def notification(self, text: str) -> Locator:
        return self.page.locator(".notification-list-item", has_text=text).first

    def press(self, text: str, button: str) -> None:
        """A button of the notification with this text; by a key, for what hovers over it would take a click."""
        self.notification(text).get_by_role("button", name=button).press("Enter")

    def pick(self, label: str) -> None:
        """One of the rows that a quick pick shows."""
        self.page.locator(".quick-input-list .monaco-list-row", has_text=label).first.click()

    def status(self, text: str) -> Locator:
        return self.page.locator(".statusbar-item", has_text=text).first

    def kept(self) -> str:
        """What is stored of the editors by now, to have them back after a reload."""
        return self._stored("memento/workbench.parts.editor")

    def remembered(self) -> str:
        """What is stored of what the extension keeps for the workspace."""
        return self._stored("forge-read.forge-read")

    def _stored(self, key: str) -> str:
        self.page.evaluate(_LEAVE)
        state: str = self.page.evaluate(_KEPT, key)
        return state

    def until(self, look: Callable[[], Value], enough: Callable[[Value], bool], seconds: float = 30.0) -> Value:
        """What is seen once it is enough; the page continues meanwhile."""
        end = time.monotonic() + seconds
        while not enough(value := look()):
            assert time.monotonic() < end, f"still {value!r:.1000}"
            self.page.wait_for_timeout(50)
        return value
