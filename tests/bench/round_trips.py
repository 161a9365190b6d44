"""The same window again and again: the cost of a round trip."""

import json
from typing import Any

from .client import Peer, result_in
from .contest import WINDOW_LINES, Contest, window
from .row import Bar, Figures, Row
from .timing import alternate

_BLOCK = 25
"""So many in a row before it is the other's turn."""
_ROUNDS = 80
_IN_FLIGHT = 50


def _against_echo(contest: Contest) -> Figures:
    return _round_trips(contest, contest.echo, "forge/readFile", window(contest.files.module()))


def _against_plain_pygls(contest: Contest) -> Figures:
    return _round_trips(contest, contest.plain_pygls, "plain/readFile", _plain_request(contest))


def _against_filesystem_server(contest: Contest) -> Figures:
    arguments = {"path": str(contest.files.module()), "head": WINDOW_LINES}
    return _round_trips(
        contest, contest.filesystem_server, "tools/call", {"name": "read_text_file", "arguments": arguments}
    )


def _round_trips(contest: Contest, peer: Peer, method: str, request: dict[str, Any]) -> Figures:
    our_request = window(contest.files.module())
    ours, theirs = alternate(
        contest.repeat(_ROUNDS),
        lambda: contest.forge.time("forge/readFile", our_request, _BLOCK),
        lambda: peer.time(method, request, _BLOCK),
    )
    return Figures(ours, theirs)


def _in_flight(contest: Contest) -> Figures:
    times = 10 * _IN_FLIGHT
    ours, theirs = alternate(
        contest.repeat(20),
        lambda: [contest.forge.time_in_flight("forge/readFile", window(contest.files.module()), times, _IN_FLIGHT)],
        lambda: [contest.plain_pygls.time_in_flight("plain/readFile", _plain_request(contest), times, _IN_FLIGHT)],
    )
    return Figures(times / ours, times / theirs, "/s")


def _japanese(contest: Contest) -> Figures:
    """Every page of the file."""
    path = contest.files.japanese()
    on_the_wire, line = 0, 1
    while line:
        _, message = contest.forge.message("forge/readFile", window(path, line))
        contest.forge.send(message)
        body = contest.forge.receive()
        on_the_wire += len(body)
        line = result_in(json.loads(body))["next_start_line"]
    return Figures(on_the_wire, path.stat().st_size, "bytes")


def _plain_request(contest: Contest) -> dict[str, Any]:
    return {"path": str(contest.files.module()), "start_line": 1, "max_lines": WINDOW_LINES}


ROWS = [
    Row("echo", "warm window, against a bare echo loop", Bar(2, aim=1.5), _against_echo),
    Row("pygls", "warm window, against plain pygls", Bar(0.6, aim=0.4), _against_plain_pygls),
    Row("mcp", "warm window, against server-filesystem", Bar(0.25), _against_filesystem_server),
    Row("in-flight", "50 in flight, against plain pygls", Bar(2.5, at_least=True), _in_flight),
    Row("japanese", "Japanese text: sent, against the file", Bar(1.1), _japanese),
]
