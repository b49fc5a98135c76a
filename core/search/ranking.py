"""Ranking: candidates from every space and collection are fused, read from the library and checked again."""

import asyncio
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from core.domain.documents import STATUTORY_TYPES, DocumentType, Edition
from core.domain.ids import PassageId, VersionId
from core.domain.passages import Passage
from core.domain.scope import lacking_places
from core.domain.search import (
    Candidate,
    Hit,
    QueryVectors,
    QuestionKind,
    Space,
    SparseVector,
    TellingWord,
    Vector,
    VectorSample,
)
from core.language.patterns import pattern
from core.language.stated import PENALTY
from core.library.references import parse_section_references
from core.ports.index import PassageIndex
from core.ports.library import Library
from core.ports.models import Embedder, LexicalEncoder, QuestionEncoder
from core.question.sections import AskedSections
from core.search.listing import only_wanted, said_elsewhere
from core.search.plan import SearchPlan
from core.search.scope import Group
from core.search.settings import SearchSettings
from core.search.telling import Telling, telling, words_asked

# Fusion of several encoders and BM25 into one score.
#
# A cosine means little by itself: each encoder has its own range, and each question shifts it. So every
# similarity is standardised with mean and deviation of the question's similarities to fixed samples of all
# collections searched, each weighted by its collection's size and taken before any filter, and the
# standardised values are added with weights: a score means the same whichever collection holds the passage,
# be there one passage in it or 30,000. Pure numpy.

_LEAST_DEVIATION = 1e-3
LEXICAL_SPREAD = 3.0
"""Weight of the best BM25 match, in standard deviations."""
_LEGAL = STATUTORY_TYPES | {DocumentType.GUIDANCE}
_QUOTED = re.compile(r"[\"„“”«»‚‘]\s*\w[^\"„“”«»‚‘]{2,}[\"“”«»‘’]")
_SECTION = pattern(r"§|\b(?:{provisions.cited_exactly}) ?['\"‘]?(?:\d|[A-Z]\b)")
_NUMBER = re.compile(r"(?<![\w.])\d[\d.,]*(?![\w])")
_ABBREVIATION = re.compile(r"\b(?=\w*[A-ZÄÖÜ]\w*[A-ZÄÖÜ])[A-Za-zÄÖÜäöü]{2,8}\b")


@dataclass(frozen=True, slots=True)
class Statistics:
    """Mean and deviation of a question's similarities in one space, over all collections searched."""

    mean: float
    deviation: float

    def standardise(self, similarity: float) -> float:
        """Standard deviations above the mean."""
        return (similarity - self.mean) / self.deviation


@dataclass(frozen=True, slots=True)
class Sampled:
    """A collection of `size` passages, and a sample of their vectors."""

    size: int
    sample: VectorSample


def fold_windows(similarities: NDArray[np.float32], owners: NDArray[np.int64]) -> NDArray[np.float32]:
    """A passage's best window: `similarities` (m,) by `owners` (m,) -> (rows that have windows,)."""
    best = np.full(int(owners.max(initial=-1)) + 1, -np.inf, dtype=np.float32)
    np.maximum.at(best, owners, similarities)
    return best[np.isfinite(best)]


def pooled_statistics(query: QueryVectors, collections: Sequence[Sampled]) -> dict[Space, Statistics]:
    """Statistics of the dense spaces for one question, over `collections` (one at least) as if their passages
    lay in one."""
    samples = [item.sample for item in collections]
    windows = (fold_windows(sample.windows @ query.secondary, sample.owners) for sample in samples)
    similarities = {
        Space.PRIMARY: [sample.primary @ query.primary for sample in samples],
        Space.SECONDARY: [sample.secondary @ query.secondary for sample in samples],
        Space.WINDOWS: list(windows),
    }
    sizes = [item.size for item in collections]
    return {space: _statistics(found, sizes) for space, found in similarities.items()}


