"""Corrects misspelt words in questions that can mean nothing else ("Mitpreisbremse").

A word is left alone if a dictionary has it or if it is spelt the same way in what was found. The caller
supplies what it may stand for: registered names, or the words of what was found.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from rapidfuzz import process
from rapidfuzz.distance import OSA

from core.evidence.dictionary import is_misspelling, is_word, languages, slipped_inside
from core.evidence.skeleton import skeleton
from core.language.patterns import words as spoken
from core.registry.names import tokens

LEAST = 5
"""Minimum letters of a misspelt word: shorter ones are too similar to others."""

_SLIPS = 2
_SHORTEST = 4
"""Minimum letters of a misspelt word in a name of several words."""
_LONG = 8
_WORD = re.compile(rf"[^\W\d_]{{{LEAST},}}")


def vocabulary(texts: Iterable[str]) -> dict[str, str]:
    """The words of `texts` that a slip may have changed, as written, by their skeletons."""
    written = (token.text for text in texts for token in tokens(text))
    return {skeleton(word): word for word in written if len(word) >= LEAST and word.isalpha()}


def slips(
    text: str, known: Mapping[str, str], outside: Collection[tuple[int, int]] = ()
) -> Iterator[tuple[int, int, str]]:
    """The words of `text` that can only mean one of `known` (`vocabulary`): start, end and what is meant, in
    lower case if the word is. Words that touch one of `outside` are left alone."""
    for token in tokens(text):
        if len(token.text) < LEAST or not token.text.isalpha():
            continue
        if any(start < token.end and token.start < end for start, end in outside):
            continue
        meant = _meant(skeleton(token.text), known)
        if meant is not None:
            yield token.start, token.end, _as_written(token.text, known[meant])


def party_slips(
    text: str, names: Mapping[tuple[str, ...], str], outside: Collection[tuple[int, int]] = ()
) -> Iterator[tuple[int, int, str]]:
    """Stretches of `text` that match one of `names` by their folded words, except for a slip in one or two of
    them ("Orchad Union", "Harbor Party"): start, end and the name. A slip may produce another word, since the
    rest of the name is next to it. A stretch within one of `outside` is left alone, unless that is a part of
    it."""
    words = tokens(text)
    initials = [word.folded[:1] for word in words]  # few stretches have those of a name: the rest costs more
    for parts, name in names.items():
        begins = [part[:1] for part in parts]
        for at in range(len(words) - len(parts) + 1):
            if initials[at : at + len(parts)] != begins:
                continue
            candidate = words[at : at + len(parts)]
            start, end = candidate[0].start, candidate[-1].end
            within = any(a <= start and end <= b for a, b in outside)
            gaps = all(text[a.end : b.start].isspace() for a, b in pairwise(candidate))
            is_name = tuple(word.folded for word in candidate) in names
            is_lower = candidate[0].text[0].islower() and not text.islower()
            if (
                not (within or is_name or is_lower)
                and gaps
                and _are_slips([w.folded for w in candidate], parts)
            ):
                yield start, end, name


def _are_slips(said: Sequence[str], parts: Sequence[str]) -> bool:
    """Whether `said` differs from the words of a name by a slip in one or two of them that neither changes
    their beginning nor makes another word by replacing a letter."""
    off = [(word, part) for word, part in zip(said, parts, strict=True) if word != part]
    named = [part for part in parts if part not in spoken("names.articles")]
    return (
        len(named) > 1
        and 0 < len(off) <= _SLIPS
        and all(
            min(len(word), len(part)) >= _SHORTEST
            and word[0] == part[0]
            and OSA.distance(word, part, score_cutoff=1) == 1
            and (len(word) != len(part) or not languages(word))
            for word, part in off
        )
    )


def _meant(word: str, known: Mapping[str, str]) -> str | None:
    """The one of `known` that takes the fewest slips to become `word`; None if there is none, or several."""
    if word in known:
        return None
    near = process.extract(word, known.keys(), scorer=OSA.distance, score_cutoff=_SLIPS, limit=None)
    possible = [(distance, other) for other, distance, _ in near if _is_possible(word, other)][:2]
    if not possible or (len(possible) > 1 and possible[0][0] == possible[1][0]):
        return None
    meant = possible[0][1]
    # Questions contain names that no dictionary has, so the slip must not produce another name.
    if not slipped_inside(word, meant) or languages(word) or any(word in other for other in known):
        return None
    return meant if is_misspelling(word, meant) else None


def _is_possible(word: str, other: str) -> bool:
    """Whether they differ by more than one replaced letter in a short word: that makes other words."""
    return len(other) >= _LONG or len(word) != len(other) or Counter(word) == Counter(other)


def _as_written(word: str, meant: str) -> str:
    return meant[0].lower() + meant[1:] if word[0].islower() else meant[0].upper() + meant[1:]


def mended(question: str, language: str, texts: Sequence[str]) -> str:
    """`question`, in `language`, with those words corrected that are neither in a dictionary nor in `texts`
    and can only mean a word of these texts ("Mitpreisbremse")."""
    known_text = " ".join(texts).casefold()
    unknown_words = [word for word in _WORD.findall(question) if word.casefold() not in known_text]
    if not texts or all(is_word(skeleton(word), language) for word in unknown_words):
        return question
    for start, end, meant in reversed([*slips(question, vocabulary(texts))]):
        question = question[:start] + meant + question[end:]
    return question
