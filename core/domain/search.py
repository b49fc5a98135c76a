"""Search: plans, index points, candidates and hits."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from core.domain.documents import Edition
from core.domain.ids import PassageId, VersionId
from core.domain.passages import Passage
from core.domain.scope import Detected, Missing, Scope

Vector = NDArray[np.float32]
"""One embedding, shape (dimension,), or several, shape (n, dimension); unit length."""


class Space(StrEnum):
    """The named vectors of a passage in an index."""

    PRIMARY = "dense"  # encoder A over heading and text
    SECONDARY = "second"  # encoder B over heading and text
    WINDOWS = "windows"  # encoder B over small windows; a passage counts with its best one
    LEXICAL = "lexical"  # sparse BM25 terms


@dataclass(frozen=True, slots=True, kw_only=True)
class SparseVector:
    """Term ids (unsigned 32 bit, strictly ascending) and their weights, same length."""

    indices: tuple[int, ...]
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexPoint:
    """What an index keeps of a passage. `windows` has shape (n >= 1, dimension of SECOND)."""

    passage: PassageId
    version: VersionId
    primary: Vector
    secondary: Vector
    windows: Vector
    lexical: SparseVector


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryVectors:
    """A question as the encoders see it. `lexical` is None where BM25 is switched off."""

    primary: Vector
    secondary: Vector
    lexical: SparseVector | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A passage found in an index, with its similarity in every dense space (cosine) and its BM25
    score (0.0 where no term matches or BM25 is off), whichever space found it."""

    passage: PassageId
    version: VersionId
    scores: dict[Space, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorSample:
    """A fixed random sample of a collection's vectors, for the statistics of the fusion.

    Shapes: `primary` (n, dA), `secondary` (n, dB), `windows` (m, dB) with `owners` (m,) the row of the
    sampled passage each window belongs to.
    """

    primary: Vector
    secondary: Vector
    windows: Vector
    owners: NDArray[np.int64]


class QuestionKind(StrEnum):
    """Kinds of question, decided by rules first."""

    FACT = "fact"
    CROSS_REFERENCE = "cross_reference"
    PENALTY = "penalty"
    TEMPORAL = "temporal"
    CONFLICT = "conflict"
    COMPARE = "compare"
    DOCUMENT = "document"
    FOLLOW_UP = "follow_up"
    OFF_TOPIC = "off_topic"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchPlan:
    """How a question is searched. `groups` holds one scope per party or place that gets its own
    quota (comparisons); a single scope otherwise. `quota` is hits per group, 0 means no quota. `speaking`
    says of each party of a group which versions speak for it: an alliance's may be its members'."""

    queries: tuple[str, ...]
    language: str
    kind: QuestionKind
    scope: Scope
    groups: tuple[Scope, ...]
    detected: Detected
    missing: tuple[Missing, ...]
    quota: int = 0
    speaking: Mapping[str, frozenset[VersionId]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A passage of an answer's context. `score` is the fused one (standard deviations above the
    collection's mean, summed); `found_by` says how: dense, second, windows, lexical, neighbour,
    family, pinned, reference. `trail` is the path of references that led there, from what cites to
    what is cited ("Rule 3", "Section 4"), in the question's language."""

    passage: Passage
    edition: Edition
    score: float
    found_by: tuple[str, ...]
    scores: dict[Space, float] = field(default_factory=dict)
    trail: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Relevance:
    """What a reranker says of the text at `index` (from 0): `score` from 0 to 1."""

    index: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Reranking:
    """Which reranker looked at the hits; `failure` is the error's key where it could not, and the order
    is that of the fusion."""

    by: str
    failure: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedProvision:
    """A provision that a question names, or that references lead to: `family` are the passages of its
    section, `path` the sub-division that is meant, () for all of it. `begins` is the place in `family` of the
    passage from which on it is quoted where it is too long to be quoted whole."""

    edition: Edition
    family: tuple[Passage, ...]
    path: tuple[str, ...]
    begins: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """Hits as a listing shows them (best first, pages that were shown already last), what goes to an answer
    (document order), and timings in seconds. `ranked` are the best of every group whatever page they are on.
    `content` is the question without the names that narrowed the search. `reranking` says who looked at the
    hits once more; `fused` are then the scores of those that would have been listed without. `incomplete`:
    the index lacked some of what it was searched for. `provisions` are asked for by name, best first;
    `whole`: nothing is asked but what they say. `unmentioned` are abbreviations, names and rare words of the
    question that the library never mentions. `said` is the content as it was asked where `content` is not.
    `names` are the parties and places that the content names: how, and their keys. `searched` were looked
    into."""

    plan: SearchPlan
    content: str
    hits: tuple[Hit, ...]
    context: tuple[Hit, ...]
    context_text: str
    missing: tuple[Missing, ...]
    seconds: dict[str, float]
    reranking: Reranking | None = None
    fused: tuple[float, ...] = ()
    incomplete: bool = False
    provisions: tuple[NamedProvision, ...] = ()
    whole: bool = False
    unmentioned: tuple[str, ...] = ()
    said: str | None = None
    names: tuple[tuple[str, str], ...] = ()
    ranked: tuple[Hit, ...] = ()
    searched: tuple[Edition, ...] = ()

    @property
    def best(self) -> list[Hit]:
        """The hits by their scores alone."""
        return sorted(self.ranked or self.hits, key=lambda hit: -hit.score)

    @property
    def written(self) -> str:
        """The language of `content`: the best hit's where it has the words of documents."""
        return self.hits[0].edition.document.fields.language if self.said else self.plan.language

    @property
    def content_as_said(self) -> str:
        """`content` in the words of the question, where `content` has those of documents."""
        return self.said or self.content
