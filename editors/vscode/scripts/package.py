"""Builds the extension's `.vsix`: `forge-read.vsix` for this machine, else `forge-read-TARGET.vsix`.

The target `all` stands for every platform, and a universal package for the platforms without one of their own.
"""

import argparse
import json
import re
import shutil
import subprocess
from pathlib import Path

from bundle_daemon import PLATFORMS, UNIVERSAL, bundle, this_platform

_EXTENSION = Path(__file__).resolve().parent.parent
_README = "dist/README.md"
_EVERY = (*PLATFORMS, UNIVERSAL)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", nargs="?", choices=(*_EVERY, "all"), metavar="TARGET")
    parser.add_argument("--out", type=Path, default=_EXTENSION, help="the folder to write to")
    arguments = parser.parse_args()
    target: str | None = arguments.target
    out: Path = arguments.out.resolve()
    if target is None:
        _package(this_platform(), out / "forge-read.vsix")
        return
    for each in _EVERY if target == "all" else (target,):
        _package(each, out / f"forge-read-{each}.vsix")


def _package(target: str, vsix: Path) -> None:
    bundle(target)
    platform = () if target == UNIVERSAL else ("--target", target)
    command = [shutil.which("npm") or "npm", "run", "--silent", "package", "--", *_readme(), *platform, "--out", vsix]
    subprocess.run(command, cwd=_EXTENSION, check=True, stdout=subprocess.DEVNULL)
    print(f"{vsix}: {vsix.stat().st_size / 1e6:.1f} MB")


def _readme() -> tuple[str, ...]:
    """VS Code shows no pictures in an extension's page but those from the web, which are where the repository is.

    Until there is one that package.json could name, the page has none; the walkthrough shows them.
    """
    if "repository" in json.loads((_EXTENSION / "package.json").read_text(encoding="utf-8")):
        return ()
    text = (_EXTENSION / "README.md").read_text(encoding="utf-8")
    (_EXTENSION / _README).parent.mkdir(exist_ok=True)
    (_EXTENSION / _README).write_text(re.sub(r"^!\[[^\n]*\n\n", "", text, flags=re.MULTILINE), encoding="utf-8")
    return ("--no-rewrite-relative-links", "--readme-path", _README)


if __name__ == "__main__":
    main()
