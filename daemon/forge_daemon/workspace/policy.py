"""What may be read. Secrets are denied from the start; settings add to that or make exceptions."""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from forge_protocol.errors import ErrorCode, ReadError

from .patterns import Patterns

BUILT_IN_DENY = (
    # Environment files
    ".env",
    ".env.*",
    ".envrc",
    # Private keys and key stores
    "*.pem",
    "*.key",
    "*.ppk",
    "*.p12",
    "*.pfx",
    "*.jks",
    "*.keystore",
    "*.kdbx",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ecdsa_sk",
    "id_ed25519",
    "id_ed25519_sk",
    ".ssh/",
    ".gnupg/",
    # Passwords and tokens that tools keep
    ".netrc",
    "_netrc",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    ".my.cnf",
    ".htpasswd",
    ".git-credentials",
    ".dockercfg",
    ".s3cfg",
    ".boto",
    ".vault-token",
    ".terraformrc",
    "**/.docker/config.json",
    "**/.kube/config",
    "**/.aws/credentials",
    "**/.azure/accessTokens.json",
    "**/.azure/msal_token_cache.*",
    "**/.cargo/credentials",
    "**/.cargo/credentials.toml",
    "**/.gem/credentials",
    "**/.m2/settings.xml",
    "**/.config/gh/hosts.yml",
    "**/.config/git/credentials",
    "**/gcloud/credentials.db",
    "**/gcloud/application_default_credentials.json",
    "**/rclone/rclone.conf",
)
BUILT_IN_ALLOW = (".env.example", ".env.sample", ".env.template", ".env.dist")
"""Exceptions to the built-in list alone."""

_REMEMBERED_PATHS = 4096
_LONGEST_REMEMBERED = 1024


class _Denial(NamedTuple):
    pattern: str
    by_workspace: bool


class Policy:
    """The deny and allow patterns in force for one workspace folder.

    A workspace's own deny patterns beat everything. The others, the user's and the built-in ones, give way to
    the user's allow patterns.
    """

    def __init__(self, deny: Iterable[str] = (), allow: Iterable[str] = (), workspace_deny: Iterable[str] = ()) -> None:
        self._deny = Patterns(deny)
        self._allow = Patterns(allow)
        self._workspace_deny = Patterns(workspace_deny)
        self._remembered: dict[str, _Denial | None] = {}

    def denying_pattern(self, relative: str) -> str | None:
        """The pattern, as written, for which a path must not be read; None where it may be."""
        denial = self._denial(relative)
        return None if denial is None else denial.pattern

    def check(self, relative: str, *, asked: str) -> None:
        """Raise `POLICY_DENIED` where `relative` is denied: the path asked for, or the one it leads to."""
        denial = self._denial(relative)
        if denial is None:
            return
        subject = "reading it" if relative == asked else "reading the file it leads to"
        raise ReadError(
            ErrorCode.POLICY_DENIED,
            f"{subject} is denied by the pattern {denial.pattern!r}",
            path=asked,
            hint=_how_to_allow(relative, denial),
        )

    def _denial(self, relative: str) -> _Denial | None:
        try:
            return self._remembered[relative]
        except KeyError:
            denial = self._judge(relative)
        if len(self._remembered) >= _REMEMBERED_PATHS:
            self._remembered.clear()
        if len(relative) <= _LONGEST_REMEMBERED:
            self._remembered[relative] = denial
        return denial

    def _judge(self, relative: str) -> _Denial | None:
        pattern = self._workspace_deny.first_match(relative)
        if pattern is not None:
            return _Denial(pattern, by_workspace=True)
        pattern = self._deny.first_match(relative) or _built_in_denial(relative)
        if pattern is None or self._allow.first_match(relative) is not None:
            return None
        return _Denial(pattern, by_workspace=False)


def _built_in_denial(relative: str) -> str | None:
    pattern = _built_in(BUILT_IN_DENY).first_match(relative)
    if pattern is None or _built_in(BUILT_IN_ALLOW).first_match(relative) is not None:
        return None
    return pattern


@cache
def _built_in(patterns: tuple[str, ...]) -> Patterns:
    return Patterns(patterns)


def _how_to_allow(relative: str, denial: _Denial) -> str:
    if denial.by_workspace:
        return "the workspace's own forge.toml denies it: only a change of its policy.deny can allow it"
    return f'to allow it, add "/{relative}" to policy.allow in your own settings, not in the workspace\'s file'
