"""Parties that are called by an article and one word, named by that word alone: "mieten deckeln, basis?".

The word is a common noun, so it names the party only where nothing else is named and it stands apart from the
sentence: at its very end or beginning, beside a mark, or at the end of a few words that are no sentence.
"""

import re
from collections.abc import Iterable

from core.domain.registry import Party
from core.language import lemmas
from core.language.languages import every
from core.language.patterns import words as spoken
from core.registry.names import Mention, NameKind, fold, tokens

_WORD = r"([A-ZÄÖÜ][^\W\d_]{3,})"
_APART = re.compile(r"[,;:!?]\s+|\s+[–—-]\s+")
_CLAUSE = 3
"""Words at least before the mark: with fewer, and with more than one comma, it is a list of things."""

_WITHOUT_MARK = 4
"""Words at most of a question that ends with the name without a mark before it."""


class LoneNames:
    """The single words that parties may be called by. Build once per registry."""

    def __init__(self, parties: Iterable[Party]) -> None:
        found: dict[str, list[tuple[str, str]]] = {}
        for party in parties:
            for word, article in {pair for name in (party.name, *party.aliases) for pair in _parts(name)}:
                if word not in {fold(name) for name in party.aliases} and word not in _asking():
                    found.setdefault(word, []).append((party.name, article))
        self._party = {word: owners[0] for word, owners in found.items() if len(owners) == 1}

    def find(self, question: str) -> list[Mention]:
        """The party that `question`, which names nothing else, addresses by its word; none or one."""
        said = tokens(question)
        if len(said) < 2:
            return []
        first, second, *_ = said
        *_, before, last = said
        if last.folded in self._party:
            key, language = self._party[last.folded]
            clause = len(said) > _CLAUSE and question.count(",") < 2
            apart = clause and _APART.fullmatch(question[before.end : last.start])
            short = len(said) <= _WITHOUT_MARK and _ends_a_topic(before.text, language)
            if apart or (short and question[before.end : last.start].isspace()):
                return [_mention(key, last.start, last.end)]
        if first.folded in self._party and _APART.fullmatch(question[first.end : second.start]):
            return [_mention(self._party[first.folded][0], first.start, first.end)]
        return []


def _parts(name: str) -> Iterable[tuple[str, str]]:
    """The word behind the article of a name ("dieBasis", "Die Heimat"), folded, and the article's
    language."""
    for language in every():
        articles = "|".join(map(re.escape, language.registered.capital_articles))
        found = re.fullmatch(rf"(?i:{articles})\s?{_WORD}", name) if articles else None
        if found:
            yield fold(found[1]), language.tag


def _ends_a_topic(word: str, language: str) -> bool:
    """Whether `word` is a noun or the infinitive behind one ("mieten deckeln"): nothing that the next word
    would belong to, as adjectives, articles and prepositions do."""
    low, large = word.lower(), word.capitalize()
    noun = _is(large, language) and not _is(low, language)
    return noun or (_is(low, language) and low.endswith("n") and _lemma(low, language) == low)


def _is(word: str, language: str) -> bool:
    known = lemmas.is_known(word, language)
    return known and _lemma(word, language)[:1].isupper() == word[:1].isupper()


def _lemma(word: str, language: str) -> str:
    return lemmas.lemma(word, language)


def _asking() -> frozenset[str]:
    return frozenset(map(fold, spoken("topics.asking")))


def _mention(key: str, start: int, end: int) -> Mention:
    return Mention(NameKind.PARTY, key, start, end)
