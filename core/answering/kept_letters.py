"""The letters of pages that alleged quotes are compared with, kept for the next quote."""

import asyncio
from collections.abc import Set

from core.domain.ids import VersionId
from core.evidence.letters import PageLetters
from core.ports.library import Library
from core.recent import Recent

PAGES_KEPT = 4000
"""Pages whose letters are kept, some 5 kB each."""


class KeptLetters:
    """Letters of the pages in `library`."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._known = Recent[tuple[VersionId, int], PageLetters](PAGES_KEPT)

    async def of(self, version: VersionId, numbers: Set[int]) -> list[PageLetters]:
        """The letters of those pages that there are, ascending, as they were kept where they are known."""
        found = {n: known for n in numbers if (known := self._known.get((version, n))) is not None}
        fresh = await self._library.written_at(version, numbers - found.keys())
        found |= {
            page.number: page for page in await asyncio.to_thread(lambda: list(map(PageLetters.of, fresh)))
        }
        for n, known in sorted(found.items()):
            self._known[version, n] = known
        return [found[n] for n in sorted(found)]
