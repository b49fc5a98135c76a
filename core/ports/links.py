"""The port of public links to cited pages. Each method is one transaction."""

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol

from core.domain.links import PageLink
from core.domain.records import CitationRecord


class PageLinks(Protocol):
    """Links by unguessable ids."""

    async def give(self, citations: Mapping[str, CitationRecord], *, at: datetime) -> dict[str, str]:
        """An id for each of `citations`, which are by their digests; by digest. One that was given before
        stays."""
        ...

    async def find(self, link: str) -> PageLink | None:
        """The link of that id."""
        ...

    async def purge(self, *, before: datetime) -> int:
        """Forget links that were last given before then; how many."""
        ...
