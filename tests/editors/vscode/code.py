"""One VS Code: a server with a fresh profile, and windows onto it in a browser."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

from .code_server import Installation

REPOSITORY = Path(__file__).resolve().parents[3]
EXTENSION = REPOSITORY / "editors/vscode"
_READY_SECONDS = 30
_FLAGS = (
    "--without-connection-token",
    "--accept-server-license-terms",
    "--disable-telemetry",
    # The environment is the one given here, not that of a login shell.
    "--force-disable-user-env",
)
_NO_TRUST = "--disable-workspace-trust"
_DRIVER = "--enable-smoke-test-driver"
_SETTINGS = {
    "forge.interpreter": sys.executable,
    "workbench.startupEditor": "none",
    "telemetry.telemetryLevel": "off",
    "chat.disableAIFeatures": True,
    "extensions.ignoreRecommendations": True,
    "git.enabled": False,
    # On in the browser unless told otherwise, and nothing would stay unsaved.
    "files.autoSave": "off",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
}


class Code:
    """Starts VS Code's own server; a context manager."""

    def __init__(
        self,
        installation: Installation,
        *,
        extensions: Sequence[Path] = (),
        settings: Mapping[str, Any] | None = None,
        trust: bool = False,
        suite: bool = False,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """`trust`: the user is asked whether to trust a folder; without it every one is trusted.
        `suite`: for tests inside the extension host. Notifications are not shown then.
        """
        # Sockets lie beneath it, and their paths must be short.
        self.folder = Path(tempfile.mkdtemp(prefix="fc-"))
        self._port = _free_port()
        user = self.folder / "d/User"
        user.mkdir(parents=True)
        user.joinpath("settings.json").write_text(json.dumps({**_SETTINGS, **(settings or {})}))
        (self.folder / "x").mkdir()
        for extension in extensions:
            _install(extension, self.folder / "x")
        flags = [*_FLAGS, *(() if trust else (_NO_TRUST,)), *((_DRIVER,) if suite else ())]
        self._process = self._start(installation, flags, environment or {})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def pid(self) -> int:
        return self._process.pid

    def log(self) -> str:
        return (self.folder / "server.log").read_text(errors="replace")

    def url(self, folder: Path | None, **payload: str) -> str:
        """The address of a window. Paths in the payload are on the server."""
        where = f"folder={quote(str(folder))}" if folder and folder.is_dir() else f"workspace={quote(str(folder))}"
        if folder is None:
            where = "ew=true"
        items = [
            [key, f"vscode-remote://127.0.0.1:{self._port}{value}" if key.endswith("Path") else value]
            for key, value in {"skipWelcome": "true", **payload}.items()
        ]
        return f"http://127.0.0.1:{self._port}/?{where}&payload={quote(json.dumps(items))}"

    def _start(
        self, installation: Installation, flags: Sequence[str], environment: Mapping[str, str]
    ) -> "subprocess.Popen[bytes]":
        command = [
            *(str(installation.node), str(installation.server), *flags),
            *("--host", "127.0.0.1", "--port", str(self._port)),
            *("--server-data-dir", f"{self.folder}/s", "--user-data-dir", f"{self.folder}/d"),
            *("--extensions-dir", f"{self.folder}/x"),
        ]
        with (self.folder / "server.log").open("wb") as log:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, "EXTENSIONS_GALLERY": "{}", "XDG_RUNTIME_DIR": str(self.folder), **environment},
                start_new_session=True,
            )
        self._wait_until_ready(process)
        return process

    def _wait_until_ready(self, process: "subprocess.Popen[bytes]") -> None:
        end = time.monotonic() + _READY_SECONDS
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self._port}/version", timeout=2):
                    return
            except OSError:
                if process.poll() is not None or time.monotonic() > end:
                    raise RuntimeError(f"VS Code does not start:\n{self.log()}") from None
                time.sleep(0.05)


def _install(extension: Path, folder: Path) -> None:
    """From a `.vsix`, or from a folder."""
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        unpacked = Path(scratch) / "extension"
        if extension.is_dir():
            shutil.copytree(extension, unpacked)
        else:
            shutil.unpack_archive(extension, scratch, "zip")
        manifest = json.loads((unpacked / "package.json").read_text())
        shutil.move(unpacked, folder / f"{manifest['publisher']}.{manifest['name']}-{manifest['version']}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
