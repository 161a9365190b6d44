"""Recognises tokens and passwords in the settings of package managers, which are often checked in without any."""

import re

from .private_keys import BUNDLE_BYTES, ReadStart, start_of_text

FILES = (".npmrc", ".yarnrc.yml")

# `${NAME}` is replaced by a variable of the environment; with a fallback, `${NAME:-token}`, it may hold a token.
_REFERENCES = rb"(?:\$\{\w++\??(?::?-)?\}|\$\w++|:)*+"
_LITERAL = (
    rb"(?im)(?:_auth|_authToken|_password|npmAuthToken|npmAuthIdent)[\"']?\s*[=:]\s*"
    rb"(?![\"']?" + _REFERENCES + rb"[\"']?[ \t\r]*(?:[#;]|$))\S"
    rb"|://[^\s/@]*:(?!\$)[^\s/@:]+@"
    rb"|PRIVATE KEY-----"
)


def holds_token(read: ReadStart) -> bool:
    """Whether such a file contains a token or a password, not just the name of a variable."""
    if len(read(BUNDLE_BYTES)) == BUNDLE_BYTES:
        return True  # nobody writes that many settings
    text = start_of_text(BUNDLE_BYTES, read)
    return text is None or re.search(_LITERAL, text) is not None
