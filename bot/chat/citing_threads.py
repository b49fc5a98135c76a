"""The threads whose answers quote a document: they hear when it is not public any more."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.chat.guard import Guard
from bot.presentation import Presenter
from core.domain.documents import Document
from core.domain.ids import TraceId
from core.domain.journal import OutgoingReply, chat_key
from core.domain.messages import MessageRef, Outgoing
from core.domain.records import AnswerRecord
from core.ports.journal import Journal


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
