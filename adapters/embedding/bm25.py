"""Sparse BM25 terms: Snowball stemming, stop words, references.

The terms, their ids and weights are those of fastembed's `Bm25`, which takes half a second to import. Text is
split at everything except letters and digits, so "4(2)(l)" would be three terms found on every page.
References to sections therefore become a term of their own, once per level: "§ 4 Abs. 2" and "Section 4(2)"
both give `ref_4` and `ref_4_2`.
"""

import re
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import mmh3
from py_rust_stemmers import SnowballStemmer

from adapters.embedding.text_model import EncoderWorkers
from core.domain.search import SparseVector
from core.ports.models import LexicalEncoder

_REVISION = 1
_STEP = 16
_AVERAGE_TERMS = 120.0
"""Number of terms, without stop words, in an average passage of 180 words; lengths are relative to it."""

_SATURATION, _BY_LENGTH = 1.2, 0.75
"""k and b: how soon repetitions of a term stop counting, and how much long passages are penalised."""

_LONGEST = 40
_WORD = re.compile(r"\w+")

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
    """BM25 terms in the 18 languages of the Snowball stemmers, plain words in others."""

    def __init__(self) -> None:
        self._workers = EncoderWorkers("lexical", 1)
        self._lock = threading.Lock()
        self._splitters: dict[str, _Splitter] = {}

    @property
    def name(self) -> str:
        return f"bm25/{_REVISION}"

    async def passages(self, texts: Sequence[str], language: str) -> list[SparseVector]:
        steps = [texts[start : start + _STEP] for start in range(0, len(texts), _STEP)]
        results = await self._workers.passages(steps, lambda step: self._weigh(step, language))
        return [vector for result in results for vector in result]

    async def query(self, text: str, language: str) -> SparseVector:
        """Terms of a question, each with weight 1."""
        return await self._workers.question(lambda: self._terms(text, language))

    def _weigh(self, texts: Sequence[str], language: str) -> list[SparseVector]:
        splitter = self._splitter(language)
        return [_weighed(splitter.terms(with_references(text))) for text in texts]

    def _terms(self, text: str, language: str) -> SparseVector:
        ids = sorted({_id(term) for term in self._splitter(language).terms(with_references(text))})
        return SparseVector(indices=tuple(ids), values=(1.0,) * len(ids))

    def _splitter(self, language: str) -> "_Splitter":
        stemmer = _SNOWBALL.get(language.lower()[:2], "")
        with self._lock:
            if stemmer not in self._splitters:
                stem = SnowballStemmer(stemmer).stem_word if stemmer else str
                self._splitters[stemmer] = _Splitter(stem, _stop_words(stemmer))
            return self._splitters[stemmer]


@dataclass(frozen=True, slots=True)
class _Splitter:
    """Text into terms."""

    stem: Callable[[str], str]
    stop_words: frozenset[str]

    def terms(self, text: str) -> list[str]:
        """The stems of its words, in order."""
        words = (word for word in _WORD.findall(text.lower()) if word != "_" and len(word) <= _LONGEST)
        return [stem for word in words if word not in self.stop_words and (stem := self.stem(word))]


def _weighed(terms: Sequence[str]) -> SparseVector:
    """The weighted terms, ids ascending and unique: terms whose hashes collide are merged."""
    length = 1 - _BY_LENGTH + _BY_LENGTH * len(terms) / _AVERAGE_TERMS
    weights = {
        _id(term): count * (_SATURATION + 1) / (count + _SATURATION * length)
        for term, count in Counter(terms).items()
    }
    ids = sorted(weights)
    return SparseVector(indices=tuple(ids), values=tuple(weights[each] for each in ids))


def _id(term: str) -> int:
    return abs(mmh3.hash(term))


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


def _stop_words(stemmer: str) -> frozenset[str]:
    if stemmer == "english":
        return _ENGLISH_STOP_WORDS
    from stop_words import AVAILABLE_LANGUAGES, get_stop_words

    words = get_stop_words(stemmer) if stemmer in AVAILABLE_LANGUAGES else ()
    return frozenset(word.lower() for word in words)
