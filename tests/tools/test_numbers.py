"""The numbers in the names of these tests are those that README.md explains."""

import re
from pathlib import Path

HERE = Path(__file__).parent


def test_every_number_is_explained_and_every_explained_number_has_its_tests() -> None:
    rows = re.findall(r"^\| ([A-Z][A-Z-]*[ -]\S+) \|.*\| `(\S+)` \|$", (HERE / "README.md").read_text(), re.MULTILINE)
    explained = {(re.sub(r"\W+", "_", number), file) for number, file in rows}
    tested = {
        (number, path.name)
        for path in HERE.glob("test_*.py")
        for number in re.findall(r"def test_((?:N?FR|T|B)(?:_RD)?(?:_SEC)?(?:_\d\d?(?!\d))+)", path.read_text())
    }
    assert explained == tested
