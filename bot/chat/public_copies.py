"""What is already public of an internal document: its copy, or a document of the same name; and the threads
that quote it, which are told when it is no longer public."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.chat.guard import Guard
from bot.library.documents import Documents
from bot.library.upkeep import Publishing
from bot.presentation.presenter import Presenter
from core.domain.documents import PUBLIC, Document, Edition
from core.domain.ids import TraceId
from core.domain.journal import OutgoingReply, chat_key
from core.domain.messages import MessageRef, Outgoing
from core.domain.records import AnswerRecord
from core.errors import Refused
from core.ports.journal import Journal
from core.registry.titles import undated


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicState:
    """The public counterpart of a document. `is_copy`: it was published from it; `outdated`: with other bytes
    or fields than the document has now. `answers`: how many recorded ones cite it."""

    edition: Edition
    is_copy: bool
    outdated: bool
    answers: int


@dataclass(frozen=True, slots=True)
class PublicCopies:
    """Looks up documents in the public collection."""

    documents: Documents
    publishing: Publishing
    journal: Journal

    async def of(self, document: Document) -> PublicState | None:
        """The public copy of `document`, else the newest public paper of the same file or title, years
        apart; None for what is public itself."""
        if document.collection == PUBLIC:
            return None
        copy = await self.publishing.copy_of(document, PUBLIC)
        public = copy or _alike(document, await self.documents.held([PUBLIC]))
        if public is None:
            return None
        edition = await self._edition(public)
        own = await self._edition(document)
        if edition is None or own is None:
            return None
        same = edition.version.sha256 == own.version.sha256 and public.fields == document.fields
        return PublicState(
            edition=edition,
            is_copy=copy is not None,
            outdated=copy is not None and not same,
            answers=len(await self.answers(public)),
        )

    async def unpublished(self, collections: Sequence[str]) -> list[Document]:
        """The internal documents of `collections` that are not public in their current state."""
        found = []
        for document in await self.documents.held(collections):
            state = await self.of(document)
            if document.collection != PUBLIC and not (state and state.is_copy and not state.outdated):
                found.append(document)
        return found

    async def published(self, collections: Sequence[str]) -> list[Document]:
        """The documents of `collections` that are public or have a public copy."""
        held = await self.documents.held(collections)
        return [
            each for each in held if each.collection == PUBLIC or await self.publishing.copy_of(each, PUBLIC)
        ]

    async def answers(self, document: Document) -> Sequence[TraceId]:
        """The recorded answers that cite any version of `document`."""
        versions = await self.documents.library.versions(document.id)
        return await self.journal.citing([version.id for version in versions])

    async def _edition(self, document: Document) -> Edition | None:
        try:
            return await self.documents.edition(document.id, [document.collection])
        except Refused:
            return None


def _alike(document: Document, others: Sequence[Document]) -> Document | None:
    title = undated(document.fields.title).casefold()
    found = [
        each
        for each in others
        if each.file == document.file
        or (title and undated(each.fields.title).casefold() == title and _may_be_of_one(document, each))
    ]
    return max(found, key=lambda each: str(each.fields.valid_from or ""), default=None)


def _may_be_of_one(one: Document, other: Document) -> bool:
    """Whether two documents may have the same party and place, as far as stated."""
    a, b = one.fields, other.fields
    parties = not a.parties or not b.parties or set(a.parties) == set(b.parties)
    return parties and (not a.jurisdiction or not b.jurisdiction or a.jurisdiction == b.jurisdiction)


# The threads whose answers quote a document: they hear when it is not public any more.


@dataclass(frozen=True, slots=True)
class CitingThreads:
    """Finds where answers are posted and queues a word there. Chats that want no corrections, or are listed
    no more, hear nothing."""

    journal: Journal
    presenter: Presenter
    guard: Guard

    async def tell(self, gone: Document, traces: Sequence[TraceId], *, cause: str, at: datetime) -> int:
        """Say that `gone` is not public any more below each of the answers `traces`, of those in one thread
        below the last, once for each `cause`; how many there are to say it of."""
        threads: dict[object, list[tuple[AnswerRecord, MessageRef]]] = {}
        for trace in traces:
            record = await self.journal.answer(trace)
            posted = await self.journal.posted(trace)
            if record is not None and posted and await self._hears(posted[0].ref):
                ref = posted[0].ref
                threads.setdefault((chat_key(ref), ref.thread or trace), []).append((record, ref))
        replies = [await self._said(gone, answers, cause) for answers in threads.values()]
        await self.journal.enqueue(replies, at=at)
        return sum(map(len, threads.values()))

    async def _hears(self, ref: MessageRef) -> bool:
        state = await self.journal.chat_state(chat_key(ref))
        return self.guard.chat(ref) is not None and (state is None or state.corrections)

    async def _said(
        self, gone: Document, answers: Sequence[tuple[AnswerRecord, MessageRef]], cause: str
    ) -> OutgoingReply:
        record, to = answers[-1]
        state = await self.journal.chat_state(chat_key(to))
        texts = self.presenter.texts((state.language if state else "") or record.language)
        quotes = sum(item.document == gone.id for each, _ in answers for item in each.citations)
        text = texts("correction.unpublished", title=gone.fields.title, count=quotes)
        named = hashlib.sha256(f"{cause}\n{record.trace}\n{gone.id}".encode()).hexdigest()
        return OutgoingReply(parts=(Outgoing(key=f"u{named[:24]}-0", to=to, text=text),))
