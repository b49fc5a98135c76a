"""Whether a quote is visible on its page. Invisible text is not quoted."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from core.domain.answers import Quote
from core.domain.documents import Edition
from core.domain.pages import Doubt, Page, TextSource
from core.domain.passages import Span
from core.errors import Refused
from core.evidence.text import words_under
from core.message_keys import ErrorKey
from core.ports.pdf import PdfToolkit
from core.ports.storage import Originals

COMPARE: Final = Doubt.COMPARE.value

DAMAGED: ErrorKey = "pdf.broken"
"""Reasons for quoting nothing from a page whose file is lost or differs from what was ingested."""


class Sight(Protocol):
    """Looks at quotes on their pages."""

    async def objection(
        self, edition: Edition, pages: Sequence[Page], spans: Sequence[Span], /
    ) -> str | None:
        """Why the text at `spans` of `pages` may not be quoted: "no_ink", "other_letters", or why its page
        cannot be examined; None if it is visible. `COMPARE` if it may be quoted with a warning."""
        ...


class Trusting:
    """Checks nothing: used if the pages are not available."""

    async def objection(
        self, _edition: Edition, _pages: Sequence[Page], _spans: Sequence[Span], /
    ) -> str | None:
        """See `Sight.objection`."""
        return None


TRUSTING = Trusting()


async def seen(sight: Sight, edition: Edition, pages: Sequence[Page], quote: Quote) -> Quote | str:
    """The quote as it may be shown, or why it may not be."""
    why = await sight.objection(edition, pages, quote.spans)
    return replace(quote, compare=True) if why == COMPARE else why or quote


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSight:
    """Has the pages of the originals rendered."""

    originals: Originals
    pdf: PdfToolkit

    async def objection(
        self, edition: Edition, pages: Sequence[Page], spans: Sequence[Span], /
    ) -> str | None:
        """See `Sight.objection`."""
        here = [page for page in pages if any(span.page == page.number for span in spans)]
        found = await asyncio.gather(*(self._on_page(edition, page, spans) for page in here))
        return min(filter(None, found), key=COMPARE.__eq__, default=None)

    async def _on_page(self, edition: Edition, page: Page, spans: Sequence[Span]) -> str | None:
        words = [word for span in spans if span.page == page.number for word in words_under(page, span)]
        path = await self.originals.pages(edition.version.original)
        if path is None:
            return DAMAGED
        scan = page.text_source is TextSource.OCR
        try:
            doubt = await self.pdf.doubt(path, page.number, [word.box for word in words], scan=scan)
        except Refused as refused:
            return refused.key
        return doubt.value if doubt else None
