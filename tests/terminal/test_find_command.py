"""`forge-read find`, and `forge-read read --filter`."""

import gzip
import json
import re
import shlex
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forge_daemon.cli import main
from tests.terminal.commands import (
    COMMAND,
    INTERRUPTED,
    PATIENCE,
    Outcome,
    environment_of_interrupted,
    piped,
    run,
    run_on_terminal,
)

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

    def test_on_a_terminal_malformed_text_is_reported_with_likely_encodings(self, tmp_path: Path) -> None:
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
        for path, code in (("missing", 3), (".env", 6), ("binary", 8), ("packed.xz", 8)):
            outcome = run("find", "needle", path, *count, at=tmp_path)
            assert (outcome.code, outcome.output) == (code, ""), path
        bad = run("find", "(", "app.log", "--regex", *count, at=tmp_path)
        assert (bad.code, "not a regular expression" in bad.complaint) == (2, True)
        looks_ahead = run("find", "-E", "a(?=b)", "app.log", *count, at=tmp_path)
        assert (looks_ahead.code, "(?= is not supported" in looks_ahead.complaint) == (2, True)

    @pytest.mark.parametrize("command", [("find", "error"), ("find", "nothing"), ("read", "--filter", "error")])
    def test_a_damaged_file_is_searched_as_far_as_it_goes(self, tmp_path: Path, command: tuple[str, ...]) -> None:
        (tmp_path / "cut.gz").write_bytes(gzip.compress((LOG + "\n").encode())[:-6])
        outcome = run(*command, "cut.gz", at=tmp_path)
        assert outcome.output == ("" if "nothing" in command else "error two\nerror three\n")
        assert (outcome.code, "the gzip data ends early" in outcome.complaint) == (70, True)

    def test_no_context_is_what_there_is_without_the_option(self, tmp_path: Path) -> None:
        assert found(tmp_path, "error", "app.log", "--context", "0") == "error two\nerror three\n"

    def test_context_may_differ_before_and_after(self, tmp_path: Path) -> None:
        assert found(tmp_path, "-nA1", "Error", "app.log") == "2:Error one\n3-ok\n"
        assert found(tmp_path, "-nB1", "Error", "app.log") == "1-start\n2:Error one\n"
        assert found(tmp_path, "-nC1", "-A0", "two", "app.log") == "5-ok\n6:error two\n"
        assert found(tmp_path, "-nA9", "two", "app.log") == "6:error two\n7-ok\n8-error three\n"

    def test_whole_words_are_matched(self, tmp_path: Path) -> None:
        (tmp_path / "words").write_text("error\nerrors\nan error.\nterror\n(x)y\n")
        assert found(tmp_path, "-w", "error", "words") == "error\nan error.\n"
        assert found(tmp_path, "-wE", "errors?", "words") == "error\nerrors\nan error.\n"
        assert run("find", "-w", "erro", "words", at=tmp_path).code == 1

    def test_lines_that_do_not_match_are_printed_where_asked_for(self, tmp_path: Path) -> None:
        assert found(tmp_path, "-v", "o", "app.log") == "start\n"
        assert found(tmp_path, "-vc", "o", "app.log") == "1\n"
        assert run("find", "-vE", ".", "app.log", at=tmp_path) == Outcome(1, "", "")

    def test_any_of_several_patterns_is_found(self, tmp_path: Path) -> None:
        assert found(tmp_path, "-e", "two", "-e", "start", "app.log") == "start\nerror two\n"
        assert found(tmp_path, "-Ee", "^s", "-e", "e$", "app.log", "-n") == "1:start\n2:Error one\n8:error three\n"
        assert run("find", "-ve", "o", "-e", "s", "app.log", at=tmp_path) == Outcome(1, "", "")
        (tmp_path / "flags").write_text("-x (a)\n+ .\n")
        assert found(tmp_path, "-e", "-x", "-e", ".", "flags") == "-x (a)\n+ .\n"
        assert found(tmp_path, "-e", "(a)", "-e", "none", "flags") == "-x (a)\n"

    def test_only_what_matches_is_printed_where_asked_for(self, tmp_path: Path) -> None:
        assert found(tmp_path, "-oniE", "err?or|t", "app.log").splitlines() == [
            *("1:t", "1:t"),
            *("2:Error",),
            *("6:error", "6:t"),
            *("8:error", "8:t"),
        ]
        long = f"{'ab' * MiB}c"
        (tmp_path / "long").write_text(f"{long}\nabc")
        assert found(tmp_path, "-oE", "(ab)+c", "long") == f"{long}\nabc\n"
        assert run("find", "-ov", "o", "app.log", at=tmp_path) == Outcome(0, "", "")

    def test_files_with_matches_are_named(self, tmp_path: Path) -> None:
        (tmp_path / "other").write_text("none\n")
        assert found(tmp_path, "-l", "error", "app.log", "other") == "app.log\n"
        assert found(tmp_path, "-l", "n", "app.log", "other") == "app.log\nother\n"
        assert run("find", "-l", "zebra", "app.log", "other", at=tmp_path) == Outcome(1, "", "")

    def test_lines_of_several_files_are_named_as_grep_names_them(self, tmp_path: Path) -> None:
        (tmp_path / "other").write_text("before\nerror four")
        assert found(tmp_path, "-n", "error", "app.log", "other") == (
            "app.log:6:error two\napp.log:8:error three\nother:2:error four\n"
        )
        assert found(tmp_path, "-c", "error", "app.log", "other") == "app.log:2\nother:1\n"
        assert found(tmp_path, "-o", "err", "other", "app.log").startswith("other:err\napp.log:err\n")
        assert found(tmp_path, "-B1", "error", "other", "app.log") == (
            "other-before\nother:error four\n--\napp.log-ok\napp.log:error two\napp.log-ok\napp.log:error three\n"
        )

    @pytest.mark.slow
    @pytest.mark.skipif(shutil.which("grep") is None, reason="grep is not installed")
    def test_output_and_exit_code_are_those_of_grep(self, tmp_path: Path) -> None:
        (tmp_path / "other").write_text("an error\n\n\nerrors, error\nlast\n")
        for options in (
            "",
            "-n",
            "-i",
            "-v",
            "-w",
            "-c",
            "-l",
            "-o",
            "-on",
            "-nA1",
            "-nB1",
            "-C1",
            "-vn",
            "-wc",
            "-io",
        ):
            for files in (["app.log"], ["other"], ["app.log", "other"]):
                arguments = [*options.split(), "error", *files]
                grep = subprocess.run(["grep", "-F", *arguments], cwd=tmp_path, capture_output=True, text=True)
                ours = run("find", *arguments, at=tmp_path)
                assert (ours.output, ours.code) == (grep.stdout, grep.returncode), arguments

    def test_standard_input_is_searched(self, tmp_path: Path) -> None:
        assert piped(b"one\ntwo\n", "find", "two", "-", "-n", at=tmp_path) == (0, "2:two\n")
        assert piped(b"two\n", "find", "-c", "two", "-", "app.log", at=tmp_path) == (
            0,
            "(standard input):1\napp.log:1\n",
        )
        assert piped(b"", "find", "two", "-", at=tmp_path) == (1, "")

    @pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
    def test_the_output_of_a_command_is_searched_in_place_of_a_file(self, tmp_path: Path) -> None:
        forge_read = shlex.join(COMMAND)
        program = f"{forge_read} find -n two <(printf 'one\\ntwo\\n') && {forge_read} read <(echo three) --head 1"
        done = subprocess.run(["bash", "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE)
        assert (done.returncode, done.stdout, done.stderr) == (0, "2:two\nthree\n", "")

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


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lines=st.lists(st.text(st.sampled_from("aAbBß\x1b[m \r"), max_size=8), max_size=30),
    pattern=st.text(st.sampled_from("aAbBß "), min_size=1, max_size=2),
    ignore_case=st.booleans(),
    context=st.integers(0, 3),
)
def test_find_prints_what_a_plain_model_finds(
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    lines: list[str],
    pattern: str,
    ignore_case: bool,
    context: int,
) -> None:
    (tmp_path / "any").write_bytes("".join(f"{line}\n" for line in lines).encode())
    shown = [_SEQUENCE.sub("", line).removesuffix("\r") for line in lines]
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

    def test_control_characters_are_escaped_inside_and_outside_matches(self, tmp_path: Path) -> None:
        (tmp_path / "hostile").write_text("a\x9b2Jb\x07\n")
        shown = run_on_terminal("find", "b\x07", "hostile", "--no-line-numbers", at=tmp_path).output
        assert shown == "a<U+009B>2J\x1b[1;31mb␇\x1b[22;39m\n"

    def test_every_match_in_a_line_is_coloured(self, tmp_path: Path) -> None:
        shown = run_on_terminal("find", "-E", "err?or|t.", "app.log", "--no-line-numbers", at=tmp_path).output
        assert shown.splitlines()[1] == "\x1b[1;31merror\x1b[22;39m \x1b[1;31mtw\x1b[22;39mo"

    def test_control_characters_in_file_names_are_escaped(self, tmp_path: Path) -> None:
        (tmp_path / "\x1b[2Jx\ny").write_text("two\n")
        names = ("\x1b[2Jx\ny", "app.log")
        for options, expected in (([], "␛[2Jx␊y:1:two"), (["-l"], "␛[2Jx␊y"), (["-c"], "␛[2Jx␊y:1")):
            shown = run_on_terminal("find", "two", *names, *options, at=tmp_path, NO_COLOR="1").output
            assert shown.splitlines()[0] == expected

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


@pytest.mark.slow
class TestAtWork:
    """The first matches come while the rest is still searched."""

    @pytest.fixture(params=[["find", "needle", "large"], ["read", "large", "--filter", "needle"]], ids=["find", "read"])
    def search(self, tmp_path: Path, request: pytest.FixtureRequest) -> "subprocess.Popen[bytes]":
        with (tmp_path / "large").open("wb") as large:
            large.write(b"needle\n" * 20_000)
            large.truncate(1 << 30)
        return subprocess.Popen(
            [*COMMAND, *request.param],
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

    def test_a_reader_that_closes_the_pipe_ends_it_quietly(self, search: "subprocess.Popen[bytes]") -> None:
        with search:
            assert search.stdout is not None
            assert search.stderr is not None
            assert search.stdout.readline() == b"needle\n"
            search.stdout.close()
            assert search.wait(PATIENCE) == 0
            assert search.stderr.read() == b""
