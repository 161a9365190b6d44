"""Where the user's own settings are looked for, which a workspace cannot change."""

import os
from pathlib import Path

import pytest

from forge_daemon.workspace.settings import user_settings_path


def test_the_users_file_lies_in_the_platforms_configuration_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FORGE_READ_CONFIG", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("APPDATA", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    path = user_settings_path()
    assert path.startswith(str(tmp_path))
    assert path.endswith(os.path.join("forge-read", "forge.toml"))
    monkeypatch.setenv("FORGE_READ_CONFIG", "")
    assert user_settings_path() == path


def test_another_users_file_can_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FORGE_READ_CONFIG", "portable.toml")
    assert user_settings_path() == str(tmp_path / "portable.toml")


def test_without_a_home_the_current_directory_is_not_taken_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("FORGE_READ_CONFIG", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # what it does for a user without a home
    monkeypatch.chdir(tmp_path)
    path = user_settings_path()
    assert os.path.isabs(path)
    assert not path.startswith(str(tmp_path))


def test_a_relative_configuration_folder_is_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FORGE_READ_CONFIG", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", "settings")
    monkeypatch.chdir(tmp_path)
    assert not user_settings_path().startswith(str(tmp_path))
