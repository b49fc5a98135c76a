"""Sparse BM25 terms through fastembed's `Bm25`, offline: Snowball stemming, stop words, references.

fastembed splits at everything but letters and digits, so "4(2)(l)" would be three terms that every page
has. References to sections therefore become a term of their own, once per level: "§ 4 Abs. 2" and
"Section 4(2)" both give `ref_4` and `ref_4_2`.
"""

import re
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from adapters.embedding.workers import EncoderWorkers
from core.domain.search import SparseVector
from core.errors import Broken
from core.ports.embedding import LexicalEncoder

if TYPE_CHECKING:
    from fastembed.sparse.bm25 import Bm25
    from fastembed.sparse.sparse_embedding_base import SparseEmbedding

_REVISION = 1
_MODEL = "Qdrant/bm25"
_STEP = 16
_AVERAGE_TERMS = 120.0
"""Terms of an average passage of 180 words without stop words; lengths are judged against it."""

_SNOWBALL = {
    "ar": "arabic",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "nb": "norwegian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
}

# The package's English list has 1,333 words, among them section, order, state, member and value, which
# carry the meaning of a statute. These are the closed word classes only.
_ENGLISH_STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """a an the this that these those i me my we us our ours you your yours he him his she her hers it its
    they them their theirs who whom whose which what when where why how am is are was were be been being
    have has had having do does did doing will would shall should can could may might must ought and but
    or nor if then else than because as until while so of at by for with about against between into
    through during before after above below to from up down in out on off over under again further once
    here there all any both each few more most other some such no not only own same too very just also
    s t d m o re ve ll don doesn didn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn""",
    )
)

_NUMBER = r"\d{1,4}[a-z]?\b"
_LEVELS = r"(?:\s?\(\s?(?:\d{1,3}[a-z]?|[a-z]{1,2}|[ivxl]{1,6})\s?\))"
_REFERENCE = re.compile(
    r"(?:(?:§{1,2}|\b(?:art(?:ikels?|icles?)?|sections?|sec|s|rules?|regulations?|clauses?)\b\.?)"
    rf"\s*(?P<number>{_NUMBER})|\b(?P<bare>{_NUMBER})(?={_LEVELS}))"
    rf"(?P<levels>{_LEVELS}*)"
    r"(?:,?\s*\b(?:abs(?:atz|\.)|para(?:graph|\.)?)\s*(?P<paragraph>\d{1,3}[a-z]?)\b)?",
    re.IGNORECASE,
)
_HEADING = re.compile(r"^\s*(\d{1,4}[A-Z]?)\s?\.[\s-]", re.MULTILINE)
_LEVEL = re.compile(r"[0-9a-z]+", re.IGNORECASE)


class Bm25Encoder(LexicalEncoder):
    """BM25 terms in the 18 languages of fastembed's Snowball stemmers, plain words in others."""

    def __init__(self, models_dir: Path) -> None:
        self._models_dir = models_dir
        self._workers = EncoderWorkers("lexical", 1)
        self._lock = threading.Lock()
        self._encoders: dict[str, Bm25] = {}

    @property
    def name(self) -> str:
        """Name and revision; part of the pipeline version."""
        return f"bm25/{_REVISION}"

    async def passages(self, texts: Sequence[str], language: str) -> list[SparseVector]:
        """Term weights of passages, at low priority."""
        steps = [texts[start : start + _STEP] for start in range(0, len(texts), _STEP)]
        results = await self._workers.passages(steps, lambda step: self._weigh(step, language))
        return [vector for result in results for vector in result]

    async def query(self, text: str, language: str) -> SparseVector:
        """Terms of a question, each with weight 1."""
        return await self._workers.question(lambda: self._terms(text, language))

    def _weigh(self, texts: Sequence[str], language: str) -> list[SparseVector]:
        encoder = self._encoder(language)
        return [_sparse(vector) for vector in encoder.raw_embed([with_references(text) for text in texts])]

    def _terms(self, text: str, language: str) -> SparseVector:
        (vector,) = self._encoder(language).query_embed(with_references(text))
        return _sparse(vector)

    def _encoder(self, language: str) -> "Bm25":
        stemmer = _SNOWBALL.get(language.lower()[:2], "")
        with self._lock:
            if stemmer not in self._encoders:
                self._encoders[stemmer] = self._load(stemmer)
            return self._encoders[stemmer]

    def _load(self, stemmer: str) -> "Bm25":
        try:
            from fastembed.sparse.bm25 import Bm25

            return Bm25(
                _MODEL,
                language=stemmer or "english",
                disable_stemmer=not stemmer,
                stopwords=_stop_words(stemmer),
                avg_len=_AVERAGE_TERMS,
                specific_model_path=str(self._models_dir),  # nothing is read from it, nor looked up online
            )
        except (ImportError, OSError, ValueError) as error:
            raise Broken("embedding.model_missing", f"BM25 for {stemmer}: {error}", model=_MODEL) from error


def with_references(text: str) -> str:
    """`text` followed by one term per section reference and level, as `ref_4 ref_4_2`."""
    terms: dict[str, None] = {}
    for match in _REFERENCE.finditer(text):
        paragraph = [match["paragraph"]] if match["paragraph"] else []
        parts = [match["number"] or match["bare"], *_LEVEL.findall(match["levels"]), *paragraph]
        terms |= dict.fromkeys(
            "_".join(["ref", *parts[:depth]]).lower() for depth in range(1, len(parts) + 1)
        )
    terms |= dict.fromkeys(f"ref_{number.lower()}" for number in _HEADING.findall(text))
    return f"{text} {' '.join(terms)}" if terms else text


def _stop_words(stemmer: str) -> set[str]:
    if stemmer == "english":
        return set(_ENGLISH_STOP_WORDS)
    from stop_words import AVAILABLE_LANGUAGES, get_stop_words

    return set(get_stop_words(stemmer)) if stemmer in AVAILABLE_LANGUAGES else set()


def _sparse(vector: "SparseEmbedding") -> SparseVector:
    """Ids ascending and unique: words whose hashes collide are added."""
    weights: dict[int, float] = {}
    for index, value in zip(vector.indices.tolist(), vector.values.tolist(), strict=True):
        weights[index] = weights.get(index, 0.0) + float(value)
    ids = sorted(weights)
    return SparseVector(indices=tuple(ids), values=tuple(weights[i] for i in ids))
