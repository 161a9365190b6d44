"""The viewer's page without VS Code: the test is the extension, and answers when and in what order it likes."""

import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Route

from .code import EXTENSION

_ORIGIN = "http://viewer.test"
_HOST = """() => {
  window.posted = [];
  window.acquireVsCodeApi = () => ({
    postMessage: message => window.posted.push(message),
    getState: () => undefined,
    setState: () => {},
  });
}"""
_SETTLED = """() => new Promise(done =>
  setTimeout(() => requestAnimationFrame(() => setTimeout(done)), 400))"""  # typing settles within that
_PATIENCE_SECONDS = 20
_OPENED = {
    "name": "server.log",
    "place": {"top": 1, "line": 1, "column": 0, "left": 0},
    "tabSize": 4,
    "bookmarks": [],
    "labels": [],
    "follow": "manual",
    "history": [],
    "filterHistory": [],
    "chips": [],
    "gapSeconds": 0,
}
Message = dict[str, Any]


class PageAlone:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.showing = 0
        """The view that the page was last told of."""
        page.add_init_script(f"({_HOST})()")
        page.route(f"{_ORIGIN}/**", self._serve)
        page.goto(f"{_ORIGIN}/")

    def tell(self, kind: str, /, **message: Any) -> None:
        """What the extension sends."""
        self.page.evaluate("message => window.postMessage(message, '*')", {"type": kind, **message})

    def open(self, lines: int, showing: int = 1, **settings: Any) -> None:
        self.showing = showing
        self.tell("opened", **{**_OPENED, **settings}, showing=showing, total={"lines": lines, "exact": True})

    def show(self, showing: int, lines: int, *, of: int, line: int = 1) -> None:
        """Other lines than before, by a filter."""
        self.showing = showing
        total = {"lines": lines, "exact": True}
        self.tell("showing", showing=showing, kind="filtered", total=total, fileLines=of, line=line)

    def answer(self, request: Message, numbers: Sequence[int], length: int = 20) -> None:
        texts = [f"line {number} ".ljust(length, "x") for number in numbers]
        rows = [
            {"number": number, "text": text, "spans": [], "length": length, "open": False}
            for number, text in zip(numbers, texts, strict=True)
        ]
        self.tell("rows", request=request["request"], showing=self.showing, rows=rows)

    def answer_all(self, numbers: Sequence[int], length: int = 20) -> None:
        """All rows that are asked for until the page is satisfied: lines of these numbers and so many characters."""
        answered = 0
        self.settle()
        while len(requests := self.sent("rows")) > answered:
            for request in requests[answered:]:
                first = request["first"] - 1
                self.answer(request, numbers[first : first + request["count"]], length)
            answered = len(requests)
            self.settle()

    def asked(self, kind: str, count: int = 1) -> Message:
        """The last message of a kind that was sent to the extension, once there are so many of it."""
        end = time.monotonic() + _PATIENCE_SECONDS
        while len(messages := self.sent(kind)) < count:
            assert time.monotonic() < end, f"there are {len(messages)} of {kind}"
            self.page.wait_for_timeout(20)
        return messages[-1]

    def sent(self, kind: str) -> list[Message]:
        messages: list[Message] = self.page.evaluate("kind => posted.filter(({type}) => type === kind)", kind)
        return messages

    def settle(self) -> None:
        """Everything that was sent has been dealt with, and drawn."""
        self.page.evaluate(_SETTLED)

    def _serve(self, route: Route) -> None:
        path = route.request.url.removeprefix(_ORIGIN)
        if path == "/":
            command = ["node", f"{EXTENSION}/dist-test/page.js", _ORIGIN]
            page = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            route.fulfill(body=page, content_type="text/html")
        else:
            route.fulfill(path=Path(f"{EXTENSION}{path}"))
