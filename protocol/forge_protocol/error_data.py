"""The `data` of every error answer."""

from attrs import define

from .errors import ErrorCode


@define(kw_only=True)
class ErrorData:
    """What a client needs in order to decide what to do next."""

    code: ErrorCode
    """What went wrong; clients switch on this, not on the JSON-RPC number."""
    path: str | None
    """Workspace-relative. Null where the path asked for lies outside, or none was given."""
    reason: str
    """Why, for a person or a model to read."""
    retriable: bool
    """The same request may succeed later as it is."""
    hint: str | None = None
    """What would work instead. Left out where there is nothing to say."""
    etag: str | None = None
    """With `CONTENT_MODIFIED`: the file's new etag. Left out otherwise."""
