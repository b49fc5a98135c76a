"""The forms of an answer: chosen sentences, the proven part of what a model wrote, silence with the nearest
pages for people to read."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from core.answering.extractive.answering_words import with_answering_words
from core.answering.extractive.citations import Citer, relabelled, topic_of
from core.answering.extractive.confidence import DOUBTFUL, Calibration
from core.answering.extractive.extracts import Extract
from core.answering.extractive.statements import headings
from core.answering.generated.rounds import SearchRound
from core.answering.generated.session import (
    MOSTLY,
    Generated,
    confidence_of,
    fallback_notice,
    silence_notices,
)
from core.answering.notices import cut_off_notices, notices_of, silent_sides, unproven_notices
from core.answering.who_wants import WhoWants
from core.domain.answers import Answer, Citation, Claim, Outcome, Reading, Rejected
from core.domain.ids import TraceId, VersionId
from core.domain.passages import Passage, PassageKind
from core.domain.search import Hit
from core.evidence.text import legible
from core.ports.library import Library
from core.question.topic import looked_for
from core.search.plan import SearchResult

EXTRACTIVE, LLM = "extractive", "llm"
"""The answerers that can be requested."""


class AnswerForms:
    """Makes answers from search results and drafts. At most `citations` quotes are shown, none below the
    confidence `threshold` (None: the calibration's)."""

    def __init__(
        self,
        *,
        citer: Citer,
        who_wants: WhoWants,
        calibration: Calibration,
        citations: int,
        threshold: float | None,
        new_trace: Callable[[], TraceId],
    ) -> None:
        self._citer = citer
        self._who_wants = who_wants
        self._calibration = calibration
        self._citations = citations
        self._threshold = threshold
        self._new_trace = new_trace

    async def from_quotes(self, question: str, found: SearchRound) -> Answer:
        """The chosen sentences, if their confidence suffices and the topic is mentioned at all."""
        if found.result.unmentioned:
            return self.silent(question, found.result, 0.0)
        if not found.extracts or found.sure < self._floor:
            return self.silent(question, found.result, found.sure)
        return await self._verbatim(question, found.result, found.extracts, found.sure)

    @property
    def _floor(self) -> float:
        """Minimum confidence to show a quote that no reader has scored for the question."""
        return self._calibration.threshold if self._threshold is None else self._threshold

    async def from_model(self, question: str, found: SearchRound, generated: Generated) -> Answer:
        """The proven part of what a model wrote; silence if it says that there is no answer; quotes if it
        failed or nothing is proven."""
        written = confidence_of(found.sure, generated)
        if generated.claims and (generated.share >= MOSTLY or written >= self._floor):
            return self._written(question, found.result, generated, written)
        if generated.abstained:
            answer = self.silent(question, found.result, found.sure)
        else:
            answer = await self.from_quotes(question, found)
        told = generated.abstained or answer.outcome is Outcome.GROUNDED
        return replace(
            answer,
            notices=(*((fallback_notice(generated),) if told else ()), *answer.notices),
            rejected=(*generated.rejected, *answer.rejected),
            drafting=generated.drafting,
        )

    def _written(self, question: str, result: SearchResult, generated: Generated, sure: float) -> Answer:
        """The answer a model wrote, as far as it is proven."""
        notices = notices_of(generated.citations, doubtful=sure < DOUBTFUL)
        return replace(
            self.blank(question, result, Outcome.GROUNDED),
            claims=generated.claims,
            topic=topic_of(generated.citations, result),
            citations=with_answering_words(generated.citations, result.subject.wanted),
            confidence=sure,
            notices=(*silence_notices(generated), *notices),
            rejected=generated.rejected,
            drafting=generated.drafting,
            answerer=generated.answerer,
        )

    async def _verbatim(
        self, question: str, result: SearchResult, extracts: Sequence[Extract], sure: float
    ) -> Answer:
        """The chosen sentences themselves; in a comparison at least one for each side that has any."""
        asked = result.plan.scope.parties
        cited = await self._citer.cite_all([replace(each, parties=asked) for each in extracts])
        if unproven := unproven_notices([each.hit for each in extracts], cited, result.plan):
            silent = self.silent(question, result, 0.0)
            rejected = tuple(item for item in cited if isinstance(item, Rejected))
            return replace(silent, notices=(*silent.notices, *unproven), rejected=rejected)
        proven = [item for item in cited if isinstance(item, Citation)]
        limit = max(self._citations, len(result.plan.groups), sum(item.titled for item in extracts))
        shown = await self._who_wants.in_order(proven, result, limit)
        citations = relabelled(with_answering_words(shown, result.subject.wanted))
        rejected = tuple(item for item in cited if isinstance(item, Rejected))
        if not citations:
            return replace(self.silent(question, result, 0.0), rejected=rejected)
        claims = tuple(Claim(text=item.quote.text, labels=(item.label,)) for item in citations)
        return replace(
            self.blank(question, result, Outcome.GROUNDED),
            claims=claims,
            topic=topic_of(citations, result),
            citations=citations,
            confidence=sure,
            notices=(
                *silent_sides(result.plan, citations),
                *notices_of(citations, doubtful=sure < DOUBTFUL),
            ),
            rejected=rejected,
        )

    def silent(self, question: str, result: SearchResult, sure: float) -> Answer:
        """An answer without evidence, with the nearest places."""
        nearest, years = nearest_of(result), {str(year) for year in result.plan.scope.editions}
        sought = looked_for(result.subject.as_said, result.plan.language)
        return replace(
            self.blank(question, result, Outcome.NO_EVIDENCE),
            confidence=sure,
            nearest=nearest,
            sought=result.unmentioned or tuple(word for word in sought if word not in years),
            notices=cut_off_notices([reading.edition for reading in nearest]),
        )

    def blank(self, question: str, result: SearchResult, outcome: Outcome) -> Answer:
        """An empty answer."""
        return Answer(
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
            answerer=EXTRACTIVE,
            trace=self._new_trace(),
            seconds={},
            named=frozenset(each.key for each in result.plan.question.names.mentions),
        )


NEAREST = 3
"""Number of pages offered for reading if nothing can be quoted."""

BEGINNING = 16
"""Number of words shown of a passage."""

_WORD = re.compile(r"\w+")


def nearest_of(result: SearchResult) -> tuple[Reading, ...]:
    """The pages of the best hits, each page once, in the order of the hits; title pages, which are close to
    everything and say nothing, only if there are no others."""
    found: dict[tuple[VersionId, int], Reading] = {}
    for hit in sorted(result.hits, key=_is_title_page):
        if hit.passage.pages and len(found) < NEAREST:
            page = hit.passage.pages[0]
            under, begins = beginning(hit.passage)
            reading = Reading(edition=hit.edition, page=page, begins=begins, under=under)
            found.setdefault((hit.passage.version, page), reading)
    return tuple(found.values())


async def as_printed(reading: Reading, library: Library) -> Reading:
    """A place with the number printed on its page."""
    page = await library.page(reading.edition.version.id, reading.page)
    return replace(reading, printed=page.label if page else None)


def _is_title_page(hit: Hit) -> bool:
    """Whether a passage begins with its document's title, of two words at least."""
    title = hit.edition.document.fields.title.casefold()
    named = [word for word in _WORD.findall(title) if not word.isdigit()]
    return len(named) > 1 and _WORD.findall(hit.passage.text.casefold())[: len(named)] == named


def beginning(passage: Passage) -> tuple[str, str]:
    """The heading that a passage begins with, if it has one, and its first words."""
    if passage.kind in (PassageKind.TABLE, PassageKind.FIGURE):
        return "", first_words(passage.text, BEGINNING)
    return below_heading(passage.text, BEGINNING, cover=passage.ordinal == 0)


def below_heading(text: str, most: int, *, cover: bool = False) -> tuple[str, str]:
    """The heading that `text` begins with, and the first words below it, up to the next heading; `cover`: it
    begins with a title page."""
    found, start, under = headings(text, numbers=True, cover=cover), 0, ""
    while found and not text[start : found[0][0]].strip():
        first, start = found.pop(0)
        under = " ".join(text[first:start].split())
    below = text[start : found[0][0]] if found else text[start:]
    return under, first_words(below, most, goes_on=bool(found))


def first_words(text: str, most: int, *, goes_on: bool = False) -> str:
    """The first `most` words of `text`, with an ellipsis if more follow."""
    words = legible(text).split()
    return " ".join(words[:most]) + (" …" if goes_on or len(words) > most else "")
