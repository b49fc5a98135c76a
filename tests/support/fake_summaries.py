"""An in-memory `Summaries`, held to the same contract suite as the SQL one."""

import dataclasses
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from core.domain.answers import Citation
from core.domain.documents import Edition
from core.domain.journal import Pseudonym
from core.domain.summaries import Summary, SummaryDraft, SummaryEntry, Topic
from core.ports.library import Library


class FakeSummaries:
    """Keeps everything in dictionaries; documents and versions are those of `library`."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._ids = count(1)
        self._numbers: Counter[str] = Counter()
        self._topics: dict[str, Topic] = {}
        self._kept: dict[int, Summary] = {}
        self.persons: dict[int, Pseudonym | None] = {}

    async def add(self, draft: SummaryDraft, *, person: Pseudonym | None = None) -> Summary:
        topic = self._topics.setdefault(draft.topic.key, draft.topic)
        self._numbers[topic.key] += 1
        values = {field.name: getattr(draft, field.name) for field in dataclasses.fields(SummaryDraft)}
        values["topic"] = topic
        made = Summary(id=next(self._ids), number=self._numbers[topic.key], **values)
        self._kept[made.id] = made
        self.persons[made.id] = person
        return await self._as_now(made)

    async def entries(self, collections: Sequence[str] | None = None) -> list[SummaryEntry]:
        return [
            SummaryEntry(
                id=item.id,
                number=item.number,
                topic=item.topic,
                scope=item.scope,
                made_at=item.made_at,
                answerer=item.answerer,
                versions=tuple(dict.fromkeys(c.edition.version.id for c in item.citations)),
            )
            for item in reversed(self._kept.values())
            if _may_see(item, collections)
        ]

    async def summary(self, summary: int, collections: Sequence[str] | None = None) -> Summary | None:
        found = self._kept.get(summary)
        return await self._as_now(found) if found and _may_see(found, collections) else None

    async def remove(self, summary: int) -> bool:
        return self._kept.pop(summary, None) is not None

    async def _as_now(self, summary: Summary) -> Summary:
        return replace(summary, citations=tuple([await self._renewed(c) for c in summary.citations]))

    async def _renewed(self, citation: Citation) -> Citation:
        document = await self._library.document(citation.edition.document.id)
        version = await self._library.version(citation.edition.version.id)
        assert document is not None
        assert version is not None
        return replace(citation, edition=Edition(document=document, version=version))


def _may_see(summary: Summary, collections: Sequence[str] | None) -> bool:
    return collections is None or set(summary.topic.scope.collections) <= set(collections)
