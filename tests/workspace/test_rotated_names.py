"""Which names belong to one log, and in which order its files were written."""

import pytest

from forge_daemon.workspace.rotated_names import members_of, parse


@pytest.mark.parametrize(
    "oldest_first",
    [
        ["app.log.10.gz", "app.log.9.gz", "app.log.2.gz", "app.log.1", "app.log"],
        ["app.10.log", "app.9.log", "app.1.log", "app.log"],
        ["syslog.3.gz", "syslog.2.gz", "syslog.1", "syslog"],
        ["app.log.002", "app.log.001", "app.log"],
        ["messages-20261108", "messages-20261115", "messages"],
        ["app.log-20251231.zst", "app.log-20261116.xz", "app.log-20261117.bz2", "app.log"],
        ["app-2026-11-09.log", "app-2026-11-10.log.gz", "app-2026-11-17.log", "app.log"],
        ["app_2026_11_09.log", "app_2026_11_17.log", "app.log"],
        ["app.2026-10.log", "app.2026-11.log", "app.log"],
        ["app.log.2026-11-17.9.gz", "app.log.2026-11-17.10.gz", "app.log.2026-11-18.0.gz", "app.log"],
        ["app-2026-11-17-9.log", "app-2026-11-17-10.log", "app-2026-11-17-25.log", "app.log"],
        ["app.log-2026111709", "app.log-2026111714", "app.log-2026111800", "app.log"],
        ["app-2026-11-17T09-59-59.999.log", "app-2026-11-17T14-05-33.555.log", "app.log"],
        ["0.log.20261117-101010.gz", "0.log.20261117-111010", "0.log"],
        ["app.log-1763337600.gz", "app.log-1763424000.gz", "app.log"],
        ["app.log-20261116", "app-2026-11-17.log", "app.log.2", "app.1.log", "app.log"],
    ],
)
def test_files_of_a_log_are_in_the_order_in_which_they_were_written(oldest_first: list[str]) -> None:
    others = ["apple.log", "app.log.bak", "app.txt", "other.log.1", "app-worker.log", "app.log.d"]
    for name in oldest_first:
        assert members_of(name, sorted([*oldest_first, *others])) == (oldest_first[-1], oldest_first)


def test_a_file_that_is_being_compressed_counts_once() -> None:
    assert members_of("app.log", ["app.log.1.gz", "app.log", "app.log.1"]) == ("app.log", ["app.log.1", "app.log"])


@pytest.mark.parametrize("name", ["app.log", "app.log.1", "release-1.2.log", "app-2026-11-17.log", "app.log.gz"])
def test_a_log_without_siblings_is_a_set_of_one(name: str) -> None:
    assert members_of(name, [name, "README.md"]) == (name.removesuffix(".gz"), [name])


def test_a_log_that_has_no_file_of_its_own_is_named_without_the_date() -> None:
    names = ["app-2026-11-16.log", "app-2026-11-17.log"]
    assert members_of(names[0], names) == ("app.log", names)
    assert members_of("app.log", names) == ("app.log", names)


@pytest.mark.parametrize("name", ["worker-1.log", "app.log.bak", "report-2026.log", "app.log.2026-13-01"])
def test_other_names_are_those_of_logs_themselves(name: str) -> None:
    assert parse(name).log == name


@pytest.mark.parametrize("name", ["app-2026-11-17" + "-1" * 100 + "x", "app.20261117" + "1" * 200 + "!", "1." * 120])
def test_a_hostile_name_takes_no_long_time(name: str) -> None:
    assert name.startswith(parse(name).log[:2])
