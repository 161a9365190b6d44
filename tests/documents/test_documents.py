"""Commands, links, paths and answers in the documents are checked against the program and the tree."""

import doctest
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from forge_daemon.cli import COMMANDS
from forge_daemon.tools import create_agent_toolkit
from tests.lsp.raw_client import RawClient

REPOSITORY = Path(__file__).parents[2]
ENGLISH = REPOSITORY / "README.md"
JAPANESE = REPOSITORY / "README.ja.md"
ARCHITECTURE = REPOSITORY / "daemon/ARCHITECTURE.md"
DOCUMENTS = [
    *REPOSITORY.glob("*.md"),
    *REPOSITORY.glob("editors/*/README.md"),
    *REPOSITORY.glob("tests/*/README.md"),
    *REPOSITORY.glob("protocol/*.md"),
    *REPOSITORY.glob("daemon/*.md"),
]
CODE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"\s+# .*")
LINK = re.compile(r"\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$|src=\"([^\"]+)\"", re.MULTILINE)


def code_blocks(document: Path, *languages: str) -> Iterator[str]:
    for language, code in CODE.findall(document.read_text(encoding="utf-8")):
        if not languages or language in languages:
            yield code


def prose(document: Path) -> str:
    return CODE.sub("", document.read_text(encoding="utf-8"))


def links(document: Path) -> list[str]:
    return ["".join(found) for found in LINK.findall(prose(document))]


class TestJapanese:
    """The Japanese README has the same sections, the same code and the same links as the English one."""

    def test_the_headings_are_of_the_same_kinds_in_the_same_order(self) -> None:
        def levels(document: Path) -> list[str]:
            return re.findall(r"^(#+) ", prose(document), re.MULTILINE)

        assert levels(JAPANESE) == levels(ENGLISH)

    def test_the_code_is_the_same_but_for_its_comments(self) -> None:
        assert [COMMENT.sub("", code) for code in code_blocks(JAPANESE)] == [
            COMMENT.sub("", code) for code in code_blocks(ENGLISH)
        ]

    def test_pictures_and_links_are_the_same(self) -> None:
        assert [link for link in links(JAPANESE) if link != "README.md"] == [
            link for link in links(ENGLISH) if link != "README.ja.md"
        ]

    def test_the_tables_have_the_same_rows(self) -> None:
        def rows(document: Path) -> list[tuple[int, list[str]]]:
            table = re.findall(r"^\|.*\|$", prose(document), re.MULTILINE)
            return [(row.count(" | "), re.findall(r"^\| `([^`]+)`", row)) for row in table]

        assert rows(JAPANESE) == rows(ENGLISH)

    def test_figures_are_the_same(self) -> None:
        def figures(document: Path) -> list[str]:
            return re.findall(r"\d[\d,.]*\d|\d", prose(document))

        assert sorted(figures(JAPANESE)) == sorted(figures(ENGLISH))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_no_chapter_is_there_twice(document: Path) -> None:
    chapters = [line for line in prose(document).splitlines() if line.startswith("## ")]
    assert sorted(set(chapters)) == sorted(chapters)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(REPOSITORY)))
def test_every_link_leads_to_a_file(document: Path) -> None:
    for link in links(document):
        if not re.match(r"[a-z]+:|#", link):
            assert (document.parent / link.partition("#")[0]).exists(), link


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(REPOSITORY)))
def test_every_test_named_exists(document: Path) -> None:
    for name in re.findall(r"`((?:tests/)?[\w/]*test_\w+\.py)`", prose(document)):
        assert (REPOSITORY / name).exists() or any((REPOSITORY / "tests").glob(f"*/{name}")), name


def _commands() -> list[str]:
    lines = "\n".join(code for document in DOCUMENTS for code in code_blocks(document, "sh")).splitlines()
    return [line for line in lines if line.startswith("forge-read ")]


@pytest.mark.parametrize("line", _commands())
def test_every_command_shown_is_one_that_is_taken(line: str) -> None:
    _, name, *words = shlex.split(line.partition("|")[0], comments=True)
    COMMANDS[name]().parse(words)  # raises for a word that is not known


def test_every_path_on_the_map_of_the_architecture_exists() -> None:
    (drawing,) = (code for code in code_blocks(ARCHITECTURE) if "forge_daemon/" in code)
    parents: list[str] = []
    for line in drawing.splitlines():
        names = COMMENT.sub("", line)
        depth = (len(names) - len(names.lstrip())) // 2
        for name in names.strip().split(", "):
            assert REPOSITORY.joinpath(*parents[:depth], name).exists(), name
        parents[depth:] = [names.strip()]


def test_every_make_target_named_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (REPOSITORY / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for document in DOCUMENTS:
        for words in re.findall(r"`(?:CI=true )?make ([a-z -]+)[^`]*`", prose(document)):
            assert set(words.split()) <= targets, document


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the examples are about."""
    folder = tmp_path / "path/to/workspace"
    folder.mkdir(parents=True)
    lines = (
        f"2026-11-16 08:{line // 60 % 60:02}:{line % 60:02} INFO request {line} served in {line % 97} ms\n"
        for line in range(1, 4022)
    )
    (folder / "server.log").write_text("".join(lines))
    monkeypatch.chdir(tmp_path)
    return folder


class TestExamples:
    """What a document shows as an answer is what a call gives; `…` stands for lines left out."""

    def shown(self, document: Path, header: str) -> tuple[str, str]:
        (code,) = (code for code in code_blocks(document) if code.startswith(header))
        beginning, _, end = code.partition("…\n")
        return beginning, end

    @pytest.mark.usefixtures("workspace")
    def test_the_python_session_of_the_readme_prints_what_it_shows(self) -> None:
        (session,) = code_blocks(ENGLISH, "python")
        example = doctest.DocTestParser().get_doctest(session, {}, "README.md", None, None)
        assert example.examples
        assert doctest.DocTestRunner().run(example).failed == 0

    def test_the_request_of_the_readme_has_the_result_it_shows(self, workspace: Path) -> None:
        request, shown = map(json.loads, code_blocks(ENGLISH, "json"))
        with RawClient() as client:
            client.initialize(workspace)
            result = client.result(request["method"], request["params"])
        assert shown.items() <= result.items()

    @pytest.mark.parametrize("document", [ENGLISH, REPOSITORY / "daemon/AGENTS.md"], ids=lambda path: path.name)
    def test_the_answer_for_an_agent_is_as_shown(self, document: Path, workspace: Path) -> None:
        arguments = {"path": "server.log", "start_line": 2000, "limit": 2}
        answer = create_agent_toolkit(workspace).call("read", arguments, toolset="agent")
        assert self.shown(document, "[server.log") == (f"{answer}\n", "")

    def test_the_answer_in_the_reference_is_as_shown(self, tmp_path: Path) -> None:
        (tmp_path / "src").mkdir()
        lines = ("def handle(request):" if line == 2061 else f"    step({line})" for line in range(1, 5001))
        (tmp_path / "src/server.py").write_text("".join(f"{line}\n" for line in lines))
        arguments = {"path": "src/server.py", "start_line": 2061}
        answer = create_agent_toolkit(tmp_path).call("read", arguments, toolset="agent")
        beginning, end = self.shown(REPOSITORY / "protocol/PROTOCOL.md", "[src/server.py")
        assert isinstance(answer, str)
        assert answer.startswith(beginning)
        assert f"{answer}\n".endswith(f"\n{end}")
