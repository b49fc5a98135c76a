"""Foreign errors of the client, translated once."""

from collections.abc import Iterator
from contextlib import contextmanager

import httpx
from qdrant_client.common.client_exceptions import ResourceExhaustedResponse
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from core.errors import Broken, FundstelleError, Unavailable

_DENIED = (401, 403)
_PASSING = (408, 425, 429)


@contextmanager
def server_errors() -> Iterator[None]:
    """Whatever the client or its transport raises comes out as Unavailable or Broken."""
    try:
        yield
    except FundstelleError:
        raise
    except Exception as error:
        raise translated(error) from error


def translated(error: Exception) -> FundstelleError:
    """The error of ours that stands for a foreign one."""
    if isinstance(error, ResponseHandlingException) and isinstance(error.source, ValueError):
        return _of_another("no answer of its")  # not JSON, or not as a Qdrant server writes it
    if isinstance(error, ResponseHandlingException) and isinstance(error.source, Exception):
        return translated(error.source)
    if isinstance(error, ResourceExhaustedResponse):
        return Unavailable(
            "index.busy", f"the Qdrant server asks to wait: {error}", retry_after_s=error.retry_after_s
        )
    if isinstance(error, httpx.TransportError | OSError):
        return Unavailable(
            "index.unreachable",
            f"the Qdrant server does not answer ({type(error).__name__}: {error}). Is it running, and is its "
            "URL right?",
            retry_after_s=5.0,
        )
    if isinstance(error, UnexpectedResponse):
        return _of_status(error)
    return Broken("index.failed", f"the Qdrant client failed with {type(error).__name__}: {error}")


def is_conflict(error: Exception) -> bool:
    """Whether the server says that what should be created is there already."""
    return isinstance(error, UnexpectedResponse) and error.status_code == httpx.codes.CONFLICT


def _of_status(error: UnexpectedResponse) -> FundstelleError:
    status = error.status_code or 0
    if (error.content or b"").lstrip().startswith(b"<"):
        return _of_another(f"a page with HTTP {status}")
    if status in _DENIED:
        return Broken("index.denied", f"the Qdrant server refuses the API key (HTTP {status}): check it.")
    if status in _PASSING or status >= httpx.codes.INTERNAL_SERVER_ERROR:
        return Unavailable("index.busy", f"the Qdrant server cannot serve now: {error}", retry_after_s=2.0)
    return Broken("index.failed", f"the Qdrant server refuses the request: {error}")


def _of_another(said: str) -> FundstelleError:
    detail = f"somebody else answers in the place of the Qdrant server ({said}). Is its URL right?"
    return Unavailable("index.unreachable", detail, retry_after_s=5.0)
