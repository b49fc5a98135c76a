"""Use cases of summaries: made and stored, listed, shown again. Visibility is checked again here."""

import asyncio
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.library.scoping import ScopeOptions, Searched
from bot.presentation.wording.summaries import ListedSummary, ShownSummary, SummaryPresenter
from core.answering.asker import Asker
from core.answering.notices import notices_of_unreadable
from core.answering.personal_data import KEPT_BACK, Privacy
from core.answering.reports.summaries import Freshness, SummaryWriter
from core.domain.journal import Pseudonym
from core.domain.summaries import Summary, folded
from core.errors import Refused
from core.ports.clock import Clock
from core.ports.library import Library, Summaries

_NUMBERED = re.compile(r"(?P<name>.*\S)\s*#\s*(?P<number>\d{1,9})")
_ID = re.compile(r"\d{1,9}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Summarising:
    """What the command `summary` does, on the command line and in chats. `collections` are those that
    the chat may see; None, for operators, shows all."""

    writer: SummaryWriter
    summaries: Summaries
    library: Library
    searched: Searched
    asker: Asker
    texts: SummaryPresenter
    clock: Clock
    privacy: Privacy = KEPT_BACK

    async def new(
        self,
        name: str,
        options: ScopeOptions,
        *,
        answerer: str | None = None,
        person: Pseudonym | None = None,
    ) -> ShownSummary:
        """A new summary of the topic `name`, kept if there is evidence, as one of `person`'s. `answerer` as
        in `Asker.answered`.
        Raises Refused for an empty or over-long name, unknown filters or a model that is not there."""
        self.asker.generator(answerer)
        scope, incomplete = await self.searched.within(options)
        draft = await self.writer.write(
            name, scope=scope, chat_jurisdiction=options.chat_jurisdiction, answerer=answerer
        )
        withheld = notices_of_unreadable(item.why for item in draft.rejected)
        draft = replace(draft, notices=(*incomplete, *draft.notices, *withheld))
        if not draft.claims:
            return ShownSummary(summary=draft)
        kept = await asyncio.to_thread(self.privacy.for_records, draft.topic.name)
        topic = replace(draft.topic, name=kept)
        return ShownSummary(summary=await self.summaries.add(replace(draft, topic=topic), person=person))

    async def list(self, collections: Sequence[str] | None = None) -> Sequence[ListedSummary]:
        """The summaries that may be seen, newest first."""
        freshness = Freshness(self.library, self.clock)
        return [
            ListedSummary(entry=entry, stale=await freshness.is_stale(entry))
            for entry in await self.summaries.entries(collections)
            if _allowed(entry.topic.scope.collections, collections)
        ]

    async def show(self, reference: str, collections: Sequence[str] | None = None) -> ShownSummary:
        """A summary as it was made, and what has changed since. `reference` is its id, or its topic's name
        and its number ("rents #2"). Raises Refused where there is none that may be seen, or several."""
        summary = await self._found(reference, collections)
        changes = await Freshness(self.library, self.clock).changes(summary)
        return ShownSummary(summary=summary, changes=changes)

    async def remove(self, reference: str) -> Summary:
        """Forget a summary; the one that it was. Raises Refused as `show`."""
        summary = await self._found(reference, None)
        await self.summaries.remove(summary.id)
        return summary

    async def _found(self, reference: str, collections: Sequence[str] | None) -> Summary:
        reference = reference.strip()
        wanted = int(reference) if _ID.fullmatch(reference) else await self._named(reference, collections)
        found = await self.summaries.summary(wanted, collections)
        used = {item.edition.document.collection for item in found.citations} if found else set()
        if found is None or not _allowed({*found.topic.scope.collections, *used}, collections):
            raise _unknown(reference)
        return found

    async def _named(self, reference: str, collections: Sequence[str] | None) -> int:
        """The id of the summary meant by a name and a number."""
        said = _NUMBERED.fullmatch(reference)
        if said is None:
            raise _unknown(reference)
        found = [
            entry.id
            for entry in await self.summaries.entries(collections)
            if folded(entry.topic.name) == folded(said["name"]) and entry.number == int(said["number"])
        ]
        if not found:
            raise _unknown(reference)
        if len(found) > 1:
            ids = ", ".join(str(each) for each in sorted(found))
            detail = f"there are several topics of that name; use an id: {ids}"
            raise Refused("summary.ambiguous", detail, name=reference, suggestions=ids)
        return found[0]


def _allowed(used: Iterable[str], collections: Sequence[str] | None) -> bool:
    return collections is None or set(used) <= set(collections)


def _unknown(reference: str) -> Refused:
    """The error for a missing summary, the same for one that may not be seen."""
    detail = f"there is no summary {reference}; `summary list` shows their ids"
    return Refused("summary.unknown", detail, name=reference)
