"""The cited pages of an answer as files in a reply: how many at once, and how to get the rest."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bot.chat.memory import ChatMemory, Remembered
from bot.chat.request import Request
from bot.presentation.attachments import Attacher, PageFile, page_name_of, pages_of, unique
from bot.presentation.i18n import Texts
from bot.presentation.phrases import reading_line
from bot.presentation.presenter import Presenter
from core.domain.answers import Citation, Reading
from core.domain.ids import TraceId
from core.domain.messages import Button, Reply, ReplyFile
from core.one_line import shortened

MAX_PAGES = 3
"""Maximum pages attached to an answer; the rest are available on request."""

PICTURES = ("picture", "both")
PDFS = ("pdf", "both", "request")
"""The files that a chat wants with an answer; requested pages come as PDFs if none come by themselves."""


@dataclass(frozen=True, slots=True)
class CitedPages:
    """Attaches pages in chats: each page once, with all its quotes highlighted."""

    attacher: Attacher
    presenter: Presenter

    async def files(
        self,
        request: Request,
        citations: Sequence[Citation],
        *,
        first: int = 0,
        limit: int = MAX_PAGES,
        captions: bool = False,
        whole: bool = False,
    ) -> tuple[ReplyFile, ...]:
        """`limit` pages from the `first` on (0-based), in the form the chat wants: PDFs, pictures of the
        quotes or both; on platforms where only a picture shows the quote of a PDF, it accompanies a single
        one. `captions` describe each page, if the text does not; `whole`: the pages themselves are asked
        for."""
        can, wanted = request.stage.capabilities, files_wanted(request)
        pages = await self.attacher.merged(
            citations, request.folder, first=first, limit=limit, thumbnails=can.thumbnails
        )
        strips: dict[Path, Path] = {}
        for page in pages:
            if wanted in PICTURES or (can.previews and len(pages) == 1):
                strips[page.path] = await self.attacher.strip(page.path)
        lines = self.lines(request, citations) if captions else {}
        files = page_files(pages, lines, request.texts, strips=strips, pdfs=whole or wanted in PDFS)
        return await asyncio.to_thread(_named, files)

    def lines(self, request: Request, citations: Sequence[Citation]) -> dict[str, str]:
        """The source line for each label."""
        return {item.label: self.presenter.source_line(item, request.texts) for item in citations}


def _named(files: Sequence[ReplyFile]) -> tuple[ReplyFile, ...]:
    """The files, renamed to the names they are sent under: the console shows their paths."""
    return tuple(replace(file, path=file.path.rename(file.path.with_name(file.name))) for file in files)


def files_wanted(request: Request) -> str:
    """The chat's choice: pdf, picture, both or request."""
    return request.state.files or request.chat.files


def pages_shown(request: Request) -> int:
    """How many pages accompany an answer unasked."""
    if files_wanted(request) == "request":
        return 0
    return min(MAX_PAGES, request.stage.capabilities.files_at_once or MAX_PAGES)


@dataclass(frozen=True, slots=True)
class Rest:
    """How to get the pages not shown: by a button, or by typing a line where there are no buttons."""

    blocks: tuple[str, ...] = ()
    buttons: tuple[Button, ...] = ()


def rest_of(
    request: Request, trace: TraceId, citations: Sequence[Citation], *, shown: int = MAX_PAGES
) -> Rest:
    """The first `shown` of the pages of `citations` are shown; the wording differs if none is shown yet."""
    left, texts, can = len(pages_of(citations)) - shown, request.texts, request.stage.capabilities
    if left <= 0:
        return Rest()
    if can.buttons:
        command = f"/more {trace} {shown + 1}"
        pages = pages_of(citations)
        label = texts("button.more" if shown else "button.pages_cited", count=left)
        if left == 1:
            label = texts("button.one_page", page=pages[-1].printed or str(pages[-1].page))
        return Rest(buttons=(Button(label=label, command=command),))
    key = "command.more_left" if shown else "command.pages_cited"
    return Rest((texts(key, count=left, prefix=can.command_prefix),))


