"""Errors over HTTP: problem details (RFC 9457) with the key and the detail that `--json` has."""

import math
from collections.abc import Sequence
from http import HTTPStatus

from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from bot.presentation.views.problems import UNEXPECTED, problem
from core.errors import Broken, FundstelleError, Unavailable

MEDIA_TYPE = "application/problem+json"

_STATUS = {
    "token.invalid": 401,
    "token.missing": 401,
    "token.role": 403,
    "token.collection": 403,
    "document.unknown": 404,
    "page.unknown": 404,
    "link.unknown": 404,
    "file.too_large": 413,
    "token.guessing": 429,
    "token.limit": 429,
    "link.limit": 429,
}
"""Others are 422 where who asks can act, 503 where it may go better later, 500 where the operator can."""


class BadField(BaseModel):
    """A field of a request that is not as it has to be."""

    field: str
    message: str


class HttpProblem(BaseModel):
    """A problem (RFC 9457): `code` is the error's key, `errors` are the fields at fault."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str
    errors: tuple[BadField, ...] = ()


def answered_problem(
    status: int, code: str, detail: str, *, wait_s: float = 0.0, errors: Sequence[BadField] = ()
) -> Response:
    """The response that tells of it."""
    view = HttpProblem(
        title=HTTPStatus(status).phrase, status=status, detail=detail, code=code, errors=tuple(errors)
    )
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    headers |= {"Retry-After": str(math.ceil(wait_s))} if wait_s else {}
    return Response(view.model_dump_json(), status, headers, MEDIA_TYPE)


async def on_error(_: Request, error: Exception) -> Response:
    """Any error. Of those that are ours to mend only the key or a trace is told."""
    if isinstance(error, RequestValidationError):
        bad = [
            BadField(field=".".join(map(str, each["loc"][1:])), message=each["msg"])
            for each in error.errors()
        ]
        return answered_problem(422, "request.invalid", "the request is not as it has to be", errors=bad)
    if isinstance(error, HTTPException):
        return answered_problem(error.status_code, "request.invalid", str(error.detail))
    if not isinstance(error, FundstelleError):
        return answered_problem(500, UNEXPECTED, problem(error).message)
    wait_s = error.retry_after_s if isinstance(error, Unavailable) else 0.0
    usual = 503 if isinstance(error, Unavailable) else 500 if isinstance(error, Broken) else 422
    status = _STATUS.get(error.key, usual)
    detail = error.key if isinstance(error, Broken) else error.detail or error.key
    return answered_problem(status, error.key, detail, wait_s=max(1.0, wait_s) if status in (429, 503) else 0)
