"""The words of a question that few passages have: names of places and projects, and rare words.

The encoders hardly know them: "Bodensee" is near to any water. But whoever uses one wants what is said of it,
so passages that have it come first, and so do their sentences that have it.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.domain.documents import Edition
from core.domain.ids import PassageId, VersionId
from core.domain.search import QueryVectors, TellingWord
from core.evidence.dictionary import is_listed, is_plain_compound
from core.evidence.skeleton import skeleton
from core.language.languages import of, tags
from core.language.terms import is_small
from core.ports.index import PassageIndex
from core.ports.models import LexicalEncoder
from core.question.subject import sought
from core.search.unmentioned import by_index

_HALF = 0.5
_KEY_WORDS = 3
"""Maximum words that name what is asked, rather than tell of it."""
_MOST = 8
"""Maximum words of a question that are looked up."""
_FEW, _FEWEST, _PAGES = 12, 1, 100
"""Maximum passages that have a telling word: one for so many pages searched, between these."""
_FEW_OF_A_NAME = 24
"""Maximum passages that have a name, however little is searched."""
_JOINED = 3
"""Maximum words next to each other that may be one in a document: "job bike bw" for "JobBikeBW"."""
_NONE = np.zeros(0, dtype=np.float32)
_WORD = re.compile(r"[^\W_]+")
_NAME = 4
"""Minimum letters of a name in small letters; "nen" is none."""
_UMLAUTS = re.compile("ae|oe|(?<![aeq])ue")
_UMLAUT = {"ae": "ä", "oe": "ö", "ue": "ü"}


def words_asked(content: str, language: str) -> tuple[TellingWord, ...]:
    """The words of what `content` asks that may be telling, alone and joined with those behind them."""
    words = [word for word in sought(content, language)[:_MOST] if not word.isdigit()]
    found = [
        TellingWord(
            written=word,
            words=1,
            spellings=_spellings(word.casefold()),
            named=_is_named(word, content, language),
        )
        for word in words
    ]
    said = [word for word in _WORD.findall(content) if not word.isdigit()]
    for number in range(2, _JOINED + 1):
        for run in (said[at : at + number] for at in range(len(said) - number + 1)):
            if not any(map(is_small, run)) and set(run) & set(words):
                joined = "".join(run).casefold()
                found.append(
                    TellingWord(written=" ".join(run), words=number, spellings=(joined,), named=True)
                )
    return tuple(found[: 2 * _MOST])


def most_of(telling: Collection[TellingWord], asked: Collection[TellingWord]) -> bool:
    """Whether the words that are `telling` are most of those `asked`, and these are few."""
    return _share(telling, asked) > _HALF


def _share(telling: Collection[TellingWord], asked: Collection[TellingWord]) -> float:
    number = sum(word.words == 1 for word in asked)
    return sum(word.words for word in telling) / number if 0 < number <= _KEY_WORDS else 0.0


def _is_named(word: str, content: str, language: str) -> bool:
    """Whether a word is in no dictionary, or has a capital that only a name has."""
    plain = skeleton(word)
    if not is_listed(plain, language) and not is_plain_compound(plain):
        return len(word) >= _NAME or word.isupper()
    capitals = language not in tags() or of(language).topics.nouns_have_capitals
    return not capitals and word[0].isupper() and not content.lstrip().startswith(word)


def _spellings(word: str) -> tuple[str, ...]:
    """`word`, and with umlauts if it is written without."""
    with_umlauts = _UMLAUTS.sub(lambda found: _UMLAUT[found[0]], word)
    return tuple(dict.fromkeys((word, with_umlauts)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """The telling words; by passage, which of them it has, and its version. `lacking` are the words looked up
    that no passage has."""

    words: tuple[TellingWord, ...]
    held: Mapping[PassageId, frozenset[TellingWord]]
    versions: Mapping[PassageId, VersionId]
    lacking: tuple[TellingWord, ...]

    def of(self, passage: PassageId) -> frozenset[TellingWord]:
        """The telling words that `passage` has."""
        return self.held.get(passage, frozenset())

    def share(self, passage: PassageId) -> float:
        """The share of the telling words that `passage` has."""
        return len(self.of(passage)) / max(1, len(self.words))


async def telling(
    words: Sequence[TellingWord],
    editions: Sequence[Edition],
    index: PassageIndex,
    lexical: LexicalEncoder,
) -> Telling:
    """Which of `words` few passages of `editions` have: of a whole sentence only the names, since people's
    other words may stand in a few passages by chance, and joined ones only if one of them alone has none,
    since files lose spaces."""
    few = max(_FEWEST, min(_FEW, sum(each.version.pages for each in editions) // _PAGES))
    most = {word: _FEW_OF_A_NAME if word.named else few for word in words}
    number: dict[TellingWord, int] = dict.fromkeys(words, 0)
    having: dict[TellingWord, list[PassageId]] = defaultdict(list)
    version_of: dict[PassageId, VersionId] = {}
    for (collection, language), versions in by_index(editions):
        terms = [await lexical.query(" ".join(word.spellings), language) for word in words]
        queries = [QueryVectors(primary=_NONE, secondary=_NONE, lexical=each) for each in terms]
        found = await index.candidates(collection, queries, versions, limit=_FEW_OF_A_NAME + 1)
        for word, candidates in zip(words, found, strict=True):
            number[word] += len(candidates)
            having[word] += [each.passage for each in candidates]
            version_of |= {each.passage: each.version for each in candidates}
    unknown = {word.written for word in words if not number[word]}
    rare = [
        word
        for word in words
        if 0 < number[word] <= most[word] and (word.words == 1 or unknown.intersection(word.written.split()))
    ]
    if _share(rare, words) < _HALF:
        rare = [word for word in rare if word.named]
    held: dict[PassageId, frozenset[TellingWord]] = defaultdict(frozenset)
    for word in rare:
        for passage in having[word]:
            held[passage] |= {word}
    return Telling(
        words=tuple(rare),
        held=dict(held),
        versions={passage: version_of[passage] for passage in held},
        lacking=tuple(word for word in words if not number[word]),
    )
