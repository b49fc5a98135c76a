"""The pages that an answer stands on, as files of a reply: how many at once, and how the rest is had."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bot.chat.request import Request
from bot.presentation import Attacher, Presenter, Texts
from bot.presentation.attachments import PageFile, page_name_of, pages_of, unique
from core.domain.answers import Citation
from core.domain.ids import TraceId
from core.domain.messages import Button, ReplyFile

MAX_PAGES = 3
"""Pages attached to an answer at most; the rest comes on request."""

PICTURES = ("picture", "both")
PDFS = ("pdf", "both", "request")
"""What a chat wants with an answer; pages that were asked for come as PDFs where none come by themselves."""


@dataclass(frozen=True, slots=True)
class CitedPages:
    """Attaches pages in chats: each page once, with everything marked that is quoted from it."""

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
    ) -> tuple[ReplyFile, ...]:
        """`limit` pages from the `first` on (0-based), as the chat wants them: PDFs, pictures of the quotes
        or both; where only a picture beside a PDF shows a quote, it comes with one that is alone. `captions`
        say what each page is, where that is not said beside them."""
        can, wanted = request.stage.capabilities, files_wanted(request)
        pages = await self.attacher.merged(
            citations, request.folder, first=first, limit=limit, thumbnails=can.thumbnails
        )
        strips: dict[Path, Path] = {}
        for page in pages:
            if wanted in PICTURES or (can.previews and len(pages) == 1):
                strips[page.path] = await self.attacher.strip(page.path)
        lines = self.lines(request, citations) if captions else {}
        files = page_files(pages, lines, request.texts, strips=strips, pdfs=wanted in PDFS)
        return await asyncio.to_thread(_named, files)

    def lines(self, request: Request, citations: Sequence[Citation]) -> dict[str, str]:
        """What stands behind each label."""
        return {item.label: self.presenter.source_line(item, request.texts) for item in citations}


def _named(files: Sequence[ReplyFile]) -> tuple[ReplyFile, ...]:
    """The files where they lie by the names that they are sent by: the console shows their paths."""
    return tuple(replace(file, path=file.path.rename(file.path.with_name(file.name))) for file in files)


def files_wanted(request: Request) -> str:
    """What the chat wants: pdf, picture, both or request."""
    return request.state.files or request.chat.files


def pages_shown(request: Request) -> int:
    """How many pages come with an answer by themselves."""
    if files_wanted(request) == "request":
        return 0
    return min(MAX_PAGES, request.stage.capabilities.files_at_once or MAX_PAGES)


@dataclass(frozen=True, slots=True)
class Rest:
    """How the pages that are not shown come: by a button, or by a line that is typed where there are none."""

    blocks: tuple[str, ...] = ()
    buttons: tuple[Button, ...] = ()


def rest_of(
    request: Request, trace: TraceId, citations: Sequence[Citation], *, shown: int = MAX_PAGES
) -> Rest:
    """Of the pages of `citations` the first `shown` are shown: further ones are told apart from the only
    ones."""
    left, texts, can = len(pages_of(citations)) - shown, request.texts, request.stage.capabilities
    if left <= 0:
        return Rest()
    if can.buttons:
        command = f"/more {trace} {shown + 1}"
        label = texts("button.more" if shown else "button.pages_cited", count=left)
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
    """Pages to send, with pictures of their quotes and figures, captioned with what their labels stand for as
    far as `lines` says it; it is said of a page that its marks could not be proven."""
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
            said = "" if pdfs else caption
            files.append(ReplyFile(name=f"{name}.jpg", caption=said, path=strip))
        if pdfs:
            pdf = ReplyFile(name=f"{name}.pdf", caption=caption, path=page.path, thumbnail=page.thumbnail)
            files.append(pdf)
        for label, path in page.figures:
            files.append(ReplyFile(name=path.name, caption=f"[{label}] {texts('cite.picture')}", path=path))
    return tuple(files)
