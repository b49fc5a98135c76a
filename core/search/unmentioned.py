"""Abbreviations that a question is about and the library never mentions ("TTDSG", "FEMA").

Neither encoder knows them, and a question of little else comes near to anything. What an answer quoted would
be about something else, so nothing is quoted (decision 0377).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby

from core.domain.documents import Edition
from core.domain.ids import VersionId
from core.domain.search import QueryVectors, Space, Vector
from core.evidence.dictionary import is_word
from core.evidence.skeleton import skeleton
from core.language.languages import every
from core.ports.embedding import LexicalEncoder
from core.ports.index import PassageIndex
from core.registry.detection import Detector

_WORD = re.compile(r"[^\W_]+")
_ABBREVIATION = re.compile(
    r"(?<!\w)(?=\w*[A-ZÄÖÜ]\w*[A-ZÄÖÜ])([A-ZÄÖÜ]{3,8}(?=s?(?!\w))|[A-Za-zÄÖÜäöü]{3,8}(?!\w))"
)
_LITTLE = 3
"""Letters of a word that initials leave out at most: "Goods and Services Tax"."""
_FEW = 3
"""Words that may all be in capitals without being shouted."""


def unknown_abbreviations(content: str, language: str, texts: Sequence[str], names: Detector) -> list[str]:
    """Abbreviations in `content` that neither a dictionary nor the language files know, that name nothing
    registered, and that none of `texts` has or spells out."""
    said = _WORD.findall(content)
    if len(said) > _FEW and 2 * sum(word.isupper() for word in said) > len(said):
        return []
    found = [each for each in _ABBREVIATION.finditer(content) if not _is_known(each[1], language, texts)]
    if not found:
        return []
    detection = names.detect(content)
    named = [(name.start, name.end) for name in (*detection.mentions, *detection.titles)]
    outside = (each[1] for each in found if all(not start <= each.start() < end for start, end in named))
    return list(dict.fromkeys(outside))


async def never_mentioned(
    words: Iterable[str],
    editions: Sequence[Edition],
    vectors: tuple[Vector, Vector],
    index: PassageIndex,
    lexical: LexicalEncoder,
) -> tuple[str, ...]:
    """Those of `words` that no passage of `editions` has. `vectors` are those of the question."""
    primary, secondary = vectors
    missing = []
    for word in words:
        for (collection, language), versions in by_index(editions):
            query = QueryVectors(
                primary=primary, secondary=secondary, lexical=await lexical.query(word, language)
            )
            [found] = await index.candidates(collection, [query], versions, limit=1) or [[]]
            if any(item.scores.get(Space.LEXICAL, 0.0) > 0 for item in found):
                break
        else:
            missing.append(word)
    return tuple(missing)


def by_index(editions: Sequence[Edition]) -> Iterator[tuple[tuple[str, str], list[VersionId]]]:
    """The versions in each collection and language."""

    def key(edition: Edition) -> tuple[str, str]:
        return edition.document.collection, edition.document.fields.language

    for place, own in groupby(sorted(editions, key=key), key=key):
        yield place, [edition.version.id for edition in own]


def _is_known(word: str, language: str, texts: Sequence[str]) -> bool:
    if word.casefold() in _in_language_files() or is_word(skeleton(word), language):
        return True
    written = re.compile(rf"(?<!\w){word}", re.IGNORECASE)
    spelled = re.compile(
        r"\b" + rf"\W+(?:\w{{1,{_LITTLE}}}\W+)?".join(rf"{each.upper()}\w+" for each in word)
    )
    return any(written.search(text) or spelled.search(text) for text in texts)


@cache
def _in_language_files() -> frozenset[str]:
    """Words of the subjects and of what documents write, in small letters."""
    texts = [text for each in every() for text in each.everyday.values()]
    texts += [words[0] for each in every() for words in each.subjects.values()]
    return frozenset(word.casefold() for text in texts for word in _WORD.findall(text))
