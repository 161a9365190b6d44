"""An error names the path where it may, and says the same in every form."""

from forge_protocol.errors import ErrorCode, ReadError, invalid_argument


def test_the_message_names_path_and_reason() -> None:
    error = ReadError(ErrorCode.NOT_FILE, "is a directory", path="src")
    assert error.message == str(error) == "src: is a directory"


def test_without_a_path_the_reason_is_the_message() -> None:
    assert str(ReadError(ErrorCode.SANDBOX_VIOLATION, "leads out")) == "leads out"


def test_a_path_is_added_only_where_there_is_none() -> None:
    assert str(invalid_argument("too far").at("a.txt")) == "a.txt: too far"
    assert str(invalid_argument("too far", path="a.txt").at("b.txt")) == "a.txt: too far"
    assert invalid_argument("too far").at(None).data()["path"] is None
