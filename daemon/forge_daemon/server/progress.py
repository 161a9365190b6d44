"""Work-done progress, sent only for work that turns out to take long."""

import asyncio
from typing import Any

from lsprotocol import types

from .client import Client, ProgressToken


class ProgressReport:
    """Uses the request's own token, or creates one at the client, without delaying the request."""

    def __init__(self, client: Client, token: ProgressToken | None, title: str) -> None:
        self._client = client
        self._token = token
        self._title = title
        self._begun = False
        self._asked_for_token = False
        self._task = asyncio.current_task()

    def show(self, done: int, total: int) -> None:
        if self._token is None and not self._create():
            return
        if not self._begun:
            self._begin()
        percentage = min(100, 100 * done // total) if total else 0
        message = f"{done / 1e6:,.0f} of {total / 1e6:,.0f} MB" if total else None
        self._send(types.WorkDoneProgressReport(cancellable=True, message=message, percentage=percentage))

    def end(self) -> None:
        if self._begun and self._token is not None:
            self._send(types.WorkDoneProgressEnd())
            self._client.stoppable.pop(self._token, None)

    def _create(self) -> bool:
        """Whether the client has accepted our own token by now."""
        if not self._client.capabilities.work_done_progress:
            return False
        if not self._asked_for_token:
            self._asked_for_token = True
            token = self._client.new_token()
            self._client.ask(
                types.WINDOW_WORK_DONE_PROGRESS_CREATE,
                types.WorkDoneProgressCreateParams(token=token),
                lambda _: self._use(token),
            )
        return self._token is not None

    def _use(self, token: ProgressToken) -> None:
        self._token = token

    def _begin(self) -> None:
        self._begun = True
        if self._task is not None and self._token is not None:
            self._client.stoppable[self._token] = self._task.cancel
        self._send(types.WorkDoneProgressBegin(title=self._title, cancellable=True, percentage=0))

    def _send(self, value: Any) -> None:
        if self._token is not None:
            self._client.report_progress(self._token, value)
