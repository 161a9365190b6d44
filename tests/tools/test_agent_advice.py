# ruff: noqa: RUF001 (texts of other languages)
"""Nothing misleads: what a model is told to try works, and what it means is understood."""

from pathlib import Path

import pytest

from forge_daemon.reading.texts.encoding_advice import likeliest
from forge_daemon.reading.texts.encodings.names import encoding_called
from forge_daemon.tools import ReadError
from tests.tools.agent_calls import Call, lines
from tests.tools.refusals import refusal

TEXTS = [
    ("Größe\nx", "windows-1252"),
    ('# Köln\nname = "Müller"', "windows-1252"),
    ("Le café est fermé à Noël.", "windows-1252"),
    ("// © 2019 Foo, Inc.", "windows-1252"),
    ("temp 20 °C", "windows-1252"),
    ("He said “hello” – it’s fine", "windows-1252"),
    ("Zażółć gęślą jaźń", "windows-1250"),
    ("Привет, мир! Это тест.", "koi8-r"),
    ("Привет, мир! Это тест.", "windows-1251"),
    ("你好，世界。這是一個測試。", "big5"),
    ("こんにちは世界。テストです。", "shift_jis"),
    ("안녕하세요 세계", "euc-kr"),
    ("こんにちは世界。テストです。", "euc-jp"),
    ("你好，世界。这是一个测试。", "gb18030"),
    ("Příliš žluťoučký kůň úpěl ďábelské ódy", "windows-1250"),
    ("Árvíztűrő tükörfúrógép", "windows-1250"),
    ("El niño comió piñas ¿verdad?", "windows-1252"),
    ("São Paulo não é longe", "windows-1252"),
    ("smörgåsbord på fjället", "windows-1252"),
    ("// Größe in µm\nint größe;", "windows-1252"),
    ("Straße Nr. 5, 10 € Aufpreis", "windows-1252"),
    ("Ошибка: файл не найден", "ibm866"),
    ("Καλημέρα κόσμε", "windows-1253"),
    ("مرحبا بالعالم", "windows-1256"),
    ("Dosya bulunamadı, işlem başarısız", "windows-1254"),
    ("错误：文件不存在", "gb18030"),
    ("파일을 찾을 수 없습니다", "euc-kr"),
    ("設定ファイルが見つかりません", "shift_jis"),
]


@pytest.mark.parametrize(("text", "encoding"), TEXTS, ids=lambda value: value.split("\n")[0])
def test_the_encoding_that_is_advised_reads_the_text_as_it_was_meant(
    call: Call, workspace: Path, text: str, encoding: str
) -> None:
    (workspace / "a.txt").write_bytes(text.encode(encoding_called(encoding).codec))
    advised = call("read", path="a.txt").split("\n")[0].rpartition("try encoding ")[2].rstrip("]")
    answer = call("read", path="a.txt", encoding=advised)
    assert [line.partition("\t")[2] for line in answer.split("\n")[1:]] == text.split("\n")


def test_no_encoding_is_advised_where_none_reads_it_as_words(call: Call, workspace: Path) -> None:
    (workspace / "a.txt").write_bytes("Größe, überall in UTF-8\n".encode() * 5 + b"broken \xc3(\n")
    assert call("read", path="a.txt").split("\n")[0] == "[a.txt 1-6/6 1 undecodable byte]"
    assert likeliest(bytes(range(128, 256)), is_whole=True) == ""


def test_the_bytes_that_cannot_be_read_decide_if_the_start_is_ascii(call: Call, workspace: Path) -> None:
    (workspace / "a.txt").write_bytes(lines(20_000).encode() + "Größe in Köln\n".encode("windows-1252"))
    assert call("read", path="a.txt", start_line=-1).split("\n")[0].endswith("try encoding windows-1252]")


