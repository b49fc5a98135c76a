"""Other wordings of a question, to be searched in addition: where they may come from and which are admitted.

They never decide where to search: that depends on the question alone. A wording that names a party or a place
that the question does not name is dropped.
"""

import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from Stemmer import Stemmer

from core.domain.documents import Edition
from core.domain.search import QuestionKind
from core.language.languages import every
from core.question.parsed import ParsedQuestion, another_wording
from core.registry.detection import Detector
from core.registry.names import fold
from core.registry.registry import PlaceTree

MOST_REWRITES = 3
"""Maximum other wordings searched in addition to a question."""

LONGEST = 300
"""Maximum characters of a wording."""

_LEAST_LETTERS = 4
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewritable:
    """A self-contained question, for finding other wordings. `languages` are those of the documents that are
    searched, the most frequent first; `documents` name some of them, with their type; `collections` whose
    readers may see it."""

    question: str
    kind: QuestionKind
    language: str
    languages: tuple[str, ...]
    collections: tuple[str, ...]
    documents: tuple[str, ...] = ()


Rewrite = Callable[[Rewritable], Awaitable[Sequence[str]]]
"""Finds other wordings, best first. Does not raise if there are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Synonyms:
    """Words of citizens and of documents for the same thing. They apply to documents of `jurisdiction` and
    places within it, everywhere if None."""

    terms: tuple[str, ...]
    jurisdiction: str | None = None

    def __post_init__(self) -> None:
        if len(self.terms) < 2:
            raise ValueError("synonyms are at least two terms")


def by_synonyms(
    question: str, synonyms: Iterable[Synonyms], editions: Sequence[Edition], tree: PlaceTree
) -> list[str]:
    """`question` with a term replaced by each of its synonyms that apply to `editions`."""
    places = {place for e in editions if (place := e.document.fields.jurisdiction)}
    reach = {above for place in places for above in tree.reach(place)}
    found = []
    for row in synonyms:
        if row.jurisdiction is None or row.jurisdiction in reach:
            found += _replaced(question, row.terms)
    return found


def admitted(question: ParsedQuestion, wordings: Iterable[str], names: Detector) -> list[ParsedQuestion]:
    """Those of `wordings` that may be searched in addition to `question`, without repetition."""
    known = {(mention.kind, mention.key) for mention in question.names.mentions}
    seen = {_same(question.asked)}
    kept = []
    for written in wordings:
        text = " ".join(written.split())
        letters = sum(letter.isalpha() for letter in text)
        if letters < _LEAST_LETTERS or len(text) > LONGEST or _same(text) in seen:
            continue
        wording = another_wording(text, names, question.language)
        if all((mention.kind, mention.key) in known for mention in wording.names.mentions):
            seen.add(_same(text))
            kept.append(wording)
    return list(islice(kept, MOST_REWRITES))


def _same(text: str) -> tuple[str, ...]:
    return tuple(fold(word) for word in _WORD.findall(text))


def _replaced(question: str, terms: Sequence[str]) -> list[str]:
    for term in sorted(terms, key=len, reverse=True):
        span = _find(question, term)
        if span:
            start, end = span
            others = [other for other in terms if other != term]
            return [f"{question[:start]}{other}{question[end:]}" for other in others]
    return []


def _find(text: str, term: str) -> tuple[int, int] | None:
    """Where the words of `term` are in `text`, whatever their endings."""
    words = list(_WORD.finditer(text))
    stems = [_stems(word[0]) for word in words]
    wanted = [_stems(word) for word in _WORD.findall(term)]
    for at in range(len(words) - len(wanted) + 1):
        if wanted and all(a & b for a, b in zip(wanted, stems[at:], strict=False)):
            return words[at].start(), words[at + len(wanted) - 1].end()
    return None


@lru_cache(maxsize=4096)
def _stems(word: str) -> frozenset[str]:
    """Stems of a word in each supported language."""
    small = word.casefold()
    return frozenset(fold(Stemmer(each.stemmer).stemWord(small)) for each in every())
