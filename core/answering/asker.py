"""The question's way: search, choose, cite, and say how sure that is - or that there is nothing."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from core.answering.citing import Citer
from core.answering.confidence import Calibration, Evidence, confidence
from core.answering.extractive import Extract, Extractor
from core.answering.generation import Generated, Generator
from core.answering.notices import cut_off_notices, notices_of, path_notices
from core.answering.writing import confidence_of, fallback_notice, silence_notices
from core.domain.answers import Answer, Citation, Claim, Notice, Outcome, Reading, Rejected
from core.domain.documents import Document
from core.domain.ids import TraceId
from core.domain.scope import Scope
from core.domain.search import Hit, QuestionKind, SearchResult
from core.errors import Refused
from core.ports import Clock, Library
from core.search.chatter import Chatter, chatter
from core.search.listing import admits
from core.search.searcher import Searcher

NEAREST = 3
"""Pages offered for reading where nothing can be quoted."""

DOUBTFUL = 0.5
"""Confidence under which an answer comes with a warning."""

SPARE = 2
"""Sentences more than are shown, in case one cannot be proven on its page."""
PASSAGES = 6
"""Best passages whose sentences are candidates for an answer, or for a party or place of it."""


EXTRACTIVE, LLM = "extractive", "llm"
"""The answerers that can be asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskSettings:
    """How many quotes, from when on silence, and how long a question may be (characters)."""

    citations: int = 3
    threshold: float | None = None
    max_question: int = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """An answer and the search behind it, for its record."""

    answer: Answer
    result: SearchResult


