"""The large-file viewer in a window: what a person sees of it and does in it."""

from contextlib import suppress
from typing import NamedTuple

from playwright.sync_api import Error, FloatRect, FrameLocator, Locator, expect

from .window import Window

_ATTEMPTS = 5
_PATIENCE_MS = 10_000
_ROWS = """rows => [...rows.querySelectorAll('.row')].map(row => [
  Number(row.querySelector('.number').textContent.replaceAll(',', '')), row.querySelector('.text').textContent])"""


_MARKS = """(canvas, across) => {
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d').getImageData(Math.floor(across * width), 0, 1, height);
  return [...Array(height).keys()].filter(y => data[4 * y + 3] > 0).map(y => y / height);
}"""


class Row(NamedTuple):
    number: int
    text: str


class Viewer:
    def __init__(self, window: Window) -> None:
        self.window = window
        self.page = window.page

    @property
    def frame(self) -> FrameLocator:
        return self.page.frame_locator("iframe.webview.ready").frame_locator("#active-frame")

    def in_explorer(self, name: str) -> Locator:
        return self.page.locator(".explorer-folders-view .monaco-list-row", has_text=name)

    def choose(self, name: str, action: str = "Open in Forge Viewer") -> None:
        """In the explorer's context menu."""
        self.window.status("Forge").wait_for()
        for _ in range(_ATTEMPTS):
            self.in_explorer(name).first.click(button="right")
            with suppress(Error):
                self.choose_in_menu(action)
                self.page.locator(".tab.active", has_text=name).wait_for(timeout=_PATIENCE_MS)
                return
            self.page.keyboard.press("Escape")
        raise AssertionError(f"{name} does not open")

    def open(self, name: str) -> None:
        self.choose(name)
        self.wait_for_rows(name)
        expect(self.part("#rows")).to_be_focused()  # or a key would be for the explorer

    def wait_for_rows(self, name: str) -> None:
        self.page.locator(".tab.active", has_text=name).wait_for()
        self.frame.locator(f'#rows[aria-label="{name}"]').wait_for()
        self.frame.locator(".row .content > span").first.wait_for()

    def close(self) -> None:
        """By the palette, which goes away unasked when a viewer takes the focus."""
        for _ in range(_ATTEMPTS):
            self.window.run("View: Close All Editors")
            with suppress(Error):
                self.page.locator(".tab").first.wait_for(state="detached", timeout=5000)
                return
        raise AssertionError("the viewers do not close")

    def part(self, selector: str) -> Locator:
        return self.frame.locator(selector)

    def box(self, selector: str) -> FloatRect:
        box = self.part(selector).bounding_box()
        assert box, f"{selector} is not visible"
        return box

    def rows(self) -> list[Row]:
        """Once every visible number has its text."""
        return self.window.until(self._rows, lambda rows: bool(rows) and all(row.text for row in rows))

    def _rows(self) -> list[Row]:
        return [Row(number, text) for number, text in self.part("#rows").evaluate(_ROWS)]

    def current(self) -> int:
        """The line the keyboard acts on; 0 until its number is there."""
        number = self.part(".row.current .number").text_content() or "0"
        return int(number.replace(",", ""))

    def wait_until_current(self, line: int) -> None:
        self.part(f"#line-{line}.current .content > span").first.wait_for()

    def go_to(self, line: str) -> None:
        self.page.keyboard.press("Control+G")
        self.window.answer("Go to Line", line)

    def reopen_with(self, encoding: str, *, before: str, after: str) -> None:
        """By a click on the encoding in the status bar; named there before and after."""
        self.window.status(before).click()
        self.window.answer("Reopen with Encoding", encoding)
        self.window.status(after).wait_for()

    def drag_thumb_to(self, share: float) -> None:
        bar, thumb = self.part("#down").bounding_box(), self.part("#down .thumb").bounding_box()
        assert bar
        assert thumb
        x, middle = thumb["x"] + thumb["width"] / 2, thumb["y"] + thumb["height"] / 2
        target = bar["y"] + thumb["height"] / 2 + share * (bar["height"] - thumb["height"])
        self.page.mouse.move(x, middle)
        self.page.mouse.down()
        self.page.mouse.move(x, target, steps=10)
        self.page.mouse.up()

    def find(self, pattern: str) -> None:
        self.page.keyboard.press("Control+F")
        field = self.part("#find input")
        expect(field).to_be_focused()  # or the key's effect would come after what is typed
        field.fill(pattern)

    def choose_in_menu(self, label: str) -> None:
        """In a context menu, which takes no clicks when it has just come up."""
        entry = self.page.locator(".monaco-menu .action-label", has_text=label).first
        entry.wait_for(timeout=_PATIENCE_MS)
        while entry.is_visible():
            with suppress(Error):
                entry.click(timeout=_PATIENCE_MS)
                entry.wait_for(state="hidden", timeout=2000)

    def marks(self, across: float) -> list[float]:
        """How far down there are marks on the scrollbar, at a share of its width."""
        marks: list[float] = self.part("#down .marks").evaluate(_MARKS, across)
        return marks

    def clipboard(self) -> str:
        text: str = self.page.evaluate("navigator.clipboard.readText()")
        return text