def _statistics(similarities: Sequence[NDArray[np.float32]], sizes: Sequence[int]) -> Statistics:
    """The weights of samples of collections with `sizes` passages: each sampled passage represents its
    share."""
    counts = np.concatenate(
        [np.full(len(found), size / len(found)) for found, size in zip(similarities, sizes, strict=True)]
    )
    values = np.concatenate(similarities).astype(np.float64)
    mean = float(np.average(values, weights=counts))
    deviation = float(np.average((values - mean) ** 2, weights=counts)) ** 0.5
    return Statistics(mean, max(deviation, _LEAST_DEVIATION))


def weights(settings: SearchSettings, lexical: float) -> dict[Space, float]:
    """Weight of every space; `lexical` is the question's own weight of BM25."""
    return {
        Space.PRIMARY: settings.primary,
        Space.SECONDARY: settings.secondary,
        Space.WINDOWS: settings.windows,
        Space.LEXICAL: lexical,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A candidate with its fused score and the spaces that support it, strongest first."""

    candidate: Candidate
    score: float
    spaces: tuple[Space, ...]


def fuse(
    candidates: Sequence[Candidate],
    statistics: Mapping[Space, Statistics],
    weight: Mapping[Space, float],
    *,
    coverage: float = 1.0,
) -> list[Scored]:
    """Candidates with their weighted sum of standardised similarities, best first, ties by id.

    BM25 has no collection-wide mean (most passages match no term), so its share is the passage's score
    relative to the best candidate's, scaled to the spread of the other spaces. The rarity of a word is per
    collection, so BM25 scores of different collections are not comparable: `coverage` is the share of the
    question's words that the best candidate here has, relative to the best of all collections.
    """
    best_lexical = max((c.scores.get(Space.LEXICAL, 0.0) for c in candidates), default=0.0)
    words = weight[Space.LEXICAL] * LEXICAL_SPREAD * coverage
    scored = [_scored(candidate, statistics, weight, words, best_lexical) for candidate in candidates]
    return sorted(scored, key=lambda item: (-item.score, item.candidate.passage))


def _scored(
    candidate: Candidate,
    statistics: Mapping[Space, Statistics],
    weight: Mapping[Space, float],
    words: float,
    best_lexical: float,
) -> Scored:
    """`words` is the weight of the best BM25 score, `best_lexical`."""
    shares = {
        space: weight[space] * known.standardise(candidate.scores[space])
        for space, known in statistics.items()
    }
    lexical = candidate.scores.get(Space.LEXICAL, 0.0)
    shares[Space.LEXICAL] = words * (lexical / best_lexical) if best_lexical > 0 else 0.0
    speaking = [space for space in sorted(shares, key=lambda s: -shares[s]) if shares[space] > 0]
    return Scored(candidate=candidate, score=sum(shares.values()), spaces=tuple(speaking))


def is_exact(content: str) -> bool:
    """Whether a question, without the names that narrow it, has words that must match exactly."""
    exact = _QUOTED.search(content) or _SECTION().search(content) or _NUMBER.search(content)
    return bool(exact or _ABBREVIATION.search(content))


def lexical_weight(exact: bool, editions: Sequence[Edition], settings: SearchSettings) -> float:
    """Weight of BM25 in `editions` for a question that is `exact`, or none.

    Exact matching hurts citizens' questions, which avoid the documents' words, and is noise across languages;
    they are indispensable for section numbers, quoted phrases, numbers and names.
    """
    if exact:
        return settings.lexical_exact
    legal = sum(edition.document.fields.doc_type in _LEGAL for edition in editions)
    return settings.lexical_statutes if 2 * legal > len(editions) else settings.lexical


def covered(question: SparseVector, passage: SparseVector) -> float:
    """The share of a question's terms that a passage has, 0 to 1."""
    return len(set(question.indices) & set(passage.indices)) / max(1, len(question.indices))


# Questions are not expanded with words for what they ask: on statutes that attracts whatever provision has
# most of them. A passage with such a word is preferred instead (decision 0025).
_TIME = pattern(r"\b(?:{wording.time})\b", re.IGNORECASE)
_WORDS = {QuestionKind.PENALTY: PENALTY, QuestionKind.TEMPORAL: _TIME}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question as the encoders and the rules see it: per query its two vectors, its words without the names
    that narrow it (`contents`, the question's own first) and their language. The last `worded` queries are in
    the words of documents in their language, and ask only these. `exact` is the result of `is_exact`,
    `words` are those of the question that may be telling."""

    plan: SearchPlan
    vectors: tuple[tuple[Vector, Vector], ...]
    contents: tuple[str, ...]
    languages: tuple[str, ...]
    exact: bool
    worded: int = 0
    words: tuple[TellingWord, ...] = ()

    @property
    def sections(self) -> AskedSections:
        """The sections that the question asks for."""
        return self.plan.question.sections

    @property
    def content(self) -> str:
        """The question's own words."""
        return self.contents[0]

    def content_for(self, language: str) -> str:
        """The question in the words of documents in `language`."""
        first = len(self.contents) - self.worded
        contents = dict(zip(self.languages[first:], self.contents[first:], strict=True))
        return contents.get(language, self.content)


class Ranker:
    """Asks the index and fuses what it finds."""

    def __init__(
        self,
        *,
        library: Library,
        index: PassageIndex,
        primary: QuestionEncoder,
        secondary: Embedder,
        lexical: LexicalEncoder,
        settings: SearchSettings,
    ) -> None:
        self._library = library
        self._index = index
        self._primary = primary
        self._secondary = secondary
        self._lexical = lexical
        self._settings = settings
        self._samples: dict[str, tuple[int, Sampled | None]] = {}

    async def warm_up(self) -> None:
        """Load the encoders."""
        await asyncio.gather(self._primary.warm_up(), self._secondary.warm_up())

    async def ask(
        self, plan: SearchPlan, contents: Sequence[str], worded: Mapping[str, str] = MappingProxyType({})
    ) -> Asked:
        """Encode `contents`: the queries of `plan` without the names that narrow it, the question first, and
        `worded`: by language, the question in the words of documents."""
        vectors = await asyncio.gather(*(self.encode(text) for text in (*contents, *worded.values())))
        others = (each.language for each in plan.wordings)
        return Asked(
            plan=plan,
            vectors=tuple(vectors),
            contents=(*contents, *worded.values()),
            languages=(plan.language, *others, *worded),
            exact=is_exact(contents[0]),
            worded=len(worded),
            words=await asyncio.to_thread(words_asked, contents[0], plan.language),
        )

    async def encode(self, query: str) -> tuple[Vector, Vector]:
        """The vectors of `query` from both encoders."""
        primary, secondary = await asyncio.gather(self._primary.query(query), self._secondary.query(query))
        return primary, secondary

    async def rank(self, asked: Asked, group: Group) -> list[Hit]:
        """Hits of `group`, best first."""
        by_index: dict[tuple[str, str], list[Edition]] = defaultdict(list)
        for edition in group.editions:
            by_index[edition.document.collection, edition.document.fields.language].append(edition)
        weight = lexical_weight(asked.exact, group.editions, self._settings)
        places = [
            _Place(collection, language, tuple(edition.version.id for edition in editions))
            for (collection, language), editions in by_index.items()
        ]
        found = await asyncio.gather(*(self._found(asked, place, exact=weight > 0) for place in places))
        scored = await self._fused(asked, weight, [item for items in found for item in items])
        rare = await telling(asked.words, group.editions, self._index, self._lexical)
        hits = await self._read(self._with_telling(scored, rare), group)
        hits = [replace(self._raised(hit, asked), telling=rare.of(hit.passage.id)) for hit in hits]
        floor = self._settings.threshold
        kept = [hit for hit in hits if floor is None or hit.score >= floor]
        return sorted(kept, key=lambda hit: (-hit.score, hit.passage.version, hit.passage.ordinal))

    async def _found(self, asked: Asked, place: "_Place", *, exact: bool) -> list["_Found"]:
        """What each query finds among the documents of `place`; nothing if the collection is empty."""
        queries = await self._queries(asked, place.language, exact=exact)
        found = await self._index.candidates(
            place.collection, list(queries.values()), place.versions, limit=self._settings.candidates
        )
        return [
            _Found(place, row, query, candidates)
            for (row, query), candidates in zip(queries.items(), found, strict=True)
        ]

    def _with_telling(self, scored: Sequence[Scored], rare: Telling) -> list[Scored]:
        """`scored` and the passages with telling words that no space found, which count like the worst."""
        worst = min((each.score for each in scored), default=0.0)
        known = {each.candidate.passage for each in scored}
        others = [
            Candidate(passage=passage, version=version, scores={})
            for passage, version in rare.versions.items()
            if passage not in known
        ]
        every = [*scored, *(Scored(candidate=each, score=worst, spaces=(Space.LEXICAL,)) for each in others)]
        return [
            replace(each, score=each.score + self._settings.telling * rare.share(each.candidate.passage))
            for each in every
        ]

    async def _fused(self, asked: Asked, lexical: float, found: Sequence["_Found"]) -> list[Scored]:
        """The candidates of all collections on one scale, each with its best query's score."""
        collections = dict.fromkeys(
            [*asked.plan.scope.collections, *(item.place.collection for item in found)]
        )
        samples = await asyncio.gather(*(self._sample(collection) for collection in collections))
        known = [sample for sample in samples if sample is not None]
        if not known:
            return []
        weight = weights(self._settings, lexical)
        coverage = await self._coverage(found)
        statistics: dict[int, dict[Space, Statistics]] = {}
        best: dict[PassageId, Scored] = {}
        for item, share in zip(found, coverage, strict=True):
            if item.row not in statistics:
                statistics[item.row] = pooled_statistics(item.query, known)
            for scored in fuse(item.candidates, statistics[item.row], weight, coverage=share):
                former = best.get(scored.candidate.passage)
                if former is None or scored.score > former.score:
                    best[scored.candidate.passage] = scored
        return list(best.values())

    async def _coverage(self, found: Sequence["_Found"]) -> list[float]:
        """The share of the query's words that the best BM25 match has, relative to the best of all
        collections; 1 if only one collection is searched."""
        if len({item.place.collection for item in found}) < 2:
            return [1.0] * len(found)
        nearest = [item.best_by_words for item in found]
        passages = await self._library.passages([item.passage for item in nearest if item])
        texts = {passage.id: passage.embedded_text for passage in passages}
        shares = []
        for item, best in zip(found, nearest, strict=True):
            text = texts.get(best.passage) if best else None
            terms = await self._lexical.passages([text], item.place.language) if text else []
            shares.append(covered(item.query.lexical, terms[0]) if terms and item.query.lexical else 0.0)
        most: dict[int, float] = defaultdict(float)
        for item, share in zip(found, shares, strict=True):
            most[item.row] = max(most[item.row], share)
        return [share and share / most[item.row] for item, share in zip(found, shares, strict=True)]

    async def _queries(self, asked: Asked, language: str, *, exact: bool) -> dict[int, QueryVectors]:
        """The queries for documents in `language` by their rows in `asked`, with terms if they are in it and
        `exact` words count."""
        queries = {}
        anywhere = len(asked.contents) - asked.worded
        for row, (content, own) in enumerate(zip(asked.contents, asked.languages, strict=True)):
            if row >= anywhere and own != language:
                continue
            primary, secondary = asked.vectors[row]
            terms = await self._lexical.query(content, language) if exact and own == language else None
            queries[row] = QueryVectors(primary=primary, secondary=secondary, lexical=terms)
        return queries

    async def _sample(self, collection: str) -> Sampled | None:
        """The collection's sample, drawn again when its size has changed."""
        size = await self._index.count(collection)
        known = self._samples.get(collection)
        if known is None or known[0] != size:
            sample = await self._index.sample(collection, size=self._settings.sample)
            known = (size, Sampled(size, sample) if sample else None)
            self._samples[collection] = known
        return known[1]

    async def _read(self, scored: Sequence[Scored], group: Group) -> list[Hit]:
        """Hits of the best candidates. Hits that the library does not have, or has under a different version,
        are dropped: the index may lag behind, the library is the source of truth."""
        best = sorted(scored, key=lambda item: (-item.score, item.candidate.passage))
        best = best[: self._settings.candidates]
        editions = {edition.version.id: edition for edition in group.editions}
        passages = await self._library.passages([item.candidate.passage for item in best])
        known = {passage.id: passage for passage in passages}
        return [
            _hit(item, known[item.candidate.passage], editions[known[item.candidate.passage].version])
            for item in best
            if item.candidate.passage in known and known[item.candidate.passage].version in editions
        ]

    def _raised(self, hit: Hit, asked: Asked) -> Hit:
        """`hit` with its score adjusted for evidence other than similarity: the place named, the sections
        named, the wording of penalties and times, and whether it is a provision at all."""
        score = hit.score - self._settings.beside_the_law * _beside_the_law(hit, asked)
        score -= self._settings.only_wanted * only_wanted(hit.edition, asked.plan)
        score += self._settings.own_place * _nearness(hit, asked)
        if asked.sections.references:
            score += self._settings.named_section * _named_section(hit, asked)
        if _has_wording(asked.plan.kind):
            score += self._settings.wording * speaks_of(asked.plan.kind, hit.passage.text)
        return hit if score == hit.score else replace(hit, score=score)


@dataclass(frozen=True, slots=True)
class _Place:
    """Documents in one language of one collection."""

    collection: str
    language: str
    versions: tuple[VersionId, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    """What the query at `row` finds at a place."""

    place: _Place
    row: int
    query: QueryVectors
    candidates: Sequence[Candidate]

    @property
    def best_by_words(self) -> Candidate | None:
        """The best match by words, if any matches."""
        best = max(self.candidates, key=lambda item: item.scores.get(Space.LEXICAL, 0.0), default=None)
        return best if best and best.scores.get(Space.LEXICAL, 0.0) > 0 else None


def _hit(scored: Scored, passage: Passage, edition: Edition) -> Hit:
    return Hit(
        passage=passage,
        edition=edition,
        score=scored.score,
        found_by=tuple(space.value for space in scored.spaces),
        scores=dict(scored.candidate.scores),
    )


def _nearness(hit: Hit, asked: Asked) -> int:
    """1 for a document of a place that the question names, or of the state of a town that has none; -1 for
    parties' statements for a place other than the one set."""
    plan, own = asked.plan, hit.edition.document.fields.jurisdiction or ""
    without = lacking_places(plan.missing)
    states = (place.rpartition("-")[0] for place in plan.detected.jurisdictions if place in without)
    if own in plan.detected.jurisdictions or ("-" in own and own in states):
        return 1
    return -1 if said_elsewhere(hit.edition, plan.scope.jurisdictions) else 0


def _beside_the_law(hit: Hit, asked: Asked) -> bool:
    section = hit.passage.section
    return (
        section is not None
        and section.id.partition(":")[0] in ("recital", "form")
        and not asked.plan.question.wanted.forms
    )


def _named_section(hit: Hit, asked: Asked) -> float:
    """1 if the passage is a section that the question names and looks for, or cites it in a question about
    references; half for another part of that section."""
    section = hit.passage.section
    if asked.plan.kind is not QuestionKind.CROSS_REFERENCE:
        return float(section is not None and any(section.id == ref.id for ref in asked.sections.references))
    cited = parse_section_references(hit.passage.text, hit.edition.document.fields.language)
    wanted = {ref.id for ref in asked.sections.references}
    paths = {(ref.id, ref.path) for ref in asked.sections.references}
    if section is not None and section.id in wanted:
        return 0.0
    if any((ref.id, ref.path) in paths for ref in cited):
        return 1.0
    return 0.5 * any(ref.id in wanted for ref in cited)


def speaks_of(kind: QuestionKind, text: str) -> bool:
    """Whether `text` has a word for what `kind` asks for; True for kinds that ask for nothing specific."""
    words = _WORDS.get(kind)
    return words is None or bool(words().search(text))


def _has_wording(kind: QuestionKind) -> bool:
    """Whether passages that answer `kind` can be recognised by their words."""
    return kind in _WORDS
