"""Reading again: `if_changed` and `wait`."""

from collections.abc import Callable
from pathlib import Path

import pytest

from forge_daemon.tools import AgentToolkit, ReadError, ToolCatalog
from forge_daemon.tools.agent import read as read_module
from forge_daemon.workspace import answered_calls
from forge_daemon.workspace.reader import Reader
from forge_protocol.errors import ErrorCode
from tests.tools.agent_calls import Call, lines

UNCHANGED = "[a.txt unchanged since you read it]"


class TestIfChanged:
    def test_an_unchanged_file_is_one_line(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text(lines(3))
        first = call("read", path="a.txt", if_changed=True)
        assert first.startswith("[a.txt 1-3/3]\n")
        assert call("read", path="a.txt", if_changed=True) == UNCHANGED
        assert call("read", path="a.txt") == first
        assert call("read", path="a.txt", if_changed=True) == UNCHANGED

    def test_other_lines_were_not_read_before(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text(lines(3))
        call("read", path="a.txt", start_line=1, end_line=2)
        assert call("read", path="a.txt", if_changed=True).endswith("3\tline 3")
        assert call("read", path="a.txt", start_line=1, end_line=2, if_changed=True) == UNCHANGED

    def test_a_change_of_the_same_length_is_seen_however_soon(self, call: Call, workspace: Path) -> None:
        for word in ("one", "two", "six", "ten") * 5:
            (workspace / "a.txt").write_text(word)
            assert call("read", path="a.txt", if_changed=True).endswith(f"1\t{word}")

    def test_a_change_elsewhere_in_the_file_is_a_change(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text(lines(9))
        call("read", path="a.txt", end_line=2)
        (workspace / "a.txt").write_text(lines(8) + "other\n")
        assert call("read", path="a.txt", end_line=2, if_changed=True).endswith("2\tline 2")

    def test_another_session_was_not_answered_before(self, call: Call, workspace: Path, toolkit: AgentToolkit) -> None:
        (workspace / "a.txt").write_text("x\n")
        call("read", path="a.txt")
        answer = toolkit.call("read", {"path": "a.txt", "if_changed": True}, toolset="agent")
        assert answer == "[a.txt 1-1/1]\n1\tx"

    def test_files_of_read_many_can_be_unchanged_too(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text("x\n")
        (workspace / "b.txt").write_text("y\n")
        files = [{"path": "a.txt", "if_changed": True}, {"path": "b.txt", "if_changed": True}]
        call("read_many", files=files)
        (workspace / "b.txt").write_text("yy\n")
        assert call("read_many", files=files) == f"{UNCHANGED}\n[b.txt 1-1/1]\n1\tyy"

    def test_only_the_last_calls_are_remembered(
        self, call: Call, workspace: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(answered_calls, "MAX_CALLS", 2)
        for name in ("a.txt", "b.txt", "c.txt"):
            (workspace / name).write_text("x\n")
            call("read", path=name)
        assert call("read", path="c.txt", if_changed=True) == "[c.txt unchanged since you read it]"
        assert call("read", path="a.txt", if_changed=True) == "[a.txt 1-1/1]\n1\tx"

    def test_what_became_unreadable_is_refused(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text("x\n")
        call("read", path="a.txt")
        (workspace / "forge.toml").write_text('[policy]\ndeny = ["a.txt"]\n')
        with pytest.raises(ReadError, match="denied"):
            call("read", path="a.txt", if_changed=True)


class TestWait:
    @pytest.fixture
    def looks(self, monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], object]]:
        """What happens between one look at the file and the next, instead of time passing."""
        pending: list[Callable[[], object]] = []
        now = 0.0

        def sleep(seconds: float) -> None:
            nonlocal now
            now += seconds
            if pending:
                pending.pop(0)()

        monkeypatch.setattr(read_module, "time", _Clock(lambda: now, sleep))
        return pending

    def test_the_answer_comes_when_there_is_such_a_line(
        self, call: Call, workspace: Path, looks: list[Callable[[], object]]
    ) -> None:
        log = workspace / "a.log"
        log.write_text(lines(2))
        looks += [lambda: None, lambda: log.write_text(lines(2) + "done\n")]
        assert call("read", path="a.log", start_line=3, wait=30) == "[a.log 3-3/3]\n3\tdone"

    def test_nothing_new_is_told_after_the_time(
        self, call: Call, workspace: Path, looks: list[Callable[[], object]]
    ) -> None:
        (workspace / "a.log").write_text(lines(2))
        answer = call("read", path="a.log", start_line=3, wait=5)
        assert answer == "[a.log has 2 lines: there is no line 3 yet]"
        (workspace / "empty").write_text("")
        assert call("read", path="empty", wait=1) == "[empty has 0 lines: there is no line 1 yet]"

    def test_what_is_there_is_not_waited_for(
        self, call: Call, workspace: Path, looks: list[Callable[[], object]]
    ) -> None:
        (workspace / "a.log").write_text(lines(2))
        looks.append(lambda: pytest.fail("it waited"))
        assert call("read", path="a.log", start_line=2, wait=30).endswith("2\tline 2")

    def test_half_a_line_is_waited_for_while_it_grows(
        self, call: Call, workspace: Path, looks: list[Callable[[], object]]
    ) -> None:
        log = workspace / "a.log"
        log.write_text("half")
        looks.append(lambda: log.write_text("half and half\n"))
        assert call("read", path="a.log", wait=30) == "[a.log 1-1/1]\n1\thalf and half"
        log.write_text("it ends without a newline")
        assert call("read", path="a.log", wait=30).endswith("1\tit ends without a newline")

    def test_a_change_can_be_waited_for(self, call: Call, workspace: Path, looks: list[Callable[[], object]]) -> None:
        path = workspace / "a.txt"
        path.write_text("running\n")
        call("read", path="a.txt")
        looks += [lambda: None, lambda: path.write_text("finished\n")]
        assert call("read", path="a.txt", if_changed=True, wait=30).endswith("1\tfinished")
        assert call("read", path="a.txt", if_changed=True, wait=2) == UNCHANGED

    def test_policy_is_asked_at_every_look(
        self, call: Call, workspace: Path, looks: list[Callable[[], object]]
    ) -> None:
        (workspace / "a.log").write_text("")
        looks.append(lambda: (workspace / "forge.toml").write_text('[policy]\ndeny = ["*.log"]\n'))
        with pytest.raises(ReadError, match="denied"):
            call("read", path="a.log", wait=30)

    def test_waiting_ends_when_the_call_is_cancelled(self, reader: Reader, workspace: Path) -> None:
        (workspace / "a.log").write_text("")
        looks = 0

        def progress(done: int, _total: int) -> None:
            nonlocal looks
            looks += 1
            if done == 2:
                raise ReadError(ErrorCode.CANCELLED, "cancelled")

        with pytest.raises(ReadError, match="cancelled"):
            ToolCatalog.call("read", {"path": "a.log", "wait": 30}, "agent", reader, progress)
        assert looks >= 2

    def test_only_one_file_can_be_waited_for(self, call: Call) -> None:
        assert call("read_many", files=[{"path": "a.txt", "wait": 1}]) == "[a.txt: wait: only the tool read can wait]"
        with pytest.raises(ReadError, match="at most 30"):
            call("read", path="a.txt", wait=31)


class _Clock:
    def __init__(self, monotonic: Callable[[], float], sleep: Callable[[float], None]) -> None:
        self.monotonic = monotonic
        self.sleep = sleep
