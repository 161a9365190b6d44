"""`forge-read find`, and `forge-read read --filter`."""

import gzip
import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forge_daemon.cli import main
from forge_daemon.workspace import sandbox
from terminal.commands import COMMAND, INTERRUPTED, PATIENCE, Outcome, environment_of_interrupted, run, run_on_terminal

_SEQUENCE = re.compile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|[ -/]{1,16}[0-~]|[0-~]?)")
LOG = "start\nError one\nok\nok\nok\nerror two\nok\nerror three"
MiB = 1024 * 1024


@pytest.fixture(autouse=True)
def log(tmp_path: Path) -> Path:
    path = tmp_path / "app.log"
    path.write_text(LOG)
    return path


def found(at: Path, *arguments: str) -> str:
    outcome = run("find", *arguments, at=at)
    assert (outcome.code, outcome.complaint) == (0, "")
    return outcome.output


class TestWhatIsFound:
    def test_matching_lines_are_printed_plain_in_a_pipe(self, tmp_path: Path) -> None:
        assert found(tmp_path, "error", "app.log") == "error two\nerror three\n"
        assert found(tmp_path, "error", "app.log", "--ignore-case") == "Error one\nerror two\nerror three\n"
        assert found(tmp_path, "e.*r t", "app.log", "--regex") == "error two\nerror three\n"
        assert found(tmp_path, "--", "o", "app.log").count("\n") == 7

    def test_no_match_is_exit_code_1(self, tmp_path: Path) -> None:
        assert run("find", "nothing", "app.log", at=tmp_path) == Outcome(1, "", "")
        assert run("find", "nothing", "app.log", "--count", at=tmp_path) == Outcome(1, "0\n", "")

    def test_the_letters_of_grep_mean_what_they_mean_there(self, tmp_path: Path) -> None:
        assert found(tmp_path, "-ic", "ERROR", "app.log") == "3\n"
        assert found(tmp_path, "-nC1", "two", "app.log") == "5-ok\n6:error two\n7-ok\n"
        assert run("read", "app.log", "--filter", "O", "-iv", at=tmp_path).output == "start\n"

    def test_text_in_another_encoding_is_told_at_a_terminal(self, tmp_path: Path) -> None:
        (tmp_path / "sjis").write_bytes("日本語のテキスト error\n".encode("shift_jis"))
        *_, malformed, advice, _ = run_on_terminal("find", "error", "sjis", at=tmp_path).output.split("\n")
        assert malformed.endswith("shown as \ufffd")
        assert advice.startswith("try --encoding shift_jis")
        for options in ([], ["--count"]):
            *_, reason, advice, _ = run_on_terminal("find", "日本", "sjis", *options, at=tmp_path).output.split("\n")
            assert reason == "forge-read: sjis: no match, but its text is not valid UTF-8"
            assert advice.startswith("try --encoding shift_jis")
        assert run_on_terminal("find", "none", "sjis", at=tmp_path).output == ""
        assert run_on_terminal("find", "日本", "app.log", at=tmp_path).output == ""
        assert run("find", "日本", "sjis", at=tmp_path) == Outcome(1, "", "")

    def test_lines_are_counted(self, tmp_path: Path) -> None:
        assert found(tmp_path, "error", "app.log", "--count") == "2\n"
        assert found(tmp_path, "r+or", "app.log", "--count", "--regex", "--ignore-case") == "3\n"

    def test_numbers_are_printed_as_grep_prints_them(self, tmp_path: Path) -> None:
        assert found(tmp_path, "error", "app.log", "--line-numbers") == "6:error two\n8:error three\n"

    def test_context_is_printed_once_and_groups_are_kept_apart(self, tmp_path: Path) -> None:
        assert found(tmp_path, "error", "app.log", "--ignore-case", "--context", "1", "--line-numbers") == (
            "1-start\n2:Error one\n3-ok\n--\n5-ok\n6:error two\n7-ok\n8:error three\n"
        )

    def test_a_line_longer_than_a_page_is_printed_whole_and_numbered_once(self, tmp_path: Path) -> None:
        line = "x" * (2 * MiB) + "needle"
        (tmp_path / "long").write_text(f"first\n{line}\nlast\n")
        assert found(tmp_path, "needle", "long", "--line-numbers") == f"2:{line}\n"
        assert found(tmp_path, "needle", "long", "--count") == "1\n"

    @pytest.mark.parametrize("count", [(), ("--count",)])
    def test_refusals_have_the_exit_codes_of_read(self, tmp_path: Path, count: tuple[str, ...]) -> None:
        (tmp_path / ".env").write_text("TOKEN=1\n")
        (tmp_path / "binary").write_bytes(b"\0needle")
        (tmp_path / "packed.xz").write_bytes(b"\xfd7zXZ\0needle")
        for path, code in (("missing", 3), (".", 4), (".env", 6), ("binary", 8), ("packed.xz", 8)):
            outcome = run("find", "needle", path, *count, at=tmp_path)
            assert (outcome.code, outcome.output) == (code, ""), path
        bad = run("find", "(", "app.log", "--regex", *count, at=tmp_path)
        assert (bad.code, "not a regular expression" in bad.complaint) == (2, True)

    @pytest.mark.parametrize("command", [("find", "error"), ("find", "nothing"), ("read", "--filter", "error")])
    def test_a_damaged_file_is_searched_as_far_as_it_goes_and_the_reason_told(
        self, tmp_path: Path, command: tuple[str, ...]
    ) -> None:
        (tmp_path / "cut.gz").write_bytes(gzip.compress((LOG + "\n").encode())[:-6])
        outcome = run(*command, "cut.gz", at=tmp_path)
        assert outcome.output == ("" if "nothing" in command else "error two\nerror three\n")
        assert (outcome.code, "the gzip data ends early" in outcome.complaint) == (70, True)

    def test_a_line_too_long_for_an_expression_is_passed_over_and_named(self, tmp_path: Path) -> None:
        long = "x" * (5 * MiB)
        (tmp_path / "long").write_text(f"hit 1\nhit 2\n{long}\nno\nhit 3\n{long}hit 4")
        for options, expected in (((), "hit 1\nhit 2\nhit 3\n"), (("--count",), "3\n")):
            outcome = run("find", "--regex", r"^hit \d", "long", *options, at=tmp_path)
            assert (outcome.code, outcome.output) == (2, expected)
            assert [line.partition("; ")[2] for line in outcome.complaint.splitlines()] == ["it is passed over"] * 2
            assert ["line 3 is longer" in outcome.complaint, "line 6 is longer" in outcome.complaint] == [True, True]
        filtered = run("read", "--filter", r"^hit \d", "--regex", "long", at=tmp_path)
        assert (filtered.code, "forge-read find passes over such lines" in filtered.complaint) == (2, True)

    def test_no_context_is_what_there_is_without_the_option(self, tmp_path: Path) -> None:
        assert found(tmp_path, "error", "app.log", "--context", "0") == "error two\nerror three\n"

    def test_a_count_has_no_context(self, tmp_path: Path) -> None:
        assert run("find", "o", "app.log", "--count", "--context", "1", at=tmp_path).code == 2

    def test_text_is_searched_as_it_is_shown(self, tmp_path: Path) -> None:
        (tmp_path / "colours").write_text("\x1b[31mdisk\x1b[0m \x1b[1mfull\x1b[m\n")
        (tmp_path / "packed.gz").write_bytes(gzip.compress(LOG.encode()))
        (tmp_path / "wide").write_text("über\nmaß\n", encoding="utf-16")
        (tmp_path / "latin").write_text("über\nmaß\n", encoding="latin-1")
        assert found(tmp_path, "disk full", "colours") == "disk full\n"
        assert run("find", "[31m", "colours", at=tmp_path).code == 1
        assert found(tmp_path, "error", "packed.gz", "--count") == "2\n"
        assert found(tmp_path, "ß", "wide", "--count") == "1\n"
        assert found(tmp_path, "ß", "latin", "--encoding", "windows-1252") == "maß\n"


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lines=st.lists(st.text(st.sampled_from("aAbBß\x1b[m \r"), max_size=8), max_size=30),
    pattern=st.text(st.sampled_from("aAbBß "), min_size=1, max_size=2),
    ignore_case=st.booleans(),
    context=st.integers(0, 3),
)
def test_it_finds_what_a_plain_model_finds(
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    lines: list[str],
    pattern: str,
    ignore_case: bool,
    context: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sandbox, "open_directly", None)  # as the command line has it, which never sets it back
    (tmp_path / "any").write_bytes("".join(f"{line}\n" for line in lines).encode())
    shown = [_SEQUENCE.sub("", line.removesuffix("\r")) for line in lines]
    expression = re.compile(re.escape(pattern), re.IGNORECASE if ignore_case else 0)
    matches = [number for number, line in enumerate(shown) if expression.search(line)]
    around = {near for number in matches for near in range(number - context, number + context + 1)}
    expected: list[str] = []
    for number in sorted(around & set(range(len(lines)))):
        if context and expected and number - 1 not in around:
            expected.append("--")
        expected.append(f"{number + 1}{':' if number in matches else '-'}{shown[number]}")
    options = ["--ignore-case"] * ignore_case
    path = str(tmp_path / "any")
    code = main(["find", pattern, path, *options, "--line-numbers", *["--context", str(context)] * bool(context)])
    assert capfdbinary.readouterr().out.decode().split("\n")[:-1] == expected
    assert code == (0 if matches else 1)
    main(["find", pattern, path, *options, "--count"])
    assert int(capfdbinary.readouterr().out) == len(matches)


