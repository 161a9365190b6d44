"""The client's settings, section `forge`: fetched where the client can be asked, taken as sent where it cannot."""

from concurrent.futures import Future
from typing import Any

from attrs import fields
from lsprotocol import types

from forge_daemon.server.session import Session
from forge_protocol.settings import SettingsFile

SECTION = "forge"
TABLES = [table.name for table in fields(SettingsFile)]
"""An editor keeps settings of its own under the same section; these are the daemon's."""


def fetch_configuration(session: Session) -> None:
    """One request at a time: a change that is reported meanwhile is fetched once that one is answered."""
    client = session.client
    if not client.capabilities.configuration:
        return
    if session.fetching is not None and not session.fetching.done():
        session.fetch_again = True
        return
    session.fetch_again = False
    items = [types.ConfigurationItem(section=SECTION)]
    session.fetching = client.ask(types.WORKSPACE_CONFIGURATION, types.ConfigurationParams(items=items))
    session.fetching.add_done_callback(lambda answer: _take_answer(session, answer))


def _take_answer(session: Session, answer: "Future[Any]") -> None:
    if session.fetch_again:
        fetch_configuration(session)
    elif answer.exception() is None:
        answers = answer.result()
        _take(session, answers[0] if answers else None)


def did_change_configuration(session: Session, params: types.DidChangeConfigurationParams) -> None:
    if session.client.capabilities.configuration:
        fetch_configuration(session)
    elif isinstance(params.settings, dict):
        _take(session, params.settings.get(SECTION))


def _take(session: Session, value: Any) -> None:
    section = value if isinstance(value, dict) else {}
    tables = {table: section[table] for table in TABLES if section.get(table) is not None}
    session.set_client_settings(tables)
