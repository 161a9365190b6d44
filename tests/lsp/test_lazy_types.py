"""lsprotocol's classes, built on first use, are the classes it would have built at once."""

import os
import subprocess
import sys

import pytest

from forge_daemon.server.lazy_types import SWITCH

pytestmark = pytest.mark.slow

DESCRIBE = """
from forge_daemon.server.lazy_types import import_types
import_types()
import attrs
from lsprotocol import converters, types
converter = converters.get_converter()
classes = {name: cls for name, cls in types.ALL_TYPES_MAP.items() if isinstance(cls, type) and attrs.has(cls)}
for name, cls in sorted(classes.items()):
    attrs.resolve_types(cls, types.ALL_TYPES_MAP, {})
    for field in attrs.fields(cls):
        print(name, field.name, field.type, field.default, field.kw_only, field.validator, field.eq, field.init)
    print(name, cls.__eq__ is object.__eq__, cls.__hash__ is None, cls.__match_args__)
"""
COUNT_BUILT = """
from forge_daemon.server.lazy_types import import_types
import_types()
import forge_daemon.server.server
from lsprotocol import types
built = [c for c in types.ALL_TYPES_MAP.values() if isinstance(c, type) and "__attrs_own_setattr__" in vars(c)]
print(len(built), types.Position(1, 2), types.Position(1, 2) == types.Position(1, 2) < types.Position(2, 0))
"""


def run(program: str, **env: str) -> str:
    command = [sys.executable, "-c", program]
    environment = {**os.environ, **env}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=120).stdout


def without_addresses(text: str) -> list[str]:
    return [line.partition(" at 0x")[0] for line in text.splitlines()]


def test_every_class_is_the_same_as_when_it_is_built_at_once() -> None:
    lazily, at_once = run(DESCRIBE), run(DESCRIBE, **{SWITCH: "1"})
    assert len(at_once.splitlines()) > 1500
    assert without_addresses(lazily) == without_addresses(at_once)


def test_few_classes_are_built_before_they_are_needed_and_the_switch_builds_all() -> None:
    lazily, at_once = run(COUNT_BUILT), run(COUNT_BUILT, **{SWITCH: "1"})
    few, _, behaviour = lazily.partition(" ")
    everything, _, usual_behaviour = at_once.partition(" ")
    assert int(few) < 60 < 500 < int(everything)
    assert behaviour == usual_behaviour


@pytest.mark.parametrize(
    "change", ["del hooks._resolved_forward_references", "hooks._resolved_forward_references = None"]
)
def test_another_release_of_lsprotocol_is_imported_the_usual_way(change: str) -> None:
    script = f"""
import importlib.abc, sys
class Other(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name != "lsprotocol._hooks" or Other.done:
            return None
        Other.done = True
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        execute = spec.loader.exec_module
        def exec_module(hooks):
            execute(hooks)
            {change}
        spec.loader.exec_module = exec_module
        return spec
    done = False
sys.meta_path.insert(0, Other())
from forge_daemon.server.lazy_types import import_types
import_types()
assert Other.done
from lsprotocol import types
assert types.Position.__slots__, "built when it was imported"
"""
    subprocess.run([sys.executable, "-c", script], check=True)
