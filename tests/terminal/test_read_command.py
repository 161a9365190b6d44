"""`forge-read read`."""

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from forge_daemon.cli import main
from forge_daemon.terminal import standard_input
from tests.terminal.commands import (
    COMMAND,
    INTERRUPTED,
    PATIENCE,
    complaint,
    environment,
    environment_of_interrupted,
    piped,
    run,
    run_on_terminal,
)

FIVE = "alpha\nbeta\ngamma\ndelta\nepsilon\n"
MiB = 1024 * 1024


@pytest.fixture(autouse=True)
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "notes.txt"
    path.write_text(FIVE)
    return path


def printed(at: Path, *arguments: str) -> str:
    outcome = run("read", *arguments, at=at)
    assert (outcome.code, outcome.complaint) == (0, "")
    return outcome.output


class TestInAPipe:
    @pytest.mark.parametrize(
        ("selectors", "lines"),
        [
            ("", FIVE),
            ("--start-line 4", "delta\nepsilon\n"),
            ("--start-line 2 --end-line 3", "beta\ngamma\n"),
            ("--limit 1", "alpha\n"),
            ("--head 2", "alpha\nbeta\n"),
            ("--tail 2", "delta\nepsilon\n"),
            ("--around 3", FIVE),
            ("--start-line 9", ""),
        ],
    )
    def test_the_lines_asked_for_are_printed_plain(self, tmp_path: Path, selectors: str, lines: str) -> None:
        assert printed(tmp_path, "notes.txt", *selectors.split()) == lines

    def test_numbers_are_printed_where_asked_for(self, tmp_path: Path) -> None:
        assert printed(tmp_path, "notes.txt", "--tail", "2", "--line-numbers") == "4| delta\n5| epsilon\n"

    def test_colours_are_used_where_asked_for(self, tmp_path: Path) -> None:
        arguments = ("notes.txt", "--head", "1", "--line-numbers", "--color", "always")
        assert printed(tmp_path, *arguments) == "\x1b[2m1| \x1b[22malpha\n"

    def test_the_text_is_normalised_and_nothing_else(self, tmp_path: Path) -> None:
        (tmp_path / "odd").write_bytes(b"\xef\xbb\xbfone\r\n\x1b[31mtwo\xff\rtail")
        assert printed(tmp_path, "odd") == "one\n\x1b[31mtwo\ufffd\rtail"

    def test_the_text_is_utf8_whatever_the_locale(self, tmp_path: Path) -> None:
        (tmp_path / "text").write_text("日本語 é\n", encoding="utf-8")
        outcome = run("read", "text", at=tmp_path, LC_ALL="C", PYTHONCOERCECLOCALE="0", PYTHONUTF8="0")
        assert (outcome.code, outcome.output) == (0, "日本語 é\n")

    def test_names_and_patterns_are_utf8_whatever_the_locale(self, tmp_path: Path) -> None:
        (tmp_path / "geheim-ü").mkdir()
        (tmp_path / "geheim-ü/a").write_text("secret\n")
        (tmp_path / "日本").write_text("text\n")
        (tmp_path / "forge.toml").write_text('[policy]\ndeny = ["geheim-ü/"]\n', encoding="utf-8")
        no_utf8 = {"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
        assert run("read", "日本", at=tmp_path, **no_utf8).output == "text\n"
        denied = run("read", "geheim-ü/a", at=tmp_path, **no_utf8)
        assert denied.output == ""
        assert "geheim-ü/" in denied.complaint

    def test_an_empty_file_prints_nothing(self, tmp_path: Path) -> None:
        (tmp_path / "empty").touch()
        assert printed(tmp_path, "empty") == ""

    @pytest.mark.slow
    def test_a_large_file_is_printed_page_by_page_in_bounded_memory(self, tmp_path: Path) -> None:
        line = b"0123456789abcdef" * 4 + b"\n"
        content = line * (64 * MiB // len(line))
        (tmp_path / "large").write_bytes(content)
        command = f"ulimit -d {len(content) // 1024} && exec '{COMMAND[0]}' -m forge_daemon read large"
        done = subprocess.run(command, shell=True, cwd=tmp_path, env=environment(), capture_output=True)
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout == content

    def test_numbers_run_on_from_page_to_page_and_a_long_line_has_one(self, tmp_path: Path) -> None:
        long_line = "x" * (2 * MiB + 5)
        (tmp_path / "long").write_text(f"first\n{long_line}\nlast\n")
        assert printed(tmp_path, "long", "--line-numbers") == f"1| first\n2| {long_line}\n3| last\n"

    def test_a_reader_that_closes_the_pipe_ends_it_quietly(self, tmp_path: Path) -> None:
        (tmp_path / "large").write_bytes(b"line\n" * MiB)
        command = [*COMMAND, "read", "large"]
        with subprocess.Popen(
            command, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as child:
            assert child.stdout is not None
            assert child.stderr is not None
            assert child.stdout.read(10) == b"line\nline\n"
            child.stdout.close()
            assert child.stderr.read() == b""
        assert child.returncode == 0

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
    def test_a_full_disk_is_not_taken_for_success(self, tmp_path: Path) -> None:
        with open("/dev/full", "wb") as full:
            done = subprocess.run(
                [*COMMAND, "read", "notes.txt"],
                cwd=tmp_path,
                env=environment(),
                stdout=full,
                stderr=subprocess.PIPE,
            )
        assert (done.returncode, complaint(done.stderr)) == (70, "forge-read: No space left on device\n")

    def test_a_closed_output_is_not_taken_for_success(self, tmp_path: Path) -> None:
        command = f"'{COMMAND[0]}' -m forge_daemon read notes.txt >&-"
        done = subprocess.run(command, shell=True, cwd=tmp_path, env=environment(), stderr=subprocess.PIPE)
        assert (done.returncode, done.stderr) == (70, b"forge-read: standard output is closed\n")

    def test_closed_messages_are_no_failure(self, tmp_path: Path) -> None:
        for arguments, code in (("read notes.txt", 0), ("read missing", 3)):
            command = f"'{COMMAND[0]}' -m forge_daemon {arguments} 2>&-"
            done = subprocess.run(command, shell=True, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE)
            assert (done.returncode, b"forge-read:" in done.stdout) == (code, False)

    def test_control_c_ends_it_by_the_signal(self, tmp_path: Path) -> None:
        (tmp_path / "large").write_bytes(b"line\n" * MiB)
        with subprocess.Popen(
            [*COMMAND, "read", "large"],
            cwd=tmp_path,
            env=environment_of_interrupted(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as child:
            assert child.stdout is not None
            assert child.stderr is not None
            child.stdout.read(1)
            child.send_signal(signal.SIGINT)
            assert child.wait(PATIENCE) == INTERRUPTED
            assert child.stderr.read() == b""

    @pytest.mark.parametrize("change", ["grows", "changes"])
    def test_a_file_that_grows_is_printed_to_its_end_and_one_that_changes_is_not_mixed(
        self, tmp_path: Path, change: str
    ) -> None:
        large = tmp_path / "large"
        large.write_bytes(b"line\n" * MiB)
        with subprocess.Popen(
            [*COMMAND, "read", "large"],
            cwd=tmp_path,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as child:
            assert child.stdout is not None
            assert child.stderr is not None
            child.stdout.read(1)
            with open(large, "ab" if change == "grows" else "r+b") as file:
                file.write(b"more\n")
            content = child.stdout.read()
            complaint = child.stderr.read().decode()
        if change == "grows":
            assert (child.returncode, complaint) == (0, "")
            assert b"l" + content == b"line\n" * MiB + b"more\n"
            return
        assert child.returncode == 10
        next_line = int(complaint.split("--start-line ")[1])
        assert content.count(b"\n") == next_line - 1


class TestOnATerminal:
    def test_lines_are_numbered_and_the_numbers_dimmed(self, tmp_path: Path) -> None:
        outcome = run_on_terminal("read", "notes.txt", "--tail", "1", at=tmp_path)
        assert (outcome.code, outcome.output) == (0, "\x1b[2m5| \x1b[22mepsilon\n")

    @pytest.mark.parametrize("change", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
    def test_colours_are_left_out_where_they_are_not_wanted(self, tmp_path: Path, change: dict[str, str]) -> None:
        assert run_on_terminal("read", "notes.txt", "--head", "1", at=tmp_path, **change).output == "1| alpha\n"

    def test_colours_and_numbers_can_be_declined(self, tmp_path: Path) -> None:
        arguments = ("read", "notes.txt", "--head", "1")
        assert run_on_terminal(*arguments, "--color", "never", at=tmp_path).output == "1| alpha\n"
        assert run_on_terminal(*arguments, "--no-line-numbers", at=tmp_path).output == "alpha\n"

    def test_malformed_text_is_reported_with_likely_encodings(self, tmp_path: Path) -> None:
        (tmp_path / "sjis").write_bytes("日本語のテキスト\n".encode("shift_jis"))
        read = ("read", "sjis", "--no-line-numbers")
        *_, malformed, advice, end = run_on_terminal(*read, at=tmp_path).output.split("\n")
        assert (malformed.endswith("shown as \ufffd"), end) == (True, "")
        assert advice.startswith("try --encoding shift_jis")
        assert run_on_terminal(*read, "--encoding", "shift_jis", at=tmp_path).output == "日本語のテキスト\n"
        assert run(*read, at=tmp_path).complaint == ""

    @pytest.mark.parametrize("option", ["--start-line", "--around"])
    def test_a_line_past_the_end_is_reported_with_the_number_of_lines(self, tmp_path: Path, option: str) -> None:
        outcome = run_on_terminal("read", "notes.txt", option, "5000", at=tmp_path)
        assert outcome.output == "forge-read: notes.txt: line 5,000 is past the end (5 lines)\n"
        assert run("read", "notes.txt", option, "5000", at=tmp_path) == (0, "", "")
        columns = run_on_terminal("read", "notes.txt", option, "1", "--limit", "1", "--columns", "900:5", at=tmp_path)
        assert "past the end" not in columns.output

    def test_control_characters_are_escaped(self, tmp_path: Path) -> None:
        (tmp_path / "hostile").write_text("\x1b]0;owned\x07\x9b31m\x7f\r\u202eabc\ttab\n")
        outcome = run_on_terminal("read", "hostile", "--no-line-numbers", at=tmp_path)
        assert outcome.output == "␛]0;owned␇<U+009B>31m␡␍<U+202E>abc\ttab\n"

    def test_the_colours_of_a_log_are_shown_and_end_with_their_line(self, tmp_path: Path) -> None:
        (tmp_path / "log").write_text("\x1b[1;31mred\x1b[K\n\x1b[0m\x1b[2Jplain\n")
        read = ("read", "log", "--no-line-numbers")
        assert run_on_terminal(*read, at=tmp_path).output == "\x1b[1;31mred\x1b[0m\n\x1b[0m␛[2Jplain\x1b[0m\n"
        assert run_on_terminal(*read, at=tmp_path, NO_COLOR="1").output == "red\n␛[2Jplain\n"

    @pytest.mark.parametrize("control", ["\x9b31m", "\u202e", "\u061c", "\x7f", "\u2066"])
    def test_control_characters_are_escaped_in_json(self, tmp_path: Path, control: str) -> None:
        (tmp_path / "file").write_text(f"a{control}b\n")
        shown = run_on_terminal("read", "file", "--json", at=tmp_path).output
        assert control not in shown
        assert json.loads(shown)["content"] == f"a{control}b\n"
        assert control not in run_on_terminal("read", "file", at=tmp_path).output

    def test_control_characters_in_a_file_name_are_escaped(self, tmp_path: Path) -> None:
        outcome = run_on_terminal("read", "\x1b[2Jx\ny", at=tmp_path)
        assert outcome.output == "forge-read: ␛[2Jx␊y: does not exist\n"

    def test_the_prompt_stands_on_a_line_of_its_own(self, tmp_path: Path) -> None:
        (tmp_path / "open").write_text("no newline")
        (tmp_path / "empty").touch()
        assert run_on_terminal("read", "open", "--no-line-numbers", at=tmp_path).output == "no newline\n"
        assert run_on_terminal("read", "empty", at=tmp_path).output == ""


class TestSeveralFiles:
    @pytest.fixture(autouse=True)
    def more(self, tmp_path: Path) -> None:
        (tmp_path / "more.txt").write_text("no newline")
        (tmp_path / "empty").touch()

    def test_headers_are_those_of_head(self, tmp_path: Path) -> None:
        assert printed(tmp_path, "notes.txt", "more.txt", "empty", "notes.txt", "--head", "1") == (
            "==> notes.txt <==\nalpha\n\n==> more.txt <==\nno newline\n==> empty <==\n\n==> notes.txt <==\nalpha\n"
        )

    def test_numbers_begin_anew_in_every_file(self, tmp_path: Path) -> None:
        assert printed(tmp_path, "notes.txt", "more.txt", "--tail", "1", "--line-numbers") == (
            "==> notes.txt <==\n5| epsilon\n\n==> more.txt <==\n1| no newline"
        )

    def test_json_is_one_answer_a_line(self, tmp_path: Path) -> None:
        answers = [json.loads(line) for line in printed(tmp_path, "more.txt", "empty", "--json").splitlines()]
        assert [(answer["path"], answer["content"]) for answer in answers] == [
            ("more.txt", "no newline"),
            ("empty", ""),
        ]

    def test_control_characters_in_headers_are_escaped_on_a_terminal(self, tmp_path: Path) -> None:
        (tmp_path / "\x1b[2Jx\ny").write_text("text\n")
        shown = run_on_terminal("read", "empty", "\x1b[2Jx\ny", "--no-line-numbers", at=tmp_path).output
        assert shown == "==> empty <==\n\n==> ␛[2Jx␊y <==\ntext\n"


class TestStandardInput:
    def test_standard_input_is_read_as_a_file(self, tmp_path: Path) -> None:
        assert piped(FIVE.encode(), "read", "-", at=tmp_path) == (0, FIVE)
        assert piped(FIVE.encode(), "read", "-", "--tail", "1", "-n", at=tmp_path) == (0, "5| epsilon\n")
        assert piped(gzip.compress(FIVE.encode()), "read", "-", "--filter", "beta", at=tmp_path) == (0, "beta\n")
        assert piped(FIVE.encode(), "count", "-", at=tmp_path) == (0, "5\n")

    def test_standard_input_has_a_header_among_several_files(self, tmp_path: Path) -> None:
        assert piped(b"text\n", "read", "-", "notes.txt", "--head", "1", at=tmp_path) == (
            0,
            "==> (standard input) <==\ntext\n\n==> notes.txt <==\nalpha\n",
        )

    def test_more_than_a_page_is_read_whole(self, tmp_path: Path) -> None:
        text = b"0123456789abcde\n" * (3 * MiB // 16)
        assert piped(text, "read", "-", at=tmp_path) == (0, text.decode())

    @pytest.fixture
    def temporary(self, tmp_path: Path) -> Path:
        temporary = tmp_path / "temporary"
        temporary.mkdir()
        return temporary

    @pytest.mark.parametrize(("command", "code"), [("read -", 8), ("read - --json", 0), ("count -", 8)])
    def test_the_temporary_file_of_standard_input_is_removed(self, temporary: Path, command: str, code: int) -> None:
        done = subprocess.run(
            [*COMMAND, *command.split()],
            env=environment(TMPDIR=str(temporary), TEMP=str(temporary), TMP=str(temporary)),
            input=b"\0",
            capture_output=True,
            timeout=PATIENCE,
        )
        assert (done.returncode, os.listdir(temporary)) == (code, [])

    @pytest.mark.skipif(sys.platform == "win32", reason="a process there is ended without a signal")
    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
    def test_the_temporary_file_of_standard_input_is_removed_when_a_signal_ends_the_command(
        self, temporary: Path, number: signal.Signals
    ) -> None:
        with subprocess.Popen(
            [*COMMAND, "read", "-"],
            env=environment_of_interrupted() | {"TMPDIR": str(temporary)},
            stdin=subprocess.PIPE,
        ) as child:
            assert child.stdin is not None
            child.stdin.write(b"text\n")
            child.stdin.flush()
            while not [*temporary.glob("*/*")]:
                assert child.poll() is None
                time.sleep(0.01)
            child.send_signal(number)
            assert child.wait(PATIENCE) == (143 if number == signal.SIGTERM else INTERRUPTED)
        assert os.listdir(temporary) == []

    def test_refusals_name_standard_input(self) -> None:
        done = subprocess.run([*COMMAND, "read", "-"], env=environment(), input=b"\0", capture_output=True)
        assert complaint(done.stderr).startswith("forge-read: (standard input): is a binary file\n")
        closed = subprocess.run(f"'{COMMAND[0]}' -m forge_daemon read - <&-", shell=True, capture_output=True)
        assert (closed.returncode, closed.stderr) == (3, b"forge-read: (standard input): is closed\n")

    @pytest.mark.skipif(sys.platform == "win32", reason="descriptors have no names")
    def test_more_than_the_limit_is_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(standard_input, "MAX_BYTES", 4)
        with (tmp_path / "notes.txt").open() as notes:
            name = f"/dev/fd/{notes.fileno()}"
            assert main(["read", name]) == 9
        assert capfd.readouterr().err == f"forge-read: {name}: is longer than 4 bytes\n"


class TestFileAndLine:
    @pytest.mark.parametrize("place", ["many:50", "many:50:7", "many:50:", "./many:50"])
    def test_the_lines_around_it_are_printed(self, tmp_path: Path, place: str) -> None:
        (tmp_path / "many").write_text("".join(f"{number}\n" for number in range(1, 100)))
        assert printed(tmp_path, place).split() == [str(number) for number in range(40, 61)]
        assert json.loads(printed(tmp_path, place, "--json"))["meta"]["start_line"] == 40

    @pytest.mark.parametrize("end", [("--limit", "2"), ("--end-line", "51")])
    def test_with_an_end_the_lines_from_it_on_are_printed(self, tmp_path: Path, end: tuple[str, str]) -> None:
        (tmp_path / "many").write_text("".join(f"{number}\n" for number in range(1, 100)))
        assert printed(tmp_path, "many:50", *end).split() == ["50", "51"]

    @pytest.mark.parametrize("name", ["none:3", "notes.txt:0", "notes.txt:x", "notes.txt:", ":3"])
    def test_a_name_without_a_valid_line_is_a_plain_name(self, tmp_path: Path, name: str) -> None:
        assert run("read", name, at=tmp_path).code == 3


class TestJson:
    def test_one_answer_of_the_protocol_is_printed(self, tmp_path: Path) -> None:
        answer = json.loads(printed(tmp_path, "notes.txt", "--start-line", "2", "--limit", "2", "--json"))
        assert (answer["path"], answer["workspace_folder"]) == ("notes.txt", tmp_path.name)
        assert (answer["content"], answer["meta"]["line_count"]) == ("beta\ngamma\n", 5)

    def test_a_cursor_goes_on_where_the_answer_before_stopped(self, tmp_path: Path) -> None:
        (tmp_path / "many").write_text("x\n" * 10_001)
        first = json.loads(printed(tmp_path, "many", "--json"))
        assert (first["meta"]["returned_line_count"], first["truncated_by"]) == (10_000, "lines")
        rest = json.loads(printed(tmp_path, "many", "--json", "--cursor", first["next_cursor"]))
        assert (rest["meta"]["start_line"], rest["content"]) == (10_001, "x\n")
        assert printed(tmp_path, "many", "--cursor", first["next_cursor"]) == "x\n"

    def test_selectors_and_numbers_apply(self, tmp_path: Path) -> None:
        (tmp_path / "many").write_text("x\n" * 99)
        around = json.loads(printed(tmp_path, "many", "--around", "50", "--json"))
        assert (around["meta"]["start_line"], around["meta"]["returned_line_count"]) == (40, 21)
        numbered = json.loads(printed(tmp_path, "many", "--head", "1", "--json", "--line-numbers"))
        assert numbered["content"] == "1| x\n"

    def test_a_binary_file_is_given_as_base64(self, tmp_path: Path) -> None:
        (tmp_path / "image.bin").write_bytes(b"\0\1\2")
        assert json.loads(printed(tmp_path, "image.bin", "--json"))["binary"]["data"] == "AAEC"


class TestWhichFile:
    def test_the_root_is_the_current_directory_for_a_file_beneath_it(self, tmp_path: Path) -> None:
        (tmp_path / "deep").mkdir()
        (tmp_path / "deep" / "file").write_text("deep\n")
        assert printed(tmp_path, "deep/file") == "deep\n"
        answer = json.loads(printed(tmp_path, str(tmp_path / "deep" / "file"), "--json"))
        assert (answer["path"], answer["workspace_folder"]) == ("deep/file", tmp_path.name)

    def test_the_root_is_the_directory_of_a_file_elsewhere(self, tmp_path: Path) -> None:
        (tmp_path / "here").mkdir()
        assert printed(tmp_path / "here", "../notes.txt") == FIVE
        answer = json.loads(printed(tmp_path / "here", "../notes.txt", "--json"))
        assert (answer["path"], answer["workspace_folder"]) == ("notes.txt", tmp_path.name)

    def test_a_name_is_taken_literally(self, tmp_path: Path) -> None:
        impossible_on_windows = ("file:notes.txt", "*.txt", "notes.txt:3")
        for name in ("~", "$HOME", "./-", *(impossible_on_windows if os.name != "nt" else ())):
            (tmp_path / name).write_text(name)
            assert printed(tmp_path, name) == name

    @pytest.mark.skipif(sys.platform != "linux", reason="file names are text elsewhere")
    def test_a_name_that_is_not_utf8_is_a_name_too(self, tmp_path: Path) -> None:
        name = os.fsdecode(b"caf\xe9")
        (tmp_path / name).write_text("coffee\n")
        assert printed(tmp_path, name) == "coffee\n"
        assert json.loads(printed(tmp_path, name, "--json"))["path"] == name

    def test_the_policy_of_the_folder_applies(self, tmp_path: Path) -> None:
        (tmp_path / "forge.toml").write_text('[policy]\ndeny = ["notes.txt"]\n')
        assert run("read", "notes.txt", at=tmp_path).code == 6

    @pytest.mark.parametrize("policy", ['deny = ["notes.txt"]', 'deny = "notes.txt"'])
    def test_your_own_settings_are_named_only_where_they_help(self, tmp_path: Path, policy: str) -> None:
        (tmp_path / "forge.toml").write_text(f"[policy]\n{policy}\n")
        settings = tmp_path / "home.toml"
        denied = run("read", "notes.txt", at=tmp_path, FORGE_READ_CONFIG=str(settings))
        assert denied.code == 6
        assert "forge.toml" in denied.complaint
        assert str(settings) not in denied.complaint

    def test_a_denied_file_can_be_allowed_as_the_message_says(self, tmp_path: Path) -> None:
        (tmp_path / ".env").write_text("TOKEN=1\n")
        settings = tmp_path / "home.toml"
        denied = run("read", ".env", at=tmp_path, FORGE_READ_CONFIG=str(settings))
        assert (denied.code, denied.output) == (6, "")
        assert 'add "/.env" to policy.allow' in denied.complaint
        assert str(settings) in denied.complaint
        settings.write_text('[policy]\nallow = ["/.env"]\n')
        assert run("read", ".env", at=tmp_path, FORGE_READ_CONFIG=str(settings)).output == "TOKEN=1\n"


LOG = """\
2026-11-18 14:03:59,120 INFO  [main] ready
2026-11-18 14:05:01,007 ERROR [worker-2] failed
java.lang.IllegalStateException: no connection
\tat a.B.c(B.java:12)
2026-11-18 14:06:10,450 WARN  [worker-1] slow
2026-11-18 14:07:10,450 INFO  [worker-1] fine
"""


@pytest.mark.parametrize(
    ("options", "numbers"),
    [
        (["--level", "error"], [2, 3, 4]),
        (["--level", "warning"], [2, 3, 4, 5]),
        (["--level", "WARN"], [2, 3, 4, 5]),
        (["--level", "err"], [2, 3, 4]),
        (["--since", "14:06"], [5, 6]),
        (["--until", "14:06", "--level", "info"], [1, 2, 3, 4]),
        (["--since", "-1000w", "--head", "1"], [1]),
        (["--filter", "connection", "--records"], [2, 3, 4]),
        (["--filter", "worker", "--filter", "INFO"], [6]),
        (["--filter", "worker", "--not", "slow", "--not", "fine"], [2]),
        (["--not", "^2026", "-E", "-B", "1"], [2, 3, 4]),
        (["--filter", "slow", "-C", "1"], [4, 5, 6]),
        (["--filter", "work", "-w"], []),
    ],
)
def test_lines_are_filtered_by_level_time_record_and_several_patterns(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], options: list[str], numbers: list[int]
) -> None:
    (tmp_path / "app.log").write_text(LOG)
    assert main(["read", str(tmp_path / "app.log"), "--line-numbers", *options]) == 0
    assert [int(line.split("|")[0]) for line in capfd.readouterr().out.splitlines()] == numbers
    main(["read", str(tmp_path / "app.log"), "--json", *options])
    assert json.loads(capfd.readouterr().out)["line_numbers"] == numbers


def test_a_wrong_pattern_is_reported_in_the_same_words_with_json(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "app.log").write_text(LOG)
    command = ["read", str(tmp_path / "app.log"), "--filter", ""]
    assert main(command) == main([*command, "--json"]) == 2
    plain, with_json = capfd.readouterr().err.splitlines()
    assert plain == with_json == "forge-read: pattern: must have 1 to 10,000 characters, got 0"


@pytest.mark.parametrize(
    ("options", "missing"),
    [
        (["--records"], "--records needs a filter"),
        (["-C1"], "--context needs a filter"),
        (["-w"], "--whole-word needs --filter"),
        (["-v", "--level", "error"], "--invert needs --filter"),
    ],
)
def test_an_option_that_concerns_filtered_lines_needs_a_filter(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], options: list[str], missing: str
) -> None:
    (tmp_path / "app.log").write_text(LOG)
    assert main(["read", str(tmp_path / "app.log"), *options]) == 2
    assert missing in capfd.readouterr().err


def test_a_pattern_may_begin_with_a_hyphen(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "flags").write_text("-x\n-y\n--z\n")
    assert main(["read", str(tmp_path / "flags"), "--filter", "-", "--not", "-y", "--not", "--z"]) == 0
    assert capfd.readouterr().out == "-x\n"
