"""`forge/findFiles` over real trees."""

import os
import shutil
import sys
import sysconfig
from pathlib import Path

import pytest

from forge_daemon.reading.files.document import Document
from forge_daemon.requests import tree_search
from forge_daemon.requests.find_files import find_files
from forge_daemon.workspace.reader import Reader
from forge_protocol.errors import ErrorCode, ReadError
from forge_protocol.find import FindMatch
from forge_protocol.find_files import FindFilesParams, FoundFile, SkippedFiles
from tests.requests.trees import git, git_grep, lines_of, make_packages, search, search_pages, write_files
from tests.workspace.readers import reader_of
from tests.workspace.workspaces import folder

REPOSITORY = Path(__file__).parents[2]
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names, or no such links")
NOTHING = SkippedFiles(binary=0, denied=0, too_large=0, unreadable=0, ignored=0)
ALL = 10_000


def everything(reader: Reader, pattern: str, **params: object) -> list[tuple[str, int]]:
    return lines_of(*search_pages(reader, pattern, max_matches=ALL, max_matches_per_file=ALL, **params))


class TestAsGitGrep:
    @needs_git
    @pytest.mark.parametrize(
        ("pattern", "params", "options"),
        [
            ("require", {}, ["-F"]),
            ("REQUIRE(", {"ignore_case": True}, ["-F", "-i"]),
            ("^module.*[0-9];$", {"regex": True}, ["-E"]),
            ("pkg", {"whole_word": True}, ["-F", "-w"]),
            ("üben", {}, ["-F"]),
        ],
    )
    def test_a_tree_of_packages(
        self, reader: Reader, root: Path, pattern: str, params: dict[str, bool], options: list[str]
    ) -> None:
        make_packages(root, 200)
        expected = git_grep(root, "--no-index", *options, "-e", pattern)
        if pattern.endswith("$"):  # git takes the `\r` of a line for a part of it
            expected = everything(reader, pattern.replace("$", r"\r?$"), **params)
        assert everything(reader, pattern, **params) == expected
        assert expected

    @needs_git
    @pytest.mark.slow
    def test_a_thousand_files(self, reader: Reader, root: Path) -> None:
        make_packages(root)
        assert everything(reader, "require") == git_grep(root, "--no-index", "-F", "-e", "require")

    @needs_git
    @pytest.mark.slow
    @pytest.mark.skipif(not (REPOSITORY / ".git").exists(), reason="not in a clone")
    @pytest.mark.parametrize("pattern", ["def test_", "import", "é"])
    def test_this_repository(self, pattern: str) -> None:
        tracked = set(git(REPOSITORY, "ls-files").splitlines())
        found = [line for line in everything(reader_of(folder(REPOSITORY)), pattern) if line[0] in tracked]
        assert found == git_grep(REPOSITORY, "-F", "-e", pattern)

    @needs_git
    @pytest.mark.slow
    def test_the_standard_library(self) -> None:
        library = Path(sysconfig.get_path("stdlib"))
        reader = reader_of(folder(library))
        expected = git_grep(library, "--no-index", "-F", "-e", "import os", "--", "*.py", ":!site-packages")
        found = everything(reader, "import os", glob="*.py")
        assert [line for line in found if not line[0].startswith("site-packages/")] == expected

    @needs_git
    def test_nested_ignore_files(self, reader: Reader, root: Path) -> None:
        write_files(
            root,
            {
                ".gitignore": "*.log\n!keep.log\n/build/\n**/cache/*\n!**/cache/kept\n# comment\n[z-a]\n",
                "sub/.gitignore": "!debug.log\nlocal*\n/only-here\n",
                "sub/deep/.gitignore": "*\n!*.py\n",
            },
        )
        names = ["a.log", "keep.log", "build/x", "sub/build/x", "cache/a", "cache/kept", "sub/debug.log"]
        names += ["sub/local.txt", "sub/only-here", "sub/x/only-here", "sub/deep/a.py", "sub/deep/a.txt"]
        names += ["-.txt", "a-b/x", "a/x", "a.b", "ä.txt", ".hidden/x", "a.log/x"]
        for name in names:
            if name != "a.log":
                write_files(root, {name: "word\n"})
        git(root, "init", "-q")
        write_files(root, {".git/info/exclude": "excluded\n", "excluded": "word\n"})
        expected = sorted(git(root, "ls-files", "-co", "--exclude-standard").splitlines())
        found = [path for path, _ in everything(reader, "word")]
        assert found == [path for path in expected if not path.endswith(".gitignore")]


def test_matches_are_told_with_their_columns(reader: Reader, root: Path) -> None:
    write_files(root, {"b.txt": "no\nä word, word\n", "a/c.txt": "word"})
    answer = search(reader, "word")
    assert answer.files == [
        FoundFile(
            path="a/c.txt",
            workspace_folder="ws",
            matches=[FindMatch(line=1, start_column=1, end_column=4, content="word")],
            more=0,
        ),
        FoundFile(
            path="b.txt",
            workspace_folder="ws",
            matches=[FindMatch(line=2, start_column=3, end_column=6, content="ä word, word")],
            more=0,
        ),
    ]
    assert (answer.searched_files, answer.skipped, answer.next_cursor) == (2, NOTHING, None)


