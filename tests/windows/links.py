"""Symbolic links under wine.

Wine makes none itself: `os.symlink` claims success and does nothing. It follows those that Linux made. So the tests,
under wine, ask a thread of the Linux process that started them to make one.
"""

import json
import os
import socket
import threading
from contextlib import suppress
from pathlib import PureWindowsPath
from typing import Any

from .windows_python import HOME


class Links:
    """Makes links for as long as it is entered. A request is a line of JSON, the answer a number: 0, or an error."""

    def __enter__(self) -> "Links":
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listening.accept()
                with connection, connection.makefile("rw", encoding="utf-8") as stream:
                    target, path = map(_on_linux, json.loads(stream.readline()))
                    try:
                        os.symlink(target, path)
                        stream.write("0\n")
                    except OSError as error:
                        stream.write(f"{error.errno}\n")


def symlink(port: int, target: Any, path: Any, _to_directory: bool = False) -> None:
    """What `os.symlink` should do under wine."""
    with (
        socket.create_connection(("127.0.0.1", port)) as connection,
        connection.makefile("rw", encoding="utf-8") as stream,
    ):
        stream.write(json.dumps([os.fspath(target), os.path.abspath(path)]) + "\n")
        stream.flush()
        if refused := int(stream.readline()):
            raise OSError(refused, os.strerror(refused), os.fspath(path))


def _on_linux(path: str) -> str:
    """What wine shows as a path on one of its drives."""
    given = PureWindowsPath(path)
    if not given.drive:
        return given.as_posix()
    drive = os.path.realpath(HOME / "prefix/dosdevices" / given.drive.lower())
    return os.path.join(drive, *given.parts[1:])