class TestPaths:
    @pytest.mark.parametrize("path", ["/src/app.py", "src\\app.py", "\\src\\app.py", ".\\src\\app.py", "//src/app.py"])
    def test_a_path_with_other_separators_is_understood(self, call: Call, workspace: Path, path: str) -> None:
        (workspace / "src").mkdir()
        (workspace / "src" / "app.py").write_text("x\n")
        assert call("read", path=path) == "[src/app.py 1-1/1]\n1\tx"
        assert call("find", path=path, pattern="x") == "[src/app.py 1 matching line]\n1:\tx"
        assert call("read_many", files=[{"path": path}]).endswith("1\tx")

    @pytest.mark.parametrize("path", ["/src", "\\src", "src\\"])
    def test_a_folder_with_other_separators_is_understood(self, call: Call, workspace: Path, path: str) -> None:
        (workspace / "src").mkdir()
        (workspace / "src" / "app.py").write_text("x\n")
        assert call("read", path=path) == call("list", path=path) == "[src 1 file]\napp.py 2"
        assert call("find", path=path, pattern="x") == "[1 line in 1 of 1 file]\nsrc/app.py\n1:\tx"

    def test_names_like_it_are_suggested_for_it_too(self, call: Call, workspace: Path) -> None:
        (workspace / "src").mkdir()
        (workspace / "src" / "server.py").write_text("x\n")
        with pytest.raises(ReadError) as missing:
            call("read", path="/src/servr.py")
        assert missing.value.hint == "did you mean src/server.py?"

    def test_what_lies_outside_is_still_refused(self, call: Call) -> None:
        with pytest.raises(ReadError, match="leads out of every open workspace folder"):
            call("read", path="/etc/passwd")
        with pytest.raises(ReadError, match="does not exist"):
            call("read", path="..\\..\\etc\\passwd")

    def test_a_secret_is_denied_however_it_is_written(self, call: Call, workspace: Path) -> None:
        (workspace / "app").mkdir()
        (workspace / "app" / ".env").write_text("KEY=1\n")
        for path in ("app/.env", "/app/.env", "app\\.env"):
            assert refusal(call, "read", path=path).code == "POLICY_DENIED"

    def test_a_name_with_a_backslash_is_read_as_it_is(self, call: Call, workspace: Path) -> None:
        (workspace / "a\\b").write_text("x\n")
        assert call("read", path="a\\b") == "[a\\b 1-1/1]\n1\tx"


class TestRefusals:
    def test_an_unknown_argument_is_told_which_there_are(self, call: Call) -> None:
        for unknown in ({"offset": 5}, {"file_path": "a"}):
            error = refusal(call, "read", path="a", **unknown)
            assert next(iter(unknown)) in error.reason
            arguments = "path, start_line, end_line, limit, start_column, encoding, if_changed, rotated, wait"
            assert error.hint == f"read takes {arguments}"
        assert "find takes path, pattern, regex" in str(refusal(call, "find", path="a", query="x"))

    def test_a_denied_file_speaks_of_the_user_and_not_of_settings(self, call: Call, workspace: Path) -> None:
        (workspace / ".env").write_text("KEY=1\n")
        (workspace / "forge.toml").write_text('[policy]\ndeny = ["b.txt"]\n')
        (workspace / "b.txt").write_text("x\n")
        for path in (".env", "b.txt"):
            error = refusal(call, "read", path=path)
            assert error.hint == "only the user can allow it"
            assert "settings" not in str(error)
            assert "forge.toml" not in str(error)

    def test_the_text_of_an_error_has_the_hint(self, call: Call, workspace: Path) -> None:
        (workspace / "notes.txt").write_text("x\n")
        error = refusal(call, "read", path="note.txt")
        assert str(error) == "note.txt: does not exist; did you mean notes.txt?"


@pytest.mark.parametrize("pattern", ["[:alpha:]+", "x[^:digit:]", r"\[[:space:]", "[a][:alnum:]"])
def test_a_named_class_without_its_outer_brackets_says_how_it_is_written(
    call: Call, workspace: Path, pattern: str
) -> None:
    (workspace / "a.txt").write_text("alpha 1\n")
    error = refusal(lambda: call("find", path="a.txt", pattern=pattern, regex=True))
    assert "is a set of its letters" in error.reason
    assert error.hint is not None
    assert error.hint.startswith("write [[")


@pytest.mark.parametrize("pattern", ["[[:alpha:]]+", "[_[:alpha:]]", "[^[:digit:]]", r"[\]:a:]", "[]:alpha:]", "[:a]"])
def test_a_set_that_holds_colons_or_a_named_class_is_searched_for(call: Call, workspace: Path, pattern: str) -> None:
    (workspace / "a.txt").write_text("alpha 1\n")
    assert "1:\talpha 1" in call("find", path="a.txt", pattern=pattern, regex=True)


def test_a_literal_that_looks_like_a_named_class_is_searched_for(call: Call, workspace: Path) -> None:
    (workspace / "a.txt").write_text("tr [:upper:] x\n")
    assert "1:\ttr [:upper:] x" in call("find", path="a.txt", pattern="[:upper:]")


def test_only_what_would_match_in_the_part_that_is_searched_is_named(call: Call, workspace: Path) -> None:
    log = "2026-11-16 01:00:00 INFO Started\n2026-11-16 02:00:00 ERROR Stopped\n"
    (workspace / "a.log").write_text(log)
    assert call("find", path="a.log", pattern="started") == "[a.log no match; try ignore_case]"
    assert call("find", path="a.log", pattern="started", level="error") == "[a.log no match]"
    assert call("find", path="a.log", pattern="Started", until="2020-01-01") == "[a.log no match]"
    assert call("find", path="a.log", pattern="started", start_line=2) == "[a.log no match from line 2]"
