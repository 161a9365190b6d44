"""Work on the parts of a long text on several threads."""

import threading

import pytest

from forge_daemon.reading.lines.threads import map_on_threads


def test_results_of_parts_come_in_order_whichever_ends_first() -> None:
    last_has_ended = threading.Event()

    def work(part: int) -> int:
        if part == 2:
            last_has_ended.set()
        last_has_ended.wait()
        return part * 10

    assert map_on_threads(work, range(3)) == [0, 10, 20]


def test_an_error_in_one_part_is_raised_when_all_threads_have_ended() -> None:
    before = threading.active_count()

    def work(part: int) -> int:
        if part == 1:
            raise OSError("gone")
        return part

    with pytest.raises(OSError, match="gone"):
        map_on_threads(work, range(3))
    assert threading.active_count() == before
