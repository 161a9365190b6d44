"""The encodings that the viewer offers."""

import re

from forge_daemon.reading.texts.encodings.names import encoding_called
from tests.editors.vscode.code import EXTENSION
from tests.editors.vscode.code_server import Installation

_TABLE = (EXTENSION / "src/viewer/encodings.ts").read_text()
OFFERED = dict(re.findall(r'^  (\w+): "(.+)",$', _TABLE, re.MULTILINE))
_CALLED_OTHERWISE = {"koi8t": "koi8-t"}


def test_the_encodings_offered_are_those_of_vs_code(installation: Installation) -> None:
    workbench = (installation.server.parent / "vs/code/browser/workbench/workbench.js").read_text()
    table = workbench[workbench.index("utf8:{labelLong") :][:10_000]
    theirs = dict(re.findall(r'(\w+):\{labelLong:"([^"]+)"', table))
    del theirs["utf8bom"]  # offered for saving alone
    assert {name: OFFERED.get(name) for name in theirs} == theirs


def test_each_is_one_that_the_daemon_knows() -> None:
    assert len(OFFERED) > 40
    for name in OFFERED:
        assert encoding_called(_CALLED_OTHERWISE.get(name, name)).name
