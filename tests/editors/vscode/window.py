"""What a person does in a window of VS Code."""

from playwright.sync_api import Error, Locator, Page

_LINES = """() => [...document.querySelectorAll('.editor-instance .view-lines .view-line')]
  .sort((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top))
  .map(line => line.textContent.replace(/\\u00a0/g, ' '))"""
_ATTEMPTS = 30
_PATIENCE_MS = 1500


class Window:
    def __init__(self, page: Page) -> None:
        self.page = page

    def open(self, url: str) -> None:
        self.page.goto(url)
        self.page.locator(".monaco-workbench .part.statusbar").wait_for(timeout=60_000)

    @property
    def input(self) -> Locator:
        """The palette's and every other quick input's."""
        return self.page.locator(".quick-input-widget input.input")

    def run(self, command: str) -> None:
        """Run a command from the palette, by its title."""
        self.choose(command)
        self.page.keyboard.press("Enter")

    def choose(self, command: str) -> None:
        """Have it ready in the palette, which lists the commands known when it was opened."""
        row = self.page.locator(".quick-input-list .monaco-list-row", has_text=command).first
        for _ in range(_ATTEMPTS):
            self.page.keyboard.press("F1")
            try:
                self.input.fill(f">{command}", timeout=_PATIENCE_MS)
                row.wait_for(timeout=_PATIENCE_MS)
            except Error:
                self.page.keyboard.press("Escape")
            else:
                return
        raise AssertionError(f"the palette does not offer {command!r}")

    def answer(self, prompt: str, text: str) -> None:
        """Fill in what a command asks for."""
        self.page.locator(".quick-input-widget", has_text=prompt).wait_for()
        self.input.fill(text)
        self.page.keyboard.press("Enter")

    def open_file(self, path: str) -> None:
        """Through quick open."""
        self.page.keyboard.press("Control+P")
        self.input.wait_for()
        self.input.fill(path)
        self.page.locator(".quick-input-list .monaco-list-row").first.wait_for()
        self.page.keyboard.press("Enter")

    def lines(self) -> list[str]:
        """The text of the editor, as far as it is visible."""
        lines: list[str] = self.page.evaluate(_LINES)
        return lines

    def notification(self, text: str) -> Locator:
        return self.page.locator(".notification-list-item", has_text=text).first

    def status(self, text: str) -> Locator:
        return self.page.locator(".statusbar-item", has_text=text).first
