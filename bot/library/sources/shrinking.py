"""A new version that has much less in it than the one before is not taken over unasked."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.documents import DocumentVersion
from core.domain.pages import Page
from core.errors import Refused
from core.library.sources import Size
from core.ports.library import Library


@dataclass(slots=True)
class ShrinkGuard:
    """Keeps a version out that has much less in it than the active one."""

    library: Library
    active: DocumentVersion
    shrank: tuple[Size, Size] | None = None

    async def __call__(self, version: DocumentVersion, pages: Sequence[Page]) -> None:
        """Raises Refused("source.held")."""
        kept = [len(page.text) async for page in self.library.pages(self.active.id)]
        before = Size(pages=len(kept), characters=sum(kept))
        now = Size(pages=version.pages, characters=sum(len(page.text) for page in pages))
        if now.shrank_from(before):
            self.shrank = (before, now)
            raise Refused("source.held", f"{now.pages} pages instead of {before.pages}")
