"""Words with slips of the pen in questions, put right where they can mean nothing else ("Mitpreisbremse").

A word is left alone where a dictionary knows it or where it is written just so in what was found. What it may
stand for is the caller's: registered names, or the words of what was found.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from rapidfuzz import process
from rapidfuzz.distance import OSA

from core.evidence.dictionary import is_misspelling, is_word, languages, slipped_inside
from core.evidence.skeleton import skeleton
from core.registry.names import tokens

LEAST = 5
"""Letters of a word with a slip at least: shorter ones are too near to others."""

_SLIPS = 2
_LONG = 8
_WORD = re.compile(rf"[^\W\d_]{{{LEAST},}}")


def vocabulary(texts: Iterable[str]) -> dict[str, str]:
    """The words of `texts` that a slip may have changed, as they are written, by their skeletons."""
    written = (token.text for text in texts for token in tokens(text))
    return {skeleton(word): word for word in written if len(word) >= LEAST and word.isalpha()}


def slips(
    text: str, known: Mapping[str, str], outside: Collection[tuple[int, int]] = ()
) -> Iterator[tuple[int, int, str]]:
    """The words of `text` that can only be meant for one of `known` (`vocabulary`): start, end and what is
    meant, in small letters where the word is. Words that touch one of `outside` are left alone."""
    for token in tokens(text):
        if len(token.text) < LEAST or not token.text.isalpha():
            continue
        if any(start < token.end and token.start < end for start, end in outside):
            continue
        meant = _meant(skeleton(token.text), known)
        if meant is not None:
            yield token.start, token.end, _as_written(token.text, known[meant])


def _meant(word: str, known: Mapping[str, str]) -> str | None:
    """The one of `known` that takes fewest slips to become `word`; None where there is none, or several."""
    if word in known:
        return None
    near = process.extract(word, known.keys(), scorer=OSA.distance, score_cutoff=_SLIPS, limit=None)
    possible = [(distance, other) for other, distance, _ in near if _is_possible(word, other)][:2]
    if not possible or (len(possible) > 1 and possible[0][0] == possible[1][0]):
        return None
    meant = possible[0][1]
    # Names that no dictionary has stand in questions, so the slip must be one that makes no other name.
    if not slipped_inside(word, meant) or languages(word) or any(word in other for other in known):
        return None
    return meant if is_misspelling(word, meant) else None


def _is_possible(word: str, other: str) -> bool:
    """Whether more than a letter put for another in a short word is between them: that makes other words."""
    return len(other) >= _LONG or len(word) != len(other) or Counter(word) == Counter(other)


def _as_written(word: str, meant: str) -> str:
    return meant[0].lower() + meant[1:] if word[0].islower() else meant[0].upper() + meant[1:]


def mended(question: str, language: str, texts: Sequence[str]) -> str:
    """`question`, in `language`, with those words written right that neither a dictionary knows nor `texts`
    have, and that can only be meant for one of these texts ("Mitpreisbremse")."""
    said = " ".join(texts).casefold()
    unsaid = [word for word in _WORD.findall(question) if word.casefold() not in said]
    if not texts or all(is_word(skeleton(word), language) for word in unsaid):
        return question
    for start, end, meant in reversed([*slips(question, vocabulary(texts))]):
        question = question[:start] + meant + question[end:]
    return question
