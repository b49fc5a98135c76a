"""Searches each party or place separately by the same rule, as the basis of comparisons and motions: whether
a sentence says something about the topic is judged by the topic's words, similarity, and the reader's score.

The result for one side depends on that side's documents alone: not on who else is asked, on the order of the
names, or on which of them the question mentions.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from core.answering.extractive.candidates import PASSAGES_EACH, evidence_of
from core.answering.extractive.citations import Citer
from core.answering.extractive.confidence import Calibration, confidence
from core.answering.extractive.extracts import Extract
from core.answering.extractive.naming import LEAST, SHORT, Naming, naming, rank, shown_terms
from core.answering.extractive.sentences import Extractor
from core.answering.extractive.statements import is_slogan, states
from core.answering.labels import Labels
from core.answering.sight import TRUSTING, Sight
from core.domain.answers import Citation, Rejected
from core.domain.documents import Edition
from core.domain.registry import Registry
from core.language.terms import is_about, shared
from core.ports.library import Library
from core.question.parsed import ParsedQuestion
from core.question.subject import Subject
from core.search.plan import SearchResult
from core.search.scope import Group, ScopeQuery, resolve
from core.search.searcher import Searcher

_CALIBRATION = Calibration()

SURE = 0.8
"""Confidence above which a close sentence answers without a word of the topic."""

CLOSE, CLOSE_ACROSS, SURELY_CLOSE_ACROSS = 0.5, 0.25, 0.3
"""Cosine similarity (encoder B) above which a sentence is close to a topic, in the topic's language and in
another one, and above which the confidence of an answer, fitted on questions, is ignored across languages.
The first was set by hand. The second was kept when the thresholds below were fitted. With the third, 78 % of
the sentences found for 69 English topics of German programmes pass (71 % without it), 90 % of 40 right
sentences (80 %), and 23 % for 69 topics of statutes (14 %)."""

CLEAR_ACROSS = 0.12
"""Minimum sum of similarity and a tenth of the reader's score for a stretch in another language to be about a
topic that is not in the languages' tables of subjects."""

A_NAME, WITH_WORDS = 2, 0.9
"""Without a reader: minimum sum of similarity and share of the words for a sentence to be about a topic that
it names only partly: one word ("motorway" of a speed limit on it) does not suffice."""

LONG_PARTLY = -2.0
"""Minimum reader score if only some words of a longer topic, a motion's sentence, occur."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSentence:
    """A sentence with its confidence (0 to 1), the reader's score (None without a reader), and how its
    stretch names the topic."""

    extract: Extract
    confidence: float
    read: float | None = None
    naming: Naming = Naming.NOT


def answers(found: FoundSentence, topic: Subject) -> bool:
    """Whether a quote, with its heading, says something about `topic`; in other words or another language,
    similarity decides."""
    extract = found.extract
    if is_slogan(extract.shown):
        return False
    if extract.hit.edition.document.fields.language != topic.written:
        clear = found.read is None or extract.similarity + found.read / 10 >= CLEAR_ACROSS
        return clear and extract.similarity >= CLOSE_ACROSS
    naming = found.naming
    surely_close = found.confidence >= SURE and extract.similarity >= CLOSE
    if found.read is None:
        return _by_words(extract, topic) if _has_words(extract, topic) else surely_close
    if naming is Naming.PARTLY and len(topic.terms) > SHORT:
        return found.read >= LONG_PARTLY
    if naming is Naming.NOT and surely_close:
        return found.read >= LEAST[Naming.WHOLE]
    return found.read >= LEAST[naming]


def best_first(found: Sequence[FoundSentence], topic: Subject) -> list[FoundSentence]:
    """The sentences that name the whole topic first, the clearest of them before the rest, otherwise in the
    given order; without a reader, sentences that commit somebody or state a number before those that only
    mention it."""
    if any(each.read is None for each in found):
        return sorted(found, key=lambda each: not states(each.extract.text))
    return sorted(found, key=lambda each: rank(each.extract, each.naming, topic), reverse=True)


def _has_words(extract: Extract, topic: Subject) -> bool:
    said = shown_terms(extract)
    return not topic.names or any(is_about(name, said) for name in topic.names)


def _by_words(extract: Extract, topic: Subject) -> bool:
    few = len(topic.terms) <= A_NAME
    return not few or extract.similarity + shared(topic.terms, shown_terms(extract)) >= WITH_WORDS


SPARE = 5
"""Number of runner-up sentences that are also read if they name the topic better than the chosen ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A party (canonical name) or a place (code) with a row of its own; exactly one of the two is set.
    `sisters` are parties with the same documents."""

    party: str | None = None
    jurisdiction: str | None = None
    sisters: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The party's name or the place's code."""
        return self.party or self.jurisdiction or ""

    @property
    def parties(self) -> tuple[str, ...]:
        """The party and its sisters."""
        return (self.party, *self.sisters) if self.party else ()


class RowStatus(StrEnum):
    """The status of a side: quotes, nothing on this question, something that cannot be shown because its file
    is missing or broken, or no document at all."""

    QUOTED = "quoted"
    NOTHING_FOUND = "nothing_found"
    UNREADABLE = "unreadable"
    NO_SOURCE = "no_source"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """The first sentence that could be proven, with its confidence; those rejected before it and those `left`
    after it."""

    citations: tuple[Citation, ...] = ()
    confidence: float = 0.0
    rejected: tuple[Rejected, ...] = ()
    left: tuple[FoundSentence, ...] = ()


