"""Work-done progress, sent only for work that turns out to take long."""

from concurrent.futures import Future
from typing import Any

from lsprotocol import types

from forge_daemon.rpc.workers import Work

from .client import Client, ProgressToken


class ProgressReport:
    """Uses the request's own token, or creates one at the client, without delaying the request."""

    def __init__(self, client: Client, token: ProgressToken | None, title: str, work: Work) -> None:
        self._client = client
        self._token = token
        self._title = title
        self._work = work
        self._begun = False
        self._created: tuple[ProgressToken, Future[Any]] | None = None

    def show(self, done: int, total: int) -> None:
        if self._token is None and not self._create():
            return
        if not self._begun:
            self._begin()
        percentage = min(100, 100 * done // total) if total else 0
        value = {"kind": "report", "cancellable": True, "percentage": percentage}
        if total:
            value["message"] = f"{done / 1e6:,.0f} of {total / 1e6:,.0f} MB"
        self._send(value)

    def end(self) -> None:
        if self._begun and self._token is not None:
            self._send({"kind": "end"})
            self._client.stoppable.pop(self._token, None)

    def _create(self) -> bool:
        """Whether the client has accepted our own token by now."""
        if not self._client.capabilities.work_done_progress:
            return False
        if self._created is None:
            token = self._client.new_token()
            self._created = token, self._client.ask(types.WINDOW_WORK_DONE_PROGRESS_CREATE, {"token": token})
        token, answer = self._created
        if not answer.done() or answer.exception() is not None:
            return False
        self._token = token
        return True

    def _begin(self) -> None:
        self._begun = True
        if self._token is not None:
            self._client.stoppable[self._token] = self._work.stop
        self._send({"kind": "begin", "title": self._title, "cancellable": True, "percentage": 0})

    def _send(self, value: dict[str, Any]) -> None:
        if self._token is not None:
            self._client.report_progress(self._token, value)
