"""`forge-read count`, `serve`, `completion`, `--help` and `--version`, and what starting costs."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from forge_daemon import __version__
from forge_daemon.cli import COMMANDS
from forge_daemon.terminal.progress import Progress
from tests.terminal.commands import COMMAND, NO_SETTINGS, PATIENCE, environment, run, run_on_terminal, type_on_terminal


class TestCount:
    def test_the_number_alone_is_printed(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("one\ntwo\nthree")
        assert run("count", "file", at=tmp_path) == (0, "3\n", "")

    def test_the_counts_of_several_files_are_printed_with_their_names_as_by_wc(self, tmp_path: Path) -> None:
        (tmp_path / "one").write_text("1\n")
        (tmp_path / "two").write_text("1\n2\n")
        outcome = run("count", "one", "missing", "two", at=tmp_path)
        assert (outcome.code, outcome.output) == (3, "1 one\n2 two\n")
        assert outcome.complaint.startswith("forge-read: missing: does not exist")

    def test_the_count_is_printed_alone_on_a_terminal(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("one\ntwo\nthree")
        assert run_on_terminal("count", "file", at=tmp_path).output == "3\n"

    def test_json_says_what_was_counted(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("one\n")
        answer = json.loads(run("count", "file", "--json", at=tmp_path).output)
        assert (answer["path"], answer["line_count"], answer["byte_length"]) == ("file", 1, 4)

    def test_progress_is_drawn_on_a_terminal_when_it_takes_long_and_wiped_away(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        clock = iter([0.0, 0.1, 0.5, 0.55, 0.7])
        monkeypatch.setattr("time.monotonic", lambda: next(clock))
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
        progress = Progress()
        for done in (10, 50, 55, 70):
            progress(done * 1_000_000, 100_000_000)
        progress.clear()
        drawings = capsys.readouterr().err.split("\r")[1:]
        assert [drawing.partition("]")[2] for drawing in drawings] == [
            "  50 % of 100 MB",
            "  70 % of 100 MB",
            "",
        ]
        assert drawings[2] == "\x1b[K"

    @pytest.mark.parametrize("columns", [1, 10, 20, 21, 22, 40, 500])
    def test_progress_fits_into_one_row_of_any_terminal(
        self, columns: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        clock = iter([0.0, 1.0])
        monkeypatch.setattr("time.monotonic", lambda: next(clock))
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
        monkeypatch.setattr(sys.stderr, "fileno", lambda: 2, raising=False)
        monkeypatch.setattr("os.get_terminal_size", lambda _: os.terminal_size((columns, 24)))
        Progress()(500_000_000, 1_000_000_000)
        drawing = capsys.readouterr().err
        assert drawing.startswith("\r")
        assert len(drawing) <= columns
        assert columns < 20 or drawing.endswith(" 50 % of 1,000 MB")

    def test_progress_is_silent_elsewhere(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("time.monotonic", lambda: 1e9)
        progress = Progress()
        progress(1, 2)
        progress.clear()
        assert capsys.readouterr().err == ""


class TestServe:
    @pytest.mark.parametrize("arguments", [["--stdio"], ["serve"], ["serve", "--stdio", "--log-level", "debug"]])
    def test_serve_runs_until_the_stream_ends(self, tmp_path: Path, arguments: list[str]) -> None:
        body = b'{"jsonrpc":"2.0","id":1,"method":"shutdown"}'
        done = subprocess.run(
            [*COMMAND, *arguments],
            cwd=tmp_path,
            env=environment(),
            input=b"Content-Length: %d\r\n\r\n%b" % (len(body), body),
            capture_output=True,
            timeout=PATIENCE,
        )
        answer, _ = json.JSONDecoder().raw_decode(done.stdout.partition(b"\r\n\r\n")[2].decode())
        assert (answer["id"], answer["error"]["message"]) == (1, "the first request must be initialize")
        assert done.returncode == 1, "the client left without shutdown"

    def test_a_log_file_takes_the_log(self, tmp_path: Path) -> None:
        assert run("serve", "--log-file", "log", "--log-level", "debug", at=tmp_path).complaint == ""
        logged = (tmp_path / "log").read_text()
        on_stderr = run("serve", "--log-level", "debug", at=tmp_path).complaint
        assert [line.split(" ", 2)[2] for line in logged.splitlines()] == [
            line.split(" ", 2)[2] for line in on_stderr.splitlines()
        ]
        assert " DEBUG " in logged


class TestHelp:
    @pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
    def test_the_program_shows_commands_exit_codes_and_settings(self, tmp_path: Path, arguments: list[str]) -> None:
        outcome = run(*arguments, at=tmp_path)
        assert (outcome.code, outcome.complaint) == (0, "")
        for word in ("exit codes", "settings:", NO_SETTINGS, *COMMANDS):
            assert word in outcome.output
        assert run_on_terminal(*arguments, at=tmp_path).output.startswith("usage: forge-read COMMAND")

    @pytest.mark.parametrize("command", COMMANDS)
    def test_every_command_has_its_own(self, tmp_path: Path, command: str) -> None:
        outcome = run(command, "--help", at=tmp_path)
        assert outcome.code == 0
        assert outcome.output.startswith(f"usage: forge-read {command} [OPTIONS]")
        assert "  -h, --help " in outcome.output

    @pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
    def test_control_characters_in_the_path_of_the_settings_are_escaped(self, tmp_path: Path) -> None:
        settings = "/home/\x1b]0;title\x07\x9b31m\u202e"
        shown = run_on_terminal("--help", at=tmp_path, FORGE_READ_CONFIG=settings).output
        assert "/home/␛]0;title␇<U+009B>31m<U+202E>" in shown
        assert "\x1b" not in shown

    @pytest.mark.parametrize("arguments", [["--version"], ["serve", "--version"]])
    def test_the_version_is_printed(self, tmp_path: Path, arguments: list[str]) -> None:
        outcome = run(*arguments, at=tmp_path)
        assert (outcome.code, outcome.output.splitlines()) == (0, [f"forge-read {__version__}"])


def _needs(shell: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed")


_COMPLETED = [
    ("co", ["completion", "count"]),
    ("read --no-", ["--no-line-numbers"]),
    ("count --", ["--encoding", "--help", "--json", "--rotated"]),
    ("find needle --co", ["--color", "--context", "--count"]),
    ("read --color ", ["always", "auto", "never"]),
    ("completion z", ["zsh"]),
    ("read no", ["notes.txt"]),
]


class TestCompletion:
    """Each shell runs its script and says what it would offer for the words typed so far."""

    @pytest.fixture(autouse=True)
    def notes(self, tmp_path: Path) -> None:
        (tmp_path / "notes.txt").touch()

    @_needs("bash")
    @pytest.mark.parametrize(("typed", "offered"), _COMPLETED)
    def test_bash_completes(self, tmp_path: Path, typed: str, offered: list[str]) -> None:
        words = f"forge-read {typed}".split(" ")
        (tmp_path / "script").write_text(run("completion", "bash", at=tmp_path).output)
        given = " ".join(f"'{word}'" for word in words)
        program = (
            f"source ./script; complete -p forge-read; COMP_WORDS=({given}); COMP_CWORD={len(words) - 1}; "
            '_shtab_forge_read; printf "%s\\n" "${COMPREPLY[@]}"'
        )
        bound, *found = _ask("bash", program, at=tmp_path)
        assert bound == "complete -o bashdefault -o default -F _shtab_forge_read forge-read"
        # Where it offers nothing, the shell offers files: that is what "-o default" says.
        assert sorted(filter(None, found)) == [word for word in offered if word != "notes.txt"]

    @_needs("bash")
    def test_bash_completes_file_names_with_spaces(self, tmp_path: Path) -> None:
        (tmp_path / "a note.txt").touch()
        (tmp_path / "script").write_text(run("completion", "bash", at=tmp_path).output)
        typed = [
            'source ./script; forge-read() { printf "called with:"; printf " <%s>" "$@"; echo .; }',
            "forge-read read a\t",
            "forge-read find x --color=never a\t",
            "exit",
        ]
        shown = type_on_terminal("bash", "--norc", "--noprofile", "-i", typed="\n".join([*typed, ""]), at=tmp_path)
        called = [line.partition(".\n")[0] for line in shown.split("called with: ")[1:]]
        assert called == ["<read> <a note.txt>", "<find> <x> <--color=never> <a note.txt>"]

    @_needs("fish")
    @pytest.mark.parametrize(("typed", "offered"), _COMPLETED)
    def test_fish_completes(self, tmp_path: Path, typed: str, offered: list[str]) -> None:
        (tmp_path / "script").write_text(run("completion", "fish", at=tmp_path).output)
        found = _ask("fish", f"source ./script; complete -C 'forge-read {typed}'", at=tmp_path)
        assert sorted(line.partition("\t")[0] for line in found) == offered

    @pytest.mark.slow
    @_needs("zsh")
    def test_zsh_completes(self, tmp_path: Path) -> None:
        (tmp_path / "script").write_text(run("completion", "zsh", at=tmp_path).output)
        # It completes only at a terminal: a function in the place of the command shows what it was called with.
        typed = [
            'autoload -Uz compinit && compinit -u -D; eval "$(<script)"',
            'forge-read() { print -r -- "called with: $*." }',
            "forge-read comp\t",
            "forge-read completion z\t",
            "forge-read read --no-\t",
            "forge-read read no\t",
            "exit",
        ]
        shown = type_on_terminal("zsh", "-f", "-i", typed="\n".join([*typed, ""]), at=tmp_path)
        called = [line.partition(".")[0] for line in shown.split("\ncalled with: ")[1:]]
        assert called == ["completion", "completion zsh", "read --no-line-numbers", "read notes"]


def _ask(shell: str, program: str, at: Path) -> list[str]:
    done = subprocess.run([shell, "-c", program], cwd=at, capture_output=True, text=True, check=True, timeout=PATIENCE)
    return done.stdout.splitlines()


@pytest.mark.parametrize("command", [["read", "file", "--head", "20"], ["count", "file"], ["find", "one", "file"]])
def test_commands_for_files_do_not_load_what_serves_editors(tmp_path: Path, command: list[str]) -> None:
    """Every needless import makes the user wait."""
    (tmp_path / "file").write_text("one\n")
    program = "import sys; from forge_daemon.cli import main; main(sys.argv[1:]); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program, *command],
        cwd=tmp_path,
        env={name: value for name, value in environment().items() if not name.startswith("COV")},
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    heavy = {"asyncio", "attr", "attrs", "cattrs", "json", "lsprotocol", "pygls", "shtab", "shutil", "tempfile"}
    assert loaded.isdisjoint(heavy - _loaded_by_the_interpreter())
    if command[0] == "read":
        assert loaded.isdisjoint({"concurrent", "difflib", "logging"} - _loaded_by_the_interpreter())
        others = ("hints", "ignore_files", "open_tree", "rotated_set", "tree")
        assert not {f"forge_daemon.workspace.{name}" for name in others} & set(done.stdout.split())


def _loaded_by_the_interpreter() -> set[str]:
    """An installation may load packages at start, such as the one that measures coverage."""
    done = subprocess.run(
        [sys.executable, "-c", "import sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    return {name.partition(".")[0] for name in done.stdout.split()}


def test_the_console_script_is_the_same_command(tmp_path: Path) -> None:
    script = shutil.which("forge-read", path=os.path.dirname(sys.executable))
    if script is None:
        pytest.skip("forge-read is not installed beside this Python")
    done = subprocess.run([script, "--version"], capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert done.stdout == f"forge-read {__version__}\n"