class Asker:
    """Answers questions. Without a model everything said is a verbatim, verified quote; with one
    (`generator`) claims are written, each shown only with the verified quotes that carry it."""

    name = EXTRACTIVE

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
    ) -> None:
        self._searcher = searcher
        self._library = library
        self._extractor = extractor
        self._citer = Citer(library)
        self._clock = clock
        self._new_trace = new_trace
        self._settings = settings
        self._calibration = calibration
        self._generator = generator

    async def ask(
        self,
        question: str,
        *,
        scope: Scope,
        chat_jurisdiction: str | None = None,
        answerer: str | None = None,
    ) -> Answer:
        """The answer of `answered`, which takes and raises the same."""
        answered = await self.answered(
            question, scope=scope, chat_jurisdiction=chat_jurisdiction, answerer=answerer
        )
        return answered.answer

    async def answered(
        self,
        question: str,
        *,
        scope: Scope,
        chat_jurisdiction: str | None = None,
        answerer: str | None = None,
    ) -> Answered:
        """The answer to `question` within `scope`. `answerer` is EXTRACTIVE or LLM; a model writes where
        there is one if it is None. Raises Refused for an empty or over-long question, an unknown place
        or party, or a model that is not there."""
        started = time.perf_counter()
        question = question.strip()
        self._check(question)
        generator = self.generator(answerer)
        today = self._clock.now().date()
        result = await self._searcher.search(
            question,
            scope=scope,
            chat_jurisdiction=chat_jurisdiction,
            today=today,
            token_budget=generator.token_budget if generator else None,
        )
        answer = await self._answer(question, result, today, generator)
        seconds = {**result.seconds, "total": time.perf_counter() - started}
        notices = (*answer.notices, *path_notices(answer.citations, result.hits))
        return Answered(answer=replace(answer, seconds=seconds, notices=notices), result=result)

    def generator(self, answerer: str | None) -> Generator | None:
        """Who writes for `answerer`, None for quotes alone. Raises Refused("answerer.no_model")."""
        if answerer == LLM and self._generator is None:
            detail = (
                "no model is configured: set [llm] model (and api_base, api_key where needed) in"
                " fundstelle.toml, or the environment's FUNDSTELLE_LLM__MODEL, FUNDSTELLE_LLM__API_BASE"
                " and FUNDSTELLE_LLM__API_KEY"
            )
            raise Refused("answerer.no_model", detail)
        return None if answerer == EXTRACTIVE else self._generator

    def _check(self, question: str) -> None:
        if not question:
            raise Refused("info.empty", "the question is empty; write one")
        if len(question) > (limit := self._settings.max_question):
            detail = f"the question has {len(question)} characters, at most {limit} are possible"
            raise Refused("info.too_long", detail, length=len(question), limit=limit)

    async def _answer(
        self, question: str, result: SearchResult, today: date, generator: Generator | None
    ) -> Answer:
        kind = result.plan.kind
        if kind is QuestionKind.OFF_TOPIC:
            notice = Notice(key=f"info.{chatter(question) or Chatter.ERRAND}")
            return self._made(question, result, Outcome.INFO, notices=(notice,))
        if kind is QuestionKind.DOCUMENT:
            return self._made(question, result, Outcome.INFO, documents=await self._documents(result, today))
        return await self._quoted(question, result, generator)

    async def _documents(self, result: SearchResult, today: date) -> tuple[Document, ...]:
        scope = result.plan.scope
        registry = await self._library.registry()
        editions = await self._library.editions(scope, on=today)
        return tuple(edition.document for edition in editions if admits(scope, edition, registry))

    async def _quoted(self, question: str, result: SearchResult, generator: Generator | None) -> Answer:
        extracts = await self.extracts(result)
        sure = confidence(evidence_of(result, extracts), self._calibration)
        threshold = self._settings.threshold
        floor = self._calibration.threshold if threshold is None else threshold
        if not extracts or sure < floor:
            return self._silent(question, result, sure)
        if generator is None:
            return await self._verbatim(question, result, extracts, sure)
        generated = await generator.generate(question, result)
        if generated.claims and confidence_of(sure, generated) >= floor:
            return self._written(question, result, generated, generator.name, confidence_of(sure, generated))
        answer = self._silent(question, result, sure)
        if not generated.abstained or sure >= DOUBTFUL:
            answer = await self._verbatim(question, result, extracts, sure)
        return replace(
            answer,
            notices=(fallback_notice(generated), *answer.notices),
            rejected=(*generated.rejected, *answer.rejected),
            drafting=generated.drafting,
        )

    def _written(
        self, question: str, result: SearchResult, generated: Generated, answerer: str, sure: float
    ) -> Answer:
        """What a model wrote and what is proven of it."""
        notices = notices_of(generated.citations, doubtful=sure < DOUBTFUL)
        return self._made(
            question,
            result,
            Outcome.GROUNDED,
            claims=generated.claims,
            citations=generated.citations,
            confidence=sure,
            notices=(*silence_notices(generated), *notices),
            rejected=generated.rejected,
            drafting=generated.drafting,
            answerer=answerer,
        )

    async def _verbatim(
        self, question: str, result: SearchResult, extracts: Sequence[Extract], sure: float
    ) -> Answer:
        """The chosen sentences themselves."""
        cited = [await self._citer.cite(f"S{n}", extract) for n, extract in enumerate(extracts, start=1)]
        proven = [item for item in cited if isinstance(item, Citation)]
        citations = relabelled(proven[: self._settings.citations])
        rejected = tuple(item for item in cited if isinstance(item, Rejected))
        if not citations:
            return replace(self._silent(question, result, 0.0), rejected=rejected)
        claims = tuple(Claim(text=item.quote.text, labels=(item.label,)) for item in citations)
        return self._made(
            question,
            result,
            Outcome.GROUNDED,
            claims=claims,
            citations=citations,
            confidence=sure,
            notices=notices_of(citations, doubtful=sure < DOUBTFUL),
            rejected=rejected,
        )

    async def extracts(self, result: SearchResult) -> list[Extract]:
        """The sentences chosen from what a search found; every party or place has its own share."""
        plan, limit = result.plan, self._settings.citations
        best = sorted(result.hits, key=lambda hit: -hit.score)
        if plan.kind is QuestionKind.CROSS_REFERENCE and (led := [hit for hit in best if hit.trail]):
            picked = await self._extractor.pick(result.content, plan.language, led, limit)
            return sorted(picked, key=lambda extract: -extract.hit.score)
        if len(plan.groups) < 2:
            return await self._extractor.pick(result.content, plan.language, best[:PASSAGES], limit + SPARE)
        found: list[Extract] = []
        each = max(1, limit // len(plan.groups))
        for group in plan.groups:
            hits = [hit for hit in best if belongs(hit, group)][:PASSAGES]
            found += await self._extractor.pick(result.content, plan.language, hits, each)
        return found

    def _silent(self, question: str, result: SearchResult, sure: float) -> Answer:
        readings = dict.fromkeys(
            Reading(edition=hit.edition, page=hit.passage.pages[0])
            for hit in result.hits
            if hit.passage.pages
        )
        nearest = tuple(readings)[:NEAREST]
        return self._made(
            question,
            result,
            Outcome.NO_EVIDENCE,
            confidence=sure,
            nearest=nearest,
            notices=cut_off_notices([reading.edition for reading in nearest]),
        )

    def _made(self, question: str, result: SearchResult, outcome: Outcome, **parts: object) -> Answer:
        blank = Answer(
            question=question,
            language=result.plan.language,
            kind=result.plan.kind,
            outcome=outcome,
            claims=(),
            citations=(),
            scope=result.plan.scope,
            missing=result.missing,
            confidence=1.0 if outcome is Outcome.INFO else 0.0,
            notices=(),
            rejected=(),
            answerer=self.name,
            trace=self._new_trace(),
            seconds={},
        )
        return replace(blank, **parts)  # type: ignore[arg-type]


def evidence_of(result: SearchResult, extracts: Sequence[Extract]) -> Evidence:
    """The features of what was found."""
    scores = sorted((hit.score for hit in result.hits), reverse=True)
    language = result.plan.language
    return Evidence(
        margin=scores[0] - scores[min(9, len(scores) - 1)] if scores else 0.0,
        dense=max((extract.closeness.dense for extract in extracts), default=0.0),
        second=max((extract.closeness.second for extract in extracts), default=0.0),
        same_language=bool(extracts) and extracts[0].hit.edition.document.fields.language == language,
    )


def belongs(hit: Hit, group: Scope) -> bool:
    """Whether a hit is one of the party or place that `group` stands for."""
    fields = hit.edition.document.fields
    if group.parties:
        return bool(set(fields.parties) & set(group.parties))
    return fields.jurisdiction in group.jurisdictions


def relabelled(citations: Sequence[Citation]) -> tuple[Citation, ...]:
    """Citations with labels S1, S2, ... without gaps."""
    return tuple(replace(item, label=f"S{n}") for n, item in enumerate(citations, start=1))
