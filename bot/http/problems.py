"""Errors over HTTP: problem details (RFC 9457) with the key and the detail that `--json` has."""

import math
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from types import MappingProxyType

from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from bot.presentation.views.documents import ReceiptView
from bot.presentation.views.problems import for_caller, problem_for_caller
from core.errors import Refused, Unavailable

MEDIA_TYPE = "application/problem+json"
NO_HEADERS: Mapping[str, str] = MappingProxyType({})

_STATUS = {
    "token.invalid": 401,
    "token.missing": 401,
    "token.role": 403,
    "token.collection": 403,
    "document.unknown": 404,
    "page.unknown": 404,
    "link.unknown": 404,
    "file.too_large": 413,
    "file.needs_office": 415,
    "file.unsupported": 415,
    "token.guessing": 429,
    "token.limit": 429,
    "link.limit": 429,
    "disk.full": 507,
}
"""Other errors are 422 if the caller can act, 503 if retrying later may help, 500 if the operator must
act."""


class BadField(BaseModel):
    """An invalid field of a request."""

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


class RefusedFile(HttpProblem):
    """The problem with a refused file, including its receipt."""

    documents: tuple[ReceiptView, ...]


def answered_problem(
    status: int, code: str, detail: str, *, headers: Mapping[str, str] = NO_HEADERS
) -> Response:
    """The response for a problem."""
    return answered(_problem(status, code, detail), headers=headers)


def answered(view: HttpProblem, *, headers: Mapping[str, str] = NO_HEADERS, wait_s: float = 0.0) -> Response:
    """The response with a problem; `wait_s`: seconds until it makes sense to try again."""
    told = {"WWW-Authenticate": "Bearer"} if view.status == 401 else {}
    told |= {"Retry-After": str(math.ceil(wait_s))} if wait_s else {}
    return Response(view.model_dump_json(), view.status, {**told, **headers}, MEDIA_TYPE)


def _problem(status: int, code: str, detail: str, errors: Sequence[BadField] = ()) -> HttpProblem:
    title = HTTPStatus(status).phrase
    return HttpProblem(title=title, status=status, detail=detail, code=code, errors=tuple(errors))


def problem_of(error: Exception) -> HttpProblem:
    """Any error as a problem. For those that only we can fix, just the key or a trace is given."""
    if isinstance(error, RequestValidationError):
        bad = [
            BadField(field=".".join(map(str, each["loc"][1:])), message=each["msg"])
            for each in error.errors()
        ]
        return _problem(422, "request.invalid", "the request is not as it has to be", bad)
    if isinstance(error, HTTPException):
        return _problem(error.status_code, "request.invalid", str(error.detail))
    problem = problem_for_caller(error)
    usual = 503 if isinstance(error, Unavailable) else 422 if isinstance(error, Refused) else 500
    return _problem(status_of(problem.code, usual), problem.code, problem.message)


def status_of(code: str, usual: int = 422) -> int:
    """The status of an error's key."""
    return _STATUS.get(code, usual)


def receipt_for_caller(receipt: ReceiptView) -> ReceiptView:
    """A receipt whose error is in words for callers."""
    return receipt.model_copy(update={"error": receipt.error and for_caller(receipt.error)})


def refused_file(receipts: Sequence[ReceiptView]) -> RefusedFile:
    """The problem for files that were all refused, based on the first."""
    error = next(each.error for each in receipts if each.error)
    told = _problem(status_of(error.code), error.code, error.message)
    return RefusedFile(**told.model_dump(), documents=tuple(receipts))


async def on_error(_: Request, error: Exception) -> Response:
    """Any error as a response."""
    view = problem_of(error)
    wait_s = error.retry_after_s if isinstance(error, Unavailable) else 0.0
    headers = (error.headers or NO_HEADERS) if isinstance(error, HTTPException) else NO_HEADERS
    return answered(view, headers=headers, wait_s=max(1.0, wait_s) if view.status in (429, 503) else 0.0)
