"""Faulty settings, shown in the editor: as a diagnostic in the file, and as one message."""

import logging
import threading
from typing import Any

from lsprotocol import types

from forge_daemon.workspace.folder import folder_from_path
from forge_daemon.workspace.settings import Problem, SettingsStore, sentence

from .client import Client

logger = logging.getLogger(__name__)

_SEVERITIES = {
    "error": (types.DiagnosticSeverity.Error, types.MessageType.Error),
    "warning": (types.DiagnosticSeverity.Warning, types.MessageType.Warning),
}


class SettingsDiagnostics:
    """Remembers what is shown, so that nothing is reported twice and a fixed fault disappears."""

    def __init__(self, client: Client, settings: SettingsStore) -> None:
        self._client = client
        self._settings = settings
        self._updating = threading.Lock()
        self._shown: list[Problem] = []

    def update(self) -> None:
        """Called on workers, several at a time."""
        if self._settings.problems() != self._shown:
            with self._updating:
                self._update(self._settings.problems())

    def _update(self, problems: list[Problem]) -> None:
        # First: whoever asks while this is being sent must see that it will have been shown.
        before, self._shown = self._shown, problems
        if problems == before:
            return  # another worker was faster
        logger.info("settings read, problems: %d", len(problems))
        for path in {problem.path for problem in [*before, *problems]}:
            if path is not None:
                in_file = [_diagnostic(problem) for problem in problems if problem.path == path]
                self._client.publish_diagnostics(folder_from_path(path).uri, in_file)
        for problem in problems:
            if problem not in before:
                self._client.show(_SEVERITIES[problem.severity][1], f"forge-read: {sentence(problem)}")


def _diagnostic(problem: Problem) -> dict[str, Any]:
    line = (problem.line or 1) - 1
    return {
        "range": {"start": {"line": line, "character": 0}, "end": {"line": line + 1, "character": 0}},
        "severity": _SEVERITIES[problem.severity][0].value,
        "source": "forge-read",
        "message": ": ".join(part for part in (problem.key, problem.message) if part),
    }
