"""Faults of the real system calls of the real process, injected by strace."""

import errno
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from forge_protocol.errors import ErrorCode
from tests.hostile.conftest import Figure
from tests.hostile.scale import FUZZ
from tests.hostile.test_faults import BY_ERRNO, ERRNOS
from tests.lsp import raw_client
from tests.lsp.raw_client import RawClient, folder_item

READS = 40
# How a plain file is read. Not close: strace fails a call by not making it, and then it is not closed.
CALLS = {"openat": errno.EINTR, "fstat": errno.ESTALE, "pread64": errno.EIO}
FAULTS = [
    pytest.param(call, number, id=f"{call} {errno.errorcode[number]}")
    for call, usual in CALLS.items()
    for number in (ERRNOS if FUZZ else [usual])
]


@pytest.fixture(scope="module")
def strace() -> str:
    path = shutil.which("strace")
    if sys.platform != "linux" or path is None:
        pytest.skip("strace is not installed")
    tried = subprocess.run([path, "-e", "trace=none", "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"strace cannot trace here: {tried.stderr.strip()}")
    return path


@pytest.mark.parametrize(("call", "number"), FAULTS)
def test_every_eleventh_call_fails_and_every_request_is_answered(
    strace: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, figure: Figure, call: str, number: int
) -> None:
    file = tmp_path.resolve() / "file"
    file.write_text("text\n")
    traced = "fstat,newfstatat" if call == "fstat" else call
    inject = [f"inject={name}:error={errno.errorcode[number]}:when=1+11" for name in traced.split(",")]
    options = ["-f", "-qq", "-o", os.devnull, "-P", str(file), "-P", "file", "-e", f"trace={traced}"]
    for fault in inject:
        options += ["-e", fault]
    monkeypatch.setattr(raw_client, "SERVE", [strace, *options, *raw_client.SERVE])
    with RawClient() as client:
        client.initialize(workspaceFolders=[folder_item(tmp_path.resolve())])
        seen: Counter[str] = Counter()
        descriptors = set()
        for _ in range(READS):
            answer = client.request("forge/readFile", {"path": "file"})
            seen[answer["error"]["data"]["code"] if "error" in answer else answer["result"]["content"]] += 1
            descriptors.add(len(os.listdir(f"/proc/{traced_process(client)}/fd")))
        assert client.shut_down() == 0
        client.check_that_everything_was_answered_once()
    # Python tries again what was interrupted.
    made_good = number == errno.EINTR
    right = set() if made_good else BY_ERRNO.get(number, {ErrorCode.INTERNAL})
    assert seen.keys() - right == {"text\n"}
    assert len(seen) > 1 or made_good
    assert len(descriptors) == 1
    figure("faults injected by strace", "kinds of fault, every request answered rightly", 1)


def traced_process(client: RawClient) -> int:
    tracer = client.process.pid
    return int(Path(f"/proc/{tracer}/task/{tracer}/children").read_text().split()[0])
