"""Cited pages for everybody who has their link: the page with the quote marked, where it comes from, and the
quote with its source for pasting elsewhere: text, Markdown, BibTeX, CSL-JSON."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import groupby
from operator import itemgetter
from typing import Any
from urllib.parse import urlsplit

from jinja2 import DictLoader, Environment, StrictUndefined
from starlette.applications import Starlette
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from bot.answers.links import PATH, Links, OpenedLink, is_for_the_public, standing
from bot.http.tokens import Places, Rates, network_of
from bot.presentation.attachments import Attacher, page_name_of
from bot.presentation.escaping import clean
from bot.presentation.i18n import Texts, languages
from bot.presentation.phrases import in_marks, page_names, provision_label
from bot.presentation.presenter import Presenter
from core.domain.answers import Citation
from core.domain.documents import PUBLIC
from core.domain.pages import Page, Word
from core.domain.passages import Span
from core.errors import FundstelleError, Refused, Unavailable
from core.one_line import one_line
from core.ports.library import Library
from core.ports.pdf import PdfToolkit
from core.recent import Recent

_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~&!@]|:(?=//)|(?<=www)\.)")
_TEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_TEX |= {sign: f"\\{sign}" for sign in "#$%&_"}


def source_of(citation: Citation, presenter: Presenter, texts: Texts) -> str:
    """Title, date and place of the document, the provision, and the page."""
    document = citation.edition.document
    parts = [presenter.within((PUBLIC,)).document_line(document, texts)]
    if citation.section:
        parts.append(provision_label(citation.section, document.fields.language))
    parts.append(page_names(citation.quote.pages, citation.printed_labels, texts))
    return clean(one_line(", ".join(parts)))


def forms_of(citation: Citation, presenter: Presenter, texts: Texts) -> list[tuple[str, str]]:
    """The name of each form, and the quote in it."""
    source, quote = source_of(citation, presenter, texts), " ".join(clean(citation.quote.text).split())
    marked, link = clean(in_marks(quote, texts)), citation.link
    return [
        ("plain", f"{marked} ({source}) {link}"),
        ("markdown", f"> {_markdown(quote)}\n>\n> — [{_markdown(source)}]({link})"),
        ("bibtex", _bibtex(citation, quote)),
        ("csl", json.dumps([_csl(citation, quote)], ensure_ascii=False, indent=1)),
    ]


def _markdown(text: str) -> str:
    """The text with a backslash before every special character."""
    return _MARKDOWN.sub(r"\\\1", text)


def _pages(citation: Citation) -> str:
    known = [*citation.printed_labels, *[None] * len(citation.quote.pages)]
    numbers = [label or str(page) for page, label in zip(citation.quote.pages, known, strict=False)]
    return clean("–".join(dict.fromkeys((numbers[0], numbers[-1]))))


def _bibtex(citation: Citation, quote: str) -> str:
    fields = citation.edition.document.fields
    rows = {
        "title": one_line(fields.title),
        "author": " and ".join(f"{{{_tex(name)}}}" for name in fields.parties),
        "year": str(fields.valid_from.year) if fields.valid_from else "",
        "pages": _pages(citation).replace("–", "--"),
        "url": citation.link,
        "note": quote,
    }
    values = {
        name: value if name in ("author", "url") else _tex(value) for name, value in rows.items() if value
    }
    lines = [f"  {name} = {{{value}}}," for name, value in values.items()]
    return "\n".join([f"@misc{{{citation.link.rpartition('/')[2]},", *lines, "}"])


def _tex(text: str) -> str:
    return "".join(_TEX.get(sign, sign) for sign in clean(text))


def _csl(citation: Citation, quote: str) -> dict[str, object]:
    fields = citation.edition.document.fields
    day = fields.valid_from
    found: dict[str, object] = {
        "id": citation.link.rpartition("/")[2],
        "type": "report",
        "title": clean(fields.title),
        "author": [{"literal": clean(name)} for name in fields.parties],
        "issued": {"date-parts": [[day.year, day.month, day.day]]} if day else None,
        "page": _pages(citation),
        "URL": citation.link,
        "language": fields.language,
        "note": quote,
    }
    return {name: value for name, value in found.items() if value}


PER_MINUTE = 240
"""Maximum requests from a network per minute; a page takes four."""

PICTURE_BYTES = 220_000
"""Maximum size of a page's picture, so that a page has 300 KB at most in total."""

