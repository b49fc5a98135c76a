"""Questions about the last answer: where it comes from, who says it, since when, whether it is true, shorter,
more."""

from dataclasses import dataclass, replace

from bot.answers.questions import Questions
from bot.chat.cited_pages import CitedPages, OfferedPlaces, offering
from bot.chat.request import Request, said
from bot.presentation.phrases import in_marks
from core.domain.answers import Citation
from core.domain.ids import TraceId
from core.domain.messages import Reply
from core.domain.records import AnswerRecord, RecordKind
from core.ports.journal import Journal
from core.question.followups import GoingOn, going_on, place_asked
from core.question.turns import OF_LAST_ANSWER, TurnKind


@dataclass(frozen=True, slots=True)
class LastAnswer:
    """Answers them."""

    questions: Questions
    pages: CitedPages
    journal: Journal
    offered: OfferedPlaces

    async def told(self, request: Request, text: str, trace: TraceId | None) -> Reply | None:
        """The reply to what `text` asks about the answer `trace`; None for any other question."""
        kind, wanted, place = await self.questions.turns.read(text), going_on(text), place_asked(text)
        if wanted is None and place is None and kind not in OF_LAST_ANSWER:
            return None
        record = await self.journal.answer(trace) if trace else None
        if record is None or not set(record.scope.collections) <= set(request.chat.collections):
            return None if wanted or place else said(request.texts("command.nothing_before"))
        if not request.state.language:  # such words are too short to tell one
            request = replace(request, texts=self.pages.presenter.texts(record.language))
        if place is not None:
            return await self._at(request, place, record)
        if wanted or kind is TurnKind.MORE:
            further = await self.further(request, record, on_first=wanted is GoingOn.REASONS)
            return further or said(request.texts("command.no_further"))
        return await self._of(request, kind, record)

    async def further(self, request: Request, record: AnswerRecord, *, on_first: bool) -> Reply | None:
        """The next places beside an answer; None where there are no more."""
        places = await self.questions.further(record, on_first=on_first)
        offered = self.offered.next(request, record.trace, places)
        self.offered.keep(request, offered)
        return offering(request, request.texts("answer.further"), offered) if offered else None

    async def _at(self, request: Request, place: int, record: AnswerRecord) -> Reply | None:
        """The quote at `place`, or what is in that row of a report, with its page; None where there are no
        several, or fewer."""
        citations = await self.questions.citations_of(record)
        rows: dict[object, list[Citation]] = {}
        for item in citations:
            answer = record.kind is RecordKind.ANSWER
            rows.setdefault(item.label if answer else item.edition.document.fields.parties, []).append(item)
        if not (len(rows) > 1 and place <= len(rows)):
            return None
        meant = list(rows.values())[place - 1]
        lines = self.pages.lines(request, meant)
        blocks = ["\n".join((in_marks(each.quote.text, request.texts), lines[each.label])) for each in meant]
        files = await self.pages.files(request, meant)
        return Reply(blocks=tuple(blocks), files=files, language=request.texts.language)

    async def _of(self, request: Request, kind: TurnKind, record: AnswerRecord) -> Reply:
        """Its sources, below what is to be said of them; the page where that was asked for."""
        citations, texts = await self.questions.citations_of(record), request.texts
        if not citations:
            return said(texts("command.nothing_quoted"))
        lines = list(self.pages.lines(request, citations).values())
        if kind is TurnKind.SHORTER:
            return said("\n".join((in_marks(citations[0].quote.text, texts), lines[0])))
        files = await self.pages.files(request, citations) if kind is TurnKind.PAGE else ()
        heading = texts(f"command.last_{kind.value}")
        return Reply(blocks=("\n".join((heading, *lines)),), files=files, language=texts.language)
