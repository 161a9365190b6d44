"""Whatever happens in whatever order, each answer agrees with a simple model of the workspace."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from tests.hostile.conftest import Figure
from tests.hostile.scale import FUZZ, scaled
from tests.lsp.raw_client import RawClient, folder_item

STEPS_IN_A_RUN = 50
RUNS = scaled(8, 220)

FOLDERS = ("one", "two")
NAMES = st.sampled_from(["a", "b", "c", "d/a"])
FOLDER = st.sampled_from(FOLDERS)
TEXTS = st.one_of(
    st.sampled_from(["", "\n", "x", "one\ntwo\n", "one\r\ntwo", "é日😀\n" * 3, "line\n" * 500, "x" * 100_000]),
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20),
)
LINES = st.integers(1, 6)


class Workspace(RuleBasedStateMachine):
    """The model: what each path of each folder is, what is open in the editor, and what is denied."""

    client: RawClient
    steps = 0

    def __init__(self) -> None:
        super().__init__()
        self.base = Path(os.path.realpath(tempfile.mkdtemp()))
        self.files: dict[Path, bytes | Path] = {}
        """Contents, or where a link leads."""
        self.documents: dict[Path, tuple[int, str]] = {}
        self.open: list[str] = []
        self.denied: set[str] = set()
        self.version = 0

    @initialize()
    def make_folders(self) -> None:
        for folder in FOLDERS:
            (self.base / folder / "d").mkdir(parents=True)
        (self.base / "outside").write_text("SECRET")
        self.open_folder("one")

    def teardown(self) -> None:
        for path in list(self.documents):
            self.close_document(path)
        for folder in list(self.open):
            self.close_folder(folder)
        self._settings([])
        shutil.rmtree(self.base)

    # What happens on disk ------------------------------------------------------------------------

    @rule(folder=FOLDER, name=NAMES, text=TEXTS)
    def write(self, folder: str, name: str, text: str) -> None:
        path = self._path(folder, name)
        if not isinstance(self.files.get(path), Path):
            path.write_bytes(text.encode())
            self.files[path] = text.encode()

    @rule(folder=FOLDER, name=NAMES, text=TEXTS)
    def replace(self, folder: str, name: str, text: str) -> None:
        path = self._path(folder, name)
        if self._is_link_of_a_document(path):
            return
        new = self.base / "new"
        new.write_bytes(text.encode())
        new.rename(path)
        self.files[path] = text.encode()

    @rule(folder=FOLDER, name=NAMES, other=NAMES)
    def rename(self, folder: str, name: str, other: str) -> None:
        source, target = self._path(folder, name), self._path(folder, other)
        if isinstance(self.files.get(source), Path) and source.parent != target.parent:
            return  # a relative link leads elsewhere from there
        if source in self.files and source != target and not any(map(self._is_way_of_a_document, (source, target))):
            source.rename(target)
            self.files[target] = self.files.pop(source)

    @rule(folder=FOLDER, name=NAMES)
    def remove(self, folder: str, name: str) -> None:
        path = self._path(folder, name)
        if not self._is_link_of_a_document(path):
            path.unlink(missing_ok=True)
            self.files.pop(path, None)

    @rule(folder=FOLDER, name=NAMES, size=st.integers(0, 12))
    def truncate(self, folder: str, name: str, size: int) -> None:
        path = self._path(folder, name)
        content = self.files.get(path)
        if isinstance(content, bytes) and len(content) >= size:
            os.truncate(path, size)
            self.files[path] = content[:size]

    @rule(folder=FOLDER, name=NAMES, text=TEXTS)
    def append(self, folder: str, name: str, text: str) -> None:
        path = self._path(folder, name)
        content = self.files.get(path)
        if isinstance(content, bytes) and len(content) < 1_000_000:
            with path.open("ab") as file:
                file.write(text.encode())
            self.files[path] = content + text.encode()

    @rule(folder=FOLDER, name=NAMES, there=FOLDER, towards=st.one_of(NAMES, st.just("../outside")))
    def link(self, folder: str, name: str, there: str, towards: str) -> None:
        path, leads_to = self._path(folder, name), Path(os.path.normpath(self.base / there / towards))
        if self._is_way_of_a_document(path):
            return
        path.unlink(missing_ok=True)
        path.symlink_to(os.path.relpath(leads_to, path.parent))
        self.files[path] = leads_to

    # What happens in the editor ------------------------------------------------------------------

    @rule(folder=FOLDER)
    def open_folder(self, folder: str) -> None:
        if folder not in self.open:
            self.client.change_folders(added=(folder_item(self.base / folder),))
            self.open.append(folder)

    @rule(folder=FOLDER)
    def close_folder(self, folder: str) -> None:
        if folder in self.open:
            self.client.change_folders(removed=(folder_item(self.base / folder),))
            self.open.remove(folder)

    @rule(folder=FOLDER, name=NAMES, text=TEXTS)
    def open_document(self, folder: str, name: str, text: str) -> None:
        path = self._path(folder, name)
        if path not in self.documents:
            self.version += 1
            self.client.open(path, text, self.version)
            self.documents[path] = (self.version, text)

    @rule(data=st.data(), text=TEXTS)
    def change_document(self, data: st.DataObject, text: str) -> None:
        if self.documents:
            path = data.draw(st.sampled_from(sorted(self.documents)))
            self.version += 1
            document = {"uri": path.as_uri(), "version": self.version}
            self.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
            self.documents[path] = (self.version, text)

    @rule(data=st.data())
    def close_some_document(self, data: st.DataObject) -> None:
        if self.documents:
            self.close_document(data.draw(st.sampled_from(sorted(self.documents))))

    def close_document(self, path: Path) -> None:
        self.client.close(path)
        del self.documents[path]

    @rule(names=st.lists(st.sampled_from(["b", "c"]), unique=True))
    def deny(self, names: list[str]) -> None:
        self._settings(names)

    @rule()
    def clear_the_cache(self) -> None:
        assert "result" in self.client.command("forge.cache.clear", {})

    # What is asked -------------------------------------------------------------------------------

    @rule(
        folder=FOLDER, name=NAMES, source=st.sampled_from(["auto", "auto", "disk", "buffer"]), first=LINES, limit=LINES
    )
    def read(self, folder: str, name: str, source: str, first: int, limit: int) -> None:
        params = {"path": str(self._path(folder, name)), "source": source, "start_line": first, "limit": limit}
        self._check(self.client.request("forge/readFile", params), folder, name, source, first, limit)

    @rule(asked=st.lists(st.tuples(FOLDER, NAMES), min_size=1, max_size=5))
    def read_many(self, asked: list[tuple[str, str]]) -> None:
        files = [{"path": str(self._path(*one)), "limit": 3} for one in asked]
        items = self.client.result("forge/readFiles", {"files": files})["results"]
        for item, (folder, name) in zip(items, asked, strict=True):
            answer = {"error": {"data": item["error"]}} if "error" in item else item
            self._check(answer, folder, name, "auto", 1, 3)

    @rule(folder=FOLDER, name=NAMES)
    def count(self, folder: str, name: str) -> None:
        answer = self.client.request("forge/countLines", {"path": str(self._path(folder, name))})
        expected = self._expected(folder, name, "auto")
        if isinstance(expected, str):
            assert answer["error"]["data"]["code"] == expected
        else:
            assert answer["result"]["line_count"] == len(lines_of(expected))

    @rule(asked=st.lists(st.tuples(FOLDER, NAMES), min_size=1, max_size=8))
    def read_and_cancel(self, asked: list[tuple[str, str]]) -> None:
        ids = [
            self.client.start_request("forge/readFile", {"path": str(self._path(*one)), "limit": 3}) for one in asked
        ]
        for msg_id in ids:
            self.client.notify("$/cancelRequest", {"id": msg_id})
        answers = [self.client.answer_to(msg_id) for msg_id in ids]  # all: none is left to the next run
        for answer, (folder, name) in zip(answers, asked, strict=True):
            if answer.get("error", {}).get("code") != -32800:
                self._check(answer, folder, name, "auto", 1, 3)

    @invariant()
    def nothing_is_left_unanswered(self) -> None:
        type(self).steps += 1
        assert self.client.answers_set_aside() == []

    # The model -----------------------------------------------------------------------------------

    def _path(self, folder: str, name: str) -> Path:
        return self.base / folder / name

    def _is_way_of_a_document(self, path: Path) -> bool:
        """Where an open document leads is looked up once: the model leaves its way alone."""
        return any(path in self._way(document) for document in self.documents)

    def _is_link_of_a_document(self, path: Path) -> bool:
        return isinstance(self.files.get(path), Path) and self._is_way_of_a_document(path)

    def _settings(self, names: list[str]) -> None:
        policy = {"deny": [f"/{name}" for name in names]}
        self.client.notify("workspace/didChangeConfiguration", {"settings": {"forge": {"policy": policy}}})
        self.denied = set(names)

    def _check(self, answer: Any, folder: str, name: str, source: str, first: int, limit: int) -> None:
        expected = self._expected(folder, name, source)
        if isinstance(expected, str):
            assert answer["error"]["data"]["code"] == expected, answer
            return
        result = answer["result"]
        lines = lines_of(expected)
        assert result["content"] == "".join(lines[first - 1 : first - 1 + limit])
        assert result["meta"]["line_count"] == len(lines)
        assert result["meta"]["byte_length"] == len(expected)
        assert result["path"] == name

    def _expected(self, folder: str, name: str, source: str) -> bytes | str:
        """The bytes that are read, or the code of the refusal."""
        if folder not in self.open:
            return "SANDBOX_VIOLATION"
        if name in self.denied:
            return "POLICY_DENIED"
        path = self._path(folder, name)
        refusal, final = self._follow(path)
        document = self._document(path, final) if source != "disk" else None
        if document is not None and refusal in (None, "NOT_FOUND"):  # one that was never saved, perhaps
            return "POLICY_DENIED" if self._folder_and_name(final)[1] in self.denied else document.encode()
        if refusal is not None:
            return "NOT_FOUND" if refusal == "CIRCLE" else refusal
        content = self.files[final]
        assert isinstance(content, bytes)
        return "NOT_FOUND" if source == "buffer" else content

    def _follow(self, path: Path) -> tuple[str | None, Path]:
        for _ in range(10):
            there = self.files.get(path)
            if there is None:
                return "NOT_FOUND", path
            if isinstance(there, bytes):
                _, name = self._folder_and_name(path)
                return ("POLICY_DENIED" if name in self.denied else None), path
            path = there
            if self._folder_and_name(path)[0] not in self.open:
                return "SANDBOX_VIOLATION", path
        return "CIRCLE", path

    def _document(self, asked: Path, final: Path) -> str | None:
        """The one opened under the path asked for, else one that leads to the same file."""
        if asked in self.documents:
            return self.documents[asked][1]
        leading = [text for path, (_, text) in self.documents.items() if self._way(path)[-1] == final]
        return leading[0] if leading else None

    def _way(self, path: Path) -> list[Path]:
        """A path, and every path its links lead over."""
        way = [path]
        while isinstance(there := self.files.get(way[-1]), Path) and there not in way:
            way.append(there)
        return way

    def _folder_and_name(self, path: Path) -> tuple[str, str]:
        folder, _, name = str(path.relative_to(self.base)).partition("/")
        return folder, name


def lines_of(content: bytes) -> list[str]:
    text = content.removeprefix(b"\xef\xbb\xbf").decode(errors="replace").replace("\r\n", "\n")
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


@pytest.fixture
def client() -> Iterator[RawClient]:
    with RawClient() as client:
        client.initialize()
        yield client
        client.check_that_everything_was_answered_once()
        assert client.shut_down() == 0
        assert client.not_frames == b""


def test_every_answer_is_what_the_model_says(client: RawClient, figure: Figure) -> None:
    class OfThisClient(Workspace):
        steps = 0

    OfThisClient.client = client
    run_state_machine_as_test(
        OfThisClient,
        settings=settings(
            max_examples=RUNS,
            stateful_step_count=STEPS_IN_A_RUN,
            deadline=None,
            database=None,
            derandomize=not FUZZ,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
        ),
    )
    figure("steps of the state machine", "steps, each answer as the model says", OfThisClient.steps)
