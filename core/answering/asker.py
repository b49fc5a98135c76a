"""Answers a question: search, choose, cite, and state the confidence - or that there is nothing."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial

from core.answering.entries import checked
from core.answering.extractive.candidates import chosen, evidence_of
from core.answering.extractive.citations import Citer
from core.answering.extractive.confidence import SURE, Calibration, confidence
from core.answering.extractive.extracts import Extract
from core.answering.extractive.provisions import ProvisionQuotes
from core.answering.extractive.sentences import Extractor
from core.answering.forms import EXTRACTIVE, LLM, AnswerForms
from core.answering.generated.generation import Generator
from core.answering.generated.previews import OnClaims
from core.answering.generated.rewriter import Rewriter
from core.answering.generated.rounds import Rounds, Search, SearchRound
from core.answering.notices import alliance_notices, opening_notices, side_notices
from core.answering.others import others_on
from core.answering.personal_data import KEPT_BACK, Privacy
from core.answering.sight import TRUSTING, Sight
from core.answering.stances import NOBODY_READS, StanceReader
from core.answering.validity import Validity
from core.answering.who_wants import WhoWants
from core.domain.answers import Answer, Notice, Outcome
from core.domain.documents import Document
from core.domain.ids import TraceId
from core.domain.scope import Scope, ThreadContext, continued
from core.domain.search import QuestionKind
from core.errors import Refused
from core.library.subdivisions import divided
from core.message_keys import NoticeKey
from core.ports.clock import Clock
from core.ports.library import Library
from core.question.topic import looked_for
from core.question.turns import TurnKind
from core.registry.registry import admits
from core.registry.slips import mended
from core.search.plan import SearchResult
from core.search.rewrites import Rewrite
from core.search.searcher import Searcher

ASKED_ON = 2
"""Maximum number of parties asked the same question before they are offered."""

_STEM = 5
"""Letters by which a word that is asked about is found in a quote."""

ASIDES: Mapping[TurnKind, NoticeKey] = {
    TurnKind.GREETING: "info.greeting",
    TurnKind.BYE: "info.bye",
    TurnKind.THANKS: "info.thanks",
    TurnKind.INSULT: "info.insult",
    TurnKind.ABOUT: "info.help",
    TurnKind.SMALL_TALK: "info.errand",
    TurnKind.ADVICE: "info.voting_advice",
}
"""Replies to messages that are not questions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskSettings:
    """The number of quotes, the confidence threshold below which nothing is said, and the maximum length of a
    question in characters."""

    citations: int = 3
    threshold: float | None = None
    max_question: int = 2000
    privacy: Privacy = KEPT_BACK


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """An answer and the search behind it, for its record."""

    answer: Answer
    result: SearchResult


