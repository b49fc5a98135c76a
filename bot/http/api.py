"""The interface for programs under /v1: the commands of the terminal over HTTP, with their results."""

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal

from fastapi import Depends, FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.security import HTTPBearer
from pydantic import BaseModel, ConfigDict, Field, model_validator
from starlette.exceptions import HTTPException
from starlette.responses import Response, StreamingResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from bot.answers.drafts import checked_draft
from bot.answers.questions import Questions
from bot.answers.reports import Comparisons
from bot.http.endpoint import MAX_BODY, Bounded
from bot.http.problems import (
    MEDIA_TYPE,
    HttpProblem,
    RefusedFile,
    answered,
    answered_problem,
    on_error,
    problem_of,
    receipt_for_caller,
    refused_file,
)
from bot.http.tokens import Entry, reached, require_publisher
from bot.library.audit import AuditTrail
from bot.library.documents import Documents
from bot.library.intake import IngestOptions, Intake, is_url
from bot.library.lifecycle import DocumentLifecycle
from bot.library.scoping import ScopeOptions
from bot.presentation.presenter import Presenter
from bot.presentation.views.answers import (
    AnswerView,
    CheckView,
    DraftView,
    QuotationView,
    SearchView,
    answer_view,
    check_view,
    search_view,
)
from bot.presentation.views.documents import FullDocumentView, ReceiptView
from bot.presentation.views.encoding import encoded
from bot.presentation.views.problems import problem_for_caller
from bot.presentation.views.reports import ComparisonView
from bot.presentation.wording.comparisons import comparison_view
from core.domain.access import AccessToken
from core.domain.answers import Citation, Claim
from core.domain.ingestion import IngestStatus
from core.errors import FundstelleError, Refused
from core.one_line import is_one_line
from core.ports.pdf import PdfToolkit

LONGEST = 500_000
"""Maximum characters of a text in a request; services bound questions and quotes further."""

MOST_NAMES = 50
MOST_HITS = 100
EVENTS = "text/event-stream"
LONGEST_FILE_NAME = 255
"""Maximum bytes of a file's name, as file systems have it."""

Name = Annotated[str, Field(min_length=1, max_length=300)]
Names = Annotated[tuple[Name, ...], Field(max_length=MOST_NAMES)]
NamesQuery = Annotated[list[Name], Query(max_length=MOST_NAMES)]


async def _admitted(
    request: Request, _: Annotated[Any, Depends(HTTPBearer(auto_error=False))]
) -> AccessToken:
    entry: Entry = request.app.state.entry
    known = {each.alias for each in request.scope["route"].dependant.query_params}
    if unknown := [name for name in request.query_params if name not in known]:
        raise HTTPException(422, f"there is no parameter {unknown[0][:100]!r}")
    return await entry.admit(request.headers, request.client.host if request.client else "")


Holder = Annotated[AccessToken, Depends(_admitted)]
"""The token that a request comes with."""


