"""The files that are read: modules of Python's standard library as they are, and what projects have beside code."""

import base64
import json
import os
import shutil
import sysconfig
import zipfile
from pathlib import Path

from tests.bench.files import Files

MODULES = ("argparse.py", "ast.py", "this.py", "textwrap.py", "typing.py", "turtle.py", "bisect.py", "keyword.py")
SMALL_MODULES = ("this.py", "keyword.py", "bisect.py", "colorsys.py", "opcode.py", "sre_parse.py")
_REPOSITORY = Path(__file__).parents[3]


def make_workplace(folder: Path, logs: Files) -> Path:
    """Lays everything out in a folder; what is there already is made anew."""
    shutil.rmtree(folder, ignore_errors=True)
    library = Path(sysconfig.get_path("stdlib"))
    (folder / "lib").mkdir(parents=True)
    for name in {*MODULES, *SMALL_MODULES}:
        shutil.copyfile(library / name, folder / "lib" / name)
    shutil.copytree(library / "json", folder / "lib" / "json", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copyfile(_REPOSITORY / "pyproject.toml", folder / "pyproject.toml")
    shutil.copyfile(_REPOSITORY / "editors" / "vscode" / "tsconfig.json", folder / "tsconfig.json")
    shutil.copyfile(_REPOSITORY / "protocol" / "forge.schema.json", folder / "forge.schema.json")
    picture = _REPOSITORY / "editors" / "vscode" / "media" / "viewer.png"
    with zipfile.ZipFile(folder / "lib.zip", "w") as archive:
        for name in SMALL_MODULES:
            archive.write(library / name, name)
    (folder / "analysis.ipynb").write_text(_notebook(picture.read_bytes()))
    source = (library / "turtle.py").read_text()
    (folder / "bundle.min.js").write_text(json.dumps(source * 36))
    (folder / "empty.txt").write_text("")
    (folder / ".env").write_text("API_KEY=do-not-tell\n")
    (folder / "table.csv").write_text(
        "id,name,amount\n" + "".join(f"{row},customer {row % 977},{row * 37 % 10007}\n" for row in range(1, 20001))
    )
    os.link(logs.log(128 * 1024 * 1024), folder / "server.log")
    return folder


def _notebook(picture: bytes) -> str:
    def cell(source: str, outputs: list[object]) -> dict[str, object]:
        return {
            "cell_type": "code",
            "execution_count": 1,
            "metadata": {},
            "outputs": outputs,
            "source": source.splitlines(keepends=True),
        }

    image = {"data": {"image/png": base64.b64encode(picture).decode()}, "output_type": "display_data", "metadata": {}}
    cells = [
        cell("import pandas as pd\nframe = pd.read_csv('table.csv')\n", []),
        cell("frame.groupby('name').amount.sum().plot()\n", [image]),
        cell("print(frame.amount.describe())\n", []),
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)
