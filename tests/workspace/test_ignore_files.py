"""What `.gitignore` files name, and what is not taken from them."""

from forge_daemon.workspace.ignore_files import MAX_IGNORE_FILE_BYTES, IgnoreRules


def rules(*files: tuple[str, str]) -> IgnoreRules:
    found = IgnoreRules()
    for directory, text in files:
        found = found.with_file(directory, text.encode())
    return found


def test_an_inner_file_overrides_an_outer_one() -> None:
    found = rules(("", "*.log\n"), ("sub", "!keep.log\n"))
    assert found.ignores("sub/a.log")
    assert not found.ignores("sub/keep.log")
    assert not found.ignores("sub/a.txt")


def test_patterns_are_relative_to_the_directory_of_their_file() -> None:
    found = rules(("sub", "/build/\n"))
    assert found.ignores("sub/build/")
    assert not found.ignores("sub/build")
    assert not found.ignores("sub/deep/build/")


def test_a_line_that_is_no_pattern_spoils_nothing() -> None:
    found = rules(("", "\ufeff*.a\n[z-a]\n!\nfoo\\\n\n# *.c\n*.b\r\n"))
    assert found.ignores("x.a")
    assert found.ignores("x.b")
    assert not found.ignores("x.c")


def test_patterns_that_could_take_long_and_large_files_are_not_applied() -> None:
    assert not rules(("", "*a" * 9 + "\n")).ignores("a" * 99)
    assert rules(("", "*a" * 8 + "\n")).ignores("a" * 99)
    assert rules(("", "#" * MAX_IGNORE_FILE_BYTES + "\n*.a\n")).levels == ()
    assert rules(("", "# nothing\n\n")).levels == ()