def sources_of(side: Side, asking: ScopeQuery, editions: Sequence[Edition], registry: Registry) -> Group:
    """The editions that speak for `side`: a party's current ones by the usual search rules, a place's own
    ones without those of places above it, which would be the same for its neighbours."""
    options = asking.options
    if side.party is not None:
        options = replace(options, parties=(side.party,))
    if side.jurisdiction is not None:
        options = replace(options, jurisdictions=(side.jurisdiction,))
    named = replace(asking.detection, parties=(), places=(), documents=(), mentions=(), party_question=False)
    found = resolve(replace(asking, options=options, detection=named), editions, registry).editions
    if side.jurisdiction is not None:
        found = tuple(e for e in found if e.document.fields.jurisdiction == side.jurisdiction)
    return Group(scope=options, editions=found)


def in_registry_order(sides: Sequence[Side], registry: Registry) -> tuple[Side, ...]:
    """Each side once, as the registry lists them; places without a row last, by code."""
    places = [row.code for row in registry.jurisdictions]
    parties = [row.name for row in registry.parties]

    def rank(side: Side) -> tuple[int, str]:
        known = parties if side.party is not None else places
        return (known.index(side.name) if side.name in known else len(known), side.name)

    return tuple(sorted(dict.fromkeys(sides), key=rank))


class SideSearch:
    """Finds each side's answering sentences for the same query."""

    def __init__(
        self,
        *,
        searcher: Searcher,
        library: Library,
        extractor: Extractor,
        threshold: float | None = None,
        sight: Sight = TRUSTING,
    ) -> None:
        self._searcher = searcher
        self._extractor = extractor
        self._citer = Citer(library, sight)
        self._threshold = _CALIBRATION.threshold if threshold is None else threshold

    async def find(
        self,
        content: ParsedQuestion,
        groups: Sequence[Group],
        quota: int,
        *,
        passages: int = PASSAGES_EACH,
        floor: float = 0.0,
    ) -> list[list[FoundSentence]]:
        """Per group, at most `quota` sentences from its best `passages` with a confidence of at least
        `floor`, best first; none for a group without editions."""
        searched = [group for group in groups if group.editions]
        results = await self._searcher.search_groups(content, searched)
        picked = (self._picked(result, quota, passages) for result in results)
        found = iter(await asyncio.gather(*picked))
        per_group = (next(found) if group.editions else [] for group in groups)
        return [[each for each in own if each.confidence >= floor] for own in per_group]

    async def _picked(self, result: SearchResult, quota: int, passages: int) -> list[FoundSentence]:
        best = result.best[:passages]
        topic = result.subject
        picked = await self._extractor.pick(topic, best, quota, spare=SPARE, topic=True)
        named = await asyncio.to_thread(lambda: [(each, naming(topic, each)) for each in picked])
        found = await self._answering([each for each in named if not each[0].spare], result, topic)
        most = max((rank(each.extract, each.naming, topic) for each in found), default=(Naming.NOT, 0))
        better = [each for each in named if each[0].spare and rank(*each, topic) > most]
        found += await self._answering(better, result, topic)
        return best_first(found, topic)[:quota]

    async def _answering(
        self, named: Sequence[tuple[Extract, Naming]], result: SearchResult, topic: Subject
    ) -> list[FoundSentence]:
        """The sentences that say something about the topic with sufficient confidence."""
        readings = await self._extractor.readings(topic, [extract for extract, _ in named])
        found = []
        for number, ((extract, way), read) in enumerate(zip(named, readings, strict=True)):
            beside = _led_by(result, extract) if number or extract.spare else result
            evidence = evidence_of(beside, [extract])
            # anything said about it was asked for, and naming it is proof enough
            evidence = replace(evidence, named=evidence.named or way >= Naming.WHOLE)
            sure = confidence(evidence, _CALIBRATION)
            found.append(FoundSentence(extract=extract, confidence=sure, read=read, naming=way))
        return [each for each in found if self._is_sure(each, topic) and answers(each, topic)]

    def _is_sure(self, found: FoundSentence, topic: Subject) -> bool:
        across = found.extract.hit.edition.document.fields.language != topic.written
        close = across and found.extract.similarity >= SURELY_CLOSE_ACROSS
        return close or found.confidence >= self._threshold

    async def cite(
        self, found: Sequence[FoundSentence], labels: Labels
    ) -> tuple[tuple[Citation, ...], tuple[Rejected, ...]]:
        """Verified citations with the next of `labels`, and what was rejected."""
        made = [await self._citer.cite("", each.extract) for each in found]
        cited = [each for each in made if isinstance(each, Citation)]
        labelled = tuple(replace(each, label=labels.next(each.kind)) for each in cited)
        return labelled, tuple(each for each in made if isinstance(each, Rejected))

    async def cite_first(self, found: Sequence[FoundSentence], labels: Labels) -> Cited:
        """The best of `found` that is proven on its page, with the next of `labels`."""
        rejected: tuple[Rejected, ...] = ()
        for number, each in enumerate(found):
            citations, refused = await self.cite([each], labels)
            rejected += refused
            if citations:
                left = tuple(found[number + 1 :])
                return Cited(citations=citations, confidence=each.confidence, rejected=rejected, left=left)
        return Cited(rejected=rejected)


def _led_by(result: SearchResult, extract: Extract) -> SearchResult:
    """`result` as if the passage of a further sentence were the best one: it must be convincing by itself."""
    hits = tuple(hit for hit in result.hits if hit.score <= extract.hit.score)
    return replace(result, hits=hits)
