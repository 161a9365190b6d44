"""The README's pictures are played, with smaller logs, so that they can be drawn anew at any time."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from .picture import NO_BREAK_SPACE, SCENES, picture


@pytest.mark.parametrize("name", SCENES)
def test_a_picture_can_be_drawn_anew(name: str, binary: str, tmux: None, tmp_path: Path) -> None:
    drawn = ElementTree.fromstring(picture(name, binary, tmp_path.resolve(), size=1_000_000))
    text = "".join(drawn.itertext()).replace(NO_BREAK_SPACE, " ")
    assert "server.log" in text
    assert "2026-11-16 " in text
