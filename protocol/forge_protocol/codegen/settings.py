"""The table of settings: a part of documents that are otherwise written by hand."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from forge_protocol.settings import Setting, declared_settings

from .markdown import shape_text, table
from .model import Field, Model
from .shapes import Reference

README = "README.md"
NEOVIM_README = "editors/neovim/README.md"
VSCODE_README = "editors/vscode/README.md"

_REGION = re.compile(r"(<!-- settings: [^\n]*-->\n\n).*?(\n\n<!-- end of settings -->)", re.DOTALL)


class Documented(NamedTuple):
    """A setting with what its field says about it."""

    setting: Setting
    field: Field

    @property
    def key(self) -> str:
        return ".".join(self.setting.key)

    @property
    def built_in(self) -> str:
        value = self.setting.built_in
        return "none" if value in (None, []) else json.dumps(value)


class NoRegion(Exception):
    """A document without the place for its table of settings."""


def settings_of(model: Model) -> list[Documented]:
    fields = dict(_fields(model, "SettingsFile"))
    return [Documented(setting, fields[setting.key]) for setting in declared_settings()]


def _fields(model: Model, message: str, key: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Field]]:
    for field in model.messages[message].fields:
        here = (*key, field.name)
        if isinstance(field.shape, Reference):
            yield from _fields(model, field.shape.message, here)
        else:
            yield here, field


def settings_table(model: Model, prefix: str = "") -> str:
    return table(
        ("setting", "type", "default", "applies to", "a workspace's `forge.toml`", "meaning"),
        (
            (
                f"`{prefix}{each.key}`",
                shape_text(each.field.shape),
                each.built_in,
                each.setting.concerns,
                each.setting.workspace.value,
                each.field.doc,
            )
            for each in settings_of(model)
        ),
    )


def emit_settings(model: Model, root: Path) -> dict[str, str]:
    """The text of every document that has the table, with what is there now around it."""
    return {
        README: _with_table(root / README, settings_table(model)),
        NEOVIM_README: _with_table(root / NEOVIM_README, settings_table(model)),
        VSCODE_README: _with_table(root / VSCODE_README, settings_table(model, "forge.")),
    }


def _with_table(document: Path, text: str) -> str:
    before = document.read_text(encoding="utf-8")
    after, count = _REGION.subn(lambda region: region[1] + text + region[2], before)
    if count != 1:
        raise NoRegion(f"{document.name} has no place for the settings, or more than one: {_REGION.pattern}")
    return after
