"""Settings of package managers are read unless they hold a token or a password."""

import gzip

import pytest

from forge_daemon.workspace.policy import Policy, PolicyDenied
from forge_daemon.workspace.private_keys import BUNDLE_BYTES


def is_denied(relative: str, text: str | bytes, policy: Policy | None = None) -> bool:
    data = text.encode() if isinstance(text, str) else text
    (policy or Policy()).check(relative, asked=relative)
    try:
        (policy or Policy()).check_contents(relative, lambda length: data[:length], asked=relative)
    except PolicyDenied as error:
        assert error.reason == "reading it is denied: it holds a token or a password"
        return True
    return False


TOKENS = [
    "//registry.npmjs.org/:_authToken=npm_abc",
    "registry=https://r.example/\n//r.example/:_authToken = npm_abc",
    "_auth=dXNlcjpwYXNz",
    '//r.example/:_password="cGFzcw=="',
    "; //r.example/:_authToken=npm_old",
    "//r.example/:_authToken=${NPM_TOKEN:-npm_abc}",
    "//r.example/:_authToken=${NPM_TOKEN}npm_abc",
    "registry=https://user:password@r.example/",
    'key="-----BEGIN PRIVATE KEY-----\\nMC4C"',
    "npmAuthToken: ghp_abc",
    'npmRegistries:\n  "//npm.pkg.example":\n    npmAuthToken: "ghp_abc"\n',
    'npmAuthIdent: "user:password"',
    "npmAuthToken: >-\n  ghp_abc",
    "npmAuthToken:\n  ghp_abc",
]
NO_TOKENS = [
    "",
    "save-exact=true\nengine-strict=true\nalways-auth=true\n",
    "@scope:registry=https://npm.pkg.example/\n",
    "//registry.npmjs.org/:_authToken=${NPM_TOKEN}\n",
    "//registry.npmjs.org/:_authToken=${NPM_TOKEN}\r\nloglevel=warn\r\n",
    "_authToken=$NPM_TOKEN",
    '//r.example/:_authToken="${NPM_TOKEN-}"  # of the pipeline',
    "registry=http://localhost:4873/@scope",
    "registry=https://${USER}:${PASSWORD}@r.example/",
    "yarnPath: .yarn/releases/yarn-4.1.0.cjs\nnodeLinker: node-modules\n",
    'npmAuthToken: "${NODE_AUTH_TOKEN:-}"\n',
    'npmAuthIdent: "${USER}:${PASSWORD}"\n',
    'npmAuthToken: ""\n',
]


@pytest.mark.parametrize("name", [".npmrc", "app/.yarnrc.yml", ".NPMRC", ".npmrc.bak", ".npmrc~", ".npmrc (1)"])
def test_a_file_with_a_token_is_denied(name: str) -> None:
    for text in TOKENS:
        assert is_denied(name, text), text


def test_a_compressed_or_wide_file_with_a_token_is_denied() -> None:
    assert is_denied(".npmrc.gz", gzip.compress(TOKENS[0].encode()))
    assert is_denied(".npmrc", TOKENS[0].encode("utf-16"))
    assert is_denied(".npmrc", TOKENS[0].encode("utf-16-be"))


def test_a_file_without_one_is_read() -> None:
    for text in NO_TOKENS:
        assert not is_denied(".npmrc", text), text
        assert not is_denied("app/.yarnrc.yml", text), text


def test_other_files_may_hold_what_looks_like_a_token() -> None:
    assert not is_denied("docs/npmrc.md", TOKENS[0])
    assert not is_denied(".npmrc/notes.txt", TOKENS[0])


def test_a_file_too_long_to_be_searched_is_denied() -> None:
    assert is_denied(".npmrc", "#" * BUNDLE_BYTES)


def test_your_exception_lets_it_be_read() -> None:
    assert not is_denied("app/.npmrc", TOKENS[0], Policy(allow=["/app/.npmrc"]))
