"""Which of the sentences found may answer, and the evidence for them."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from core.answering.extractive.choice import share_told, without_shown
from core.answering.extractive.confidence import Evidence, Standing
from core.answering.extractive.extracts import Extract
from core.answering.extractive.naming import LEAST, Naming, is_named_in, naming, shown_terms
from core.answering.extractive.sentences import Extractor
from core.answering.extractive.statements import LEAST_WORDS, states
from core.domain.documents import BINDING_TYPES, POLITICAL_TYPES
from core.domain.search import Hit, QuestionKind
from core.language.terms import names_topic, terms
from core.search.listing import only_wanted, said_elsewhere, stands_for
from core.search.plan import SearchResult
from core.search.telling import most_of, words_asked

SPARE = 2
"""Spare sentences beyond those shown, in case one cannot be proven on its page: among those near the best
one, and among the rest."""

DEMANDS, FEWEST_DEMANDS = 3, 2
"""Sections quoted for a question about everything somebody says on a topic, and how many of them must demand
or state something; otherwise the best ones are quoted as they are."""

TOPIC_WORDS = 3
"""Maximum words of a topic when asking for everything said about it."""

LEAST_ASKED, LEAST_CHATTED = 1.2, 0.2
"""Minimum reader score for text that does not name the topic, and for questions written in lower case, where
topics have colloquial names. Chosen on questions about topics of one half of the programmes
(docs/lab/answering.md); lower than in a comparison, where nobody has asked a question."""

_SPARE_DEMANDS = 6
_LOOKED_AT = 40

PASSAGES = 12
"""Number of best passages whose sentences are candidates for an answer."""

PASSAGES_EACH = 8
"""Number of best passages per party or place if several are asked about."""


def is_broad(result: SearchResult) -> bool:
    """Whether one party, or one document other than a law, is asked for everything it says about one
    thing."""
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
    """The reader's top-ranked sentences that are about the topic and demand or state something, each with its
    heading and without repetition; if fewer than two do, its top-ranked ones. Those not near the best have to
    name the topic."""
    picked = await extractor.pick(result.subject, looked_at(result), DEMANDS + SPARE, spare=_SPARE_DEMANDS)
    found = await asyncio.to_thread(_on_topic, picked, result)
    topic = result.subject.all_terms
    kept: list[Extract] = []
    for each in found:
        extract = without_shown(each, kept)
        if each.spare and not names_topic(topic, shown_terms(extract)):
            continue
        says = len(extract.shown.split()) >= LEAST_WORDS and states(extract.shown)
        if not says or any(says_nothing_new(extract, one) for one in kept):
            continue
        kept.append(replace(extract, spare=False, titled=True))
    return kept[:DEMANDS] if len(kept) >= FEWEST_DEMANDS else found


def _on_topic(picked: Sequence[Extract], result: SearchResult) -> list[Extract]:
    """The sentences about the topic: those that do not name it need a higher reader score. In another
    language words merely look alike, and the results are treated as for any question."""
    topic = result.subject
    if topic.is_translated:
        return list(picked)
    chatted = topic.text == topic.text.lower() and not topic.wanted.key_words
    most = LEAST_CHATTED if chatted else LEAST_ASKED
    least = {way: min(most, value) for way, value in LEAST.items()}
    return [each for each in picked if each.read is not None and each.read >= least[naming(topic, each)]]


def _surely_meant(picked: Sequence[Extract], result: SearchResult) -> list[Extract]:
    """The sentences without those in a different language from the keywords, unless the reader is sure of
    them: no word there shows that they are relevant."""
    own = result.plan.language
    if not result.plan.question.wanted.key_words:
        return list(picked)
    return [
        each
        for each in picked
        if each.read is None
        or each.read >= LEAST_ASKED
        or each.hit.edition.document.fields.language == own
        or tells_most(each, result)
    ]


def _repeats(extract: Extract, other: Extract) -> bool:
    return extract.text in other.shown or other.text in extract.shown


_ALIKE = 0.75
"""Minimum share of words for a sentence to repeat another one."""


def says_nothing_new(extract: Extract, other: Extract) -> bool:
    """Whether a sentence repeats another one, or nearly all shown words of one are in the other, as in
    summaries at the beginning of a programme."""
    language = extract.hit.edition.document.fields.language
    own, shown = terms(extract.shown, language), terms(other.shown, language)
    return _repeats(extract, other) or len(own & shown) >= max(1, _ALIKE * min(len(own), len(shown)))


def own_place_first(extracts: Sequence[Extract], places: Sequence[str]) -> list[Extract]:
    """The sentences, with programmes and agreements of `places` before those of the places above, spare ones
    last; law keeps its order, wherever it is made."""

    return sorted(extracts, key=lambda extract: (extract.spare, said_elsewhere(extract.hit.edition, places)))


def _of_the_place(best: Sequence[Hit], places: Sequence[str]) -> list[Hit]:
    """The hits without what parties say elsewhere, if the first hit is from a party of one of `places`."""
    first = best[0].edition.document.fields if best else None
    if first is None or first.jurisdiction not in places or first.doc_type not in POLITICAL_TYPES:
        return list(best)
    return [hit for hit in best if not said_elsewhere(hit.edition, places)]


def looked_at(result: SearchResult) -> list[Hit]:
    """The passages, best first, whose sentences may answer a question that does not compare several sides."""
    best = result.best
    if best and best[0].edition.document.fields.doc_type in BINDING_TYPES:
        best = [hit for hit in best if not only_wanted(hit.edition, result.plan)]
    return _of_the_place(best, result.plan.scope.jurisdictions)[:PASSAGES]


def _naming(result: SearchResult) -> list[Hit]:
    """The passages that name a topic about which everything is asked: anything close to a name unknown to the
    encoders is about something else. Empty if something else is asked, or none names it."""
    topic = result.subject
    few = 0 < len(topic.terms) <= TOPIC_WORDS
    if not few or topic.is_translated or not topic.wanted.openly:
        return []
    found = [hit for hit in result.best if is_named_in(topic, hit.passage)]
    return _of_the_place(found, result.plan.scope.jurisdictions)[:PASSAGES]


def _naming_most(picked: Sequence[Extract], result: SearchResult) -> list[Extract]:
    """The stretches that name the topic themselves, if any do."""
    whole = [each for each in picked if _is_named(each, result)]
    return [replace(each, spare=each.spare and n > 0) for n, each in enumerate(whole)] or list(picked)


async def chosen(extractor: Extractor, result: SearchResult, limit: int) -> list[Extract]:
    """The sentences chosen from a search result, a few more than `limit`; every party or place has its own
    share, and a joint statement of two appears once."""
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
    """The features of the search result."""
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
        named=bool(extracts) and (_is_named_openly(extracts[0], result) or tells_most(extracts[0], result)),
        first=_standing(extracts[0]) if extracts else None,
    )


def _is_named_openly(extract: Extract, result: SearchResult) -> bool:
    same = extract.hit.edition.document.fields.language == result.plan.language
    return same and result.plan.question.wanted.openly and _is_named(extract, result)


def tells_most(extract: Extract, result: SearchResult) -> bool:
    """Whether a quote has all telling words of the question, and these are most of its words."""
    telling = result.subject.telling
    if not telling or share_told(result.subject, extract, shown_terms(extract)) < 1:
        return False
    return most_of(telling, words_asked(result.subject.as_said, result.plan.language))


def _standing(extract: Extract) -> Standing | None:
    """The standing of the first quote shown, if the reader ranked it first."""
    return None if extract.lead is None else Standing(score=extract.score, lead=extract.lead)