CARD_PIXELS = 1000
CARD_TEXT = 300
FRESH_S = 60
"""How long others may cache responses: after that a removed document is gone."""

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; base-uri 'none';"
        " form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Vary": "Accept-Language",
}
_KINDS = {"page.css": "text/css", "page.js": "text/javascript"}


class _PageNumber(IntegerConvertor):
    """A page number with no more digits than one can have: Python refuses to parse thousands."""

    regex = "[0-9]{1,9}"


register_url_convertor("page_number", _PageNumber())


def _asset(name: str) -> str:
    return files(__package__).joinpath("assets", name).read_text(encoding="utf-8")


@dataclass(slots=True, kw_only=True)
class LinkedPages:
    """Answers whoever opens a link. Other collections cannot be reached from here: `links` opens public ones
    only, and addresses of hosts `inside` are never shown."""

    links: Links
    library: Library
    attacher: Attacher
    pdf: PdfToolkit
    presenter: Presenter
    rates: Rates
    inside: frozenset[str] = frozenset()
    places: Places = field(default_factory=lambda: Places(2, 50))
    _made: Recent[object, tuple[bytes, str]] = field(default_factory=lambda: Recent(32))
    _templates: Environment = field(init=False)
    _assets: Mapping[str, str] = field(init=False)

    def __post_init__(self) -> None:
        pages = {name: _asset(name) for name in ("page.html", "unknown.html")}
        self._templates = Environment(loader=DictLoader(pages), autoescape=True, undefined=StrictUndefined)
        self._assets = {name: _asset(name) for name in _KINDS}

    def application(self) -> ASGIApp:
        """The routes below `PATH`."""
        routes = [
            Route("/-/{name}", self._static),
            Route("/{link}", self._page),
            Route("/{link}/card.jpg", self._card),
            Route("/{link}/{number:page_number}", self._page),
            Route("/{link}/{number:page_number}.pdf", self._pdf),
            Route("/{link}/{number:page_number}.img", self._picture),
        ]
        return Starlette(
            routes=routes, exception_handlers={404: self._unknown, FundstelleError: self._failed}
        )

    @property
    def _root(self) -> str:
        return urlsplit(self.links.base).path.rstrip("/") + PATH

    async def _static(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in self._assets:
            return await self._unknown(request)
        return _answered(self._assets[name].encode(), _KINDS[name])

    async def _unknown(self, request: Request, _: Exception | None = None) -> Response:
        """The same response for everything that does not exist or may not be seen."""
        page = self._templates.get_template("unknown.html").render(texts=_texts(request), root=self._root)
        return _answered(page.encode(), "text/html", 404)

    async def _failed(self, request: Request, error: Exception) -> Response:
        if isinstance(error, Unavailable):
            wait = {"Retry-After": str(max(1, round(error.retry_after_s)))}
            status = 429 if error.key == "link.limit" else 503
            return PlainTextResponse("try again later\n", status, {**_HEADERS, **wait})
        return await self._unknown(request)

    async def _opened(self, request: Request) -> tuple[OpenedLink, int]:
        """The requested link, and its page. Raises Refused if there is none, Unavailable if the rate limit is
        reached."""
        network = network_of(request.client.host if request.client else "")
        if wait := await self.rates.full_for(f"links opened from {network}", PER_MINUTE):
            raise Unavailable("link.limit", "too many requests", wait)
        link = await self.links.opened(request.path_params["link"])
        if link is None:
            raise Refused("link.unknown", "there is no such link")
        number = request.path_params.get("number", link.citation.quote.pages[0])
        if not 1 <= number <= link.citation.edition.version.pages:
            raise Refused("link.unknown", "there is no such page")
        return link, number

    async def _highlighted(self, link: OpenedLink, number: int, kind: str) -> tuple[bytes, str]:
        """A page as a file of that kind, and its media type. Raises Refused if it is no longer kept."""
        spans = link.citation.quote.spans
        key = (link.citation.edition.version.id, number, spans, kind)
        if key not in self._made:
            async with self.places.place():
                self._made[key] = await self._drawn(link, number, spans, kind)
        return self._made[key]

    async def _drawn(
        self, link: OpenedLink, number: int, spans: Sequence[Span], kind: str
    ) -> tuple[bytes, str]:
        made = (await self.attacher.page(link.citation.edition, number, spans)).pdf
        if kind == "pdf":
            return made, "application/pdf"
        if kind == "card":
            return await self.pdf.strip(made, pixels=CARD_PIXELS), "image/jpeg"
        picture = await self.pdf.preview(made, most_bytes=PICTURE_BYTES)
        return picture, "image/png" if picture.startswith(b"\x89PNG") else "image/jpeg"

    async def _card(self, request: Request) -> Response:
        link, number = await self._opened(request)
        return _answered(*await self._highlighted(link, number, "card"))

    async def _picture(self, request: Request) -> Response:
        link, number = await self._opened(request)
        return _answered(*await self._highlighted(link, number, "picture"))

    async def _pdf(self, request: Request) -> Response:
        link, number = await self._opened(request)
        content, kind = await self._highlighted(link, number, "pdf")
        name = page_name_of(link.citation.edition.document.fields, str(number), _texts(request))
        plain = name.encode("ascii", "ignore").decode() or "page"
        return _answered(
            content, kind, headers={"Content-Disposition": f'attachment; filename="{plain}.pdf"'}
        )

    async def _page(self, request: Request) -> Response:
        link, number = await self._opened(request)
        texts, citation = _texts(request), link.citation
        page = await self.library.page(citation.edition.version.id, number)
        if page is None:
            return await self._unknown(request)
        fields, turned = citation.edition.document.fields, page.rotation % 180 == 90
        width, height = (page.height, page.width) if turned else (page.width, page.height)
        quote = clean(citation.quote.text)
        shown = self._templates.get_template("page.html").render(
            texts=texts,
            root=self._root,
            here=f"{self._root}/{link.id}",
            address=f"{self.links.base}{PATH}/{link.id}",
            title=clean(
                texts(
                    "link.title",
                    document=one_line(fields.title),
                    page=page_names([number], [page.label], texts),
                )
            ),
            card_text=clean(in_marks(quote[:CARD_TEXT] + ("…" if len(quote) > CARD_TEXT else ""), texts)),
            shows_quote=number in citation.quote.pages,
            quote=quote,
            language=fields.language,
            source=source_of(citation, self.presenter, texts),
            since=[clean(line) for line in standing(link, self.presenter, texts)],
            number=number,
            pages=citation.edition.version.pages,
            readable=await self._is_readable(link, number),
            width=round(width, 1),
            height=round(height, 1),
            lines=[] if page.rotation else _lines(page),
            original=address if is_for_the_public(address := fields.source_uri or "", self.inside) else "",
            forms=forms_of(citation, self.presenter, texts),
        )
        return _answered(shown.encode("utf-8", "replace"), "text/html")

    async def _is_readable(self, link: OpenedLink, number: int) -> bool:
        """Whether there is a picture of the page; makes it."""
        try:
            await self._highlighted(link, number, "picture")
        except Refused:
            return False
        return True


def _answered(
    content: bytes, kind: str, status: int = 200, *, headers: Mapping[str, str] | None = None
) -> Response:
    """A response that may be cached briefly."""
    tag = hashlib.sha256(content).hexdigest()[:32]
    kept = {"Cache-Control": f"public, max-age={FRESH_S if status == 200 else 0}", "ETag": f'"{tag}"'}
    return Response(content, status, {**_HEADERS, **kept, **(headers or {})}, kind)


def _texts(request: Request) -> Texts:
    """Texts in the first language that the reader wants and the bot speaks."""
    wanted: list[tuple[float, str]] = []
    for part in request.headers.get("accept-language", "")[:500].split(","):
        name, _, weight = part.partition(";")
        try:
            quality = float(weight.strip().removeprefix("q=") or 1)
        except ValueError:
            quality = 0.0
        wanted.append((-quality, name.strip().lower().partition("-")[0]))
    wanted.sort(key=itemgetter(0))
    spoken = [name for quality, name in wanted if quality and name in languages()]
    return Texts(spoken[0] if spoken else "en")


def _lines(page: Page) -> list[dict[str, Any]]:
    """The text of a page for an invisible layer over its picture: a line each, in points."""
    found = []
    for _, group in groupby(page.words, key=lambda word: (word.block, word.line)):
        words: list[Word] = list(group)
        top, bottom = min(word.box.y0 for word in words), max(word.box.y1 for word in words)
        left, right = min(word.box.x0 for word in words), max(word.box.x1 for word in words)
        if right > left and bottom > top:
            text = clean(" ".join(word.text for word in words))
            found.append(
                {
                    "x": round(left, 1),
                    "y": round(bottom - (bottom - top) / 5, 1),
                    "size": round((bottom - top) * 0.85, 1),
                    "width": round(right - left, 1),
                    "text": text,
                }
            )
    return found
