"""The `data` of every error answer."""

from attrs import define

from .errors import ErrorCode


@define(kw_only=True)
class ErrorData:
    """What a client needs to decide what to do next."""

    code: ErrorCode
    """What went wrong; clients switch on this, not on the JSON-RPC number."""
    path: str | None
    """Relative to the workspace folder. Null if the path lies outside, or none was given."""
    reason: str
    """Why, for a person or a model to read."""
    retriable: bool
    """Whether the same request may succeed later, unchanged."""
    hint: str | None = None
    """What would work instead. Left out if there is nothing to say."""
    etag: str | None = None
    """With `CONTENT_MODIFIED`: the file's new etag. Left out otherwise."""