class Body(BaseModel):
    """A request body; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ScopedBody(Body):
    """Where the answer may come from, like the terminal's options. Without `collections`, everything that the
    token can reach."""

    jurisdiction: Name | None = None
    parties: Names = ()
    collections: Names = ()
    documents: Names = ()
    type: Name | None = None
    as_of: date | None = None

    def options(self, token: AccessToken) -> ScopeOptions:
        """The scope for a token holder. Raises Refused for collections that the token cannot reach."""
        return ScopeOptions(
            jurisdiction=self.jurisdiction,
            parties=self.parties,
            collections=reached(token, self.collections),
            documents=self.documents,
            doc_type=self.type,
            as_of=self.as_of,
            configured=True,
        )


class AskBody(ScopedBody):
    """A question; `answerer` defaults to the one in the settings."""

    question: str = Field(max_length=LONGEST)
    answerer: Literal["extractive", "llm"] | None = None


class SearchBody(ScopedBody):
    """A search for `k` passages."""

    question: str = Field(max_length=LONGEST)
    k: int = Field(default=10, ge=1, le=MOST_HITS)


class CompareBody(ScopedBody):
    """A comparison of parties, or of `jurisdictions`."""

    question: str = Field(max_length=LONGEST)
    jurisdictions: Names = ()
    all_quotes: bool = False


class VerifyBody(ScopedBody):
    """One alleged quote as `text`, with its claimed source, or a whole `draft` with all its quotations."""

    text: str | None = Field(default=None, max_length=LONGEST)
    draft: str | None = Field(default=None, max_length=LONGEST)
    claimed_party: Name | None = None
    claimed_document: Name | None = None
    claimed_page: int | None = Field(default=None, ge=1, le=1_000_000)

    @model_validator(mode="after")
    def _either(self) -> "VerifyBody":
        if (self.text is None) == (self.draft is None):
            raise ValueError("send either text or draft")
        return self


class DocumentList(BaseModel):
    """Result of `documents`."""

    documents: tuple[FullDocumentView, ...]


class ReceiptList(BaseModel):
    """Result of `ingest`."""

    documents: tuple[ReceiptView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """Answers requests with a token. `max_bytes` limits a file."""

    entry: Entry
    questions: Questions
    comparisons: Comparisons
    documents: Documents
    intake: Intake
    lifecycle: DocumentLifecycle
    audit: AuditTrail
    presenter: Presenter
    pdf: PdfToolkit
    max_bytes: int

    def application(self) -> ASGIApp:
        """The routes below /v1, with their description in OpenAPI 3.1 at `openapi.json`."""
        from importlib.metadata import version

        app = FastAPI(
            title="Fundstelle",
            summary="Answers with the page: verbatim quotes from a library of documents",
            version=version("fundstelle"),
            docs_url=None,
            redoc_url=None,
            servers=[{"url": "/v1"}],
            responses={"default": {"content": {MEDIA_TYPE: {"schema": HttpProblem.model_json_schema()}}}},
            exception_handlers={
                FundstelleError: on_error,
                RequestValidationError: on_error,
                HTTPException: on_error,
                Exception: on_error,
            },
        )
        post, get = app.post, app.get
        post("/ask", response_model=AnswerView)(self.ask)
        post("/search", response_model=SearchView)(self.search)
        post("/compare", response_model=ComparisonView | AnswerView)(self.compare)
        post("/verify", response_model=CheckView | DraftView)(self.verify)
        get("/documents", response_model=DocumentList)(self.listed)
        get("/pages/{document}/{page}.pdf", response_class=Response, responses=_of("application/pdf"))(
            self.page_pdf
        )
        get("/pages/{document}/{page}.png", response_class=Response, responses=_of("image/png"))(
            self.page_png
        )
        post("/ingest", response_model=ReceiptList, responses=_REFUSED, openapi_extra=_FILE)(self.ingest)
        app.state.entry = self.entry
        return Bounded(app, MAX_BODY, _too_large, beside="/ingest")

    async def ask(self, body: AskBody, token: Holder, request: Request) -> Response:
        """The answer to a question; as events while a model writes, if the client accepts them."""
        options = body.options(token)
        await self.questions.check_answerer(body.answerer)
        if EVENTS in request.headers.get("accept", ""):
            return StreamingResponse(self._events(body, options, token), media_type=EVENTS)
        async with self.entry.place():
            return _json(await self._answered(body, options, token))

    async def _answered(
        self, body: AskBody, options: ScopeOptions, token: AccessToken, **more: Any
    ) -> AnswerView:
        person = self.entry.person(token)
        answer = await self.questions.ask(
            body.question, options, answerer=body.answerer, asked_by=person, **more
        )
        return answer_view(answer, {}, self.presenter)

    async def _events(self, body: AskBody, options: ScopeOptions, token: AccessToken) -> AsyncIterator[str]:
        """`claims` as they are proven, then the whole `answer`, or a `problem`."""
        told: asyncio.Queue[str | None] = asyncio.Queue()

        def tell(claims: tuple[Claim, ...], _: tuple[Citation, ...]) -> None:
            said = [{"text": each.text, "labels": list(each.labels)} for each in claims]
            told.put_nowait(_event("claims", json.dumps({"claims": said}, ensure_ascii=False)))

        async def work() -> None:
            try:
                async with self.entry.place():
                    view = await self._answered(body, options, token, progress=tell)
                told.put_nowait(_event("answer", encoded(view, ensure_ascii=False)))
            except Exception as error:
                told.put_nowait(_event("problem", problem_of(error).model_dump_json()))
            finally:
                told.put_nowait(None)

        working = asyncio.create_task(work())
        try:
            while (event := await told.get()) is not None:
                yield event
        finally:
            working.cancel()

    async def search(self, body: SearchBody, token: Holder) -> Response:
        """Passages, best first, without an answer."""
        async with self.entry.place():
            found = await self.questions.search(body.question, body.options(token), k=body.k)
            return _json(search_view(body.question, found, await self.questions.printed(found)))

    async def compare(self, body: CompareBody, token: Holder) -> Response:
        """A row for each party or place."""
        options = body.options(token)
        async with self.entry.place():
            if (helped := await self.questions.in_distress(body.question, options)) is not None:
                view = answer_view(helped, {}, self.presenter)
                return Response(
                    json.dumps({"rows": [], "table": None, **view.json_object}), media_type="application/json"
                )
            made = await self.comparisons.compare(
                body.question,
                options,
                body.jurisdictions,
                all_quotes=body.all_quotes,
                asked_by=self.entry.person(token),
            )
            return _json(comparison_view(made))

    async def verify(self, body: VerifyBody, token: Holder) -> Response:
        """The check of an alleged quote, or of all quotations in a draft."""
        options = body.options(token)
        async with self.entry.place():
            if body.draft is not None:
                checked = await checked_draft(self.questions, body.draft, options)
                rows = [
                    QuotationView(
                        start=each.start,
                        end=each.end,
                        said=each.said,
                        check=each.check and check_view(each.said, each.check, {}),
                        error=each.error and problem_for_caller(each.error),
                    )
                    for each in checked
                ]
                return _json(DraftView(quotations=tuple(rows)))
            check = await self.questions.verify(
                body.text or "",
                options,
                party=body.claimed_party,
                document=body.claimed_document,
                page=body.claimed_page,
            )
            return _json(check_view(body.text or "", check, {}))

    async def listed(
        self,
        token: Holder,
        jurisdiction: Name | None = None,
        party: NamesQuery = [],  # noqa: B006 - FastAPI copies it
        collection: NamesQuery = [],  # noqa: B006
        type: Name | None = None,  # noqa: A002 - the option's name
        as_of: date | None = None,
    ) -> Response:
        """The documents that can be asked about."""
        options = ScopeOptions(
            jurisdiction=jurisdiction,
            parties=tuple(party),
            collections=reached(token, collection),
            doc_type=type,
            as_of=as_of,
            configured=True,
        )
        found = await self.documents.listed(options)
        return _json(DocumentList(documents=tuple(FullDocumentView.showing(each) for each in found)))

    async def page_pdf(self, document: Name, page: int, token: Holder, quote: str | None = None) -> Response:
        """A page as a PDF, with `quote` highlighted."""
        return await self._page(document, page, quote, token, picture=False)

    async def page_png(self, document: Name, page: int, token: Holder, quote: str | None = None) -> Response:
        """The same page as a picture."""
        return await self._page(document, page, quote, token, picture=True)

    async def _page(
        self, document: str, page: int, quote: str | None, token: AccessToken, *, picture: bool
    ) -> Response:
        async with self.entry.place():
            made = await self.documents.page(document, page, quote, collections=token.collections)
            content = await self.pdf.preview(made.pdf) if picture else made.pdf
        headers = {"Fundstelle-Highlighted": "true" if made.highlighted else "false"}
        headers |= {"Fundstelle-Page": str(made.found_page)} if made.found_page else {}
        return Response(content, headers=headers, media_type="image/png" if picture else "application/pdf")

    async def ingest(
        self,
        request: Request,
        token: Holder,
        name: Annotated[Name | None, Query(description="the file's name; its bytes are the body")] = None,
        url: Annotated[Name | None, Query(description="where the file is fetched from instead")] = None,
        collection: Name = "public",
        jurisdiction: Name | None = None,
        party: NamesQuery = [],  # noqa: B006
        type: Name | None = None,  # noqa: A002
        title: Name | None = None,
        language: Name | None = None,
        valid_from: date | None = None,
    ) -> Response:
        """Bring a file into one of the token's collections; requires the role `publisher`. A refused file is
        a problem, whose `documents` has what would otherwise be the response."""
        require_publisher(token)
        reached(token, [collection])
        options = IngestOptions(
            collection=collection,
            jurisdiction=jurisdiction,
            parties=tuple(party),
            doc_type=type,
            title=title,
            language=language,
            valid_from=valid_from,
            presumes=True,
        )
        if (name is None) == (url is None) or (url is not None and not is_url(url)):
            raise Refused("request.source", "send a file as the body with its name, or a url")
        file = "" if name is None else _file_name(name)
        with tempfile.TemporaryDirectory(prefix="fundstelle-") as folder:
            source = url or ""
            if name is not None:
                path = Path(folder) / file
                await self._received(request, path)
                source = str(path)
            async with self.entry.place():
                receipts = await self._ingested(source, options, token)
        shown = [receipt_for_caller(ReceiptView.showing(each)) for each in receipts]
        if shown and all(each.status == IngestStatus.REFUSED for each in shown):
            return answered(refused_file(shown))
        return _json(ReceiptList(documents=tuple(shown)))

    async def _received(self, request: Request, path: Path) -> None:
        """The body, saved to a file. Raises Refused if it is too large."""
        left = self.max_bytes
        with path.open("wb") as file:
            async for piece in request.stream():
                left -= len(piece)
                if left < 0:
                    raise Refused(
                        "file.too_large", f"a file has at most {self.max_bytes} bytes", name=path.name
                    )
                await asyncio.to_thread(file.write, piece)

    async def _ingested(self, source: str, options: IngestOptions, token: AccessToken) -> Sequence[Any]:
        receipts = []
        async for receipt in self.intake.ingest([source], options, None):
            receipts.append(receipt)
            await self.audit.ingested(receipt, actor=self.entry.person(token))
        await self.lifecycle.added(sum(each.passages for each in receipts if each.seconds.get("embed")))
        return receipts


def _file_name(name: str) -> str:
    """The last part of `name`. Raises Refused if that cannot be a file name."""
    file = PurePosixPath(name).name
    if not is_one_line(file) or file == ".." or len(file.encode()) > LONGEST_FILE_NAME:
        like = f"write one such as programme.pdf, of at most {LONGEST_FILE_NAME} bytes"
        raise Refused("request.source", f"name is no name of a file: {like}")
    return file


_REFUSED: dict[int | str, dict[str, Any]] = {
    status: {"model": RefusedFile, "content": {MEDIA_TYPE: {}}} for status in (413, 415, 422, 507)
}
_FILE = {
    "requestBody": {
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
    }
}


def _of(kind: str) -> dict[int | str, dict[str, Any]]:
    """The description of a response that is a file."""
    return {200: {"content": {kind: {"schema": {"type": "string", "format": "binary"}}}}}


def _json(result: BaseModel) -> Response:
    payload = json.dumps(result.model_dump(mode="json"), ensure_ascii=False, allow_nan=False)
    return Response(payload.encode("utf-8", "replace"), media_type="application/json")


def _event(name: str, data: str) -> str:
    """A server-sent event: JSON has no line breaks."""
    return f"event: {name}\ndata: {data}\n\n"


async def _too_large(scope: Scope, receive: Receive, send: Send) -> None:
    found = answered_problem(413, "request.too_large", f"a request has at most {MAX_BODY} bytes")
    await found(scope, receive, send)
