"""Which sentences of what was found may answer, and what speaks for them."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from core.answering.extractive.choice import without_shown
from core.answering.extractive.confidence import Evidence, Standing
from core.answering.extractive.extracts import Extract
from core.answering.extractive.naming import LEAST, Naming, is_named_in, naming
from core.answering.extractive.sentences import Extractor
from core.answering.extractive.statements import LEAST_WORDS, states
from core.domain.documents import BINDING_TYPES, POLITICAL_TYPES
from core.domain.search import Hit, QuestionKind
from core.language.terms import names_topic, terms
from core.search.listing import only_wanted, said_elsewhere, stands_for
from core.search.plan import SearchResult

SPARE = 2
"""Sentences more than are shown, in case one cannot be proven on its page: of those near the best one, and
of those that are not."""

DEMANDS, FEWEST_DEMANDS = 3, 2
"""Sections quoted to a question for all that somebody says about a topic, and how many of them have to demand
or state something, lest the best be quoted as they are."""

TOPIC_WORDS = 3
"""Words at most of a topic of which all that is said may be asked for."""

LEAST_ASKED, LEAST_CHATTED = 1.2, 0.2
"""What the reader has to say of what does not name the topic, and where somebody writes a sentence in small
letters: there topics have the names of the street. Chosen on questions about topics of one half of the
programmes (docs/lab/answering.md); less than in a comparison, where nobody has asked a question."""

_SPARE_DEMANDS = 6
_LOOKED_AT = 40

PASSAGES = 12
"""Best passages whose sentences are candidates for an answer."""

PASSAGES_EACH = 8
"""Best passages of each party or place where several are asked about."""


def is_broad(result: SearchResult) -> bool:
    """Whether one party, or one document that is no law, is asked for all it says about one thing."""
    scope = result.plan.scope
    law = bool(result.best) and result.best[0].edition.document.fields.doc_type in BINDING_TYPES
    one = len(scope.parties) == 1 or (len(scope.documents) == 1 and not law)
    return (
        one
        and len(result.plan.groups) < 2
        and result.plan.question.wanted.openly
        and 0 < len(result.subject.terms) <= TOPIC_WORDS
    )


async def main_demands(extractor: Extractor, result: SearchResult) -> list[Extract]:
    """What the reader ranks first of what is about the topic and demands or states something, each with its
    heading and none twice; where fewer than two do, what it ranks first. What is not near the best of it has
    to name the topic."""
    picked = await extractor.pick(result.subject, looked_at(result), DEMANDS + SPARE, spare=_SPARE_DEMANDS)
    found = await asyncio.to_thread(_on_topic, picked, result)
    topic = result.subject.all_terms
    kept: list[Extract] = []
    for each in found:
        extract = without_shown(each, kept)
        if each.spare and not names_topic(topic, _said(extract)):
            continue
        says = len(extract.shown.split()) >= LEAST_WORDS and states(extract.shown)
        if not says or any(says_nothing_new(extract, one) for one in kept):
            continue
        kept.append(replace(extract, spare=False, titled=True))
    return kept[:DEMANDS] if len(kept) >= FEWEST_DEMANDS else found


def _on_topic(picked: Sequence[Extract], result: SearchResult) -> list[Extract]:
    """Those about the topic: where they do not name it, the reader has to say more of them. In another
    language words only look alike, and what was found is as good as to any question."""
    topic = result.subject
    if topic.is_translated:
        return list(picked)
    chatted = topic.text == topic.text.lower() and not topic.wanted.key_words
    most = LEAST_CHATTED if chatted else LEAST_ASKED
    least = {way: min(most, value) for way, value in LEAST.items()}
    return [each for each in picked if each.read is not None and each.read >= least[naming(topic, each)]]


def _surely_meant(picked: Sequence[Extract], result: SearchResult) -> list[Extract]:
    """Without what stands in another language than key words ask in, unless the reader is sure of it: there
    no word shows that it is about them."""
    own = result.plan.language
    if not result.plan.question.wanted.key_words:
        return list(picked)
    return [
        each
        for each in picked
        if each.read is None or each.read >= LEAST_ASKED or each.hit.edition.document.fields.language == own
    ]


def _said(extract: Extract) -> frozenset[str]:
    """The terms of what is shown of a stretch, with the headings above it."""
    language = extract.hit.edition.document.fields.language
    return terms(f"{extract.hit.passage.heading} {extract.shown}", language)


def _repeats(extract: Extract, other: Extract) -> bool:
    return extract.text in other.shown or other.text in extract.shown


_ALIKE = 0.75
"""Share of its words from which on a sentence says what another one says."""


def says_nothing_new(extract: Extract, other: Extract) -> bool:
    """Whether a sentence repeats another one, or nearly all words of what is shown of one of them are in the
    other, as in summaries at the beginning of a programme."""
    language = extract.hit.edition.document.fields.language
    own, shown = terms(extract.shown, language), terms(other.shown, language)
    return _repeats(extract, other) or len(own & shown) >= max(1, _ALIKE * min(len(own), len(shown)))


def own_place_first(extracts: Sequence[Extract], places: Sequence[str]) -> list[Extract]:
    """What programmes and agreements of `places` say before what those above them do, spare ones last; law
    keeps its order, wherever it is made."""

    return sorted(extracts, key=lambda extract: (extract.spare, said_elsewhere(extract.hit.edition, places)))


def _of_the_place(best: Sequence[Hit], places: Sequence[str]) -> list[Hit]:
    """Without what parties say elsewhere, where what is found first is said by those of one of `places`."""
    first = best[0].edition.document.fields if best else None
    if first is None or first.jurisdiction not in places or first.doc_type not in POLITICAL_TYPES:
        return list(best)
    return [hit for hit in best if not said_elsewhere(hit.edition, places)]


def looked_at(result: SearchResult) -> list[Hit]:
    """The passages, best first, whose sentences may answer a question that asks for nothing of several."""
    best = result.best
    if best and best[0].edition.document.fields.doc_type in BINDING_TYPES:
        best = [hit for hit in best if not only_wanted(hit.edition, result.plan)]
    return _of_the_place(best, result.plan.scope.jurisdictions)[:PASSAGES]


def _naming(result: SearchResult) -> list[Hit]:
    """The passages that name a topic of which whatever is said is asked for: what comes near to a name that
    encoders do not know is about something else. None where another thing is asked, or none names it."""
    topic = result.subject
    few = 0 < len(topic.terms) <= TOPIC_WORDS
    if not few or topic.is_translated or not topic.wanted.openly:
        return []
    found = [hit for hit in result.best if is_named_in(topic, hit.passage)]
    return _of_the_place(found, result.plan.scope.jurisdictions)[:PASSAGES]


def _naming_most(picked: Sequence[Extract], result: SearchResult) -> list[Extract]:
    """Those stretches that name the topic themselves, where any does."""
    whole = [each for each in picked if _is_named(each, result)]
    return [replace(each, spare=each.spare and n > 0) for n, each in enumerate(whole)] or list(picked)


async def chosen(extractor: Extractor, result: SearchResult, limit: int) -> list[Extract]:
    """The sentences chosen from what a search found, a few more than `limit`; every party or place has its
    own share of them, and what two of them say together stands once."""
    plan, best = result.plan, result.best
    if plan.kind is QuestionKind.CROSS_REFERENCE and (led := [hit for hit in best if hit.trail]):
        picked = await extractor.pick(result.subject, led, limit)
        return sorted(picked, key=lambda extract: -extract.hit.score)
    if len(plan.groups) < 2:
        if extractor.reads and is_broad(result):
            return await main_demands(extractor, result)
        if named := await asyncio.to_thread(_naming, result):
            picked = await extractor.pick(result.subject, named, limit + SPARE, spare=_LOOKED_AT)
            picked = await asyncio.to_thread(_naming_most, picked, result)
        else:
            picked = await extractor.pick(result.subject, looked_at(result), limit + SPARE, spare=SPARE)
        return own_place_first(_surely_meant(picked, result), plan.scope.jurisdictions)
    found: list[Extract] = []
    each = max(1, limit // len(plan.groups))
    for group in plan.groups:
        hits = [hit for hit in best if stands_for(group, hit.edition, plan.speaking)][:PASSAGES_EACH]
        picked = await extractor.pick(result.subject, hits, each)
        found += [extract for extract in picked if not any(_repeats(extract, other) for other in found)]
    return found


def _is_named(extract: Extract, result: SearchResult) -> bool:
    """Whether a quote, or the heading above it, names the whole topic, as it has to in a comparison."""
    return naming(result.subject, extract) >= Naming.WHOLE


def evidence_of(result: SearchResult, extracts: Sequence[Extract]) -> Evidence:
    """The features of what was found."""
    scores = sorted(result.fused or (hit.score for hit in result.hits), reverse=True)
    language = result.plan.language
    read = [extract.read for extract in extracts if extract.read is not None]
    same = bool(extracts) and extracts[0].hit.edition.document.fields.language == language
    return Evidence(
        margin=scores[0] - scores[min(9, len(scores) - 1)] if scores else 0.0,
        primary=max((extract.closeness.primary for extract in extracts), default=0.0),
        secondary=max((extract.closeness.secondary for extract in extracts), default=0.0),
        same_language=same,
        read=max(read, default=None),
        named=same and result.plan.question.wanted.openly and _is_named(extracts[0], result),
        first=_standing(extracts[0]) if extracts else None,
    )


def _standing(extract: Extract) -> Standing | None:
    """How the quote shown first stands, if the reader has ranked it first."""
    return None if extract.lead is None else Standing(score=extract.score, lead=extract.lead)
