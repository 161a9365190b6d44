"""A log by level, time, record and context; what is shown of its records; filters that a project shares."""

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from .nvim import Nvim, wait_until

START = datetime(2026, 11, 16, 9, 0, 0)
TRACE = ["java.lang.IllegalStateException: no connection", "\tat Pool.take", "\tat Main.run"]
RECORDS = 600


@pytest.fixture
def log(workspace: Path) -> Path:
    """A record every 10 seconds. Each tenth is a warning, each hundredth an error of four lines."""
    file = workspace / "server.log"
    lines = []
    for number in range(1, RECORDS + 1):
        level = "ERROR" if number % 100 == 0 else "WARN " if number % 10 == 0 else "INFO "
        lines.append(f"{START + timedelta(seconds=10 * number)} {level} request {number}")
        lines += TRACE if level == "ERROR" else []
    file.write_text("\n".join(lines) + "\n")
    return file


def line_of(number: int) -> int:
    """Where a record starts."""
    return number + len(TRACE) * ((number - 1) // 100)


def run(nvim: Nvim, command: str) -> None:
    nvim.type_to_the_end(f":Forge {command}<CR>")
    settle(nvim)


def press(nvim: Nvim, keys: str) -> None:
    nvim.type_to_the_end(keys)
    settle(nvim)


def settle(nvim: Nvim) -> None:
    ready = "view and view.etag and not view.cancel and not view.origin and view.total"
    nvim.wait_for(f"(function() local view = require('forge.view').of() return {ready} end)()")


def shown(nvim: Nvim) -> list[int]:
    """The numbers of the file's lines that are loaded."""
    code = "local view = require('forge.view').of() return vim.iter(vim.fn.range(1, view.count)):map("
    return list(nvim.lua(f"{code} function(row) return view:number(row) end):totable()"))


def filter_of(nvim: Nvim) -> dict[str, object]:
    return dict(nvim.lua("return require('forge.view').of().filter or vim.empty_dict()"))


def context(nvim: Nvim) -> list[int]:
    return sorted(nvim.lua("return vim.tbl_keys(require('forge.view').of().context)"))


def virtual_lines(nvim: Nvim, namespace: str) -> list[tuple[int, str]]:
    """Row and text of what is drawn above lines."""
    code = """
        local space, found = vim.api.nvim_create_namespace(...), {}
        for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true })) do
          local drawn = mark[4].virt_lines and mark[4].virt_lines[1] or mark[4].virt_text
          table.insert(found, { mark[2] + 1, drawn[1][1] })
        end
        return found
    """
    return [(row, text) for row, text in nvim.lua(code, namespace)]


ERRORS = [line_of(number) + each for number in range(100, RECORDS + 1, 100) for each in range(4)]


def test_a_level_shows_records_of_it_and_above_with_their_traces(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    run(nvim, "level error")
    assert shown(nvim) == ERRORS
    assert nvim.where() == "error and above  100, line 1 / 24"
    run(nvim, "level warning")
    assert len(shown(nvim)) == RECORDS // 10 + 3 * len(ERRORS) // 4
    run(nvim, "level!")
    assert nvim.where() == f"100 / {RECORDS + 18}"


def test_a_level_is_chosen_from_a_list(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    nvim.lua("vim.ui.select = function(items, _, choose) choose(items[7]) end")
    press(nvim, "gzl")
    assert filter_of(nvim) == {"level": "error"}


def test_levels_are_completed_and_an_unknown_one_is_refused(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    assert nvim.lua("return vim.fn.getcompletion('Forge level w', 'cmdline')") == ["warning"]
    nvim.command("Forge level loud")
    nvim.wait_for_message("there is no level loud (trace, debug")
    assert filter_of(nvim) == {}


def test_a_level_is_added_to_a_filter_and_taken_back(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    run(nvim, "filter 00")
    run(nvim, "level error")
    assert shown(nvim) == [line_of(number) for number in range(100, RECORDS + 1, 100)]
    press(nvim, "<BS>")
    assert filter_of(nvim)["pattern"] == "00"


def test_from_here_on_until_here_and_this_minute_are_by_the_time_of_the_line(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:{line_of(100) + 2}")
    press(nvim, "gz>")
    assert filter_of(nvim) == {"since": "2026-11-16T09:16:40"}
    assert shown(nvim)[0] == line_of(100)
    press(nvim, "2jgz<lt>")
    assert shown(nvim) == list(range(line_of(100), line_of(101) + 1))
    run(nvim, "filter")
    press(nvim, f":{line_of(200)}<CR>gzm")
    assert shown(nvim) == list(range(line_of(198), line_of(203) + 1))
    assert nvim.where().startswith("from 2026-11-16 09:33:00, before 2026-11-16 09:34:00")


def test_until_here_keeps_what_was_logged_in_the_same_millisecond(nvim: Nvim, workspace: Path) -> None:
    times = ["09:00:00.998", "09:00:00.999", "09:00:00.999", "09:00:01.000"]
    (workspace / "app.log").write_text("".join(f"2026-11-16 {time} INFO x\n" for time in times))
    nvim.open("app.log:2")
    press(nvim, "gz<lt>")
    assert shown(nvim) == [1, 2, 3]


def test_since_and_until_take_times(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    run(nvim, "since 09:33:20")
    run(nvim, "until 09:33:40")
    assert shown(nvim) == [*range(line_of(200), line_of(201)), line_of(201)]
    run(nvim, "since!")
    assert filter_of(nvim) == {"until": "09:33:40"}
    nvim.command("Forge since noon")
    nvim.wait_for_message("forge: server.log: not a time: 'noon' (14:05, 2026-11-16T14:05, -5m or now)")
    assert filter_of(nvim) == {"until": "09:33:40"}, "the present filter stays"


def test_an_age_in_a_filter_is_counted_from_the_moment_of_the_command(nvim: Nvim, workspace: Path) -> None:
    now = datetime.now()
    moments = [now - timedelta(minutes=minutes) for minutes in range(30, 0, -1)]
    (workspace / "app.log").write_text("".join(f"{moment:%Y-%m-%d %H:%M:%S} INFO x\n" for moment in moments))
    nvim.open("app.log")
    run(nvim, "since -10m")
    since = datetime.fromisoformat(str(filter_of(nvim)["since"]))
    assert since.utcoffset() == now.astimezone().utcoffset()
    assert len(shown(nvim)) in (9, 10)
    assert nvim.where().startswith(f"from {since:%Y-%m-%d %H:%M:%S}  ")
    nvim.command("Forge since now")
    nvim.wait_for_message("app.log has no such lines (from 20")


def test_a_time_in_a_line_that_the_filter_leaves_out_is_said_to_be(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    run(nvim, "level error")
    with nvim.hearing() as told:
        press(nvim, ":Forge time 09:16:50<CR>")
        line = line_of(101)
        assert told() == f"forge: 09:16:50 is at line {line} (2026-11-16 09:16:50), which is not shown here"
    assert nvim.lua("return require('forge.view').of():line()") == line_of(200)


def test_a_line_without_a_time_is_said_to_have_none(nvim: Nvim, workspace: Path) -> None:
    (workspace / "notes.txt").write_text("one\ntwo\n")
    nvim.open("notes.txt:2")
    nvim.type_to_the_end("gz>")
    nvim.wait_for_message("line 2 of notes.txt has no time")


def test_keys_show_more_lines_around_those_that_match_and_fewer(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:300")
    run(nvim, "filter request 300")
    line = line_of(300)
    press(nvim, "g+")
    assert (shown(nvim), context(nvim)) == ([line - 1, line, line + 1], [line - 1, line + 1])
    nvim.wait_for_line(f"{START + timedelta(seconds=3000)} ERROR request 300")
    press(nvim, "2g+")
    assert shown(nvim) == list(range(line - 3, line + 4))
    assert nvim.where() == f"only request 300, 3 lines around  {line}, line 4 / 7"
    press(nvim, "g-")
    assert shown(nvim) == list(range(line - 2, line + 3))
    press(nvim, "9g-")
    assert (shown(nvim), context(nvim)) == ([line], [])


def test_context_can_be_typed_and_is_bounded(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    nvim.type_to_the_end("g+")
    nvim.wait_for_message("there is no filter here")
    run(nvim, "filter request 300")
    run(nvim, "context 20")
    assert len(shown(nvim)) == 41
    nvim.command("Forge context 21")
    nvim.wait_for_message("how many lines, 0 to 20?")


def test_context_is_the_same_wherever_the_cursor_is(nvim: Nvim, log: Path) -> None:
    around = [line + step for line in map(line_of, (100, 200, 300, 400, 500, 600)) for step in range(-2, 3)]
    for start in (1, line_of(100), line_of(300) + 1, line_of(600)):
        nvim.open(f"{log}:{start}")
        run(nvim, "filter ERROR")
        press(nvim, "2g+")
        assert shown(nvim) == around
        press(nvim, "G")
        assert shown(nvim) == around
        run(nvim, "filter")


def test_lines_of_context_are_marked_in_every_split(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    run(nvim, "filter request 300")
    press(nvim, "g+")
    nvim.command("split")
    nvim.wait_for("#vim.api.nvim_list_wins() == 2 and vim.api.nvim_win_get_buf(1000) ~= vim.fn.bufnr()")
    marked = "vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_create_namespace('forge.context'), 0, -1, {})"
    nvim.wait_for(f"vim.deep_equal(vim.tbl_map(function(mark) return mark[2] end, {marked}), {{ 0, 2 }})")


def test_whole_records_pass_with_the_line_that_matches(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:300")
    run(nvim, "filter Pool.take")
    assert len(shown(nvim)) == 6
    press(nvim, "gzr")
    assert shown(nvim) == ERRORS
    assert nvim.where().startswith("only Pool.take, whole records")
    run(nvim, "records")
    assert len(shown(nvim)) == 6


def test_records_are_folded_to_their_first_lines(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:{line_of(100) + 3}")
    press(nvim, "gzf")
    assert shown(nvim)[:150] == [line_of(number) for number in range(1, 151)]
    assert nvim.where() == f"first lines of records  {line_of(101)}, line 101 / {RECORDS}"
    nvim.wait_for("require('forge.view').of():line() == ...", line_of(101))
    press(nvim, "k<CR>")
    nvim.wait_for(
        "require('forge.view').of().filter == nil and vim.fn.getline('.'):find('request 100', 1, true) ~= nil"
    )
    press(nvim, "gzf")
    run(nvim, "fold")
    assert filter_of(nvim) == {}


def test_patterns_are_joined_by_or(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    run(nvim, "filter request 300")
    run(nvim, "filter| request 301")
    assert shown(nvim) == [line_of(300), line_of(301)]
    assert nvim.where().startswith("only request 300 or request 301  ")
    run(nvim, "filter+ ERROR")
    assert shown(nvim) == [line_of(300)]
    nvim.command("Forge filter| INFO")
    nvim.wait_for_message("one filter cannot say that")


def test_a_search_among_whole_records_counts_its_matches(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    run(nvim, "level error")
    with nvim.hearing() as told:
        nvim.type_to_the_end("/Main<CR>n")
        nvim.wait_for("_G.told:find('%[2/6%]') ~= nil")
        assert f"line {line_of(200) + 3}" in told()


def test_silences_are_marked_on_demand(nvim: Nvim, workspace: Path) -> None:
    times = ["09:00:00", "09:00:30", "09:05:30", "09:05:31", "11:05:31"]
    (workspace / "app.log").write_text("".join(f"2026-11-16 {time} INFO x\n" for time in times))
    nvim.open("app.log")
    assert virtual_lines(nvim, "forge.gaps") == []
    press(nvim, "gzg")
    both = [(3, "── 5 min without a line ──"), (5, "── 2 h without a line ──")]
    nvim.wait_for("#vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_create_namespace('forge.gaps'), 0, -1, {}) == 2")
    assert virtual_lines(nvim, "forge.gaps") == both
    run(nvim, "gaps 1h")
    nvim.wait_for("#vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_create_namespace('forge.gaps'), 0, -1, {}) == 1")
    press(nvim, "gzg")
    assert virtual_lines(nvim, "forge.gaps") == []
    nvim.command("Forge gaps long")
    nvim.wait_for_message("how long?")


def test_the_status_says_how_much_time_a_selection_takes(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    press(nvim, "V12j")
    nvim.wait_for("vim.b.forge.duration == '2 min'")
    assert "2 min" in nvim.where()
    press(nvim, "6k")
    nvim.wait_for("vim.b.forge.duration == '1 min'")
    press(nvim, "<Esc>")
    nvim.wait_for("vim.b.forge.duration == nil")


def test_the_header_of_a_record_that_scrolled_away_is_shown(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    press(nvim, f":{line_of(100) + 2}<CR>zt")
    nvim.wait_for("#vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_create_namespace('forge.header'), 0, -1, {}) == 1")
    ((row, text),) = virtual_lines(nvim, "forge.header")
    assert (row, text) == (line_of(100) + 2, "↑ 2026-11-16 09:16:40 ERROR request 100")
    log.write_text(log.read_text().replace("ERROR request 100\n", "FATAL request 100\n"))
    nvim.command("Forge refresh")
    assert wait_until(lambda: [text[-17:] for _, text in virtual_lines(nvim, "forge.header")] == ["FATAL request 100"])
    press(nvim, "2<C-y>")
    nvim.wait_for("#vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_create_namespace('forge.header'), 0, -1, {}) == 0")


def test_describe_says_what_a_log_has_in_it(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    nvim.command("set cmdheight=12")  # Room for all of it, so that Enter need not be pressed.
    nvim.command("Forge describe")
    nvim.wait_for_message("records  600")
    nvim.command("set cmdheight&")
    said = nvim.messages()
    assert "from     2026-11-16 09:00:10\nto       2026-11-16 10:40:00 (1 h 39 min)" in said
    assert "\nerror      6 #\nwarning   54 ####\ninfo     540 " in said


def test_a_filter_is_shared_in_the_project(nvim: Nvim, workspace: Path, log: Path) -> None:
    nvim.open(log)
    run(nvim, "level error")
    nvim.command("Forge share failures")
    nvim.wait_for_message("saved in .forge/filters.json: :Forge filter @failures shows error and above")
    file = workspace / ".forge" / "filters.json"
    assert json.loads(file.read_text()) == {"failures": {"level": "error"}}
    file.write_text(json.dumps({"slow": {"all": [{"pattern": "request 3"}], "level": "warning"}}))
    assert nvim.lua("return vim.fn.getcompletion('Forge filter @sl', 'cmdline')") == ["@slow"]
    run(nvim, "filter @slow")
    assert shown(nvim)[:2] == [line_of(30), line_of(300)]
    nvim.command("Forge share! slow")
    assert json.loads(file.read_text()) == {}


def test_a_shared_file_that_is_damaged_has_no_filters(nvim: Nvim, workspace: Path, log: Path) -> None:
    (workspace / ".forge").mkdir()
    (workspace / ".forge" / "filters.json").write_text("[not json")
    nvim.open(log)
    nvim.command("Forge filter @slow")
    nvim.wait_for_message("there is no filter called slow")


def test_following_shows_new_errors_with_their_traces(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    run(nvim, "level error")
    run(nvim, "follow")
    nvim.wait_for("require('forge').statusline():find('following') ~= nil")
    with log.open("a") as end:
        end.write("2026-11-16 11:00:00 INFO fine\n2026-11-16 11:00:01 ERROR worse\n\tat Main.new\n")
    nvim.wait_for_line("\tat Main.new")
    assert shown(nvim)[-3:] == [ERRORS[-1], ERRORS[-1] + 2, ERRORS[-1] + 3]


def test_a_filter_is_not_changed_before_its_lines_are_there(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:300")
    with nvim.slow_daemon():
        nvim.type(":Forge filter request<CR>")
        nvim.wait_for("require('forge.view').of().filter ~= nil")
        nvim.type("g+")
        nvim.wait_for_message("server.log is still being read")
    settle(nvim)
    assert filter_of(nvim)["pattern"] == "request"
    assert "before" not in filter_of(nvim)


def test_errors_in_a_filtered_window_are_its_own_lines(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    run(nvim, "filter Main.run")
    nvim.type_to_the_end("]e")
    nvim.wait_for("require('forge.view').of():line() == ...", line_of(200) + 3)


def test_sessions_restore_log_filters(nvim: Nvim, workspace: Path, log: Path) -> None:
    nvim.open(log)
    run(nvim, "level error")
    press(nvim, "2g+")
    session = workspace / "session.vim"
    nvim.command(f"mksession {session}")
    nvim.command("silent! %bwipeout!")
    nvim.command(f"silent source {session}")
    settle(nvim)
    assert filter_of(nvim) == {"level": "error", "before": 2, "after": 2}


@pytest.mark.parametrize(
    ("call", "result"),
    [
        ("between('2026-03-08T01:00:00', '2026-03-08T03:30:00.5')", 9000.5),
        ("between('2026-10-25T02:30:00+02:00', '2026-10-25T02:30:00+01:00')", 3600),
        ("next('2026-12-31T23:59:59')", "2027-01-01T00:00:00"),
        ("next('2026-07-01T12:00:00.999+02:00')", "2026-07-01T12:00:01+02:00"),
        ("next('2026-07-01T12:00:00.000009Z')", "2026-07-01T12:00:00.000010Z"),
        ("duration(10)", "10 s"),
        ("duration(0.25)", "0.25 s"),
        ("duration(3600)", "1 h"),
        ("duration(90061)", "1 d 1 h"),
    ],
)
def test_times_are_calculated_as_they_are_written(nvim: Nvim, call: str, result: object) -> None:
    assert nvim.lua(f"return (require('forge.log_times').{call})") == result
