"""What has changed in the subjects of a chat's subscriptions: new editions and documents, changed and
withdrawn quotes. Only the library's own knowledge counts: since when a document has which bytes, and what
answers a topic now. A document that was merely read again has not changed.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta

from bot.library.scoping import ScopeOptions, Searched
from core.answering.asker import Asker
from core.answering.reports.corrections import Rechecker, same_words
from core.domain.answers import Answer, Citation, Outcome
from core.domain.documents import Document, DocumentStatus, Edition
from core.domain.ids import DocumentId, TraceId
from core.domain.records import CitationRecord, Recheck
from core.domain.scope import Scope
from core.domain.subscriptions import News, NewsKind, Seen, SubjectKind, SubscriptionDraft
from core.ports.clock import Clock
from core.ports.library import LifecycleLibrary

TAKING_IN = timedelta(seconds=10)
"""Maximum delay between the recorded time of a version and its becoming visible."""

_NOBODY = TraceId("")


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """The current state of a subject, and what is new about it."""

    seen: Seen
    news: tuple[News, ...] = ()


@dataclass(slots=True, kw_only=True)
class Watching:
    """Examines subjects. `asker` answers topics; nothing of that is recorded."""

    library: LifecycleLibrary
    searched: Searched
    asker: Asker
    clock: Clock
    _states: dict[tuple[str, ...], str] = field(default_factory=dict, init=False)

    def begin(self) -> None:
        """Start a new round: the library may have changed."""
        self._states.clear()

    async def first(self, draft: SubscriptionDraft) -> SubscriptionDraft:
        """`draft` with the current state of its subject: what already exists is not news."""
        self.begin()
        now = await self._standing(draft, draft.collections)
        return replace(draft, seen=now)

    async def answer(self, topic: str, collections: Sequence[str], jurisdiction: str | None) -> Answer:
        """The current answer to a topic. Raises Refused for one that is empty or too long."""
        options = ScopeOptions(
            collections=tuple(collections), chat_jurisdiction=jurisdiction, configured=True
        )
        scope, _ = await self.searched.within(options)
        return await self.asker.quoted(topic, scope=scope, chat_jurisdiction=jurisdiction)

    async def look(self, draft: SubscriptionDraft, collections: Sequence[str]) -> Looked | None:
        """What is new about a subject within `collections`, those of its own that its chat can see now; None
        if the library is unchanged."""
        seen, within = draft.seen, tuple(collections)
        if within == draft.collections and await self._state(within) == seen.library:
            return None
        now = await self._standing(draft, within)
        if draft.kind is SubjectKind.TOPIC:
            return await self._of_topic(draft, now, within)
        news, kept = list[News](), dict(now.documents)
        for name, bytes_ in now.documents.items():
            if seen.documents.get(name) != bytes_:
                known = NewsKind.CHANGED if seen.documents.get(name) else NewsKind.BACK
                kind = known if name in seen.documents else NewsKind.NEW
                news.append(News(kind=kind, document=await self.library.document(name)))
        for name in seen.documents.keys() - now.documents.keys():
            if (document := await self._gone(name, within)) is not None:
                kept[name] = ""
                if seen.documents[name]:
                    news.append(News(kind=NewsKind.GONE, document=document))
            elif await self._is_hidden(name, within):
                kept[name] = seen.documents[name]
        return Looked(seen=replace(now, documents=kept), news=tuple(news))

    async def may_name(self, draft: SubscriptionDraft, within: Sequence[str]) -> bool:
        """Whether a chat that sees `within` may read the name of its subscription: it saw no more when it
        subscribed, or the subject is not elsewhere."""
        if set(draft.collections) <= set(within):
            return True
        if draft.kind is SubjectKind.PARTY:
            found = await self._editions(tuple(within))
            return any(draft.subject in each.document.fields.parties for each in found)
        is_topic = draft.kind is SubjectKind.TOPIC
        names = {each.document for each in draft.seen.quotes} if is_topic else {DocumentId(draft.subject)}
        documents = [await self.library.document(each) for each in names]
        return all(each is not None and each.collection in within for each in documents)

    async def _of_topic(self, draft: SubscriptionDraft, now: Seen, within: tuple[str, ...]) -> Looked:
        """Quotes that read differently or are gone, documents of theirs that were withdrawn or are back, and
        answering quotes in new documents."""
        rechecker, news, kept = Rechecker(self.library), list[News](), list[CitationRecord]()
        successors = await self.library.successors([each.version for each in draft.seen.quotes])
        withdrawn, unseen = dict[DocumentId, Document](), list[CitationRecord]()
        told_gone = draft.seen.documents
        for was in draft.seen.quotes:
            if was.document in told_gone and await self.library.document(was.document) is None:
                continue  # deleted for good meanwhile
            if await self._is_hidden(was.document, within):
                unseen.append(was)
                continue
            if (document := await self._gone(was.document, within)) is not None:
                withdrawn[document.id] = document
                unseen.append(was)
                continue
            successor = successors.get(was.version)
            checked = await rechecker.checked(_NOBODY, was, successor) if successor else None
            if checked is not None and checked.outcome is not Recheck.KEPT:
                news.append(News(kind=NewsKind.QUOTE, rechecked=checked))
                stands = checked.outcome is Recheck.CHANGED and checked.now is not None
                kept += [CitationRecord.of(checked.now)] if stands and checked.now else []
            elif checked is not None and checked.now is not None:
                kept.append(was.moved(checked.now))
            else:
                kept.append(was)
        news += [
            News(kind=NewsKind.GONE, document=each) for each in withdrawn.values() if each.id not in told_gone
        ]
        back = told_gone.keys() & {each.document for each in kept}
        news += [
            News(kind=NewsKind.BACK, document=await self.library.document(each)) for each in sorted(back)
        ]
        answer = await self.answer(draft.subject, within, draft.jurisdiction)
        known_quotes = [each.quote for each in kept]
        for citation in answer.citations if answer.outcome is Outcome.GROUNDED else ():
            if any(same_words(citation.quote.text, quote) for quote in known_quotes):
                continue
            since, edition = draft.seen.at, citation.edition
            if self._is_in_force_since(edition, since) or await self._is_since(edition, since):
                news.append(News(kind=NewsKind.ANSWER, citation=citation))
                kept.append(CitationRecord.of(citation))
        hidden = told_gone.keys() & {each.document for each in unseen}
        gone = dict.fromkeys((*hidden, *withdrawn), "")
        return Looked(seen=replace(now, documents=gone, quotes=(*kept, *unseen)), news=tuple(news))

    async def _standing(self, draft: SubscriptionDraft, within: tuple[str, ...]) -> Seen:
        """The state of the subject, for a topic without its quotes unless it is the first state."""
        at, library = self.clock.now(), await self._state(within)
        if draft.kind is SubjectKind.TOPIC:
            return replace(draft.seen, at=at, library=library)
        own = await self.library.document(DocumentId(draft.subject))
        found = {
            each.document.id: each.version.sha256
            for each in await self._editions(within)
            if _belongs(each.document, draft, own)
        }
        return Seen(at=at, library=library, documents=found)

    async def _editions(self, within: tuple[str, ...]) -> list[Edition]:
        """Everything visible, whether in force today or not: future documents are news too."""
        return list(await self.library.editions(Scope(collections=within), on=self.clock.today()))

    async def _state(self, within: tuple[str, ...]) -> str:
        """A digest of everything visible, and of which parts are still to come into force."""
        if within not in self._states:
            today = self.clock.today()
            found = sorted(
                f"{each.document.id} {each.version.sha256}{' to come' if _start(each) > today else ''}"
                for each in await self._editions(within)
            )
            self._states[within] = hashlib.sha256("\n".join(found).encode()).hexdigest()
        return self._states[within]

    def _is_in_force_since(self, edition: Edition, since: datetime) -> bool:
        """Whether an edition came into force on a day after that of `since`."""
        return self.clock.day_of(since) < _start(edition) <= self.clock.today()

    async def _is_since(self, edition: Edition, since: datetime) -> bool:
        """Whether the bytes of an edition arrived after that time; rereading them does not count. Those being
        ingested at that time count as new: anything already told is not told again."""
        versions = await self.library.versions(edition.document.id)
        same = [each for each in versions if each.sha256 == edition.version.sha256]
        first = min((each.indexed_at or each.seen_from for each in same), default=since)
        return first > since - TAKING_IN

    async def _gone(self, name: DocumentId, within: tuple[str, ...]) -> Document | None:
        """The document if it was withdrawn and may be spoken of."""
        document = await self.library.document(name)
        if document is None or document.collection not in within:
            return None
        return document if document.status is DocumentStatus.DELETED else None

    async def _is_hidden(self, name: DocumentId, within: tuple[str, ...]) -> bool:
        """Whether a document is in a collection that the chat can no longer see."""
        document = await self.library.document(name)
        return document is not None and document.collection not in within


def _start(edition: Edition) -> date:
    """The day from which an edition is in force."""
    return edition.document.fields.valid_from or date.min


def _belongs(document: Document, draft: SubscriptionDraft, own: Document | None) -> bool:
    """Whether a document is of the party that is watched, is the watched one (`own`) itself, or is another
    edition of its series in the same collection."""
    if draft.kind is SubjectKind.PARTY:
        return draft.subject in document.fields.parties
    if own is None or document.collection != own.collection:
        return False
    return document.id == own.id or (own.series is not None and document.series == own.series)


def quotes_of(citations: Sequence[Citation]) -> tuple[CitationRecord, ...]:
    """Citations as stored with subscriptions: nothing from the question."""
    return tuple(replace(CitationRecord.of(each), carrying=(), key_words=()) for each in citations)