class Asker:
    """Answers questions. Without a model everything shown is a verbatim, verified quote; with one
    (`generator`) claims are written, each shown only with the verified quotes that support it."""

    def __init__(
        self,
        *,
        searcher: Searcher,
        library: Library,
        extractor: Extractor,
        clock: Clock,
        new_trace: Callable[[], TraceId],
        settings: AskSettings = AskSettings(),
        calibration: Calibration = Calibration(),
        generator: Generator | None = None,
        rewriter: Rewriter | None = None,
        sight: Sight = TRUSTING,
        stances: StanceReader = NOBODY_READS,
    ) -> None:
        self._searcher = searcher
        self._library = library
        self._extractor = extractor
        citer = Citer(library, sight)
        self._provisions = ProvisionQuotes(library, citer, extractor)
        self._validity = Validity(library, clock)
        self._clock = clock
        self._settings = settings
        self._calibration = calibration
        self._generator = generator
        self._rewriter = rewriter
        self._who_wants = WhoWants(searcher=searcher, extractor=extractor, citer=citer, reader=stances)
        self._forms = AnswerForms(
            citer=citer,
            who_wants=self._who_wants,
            calibration=calibration,
            citations=settings.citations,
            threshold=settings.threshold,
            new_trace=new_trace,
        )

    async def answered(
        self,
        question: str,
        *,
        scope: Scope,
        chat_jurisdiction: str | None = None,
        answerer: str | None = None,
        thread: ThreadContext | None = None,
        progress: OnClaims | None = None,
        looked: SearchResult | None = None,
        leads_on: bool = False,
    ) -> Answered:
        """The answer to `question` within `scope`. `answerer` is EXTRACTIVE or LLM; if None, a model writes
        if there is one. A follow-up is understood from `thread`. `progress` sees proven claims while a model
        writes. `looked` is the result of `look` for it. It is searched at most once more: with slips
        corrected, as a question of its own if it may not belong to the thread, or in other words. `leads_on`:
        follow-ups to offer are looked up. Raises Refused for an empty or over-long question, an unknown place
        or party, or a missing model."""
        started = time.monotonic()
        question = self.checked(question)
        generator = self.generator(answerer)
        today = self._clock.today()
        search = partial(self._search, generator, started, scope, chat_jurisdiction)
        result = looked or await search(question, thread=thread)
        wording = await asyncio.to_thread(_mended, question, result)
        if again := wording != question:
            result = await search(wording, thread=thread)
        may_open_topic = result.plan.question.may_open_topic and not again
        reworded = None if again or may_open_topic else partial(search, question, thread=thread)
        rounds = self._rounds(generator, reworded, question, thread, started, progress)
        answered = await self._answer(question, result, today, rounds)
        silent = answered.answer.outcome is Outcome.NO_EVIDENCE
        if may_open_topic and silent and not result.plan.scope.parties:  # who was asked stays
            result = await search(question)
            rounds = self._rounds(generator, None, question, None, started, progress)
            answered = await self._answer(question, result, today, rounds)
        answered = replace(answered, answer=await divided(self._library, answered.answer))
        outdated = await self._validity.notices(answered.answer, today)
        found = await others_on(
            answered.answer, answered.result, self._searcher, self._library, today, on=leads_on
        )
        following = await self._answering(found.next, answered.result, scope, chat_jurisdiction)
        answered = replace(answered, answer=replace(answered.answer, others=following, earlier=found.earlier))
        others = found.notices
        stances = await self._who_wants.notices(answered.answer, others, answered.result)
        registry = await self._library.registry(answered.result.plan.scope.collections)
        allied = alliance_notices(answered.result.plan, answered.answer.citations, registry)
        total = time.monotonic() - started
        return await asyncio.to_thread(
            self._completed, answered, stances, (*allied, *outdated, *others), thread, total
        )

    async def _answering(
        self, parties: Sequence[str], result: SearchResult, scope: Scope, chat_jurisdiction: str | None
    ) -> tuple[str, ...]:
        """Those of the first `parties` whose quotes answer the question of `result` too: naming its topic is
        not enough."""
        plan = result.plan
        thread = ThreadContext(questions=(plan.question.asked,), language=plan.language)

        async def answers(party: str) -> bool:
            question = f"und {party}?"  # a follow-up in a thread of any language
            found = await self.quoted(
                question, scope=scope, chat_jurisdiction=chat_jurisdiction, thread=thread
            )
            return found.outcome is Outcome.GROUNDED

        asked = parties[:ASKED_ON]
        holding = await asyncio.gather(*map(answers, asked))
        return tuple(party for party, holds in zip(asked, holding, strict=True) if holds)

    async def look(
        self, question: str, *, scope: Scope, chat_jurisdiction: str | None = None
    ) -> SearchResult:
        """The first search for a question that opens a thread. Raises as `answered`."""
        question, generator = self.checked(question), self.generator(None)
        return await self._search(generator, time.monotonic(), scope, chat_jurisdiction, question)

    async def _search(
        self,
        generator: Generator | None,
        started: float,
        scope: Scope,
        chat_jurisdiction: str | None,
        question: str,
        *,
        thread: ThreadContext | None = None,
        rewrite: Rewrite | None = None,
    ) -> SearchResult:
        return await self._searcher.search(
            question,
            scope=scope,
            chat_jurisdiction=chat_jurisdiction,
            today=self._clock.today(),
            thread=thread,
            rewrite=rewrite,
            token_budget=generator.token_budget if generator else None,
            passages=generator.passages if generator else None,
            within_s=generator.left_s(started) if generator else None,
        )

    def _rounds(
        self,
        generator: Generator | None,
        search: Search | None,
        question: str,
        thread: ThreadContext | None,
        started: float,
        progress: OnClaims | None,
    ) -> Rounds | None:
        """The rounds of a model that writes; None without one. Without `search` no other wordings are
        tried."""
        if generator is None:
            return None
        rewriter = self._rewriter
        return Rounds(
            generator,
            look=self._look,
            search=search,
            rewriter=partial(rewriter.for_question, question, thread) if rewriter else None,
            started=started,
            on_claims=progress,
        )

    def _completed(
        self,
        answered: Answered,
        stances: Sequence[Notice],
        beside: Sequence[Notice],
        thread: ThreadContext | None,
        total: float,
    ) -> Answered:
        """The answer with `stances`, `beside` and the usual notices, and with what the conversation remembers
        about it."""
        answer, result = answered.answer, answered.result
        plan, privacy = result.plan, self._settings.privacy
        opening = opening_notices(answer.question, plan, privacy)
        notices = (*opening, *stances, *answer.notices, *beside, *side_notices(result, answer))
        if any(each.key == "notice.of_members" for each in beside):  # a member's saying it is not conclusive
            answer = replace(answer, confidence=min(answer.confidence, SURE - 0.01))
        if plan.kind not in (QuestionKind.OFF_TOPIC, QuestionKind.DOCUMENT):
            cited = [item.edition.document.id for item in answer.citations]
            thread = continued(
                thread,
                privacy.for_records(plan.question.asked),
                plan.language,
                cited,
                [item.quote.text for item in answer.citations],
            )
        seconds = {**result.seconds, "total": total}
        answer = replace(answer, seconds=seconds, notices=notices, queries=plan.queries, thread=thread)
        return Answered(answer=answer, result=result)

    def generator(self, answerer: str | None) -> Generator | None:
        """The generator for `answerer`, None for quotes only. Raises Refused("answerer.no_model")."""
        if answerer == LLM and self._generator is None:
            detail = (
                "no model is configured: set [llm] model (and api_base, api_key) in fundstelle.toml, or in"
                " the environment FUNDSTELLE_LLM__MODEL, FUNDSTELLE_LLM__API_BASE and FUNDSTELLE_LLM__API_KEY"
            )
            raise Refused("answerer.no_model", detail)
        return None if answerer == EXTRACTIVE else self._generator

    def checked(self, question: str) -> str:
        """The question without the white space around it. Raises Refused if it is empty or too long."""
        return checked(question, self._settings.max_question)

    async def quoted(
        self,
        question: str,
        *,
        scope: Scope,
        chat_jurisdiction: str | None = None,
        thread: ThreadContext | None = None,
    ) -> Answer:
        """The answer in quotes from one search, without a model and without the usual notices. Raises Refused
        for an empty or over-long question."""
        found = await self._searcher.search(
            self.checked(question),
            scope=scope,
            chat_jurisdiction=chat_jurisdiction,
            today=self._clock.today(),
            thread=thread,
        )
        return await self.from_found(question, found)

    async def from_found(self, question: str, result: SearchResult) -> Answer:
        """The answer made from a search's quotes, without a model and without the usual notices."""
        return (await self._answer(question, result, self._clock.today(), None)).answer

    async def _answer(
        self, question: str, result: SearchResult, today: date, rounds: Rounds | None
    ) -> Answered:
        kind = result.plan.kind
        if kind is QuestionKind.OFF_TOPIC:
            return self._off_topic(question, result)
        if kind is QuestionKind.DOCUMENT:
            documents = await self._documents(result, today)
            answer = replace(self._forms.blank(question, result, Outcome.INFO), documents=documents)
            return Answered(answer=answer, result=result)
        aside = result.plan.question.aside is not None
        answered = await self._quoted(question, result, None if aside else rounds)
        return (
            self._off_topic(question, result) if aside and not _surely(answered.answer, result) else answered
        )

    def _off_topic(self, question: str, result: SearchResult) -> Answered:
        result = replace(result, plan=replace(result.plan, kind=QuestionKind.OFF_TOPIC))
        notice = Notice(key=ASIDES[result.plan.question.aside or TurnKind.SMALL_TALK])
        answer = replace(self._forms.blank(question, result, Outcome.INFO), notices=(notice,))
        return Answered(answer=answer, result=result)

    async def _documents(self, result: SearchResult, today: date) -> tuple[Document, ...]:
        scope = result.plan.scope
        if _asks_nobody_known(result):
            return ()
        registry = await self._library.registry(scope.collections)
        editions = await self._library.editions(scope, on=today)
        found = tuple(edition.document for edition in editions if admits(scope, edition, registry))
        named = set(result.plan.detected.jurisdictions)
        return tuple(each for each in found if each.fields.jurisdiction in named) or found

    async def _look(self, result: SearchResult) -> SearchRound:
        """The sentences chosen from `result`, with their confidence."""
        extracts = await self.extracts(result)
        sure = confidence(evidence_of(result, extracts), self._calibration)
        return SearchRound(result=result, extracts=extracts, sure=sure)

    async def _quoted(self, question: str, result: SearchResult, rounds: Rounds | None) -> Answered:
        lacking = any(each.kind == "document" for each in result.missing)
        if lacking or _asks_nobody_known(result):  # no other text or person is what was asked about
            return Answered(answer=self._forms.blank(question, result, Outcome.NO_EVIDENCE), result=result)
        if not all(map(str.isupper, result.unmentioned)):  # a model may know abbreviations, but no names
            return Answered(answer=self._forms.silent(question, result, 0.0), result=result)
        if result.provisions and not result.unmentioned and (result.whole or rounds is None):
            blank = self._forms.blank(question, result, Outcome.GROUNDED)
            answer = await self._provisions.answer_of(result, self._settings.citations, blank)
            if answer is not None:
                return Answered(answer=answer, result=result)
        elif not result.provisions and any(each.kind in ("section", "instrument") for each in result.missing):
            return Answered(answer=self._forms.silent(question, result, 0.0), result=result)
        found = await self._look(result)
        if rounds is None or not result.context:
            return Answered(answer=await self._forms.from_quotes(question, found), result=result)
        found, generated = await rounds.best(found)
        return Answered(answer=await self._forms.from_model(question, found, generated), result=found.result)

    async def extracts(self, result: SearchResult) -> list[Extract]:
        """The sentences chosen from what a search found."""
        if self._who_wants.is_asked(result):
            each = await self._who_wants.extracts(result)
            if each or "," not in result.plan.question.asked:  # a statute wants nothing
                return each
        return await chosen(self._extractor, result, self._settings.citations)


def _mended(question: str, result: SearchResult) -> str:
    """`question` with misspellings corrected that the search results reveal."""
    return mended(question, result.plan.language, [hit.passage.embedded_text for hit in result.hits])


def _surely(answer: Answer, result: SearchResult) -> bool:
    """Whether `answer` is surely one, about something that is asked by name ("Dusche": "Warmdusche")."""
    if answer.confidence < SURE or not answer.citations:
        return False
    told = answer.citations[0].quote.text.casefold()
    named = looked_for(result.subject.as_said, result.plan.language)
    return any(word.casefold()[:_STEM] in told for word in named)


def _asks_nobody_known(result: SearchResult) -> bool:
    """Whether only unregistered parties are asked about."""
    return bool(result.plan.detected.unknown_parties) and not result.plan.groups
