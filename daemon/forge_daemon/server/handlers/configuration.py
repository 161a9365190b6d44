"""The client's settings, section `forge`: fetched where the client can be asked, taken as sent where it cannot."""

from typing import Any

from lsprotocol import types

from forge_daemon.server.session import Session

SECTION = "forge"
TABLES = ("tools", "policy", "cache")
"""An editor keeps settings of its own under the same section; these are the daemon's."""


async def fetch_configuration(session: Session) -> None:
    if not session.client.abilities.configuration:
        return
    item = types.ConfigurationItem(section=SECTION)
    answers = await session.client.request(
        types.WORKSPACE_CONFIGURATION, types.ConfigurationParams(items=[item])
    )
    _take(session, answers[0] if answers else None)


async def did_change_configuration(session: Session, params: types.DidChangeConfigurationParams) -> None:
    if session.client.abilities.configuration:
        await fetch_configuration(session)
    elif isinstance(params.settings, dict):
        _take(session, params.settings.get(SECTION))


def _take(session: Session, value: Any) -> None:
    if isinstance(value, dict):
        tables = {table: value[table] for table in TABLES if value.get(table) is not None}
        if tables:
            session.set_client_settings(tables)