class TestOnATerminal:
    def test_lines_are_numbered_and_matches_coloured(self, tmp_path: Path) -> None:
        shown = run_on_terminal("find", "two", "app.log", at=tmp_path)
        assert (shown.code, shown.output) == (0, "\x1b[2m6:\x1b[22merror \x1b[1;31mtwo\x1b[22;39m\n")
        assert run_on_terminal("find", "two", "app.log", at=tmp_path, NO_COLOR="1").output == "6:error two\n"

    def test_a_file_gives_no_commands_to_the_terminal_inside_or_outside_a_match(self, tmp_path: Path) -> None:
        (tmp_path / "hostile").write_text("a\x9b2Jb\x07\n")
        shown = run_on_terminal("find", "b\x07", "hostile", "--no-line-numbers", at=tmp_path).output
        assert shown == "a<U+009B>2J\x1b[1;31mb␇\x1b[22;39m\n"

    def test_long_lines_are_not_searched_again_to_be_coloured(self, tmp_path: Path) -> None:
        (tmp_path / "long").write_text("a" * 20_000 + "\n")
        assert run_on_terminal("find", "a", "long", "--no-line-numbers", at=tmp_path).output == "a" * 20_000 + "\n"

    @pytest.mark.skipif(sys.platform == "win32", reason="nothing ends a runaway expression there")
    def test_an_expression_that_runs_away_after_its_match_colours_nothing(self, tmp_path: Path) -> None:
        line = "x " + "a" * 64 + "!\n"
        (tmp_path / "evil").write_text(line + "x\n")
        shown = run_on_terminal("find", r"x|(?=a)(a+)+$", "evil", "--regex", "--no-line-numbers", at=tmp_path)
        assert (shown.code, shown.output) == (0, line + "x\n")

    def test_an_expression_that_matches_nothing_in_a_line_colours_nothing(self, tmp_path: Path) -> None:
        assert run_on_terminal("find", "x*", "app.log", "--regex", at=tmp_path).output.count("\x1b[1;31m") == 0


