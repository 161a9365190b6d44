"""Secrets are denied however they are reached."""

from pathlib import Path

import pytest

from forge_daemon.reading.files.document import Document
from forge_daemon.workspace.folder import Folder
from forge_daemon.workspace.reader import Target
from forge_protocol.errors import ErrorCode, ReadError
from tests.workspace.readers import read, reader_of, refusal, text_of
from tests.workspace.workspaces import folder, link, write

PRIVATE_KEY = "-----BEGIN PRIVATE KEY-----\nMC4C\n"


class TestSecrets:
    def test_a_private_key_is_denied_under_any_name_and_however_it_is_reached(self, ws: Folder) -> None:
        root = Path(ws.root)
        write(root / "notes.txt", PRIVATE_KEY)
        link(root / "alias", "notes.txt")
        write(root / "tls/site.crt", "-----BEGIN CERTIFICATE-----\n" * 50 + PRIVATE_KEY)
        write(root / "tls/cert.pem", "-----BEGIN CERTIFICATE-----\n")
        reader = reader_of(ws)
        for path in ("notes.txt", "alias", "tls/site.crt"):
            error = refusal(reader, path)
            assert (error.code, error.path) == (ErrorCode.POLICY_DENIED, path)
        assert read(reader, "tls/cert.pem").answer.startswith("-----BEGIN CERTIFICATE")
        reader.settings.set_client({"policy": {"allow": ["/notes.txt"]}})
        assert read(reader, "notes.txt").answer == PRIVATE_KEY

    def test_a_key_in_an_open_document_or_in_a_file_that_becomes_one_is_denied(self, ws: Folder) -> None:
        path = write(Path(ws.root) / "a.txt", "text")
        reader = reader_of(ws)
        with reader.open(Target("a.txt")) as file:
            path.write_text(PRIVATE_KEY)
            with pytest.raises(ReadError) as caught:
                file.read(text_of)
        assert caught.value.code == ErrorCode.POLICY_DENIED
        for name in ("a.txt", "new.txt"):
            reader.documents.put(f"{ws.root}/{name}", Document(PRIVATE_KEY, 1))
            assert refusal(reader, name).code == ErrorCode.POLICY_DENIED

    def test_a_folder_in_a_secret_place_gives_nothing_away(self, tmp_path: Path) -> None:
        aws = tmp_path.resolve() / ".aws"
        write(aws / "credentials", "secret")
        write(aws / "notes.txt", "text")
        link(tmp_path / "alias", aws)
        for root in (aws, tmp_path / "alias"):
            reader = reader_of(folder(root))
            assert refusal(reader, "credentials").code == ErrorCode.POLICY_DENIED
            assert read(reader, "notes.txt").answer == "text"

    def test_where_the_policy_is_not_understood_nothing_is_read(self, ws: Folder) -> None:
        write(Path(ws.root) / "a.txt", "text")
        toml = write(Path(ws.root) / "forge.toml", "[policy]\ndney = ['a.txt']\n")
        reader = reader_of(ws)
        reader.documents.put(f"{ws.root}/new.txt", Document("text", 1))
        for path in ("a.txt", "new.txt", "forge.toml"):
            error = refusal(reader, path)
            assert error.code == ErrorCode.POLICY_DENIED
            assert "forge.toml, line 2: policy.dney: unknown key" in error.reason
        toml.write_text("[policy]\ndeny = ['a.txt']\n")
        assert refusal(reader, "a.txt").reason == "reading it is denied by the pattern 'a.txt'"
        assert read(reader, "new.txt").answer == "text"

    def test_an_unsaved_document_is_judged_by_where_its_links_lead(self, ws: Folder) -> None:
        root = Path(ws.root)
        (root / ".ssh").mkdir()
        (root / "real").mkdir()
        link(root / "keys", ".ssh")
        link(root / "config", ".env")
        link(root / "alias", "real/new.txt")
        reader = reader_of(ws)
        for path in ("keys/new.txt", "keys/deeper/new.txt", "config", "alias", "real/none/new.txt"):
            reader.documents.put(f"{ws.root}/{path}", Document("text", 1))
        for path in ("keys/new.txt", "keys/deeper/new.txt", "config"):
            error = refusal(reader, path)
            assert (error.code, error.path) == (ErrorCode.POLICY_DENIED, path)
        assert read(reader, "alias").answer == "text"
        assert read(reader, "real/none/new.txt").answer == "text"

    def test_a_hint_names_nothing_that_another_folder_denies(self, tmp_path: Path) -> None:
        outer = folder(tmp_path.resolve() / "outer")
        write(Path(outer.root) / "in/customer-list.txt", "secret")
        write(Path(outer.root) / "in/key-of-site.txt", PRIVATE_KEY)
        write(Path(outer.root) / "forge.toml", '[policy]\ndeny = ["in/customer-list.txt"]\n')
        reader = reader_of(outer, folder(Path(outer.root) / "in"))
        for path in ("customer-lis.txt", "key-of-sit.txt", "."):
            error = refusal(reader, f"{outer.root}/in/{path}")
            assert "customer-list" not in str(error.data())
            assert "key-of-site" not in str(error.data())
