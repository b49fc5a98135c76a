"""The pages that an answer stands on, as files of a reply: how many at once, and how the rest is had."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.chat.request import Request
from bot.presentation import Attacher, Presenter, Texts
from bot.presentation.attachments import PageFile, pages_of
from core.domain.answers import Citation
from core.domain.ids import TraceId
from core.domain.messages import Button, ReplyFile

MAX_PAGES = 3
"""Pages attached to an answer at most; the rest comes on request."""


@dataclass(frozen=True, slots=True)
class CitedPages:
    """Attaches pages in chats: each page once, with everything marked that is quoted from it."""

    attacher: Attacher
    presenter: Presenter

    async def files(
        self, request: Request, citations: Sequence[Citation], *, first: int = 0, limit: int = MAX_PAGES
    ) -> tuple[ReplyFile, ...]:
        """`limit` pages from the `first` on (0-based), as the platform shows them."""
        previews = request.stage.capabilities.previews
        pages = await self.attacher.merged(
            citations, request.folder, first=first, limit=limit, previews=previews
        )
        return page_files(pages, self.lines(request, citations), request.texts)

    def lines(self, request: Request, citations: Sequence[Citation]) -> dict[str, str]:
        """What stands behind each label."""
        return {item.label: self.presenter.source_line(item, request.texts) for item in citations}


@dataclass(frozen=True, slots=True)
class Rest:
    """How the pages that are not shown come: by a button, or by a line that is typed where there are none."""

    blocks: tuple[str, ...] = ()
    buttons: tuple[Button, ...] = ()


def rest_of(
    request: Request, trace: TraceId, citations: Sequence[Citation], *, shown: int = MAX_PAGES
) -> Rest:
    """Of the pages of `citations` the first `shown` are shown."""
    left, texts, can = len(pages_of(citations)) - shown, request.texts, request.stage.capabilities
    if left <= 0:
        return Rest()
    if can.buttons:
        command = f"/more {trace} {shown + 1}"
        return Rest(buttons=(Button(label=texts("button.more", count=left), command=command),))
    prefix = can.command_prefix
    return Rest((texts("command.more_left", count=left, prefix=prefix),))


def page_files(pages: Sequence[PageFile], lines: Mapping[str, str], texts: Texts) -> tuple[ReplyFile, ...]:
    """Pages to send, each with what its labels stand for and followed by its preview; it is said of a page
    that its marks could not be proven."""
    files = []
    for page in pages:
        notes = () if page.checked else (texts("cite.unmarked"),)
        caption = "\n".join((*notes, *(lines[label] for label in page.labels)))
        files.append(ReplyFile(name=page.path.name, caption=caption, path=page.path))
        if page.preview is not None:
            files.append(ReplyFile(name=page.preview.name, caption="", path=page.preview, preview=True))
        for label, path in page.figures:
            files.append(ReplyFile(name=path.name, caption=f"[{label}] {texts('cite.picture')}", path=path))
    return tuple(files)