class TestFilter:
    def test_selectors_count_the_lines_that_match(self, tmp_path: Path) -> None:
        read = ("read", "app.log", "--filter", "error")
        assert run(*read, at=tmp_path).output == "error two\nerror three"
        assert run(*read, "--ignore-case", "--head", "1", at=tmp_path).output == "Error one\n"
        assert run(*read, "--invert", "--tail", "1", at=tmp_path).output == "ok\n"
        assert run("read", "app.log", "--filter", "^e.*e$", "--regex", at=tmp_path).output == "error three"
        assert run(*read, "--columns", "1:3", at=tmp_path).output == "err\nerr"

    def test_lines_keep_their_numbers(self, tmp_path: Path) -> None:
        assert run("read", "app.log", "--filter", "r", "--line-numbers", at=tmp_path).output == (
            "1| start\n2| Error one\n6| error two\n8| error three"
        )

    def test_matches_are_coloured_on_a_terminal_unless_it_is_inverted(self, tmp_path: Path) -> None:
        read = ("read", "app.log", "--filter", "start", "--no-line-numbers", "--limit", "1")
        assert run_on_terminal(*read, at=tmp_path).output == "\x1b[1;31mstart\x1b[22;39m\n"
        assert run_on_terminal(*read, "--invert", at=tmp_path).output == "Error one\n"

    def test_one_answer_of_the_protocol_is_filtered(self, tmp_path: Path) -> None:
        answer = json.loads(run("read", "app.log", "--filter", "error", "--json", at=tmp_path).output)
        assert (answer["line_numbers"], answer["content"]) == ([6, 8], "error two\nerror three")

    @pytest.mark.parametrize("option", ["--regex", "--ignore-case", "--invert"])
    def test_options_of_a_filter_need_one(self, tmp_path: Path, option: str) -> None:
        outcome = run("read", "app.log", option, at=tmp_path)
        assert (outcome.code, f"{option} needs --filter" in outcome.complaint) == (2, True)


class TestAtWork:
    """The first matches come while the rest is still searched."""

    @pytest.fixture
    def search(self, tmp_path: Path) -> "subprocess.Popen[bytes]":
        with (tmp_path / "large").open("wb") as large:
            large.write(b"needle\n" * 20_000)
            large.truncate(3 << 30)
        return subprocess.Popen(
            [*COMMAND, "find", "needle", "large"],
            cwd=tmp_path,
            env=environment_of_interrupted(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def test_control_c_ends_it_by_the_signal(self, search: "subprocess.Popen[bytes]") -> None:
        with search:
            assert search.stdout is not None
            assert search.stderr is not None
            assert search.stdout.readline() == b"needle\n"
            search.send_signal(signal.SIGINT)
            assert search.wait(PATIENCE) == INTERRUPTED
            assert search.stderr.read() == b""

    def test_whoever_stops_reading_ends_it_quietly(self, search: "subprocess.Popen[bytes]") -> None:
        with search:
            assert search.stdout is not None
            assert search.stderr is not None
            assert search.stdout.readline() == b"needle\n"
            search.stdout.close()
            assert search.wait(PATIENCE) == 0
            assert search.stderr.read() == b""