@pytest.mark.parametrize("path", [None, "n", "n/odd", "zz"])
@pytest.mark.parametrize("page", [1, 2, 7, 50])
def test_pages_hold_each_match_once(reader: Reader, root: Path, page: int, path: str | None) -> None:
    for below in ("n/odd", "zz"):
        (root / below).mkdir(parents=True)
        make_packages(root / below, 20)
    expected = everything(reader, "require", path=path)
    pages = list(search_pages(reader, "require", max_matches=page, path=path))
    assert expected
    assert lines_of(*pages) == expected
    assert all(sum(len(file.matches) for file in each.files) <= page for each in pages)
    assert sum(each.skipped.binary for each in pages) == search(reader, "require", path=path).skipped.binary


def test_a_file_with_many_matches_says_how_many_more_there_are(reader: Reader, root: Path) -> None:
    write_files(root, {"a.txt": "word\n" * 30, "b.txt": "word\n"})
    answer = search(reader, "word", max_matches_per_file=20)
    assert [(len(file.matches), file.more) for file in answer.files] == [(20, 10), (1, 0)]
    assert answer.next_cursor is None


def test_without_time_for_everything_an_answer_says_how_to_continue(
    reader: Reader, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_packages(root, 40)
    expected = everything(reader, "require")
    monkeypatch.setattr(tree_search, "MAX_SECONDS", 0.0)
    pages = list(search_pages(reader, "require"))
    assert len(pages) > 10
    assert lines_of(*pages) == expected


def test_what_is_not_searched_is_counted(reader: Reader, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_search, "MAX_FILE_BYTES", 10_000)
    key = "-----BEGIN PRIVATE KEY-----\nword\n-----END PRIVATE KEY-----\n"
    write_files(
        root,
        {
            ".env": "word\n",
            ".gitignore": "ignored*\n",
            ".hg/x": "word\n",
            "binary": b"word\0",
            "ignored/x": "word\n",
            "ignored.txt": "word\n",
            "key.txt": key,
            "large": "word\n" * 3000,
            "packed.gz": b"\x1f\x8b\x08word",
            "utf16": "word\n".encode("utf-16"),
        },
    )
    answer = search(reader, "word")
    assert [file.path for file in answer.files] == ["utf16"]
    assert answer.skipped == SkippedFiles(binary=2, denied=2, too_large=1, unreadable=0, ignored=2)
    assert answer.searched_files == 2


def test_a_file_that_is_denied_for_what_it_holds_is_counted_whatever_is_searched_for(
    reader: Reader, root: Path
) -> None:
    key = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYD\n-----END PRIVATE KEY-----\n"
    write_files(root, {"key.txt": key, "a/.npmrc": "//host/:_authToken=abc\n", "b": "word\n"})
    answers = [search(reader, pattern) for pattern in ("MC4C", "abc", "nothing like this")]
    assert [(len(each.files), each.skipped.denied, each.searched_files) for each in answers] == [(0, 2, 1)] * 3


def test_a_folder_that_is_named_is_searched_even_if_it_is_ignored(reader: Reader, root: Path) -> None:
    write_files(root, {".gitignore": "build\n*.o\n", "build/a/x.txt": "word\n", "build/a/.gitignore": "y\n"})
    write_files(root, {"build/a/y": "word\n", "src/a.o": "word\n", "src/b": "word\n"})
    assert lines_of(search(reader, "word", path="build")) == [("build/a/x.txt", 1)]
    assert lines_of(search(reader, "word", path="build/a")) == [("build/a/x.txt", 1)]
    assert lines_of(search(reader, "word", path="src")) == [("src/b", 1)]


@pytest.mark.parametrize(
    ("glob", "found"),
    [
        ("*.py", ["a.py", "src/b.py", "src/sub/c.py"]),
        ("/*.py", ["a.py"]),
        ("src/*.py", ["src/b.py"]),
        ("src/**/*.py", ["src/b.py", "src/sub/c.py"]),
        ("**/*.{py,txt}", ["a.py", "src/b.py", "src/d.txt", "src/sub/c.py"]),
        ("s?c/{b.{py,x},d.*}", ["src/b.py", "src/d.txt"]),
        ("src/**", ["src/b.py", "src/d.txt", "src/sub/c.py"]),
        ("s*/**", ["src/b.py", "src/d.txt", "src/sub/c.py"]),
        ("**", ["a.py", "src/b.py", "src/d.txt", "src/sub/c.py"]),
        ("none", []),
    ],
)
def test_a_glob_selects_files_by_their_path(reader: Reader, root: Path, glob: str, found: list[str]) -> None:
    write_files(root, dict.fromkeys(["a.py", "src/b.py", "src/sub/c.py", "src/d.txt"], "word\n"))
    assert [path for path, _ in lines_of(search(reader, "word", glob=glob))] == found


def test_a_path_may_be_a_file(reader: Reader, root: Path) -> None:
    write_files(root, {"a.txt": "word\n" * 5, "b.txt": "word\n"})
    pages = list(search_pages(reader, "word", path="a.txt", max_matches=2))
    assert lines_of(*pages) == [("a.txt", line) for line in range(1, 6)]


def test_unsaved_text_is_searched(reader: Reader, root: Path) -> None:
    write_files(root, {"a.txt": "saved\n"})
    reader.documents.put(f"{root}/a.txt", Document("edited\n", 2))
    assert lines_of(search(reader, "edited")) == [("a.txt", 1)]
    assert lines_of(search(reader, "saved")) == []


def test_all_folders_are_searched_each_file_once(tmp_path: Path) -> None:
    base = tmp_path.resolve()
    write_files(base, {"api/x": "word\n", "web/x": "word\n", "web/inner/y": "word\n"})
    reader = reader_of(folder(base / "web"), folder(base / "api"), folder(base / "web/inner"))
    found = [(file.workspace_folder, file.path) for file in search(reader, "word").files]
    assert found == [("web", "inner/y"), ("web", "x"), ("api", "x")]
    pages = search_pages(reader, "word", max_matches=1)
    assert [(file.workspace_folder, file.path) for page in pages for file in page.files] == found
    assert lines_of(search(reader, "word", workspace_folder="api")) == [("x", 1)]


@needs_posix
def test_links_are_not_followed_but_for_the_folder_that_is_named(reader: Reader, root: Path, tmp_path: Path) -> None:
    write_files(tmp_path, {"outside/secret": "word\n"})
    write_files(root, {"real/a.txt": "word\n", "real/.env": "word\n"})
    for name, target in {"in": "real", "out": str(tmp_path / "outside"), "loop": ".", "file": "real/a.txt"}.items():
        (root / name).symlink_to(target)
    assert lines_of(search(reader, "word")) == [("real/a.txt", 1)]
    assert lines_of(search(reader, "word", path="in")) == [("in/a.txt", 1)]
    with pytest.raises(ReadError) as caught:
        search(reader, "word", path="out")
    assert caught.value.code is ErrorCode.SANDBOX_VIOLATION


@needs_posix
def test_names_with_odd_characters(reader: Reader, root: Path) -> None:
    for name in ("new\nline", "tab\t", "\U0001f600", "q\"'", "a b", "-", "*", "back\\slash"):
        (root / name).write_text("word\n")
    (Path(os.fsdecode(os.fsencode(root) + b"/\xff\xfe"))).write_text("word\n")
    answer = search(reader, "word")
    assert [file.path for file in answer.files] == sorted(
        ["new\nline", "tab\t", "\U0001f600", "q\"'", "a b", "-", "*", "back\\slash"]
    )
    assert answer.skipped.unreadable == 1


def test_a_search_can_be_cancelled(reader: Reader, root: Path) -> None:
    make_packages(root, 40)

    def cancel(_done: int, _total: int) -> None:
        raise ReadError(ErrorCode.CANCELLED, "cancelled")

    with pytest.raises(ReadError) as caught:
        find_files(reader, FindFilesParams(pattern="require"), cancel)
    assert caught.value.code is ErrorCode.CANCELLED


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"pattern": "("}, None),
        ({"pattern": "(", "regex": True}, ErrorCode.INVALID_ARGUMENT),
        ({"pattern": "x", "path": "missing"}, ErrorCode.NOT_FOUND),
        ({"pattern": "x", "path": ".ssh"}, ErrorCode.POLICY_DENIED),
        ({"pattern": "x", "path": "../other"}, ErrorCode.SANDBOX_VIOLATION),
        ({"pattern": "x", "workspace_folder": "other"}, ErrorCode.INVALID_ARGUMENT),
        ({"pattern": "x", "glob": "!x"}, ErrorCode.INVALID_ARGUMENT),
        ({"pattern": "x", "glob": "{a,b}" * 9}, ErrorCode.INVALID_ARGUMENT),
        ({"pattern": "x", "cursor": "nonsense"}, ErrorCode.INVALID_ARGUMENT),
        ({"pattern": "x", "cursor": "é"}, ErrorCode.INVALID_ARGUMENT),
    ],
)
def test_a_search_is_refused_like_a_read(
    reader: Reader, root: Path, params: dict[str, object], code: ErrorCode | None
) -> None:
    write_files(root, {"a.txt": "(\n", ".ssh/config": "x\n"})
    refused = None
    try:
        find_files(reader, FindFilesParams(**params), lambda *_: None)  # type: ignore[arg-type]
    except ReadError as error:
        refused = error.code
    assert refused == code


def test_a_cursor_belongs_to_its_request(reader: Reader, root: Path) -> None:
    write_files(root, {"a.txt": "word\nword\n"})
    cursor = search(reader, "word", max_matches=1).next_cursor
    with pytest.raises(ReadError, match="other parameters"):
        search(reader, "other", cursor=cursor)
    assert lines_of(search(reader, "word", cursor=cursor)) == [("a.txt", 2)]
