"""Faulty settings, shown in the editor: as a diagnostic in the file, and as one message."""

import logging

from lsprotocol import types

from forge_daemon.workspace.folder import folder_from_path
from forge_daemon.workspace.settings import Problem, SettingsStore, sentence

from .client import Client

logger = logging.getLogger(__name__)

_SEVERITIES = {
    "error": (types.DiagnosticSeverity.Error, types.MessageType.Error),
    "warning": (types.DiagnosticSeverity.Warning, types.MessageType.Warning),
    "information": (types.DiagnosticSeverity.Information, types.MessageType.Info),
}


class ProblemBoard:
    """Remembers what is shown, so that nothing is reported twice and a fixed fault disappears."""

    def __init__(self, client: Client, settings: SettingsStore) -> None:
        self._client = client
        self._settings = settings
        self._generation = -1
        self._shown: list[Problem] = []

    def update(self) -> None:
        if self._settings.generation == self._generation:
            return
        self._generation = self._settings.generation
        problems = self._settings.problems()
        logger.info("settings read, problems: %d", len(problems))
        for path in {problem.path for problem in [*self._shown, *problems]}:
            if path is not None:
                in_file = [_diagnostic(problem) for problem in problems if problem.path == path]
                self._client.publish_diagnostics(folder_from_path(path).uri, in_file)
        for problem in problems:
            if problem not in self._shown:
                self._say(problem)
        self._shown = problems

    def _say(self, problem: Problem) -> None:
        level = _SEVERITIES[problem.severity][1]
        say = self._client.log if problem.severity == "information" else self._client.show
        say(level, f"forge-read: {sentence(problem)}")


def _diagnostic(problem: Problem) -> types.Diagnostic:
    line = (problem.line or 1) - 1
    return types.Diagnostic(
        range=types.Range(types.Position(line, 0), types.Position(line + 1, 0)),
        severity=_SEVERITIES[problem.severity][0],
        source="forge-read",
        message=": ".join(part for part in (problem.key, problem.message) if part),
    )
