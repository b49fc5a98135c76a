"""Search: plans, index points, candidates and hits."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from core.domain.documents import Edition
from core.domain.ids import PassageId, VersionId
from core.domain.passages import Passage

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


ScopeKeys = Mapping[str, tuple[str, ...]]
"""A point's keys, which describe its document: each of `SCOPE_FIELDS` with one or more values."""

SCOPE_FIELDS = ("place", "language", "type", "party", "year", "current")


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexPoint:
    """What an index stores for a passage. `windows` has shape (n >= 1, dimension of SECOND). `keys` are those
    of its document, if known: for all fields or for none."""

    passage: PassageId
    version: VersionId
    primary: Vector
    secondary: Vector
    windows: Vector
    lexical: SparseVector
    keys: ScopeKeys = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Within:
    """The points that a search looks at: those that have one of the values of each field of `keys` (None: no
    point, empty: every point) and those of `versions`, but none of `but_not`."""

    keys: ScopeKeys | None = None
    versions: tuple[VersionId, ...] = ()
    but_not: tuple[VersionId, ...] = ()

    @property
    def nothing(self) -> bool:
        """Whether no point can match."""
        return self.keys is None and not self.versions


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """How many points of a version an index has, and their keys if all of them carry the same."""

    points: int
    keys: ScopeKeys | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryVectors:
    """An encoded question. `lexical` is None if BM25 is switched off; `primary` and `secondary` are empty if
    only words are looked up."""

    primary: Vector
    secondary: Vector
    lexical: SparseVector | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A passage found in an index, with its cosine similarity in every dense space and its BM25 score (0.0 if
    no term matches or BM25 is off), whichever space found it."""

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
    """The kinds of question, decided by rules first."""

    FACT = "fact"
    CROSS_REFERENCE = "cross_reference"
    PENALTY = "penalty"
    TEMPORAL = "temporal"
    CONFLICT = "conflict"
    COMPARE = "compare"
    DOCUMENT = "document"
    FOLLOW_UP = "follow_up"
    OFF_TOPIC = "off_topic"


@dataclass(frozen=True, slots=True)
class TellingWord:
    """A word of a question that few passages have, as `written` there, with its `spellings` in lower case; or
    a number of `words` of it that are one in documents. `named`: it is in no dictionary, or written as a
    name."""

    written: str
    words: int
    spellings: tuple[str, ...]
    named: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A passage in an answer's context. `score` is the fused score (the sum of standard deviations above the
    collection's mean); `found_by` says how: dense, second, windows, lexical, neighbour, family, pinned,
    reference. `trail` is the path of references that led there, from citing to cited ("Rule 3", "Section 4"),
    in the question's language. `telling` are the words of the question that it has and few others have."""

    passage: Passage
    edition: Edition
    score: float
    found_by: tuple[str, ...]
    scores: dict[Space, float] = field(default_factory=dict)
    trail: tuple[str, ...] = ()
    telling: frozenset[TellingWord] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Relevance:
    """A reranker's `score` (0 to 1) for the text at `index` (from 0)."""

    index: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Reranking:
    """Which reranker ordered the hits; if it failed, `failure` is the error's key and the order is that of
    the fusion."""

    by: str
    failure: str | None = None
