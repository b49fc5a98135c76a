"""Old answers that say of themselves that they were corrected."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.answers import records
from bot.chat import bound_to
from bot.delivery import in_parts
from bot.presentation import Presenter
from bot.presentation.wording import AnswerMessages, place
from bot.settings import ChatSettings
from core.domain.answers import Answer, Outcome
from core.domain.corrections import Rechecked
from core.domain.journal import OutgoingReply
from core.domain.messages import MessageRef, Reply
from core.domain.records import AnswerRecord, RecordKind
from core.domain.rich_text import bold
from core.domain.search import QuestionKind
from core.ports.chat import ChatPlatform
from core.ports.library import Library


@dataclass(frozen=True, slots=True)
class CorrectedAnswers:
    """Puts a word over an answer, in its place. What it said is written again from its record."""

    library: Library
    presenter: Presenter

    async def edited(
        self,
        record: AnswerRecord,
        news: Sequence[Rechecked],
        shown: MessageRef,
        platform: ChatPlatform,
        *,
        language: str,
        key: str,
        chat: ChatSettings,
    ) -> OutgoingReply | None:
        """The answer in the message `shown` with what became of its quotes over it, if that is still there;
        None where the platform cannot edit, a cited document is gone or not for the chat as it is set now,
        or it takes more than one message."""
        if not platform.capabilities.edits or record.kind is not RecordKind.ANSWER:
            return None
        answer = await self._answer(record)
        if answer is None or not _may_show(chat, answer):
            return None
        texts = self.presenter.texts(language)
        places = "; ".join(dict.fromkeys(place(item, texts) for item in news))
        said = AnswerMessages(self.presenter.within(record.scope.collections)).blocks(answer, texts)
        reply = Reply(
            to=shown,
            blocks=(bold(texts("correction.answer", places=places, count=len(news))), *said),
            replaces=shown.message,
            amends=True,
            language=language,
            collections=bound_to(chat),
        )
        made = in_parts(reply, platform, self.presenter, key=key)
        return made if len(made.parts) == 1 else None

    async def _answer(self, record: AnswerRecord) -> Answer | None:
        """A recorded answer with its citations as they were shown, but without the words of the question."""
        citations = await records.recorded_citations(record, self.library)
        if record.outcome is not Outcome.GROUNDED or len(citations) < len(record.citations):
            return None
        return Answer(
            question="",
            language=record.language,
            kind=record.plan.kind if record.plan else QuestionKind.FACT,
            outcome=record.outcome,
            claims=record.claims,
            citations=tuple(citations),
            scope=record.scope,
            missing=record.missing,
            confidence=record.confidence,
            notices=(),
            rejected=(),
            answerer=record.answerer,
            trace=record.trace,
            seconds={},
        )


def _may_show(chat: ChatSettings, answer: Answer) -> bool:
    return {item.edition.document.collection for item in answer.citations} <= set(chat.collections)
