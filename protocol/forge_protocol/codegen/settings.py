"""`protocol/SETTINGS.md`: the table of settings."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from forge_protocol.settings import Setting, SettingsFile, declared_settings
from forge_protocol.shapes import Reference

from .markdown import fill_in, shape_text, table
from .model import Field, Model

_TEMPLATE = Path(__file__).with_name("SETTINGS.template.md")


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


def settings_of(model: Model) -> list[Documented]:
    fields = dict(_fields(model, SettingsFile))
    return [Documented(setting, fields[setting.key]) for setting in declared_settings()]


def _fields(model: Model, message: type, key: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Field]]:
    for field in model.messages[message.__name__].fields:
        here = (*key, field.name)
        if isinstance(field.shape, Reference):
            yield from _fields(model, field.shape.message, here)
        else:
            yield here, field


def emit_settings(model: Model, notice: str) -> str:
    settings = table(
        ("setting", "type", "default", "applies to", "a workspace's `forge.toml`", "meaning"),
        (
            (
                f"`{each.key}`",
                shape_text(each.field.shape),
                each.built_in,
                each.setting.scope,
                each.setting.workspace.value,
                each.field.doc,
            )
            for each in settings_of(model)
        ),
    )
    return fill_in(_TEMPLATE, {"notice": notice, "settings": settings})