def page_files(
    pages: Sequence[PageFile],
    lines: Mapping[str, str],
    texts: Texts,
    *,
    strips: Mapping[Path, Path],
    pdfs: bool = True,
) -> tuple[ReplyFile, ...]:
    """Pages to send, with pictures of their quotes and figures, captioned with the source of their labels if
    `lines` has it; a caption says if a page's marks could not be proven."""
    files: list[ReplyFile] = []
    fields = [page.edition.document.fields for page in pages]
    names = [
        page_name_of(each, page.printed or str(page.page), texts)
        for each, page in zip(fields, pages, strict=True)
    ]
    for page, name in zip(pages, unique(names), strict=True):
        notes = () if page.checked else (texts("cite.unmarked"),)
        caption = "\n".join((*notes, *(lines[label] for label in page.labels if label in lines)))
        if strip := strips.get(page.path):
            text = "" if pdfs else caption
            files.append(ReplyFile(name=f"{name}.jpg", caption=text, path=strip))
        if pdfs:
            pdf = ReplyFile(name=f"{name}.pdf", caption=caption, path=page.path, thumbnail=page.thumbnail)
            files.append(pdf)
        for label, path in page.figures:
            files.append(ReplyFile(name=path.name, caption=f"[{label}] {texts('cite.picture')}", path=path))
    return tuple(files)


# Places to read on, with their first words: a button each, or how to type it; and what was offered last.

ON_A_BUTTON = 40
"""Maximum characters of a title on a button."""

AT_ONCE = 3
"""Maximum number of places offered at once."""


Places = tuple[tuple[str, int], ...]
"""Ids of documents, and numbers of pages."""


class OfferedPlaces:
    """The places offered last to each person of a chat, who names them by number, and which places of an
    answer were offered."""

    def __init__(self, memory: ChatMemory) -> None:
        self._places = Remembered[Places](memory, "offered places", Places)
        self._told = Remembered[Places](memory, "places told", Places)
        self._pages = Remembered[int](memory, "pages shown", int)

    def keep(self, request: Request, places: Sequence[Reading]) -> None:
        """Remember that `places` were offered to the person asking."""
        if places:
            found = tuple(map(_page, places))
            self._places.put(request.key, request.person, value=found, person=request.person)

    def place(self, request: Request, number: int) -> tuple[str, int] | None:
        """Document and page of the place `number`, counted from 1."""
        places = self._places.get(request.key, request.person) or ()
        return places[number - 1] if 0 < number <= len(places) else None

    def next(self, request: Request, trace: TraceId, places: Sequence[Reading]) -> Sequence[Reading]:
        """The further places of an answer that were not offered before."""
        told = self._told.get(request.key, trace) or ()
        offered = [each for each in places if _page(each) not in told][:AT_ONCE]
        if offered:
            value = (*told, *map(_page, offered))
            self._told.put(request.key, trace, value=value, person=request.person)
        return offered

    def begun(self, request: Request, trace: TraceId) -> bool:
        """Whether further places of an answer were offered before."""
        return bool(self._told.get(request.key, trace))

    def pages(self, request: Request, trace: TraceId) -> int | None:
        """How many pages of an answer are shown; None if no longer known."""
        return self._pages.get(request.key, trace)

    def keep_pages(self, request: Request, trace: TraceId, shown: int) -> None:
        """Remember that the first `shown` pages of an answer are shown."""
        self._pages.put(request.key, trace, value=shown, person=request.person)


def _page(place: Reading) -> tuple[str, int]:
    return place.edition.document.id, place.page


def offering(request: Request, heading: str, places: Sequence[Reading]) -> Reply:
    """Places with their first words, and how to get each as a page."""
    texts = request.texts
    lines = []
    for number, reading in enumerate(places, start=1):
        lines.append(f"{number}. {reading_line(reading, texts)}")
    blocks = ("\n".join([heading, *lines]), *how_to_read(request, places))
    return Reply(blocks=blocks, buttons=buttons_to_read(request, places))


def buttons_to_read(request: Request, places: Sequence[Reading]) -> tuple[tuple[Button, ...], ...]:
    """A row of buttons for each page that is offered for reading."""
    if not request.stage.capabilities.buttons:
        return ()
    return tuple(
        (
            Button(
                label=request.texts(
                    "button.read",
                    title=shortened(document.fields.title, ON_A_BUTTON),
                    page=reading.printed or reading.page,
                ),
                command=f"/page {document.id} {reading.page}",
            ),
        )
        for reading in places
        for document in (reading.edition.document,)
    )


def how_to_read(request: Request, places: Sequence[Reading]) -> tuple[str, ...]:
    """How to get such a page if there are no buttons."""
    can = request.stage.capabilities
    if not places or can.buttons:
        return ()
    word = request.texts("command.page_word", prefix=can.command_prefix)
    numbers = ", ".join(f"{word} {number}" for number in range(1, len(places) + 1))
    return (request.texts("command.read_left", count=len(places), commands=numbers),)
