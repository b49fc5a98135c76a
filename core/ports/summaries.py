"""Summaries of topics, kept as they were made."""

from collections.abc import Sequence
from typing import Protocol

from core.domain.journal import Pseudonym
from core.domain.summaries import Summary, SummaryDraft, SummaryEntry


class Summaries(Protocol):
    """Kept summaries. `collections` are those that may be seen: a summary is shown only where all that its
    scope names are among them; None shows all. One method, one transaction."""

    async def add(self, draft: SummaryDraft, *, person: Pseudonym | None = None) -> Summary:
        """Keep a summary; it gets an id and its topic's next number. The documents and versions quoted
        are those of the library. `person` asked for it: when they are forgotten, it goes."""
        ...

    async def entries(self, collections: Sequence[str] | None = None) -> list[SummaryEntry]:
        """The summaries that may be seen, newest first."""
        ...

    async def summary(self, summary: int, collections: Sequence[str] | None = None) -> Summary | None:
        """A summary word for word as it was made, its documents and versions as they are now; None where
        there is none that may be seen."""
        ...

    async def remove(self, summary: int) -> bool:
        """Forget a summary; whether there was one. Its id is never given again, its number not as long as
        its topic is kept."""
        ...
