"""What the settings of a folder add to how a file is understood."""

from forge_daemon.requests.text_form import text_form, with_settings
from forge_daemon.workspace.settings import Settings


def test_the_limit_of_temporary_files_is_that_of_the_settings() -> None:
    for limit in (0, 5):
        form = with_settings(text_form(), Settings(max_temporary_bytes=limit))
        assert form.max_temporary_bytes == limit


def test_encodings_of_the_settings_are_candidates_unless_the_request_names_one() -> None:
    settings = Settings(encodings=("shift_jis",))
    assert [encoding.name for encoding in with_settings(text_form(), settings).candidates] == ["shift_jis"]
    assert with_settings(text_form("big5"), settings).candidates == ()
