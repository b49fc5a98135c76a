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
        """Say that `gone` is not public any more below each of the answers `traces`, once for each `cause`;
        how many there are to say it of."""
        replies = []
        for trace in traces:
            record = await self.journal.answer(trace)
            posted = await self.journal.posted(trace)
            if record is not None and posted and await self._hears(posted[0].ref):
                replies.append(await self._said(gone, record, posted[0].ref, cause))
        await self.journal.enqueue(replies, at=at)
        return len(replies)

    async def _hears(self, ref: MessageRef) -> bool:
        state = await self.journal.chat_state(chat_key(ref))
        return self.guard.chat(ref) is not None and (state is None or state.corrections)

    async def _said(self, gone: Document, record: AnswerRecord, to: MessageRef, cause: str) -> OutgoingReply:
        state = await self.journal.chat_state(chat_key(to))
        texts = self.presenter.texts((state.language if state else "") or record.language)
        quotes = sum(item.document == gone.id for item in record.citations)
        text = texts("correction.unpublished", title=gone.fields.title, count=quotes)
        named = hashlib.sha256(f"{cause}\n{record.trace}\n{gone.id}".encode()).hexdigest()
        return OutgoingReply(parts=(Outgoing(key=f"u{named[:24]}-0", to=to, text=text),))
