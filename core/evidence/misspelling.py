"""Slips of the pen: whether a claimed word can only be meant for the source's."""

import re
from collections import Counter

from rapidfuzz.distance import OSA

from core.evidence.dictionary import beginning, languages, makes_a_word
from core.evidence.guards import adds_affix, is_negation, word_lists
from core.evidence.quantities import number_word

_ENDING_LETTERS = frozenset("degilmnrsty")
"""Letters of German and English inflections."""
_ENDING = re.compile(r"(?:en|er)?[dnrstmy]?|e[mnrst]?|en(?:s|de)|e?st|e[mnrs]|ed|ly|ing")
"""Endings of inflected German and English words."""
_ELIDED = re.compile(r"^(.*[aeiouäöü].*)er(?=e[mnrs]?$)")
"""Where German may leave out an "e": "unserer", "unsrer"."""
_STEM = 3
_UMLAUTS = str.maketrans("äöü", "aou")


def is_misspelling(claimed: str, source: str) -> bool:
    """One slip (two from 10 letters on) in a word of 5 or more letters that makes no other word: a letter
    lost, added, put for another or exchanged with its neighbour. Both are skeletons.

    Number words are never misspelt, negations only inside.
    """
    slips = min(
        OSA.distance(claimed, source), OSA.distance(*(w.replace("ss", "ß") for w in (claimed, source)))
    )
    if len(source) < 5 or not 0 < slips <= (2 if len(source) >= 10 else 1):
        return False
    if not claimed.isalpha() or any(
        number_word(word, word_lists()) is not None for word in (claimed, source)
    ):
        return False
    if adds_affix(claimed, source) or adds_affix(source, claimed):
        return False
    if _another_form(claimed, source):
        return False
    if _hides_negation(claimed, source):
        return False
    return not makes_a_word(claimed, source) and (bool(languages(source)) or slipped_inside(claimed, source))


def _hides_negation(claimed: str, source: str) -> bool:
    """Whether the slip is at the edge of a negation, or at the head of what looks like one ("niemals",
    "niedrig")."""
    lists = word_lists()
    if claimed[0] != source[0] and source.startswith(tuple(lists.negations | lists.negative_prefixes)):
        return True
    return is_negation(source) and claimed[-1] != source[-1]


def _another_form(claimed: str, source: str) -> bool:
    """Whether only the endings differ and both are endings of inflected words; an "e" lost before the last
    letter is a slip."""
    stem = beginning(claimed, source)
    endings = claimed[stem:], source[stem:]
    if claimed == _ELIDED.sub(r"\1r", source) or source == _ELIDED.sub(r"\1r", claimed):
        return True
    return stem >= _STEM and all(map(_ENDING.fullmatch, endings)) and endings[1] != "e" + endings[0]


def slipped_inside(claimed: str, source: str) -> bool:
    """Whether the slip can hardly have made another word or form, for words that no dictionary knows.

    The first letter and the last stay, the last three where a letter of endings is lost or added: other
    beginnings and endings make other words and forms. One letter is put for another only from 8 letters on,
    never an umlaut for its vowel.
    """
    if claimed.translate(_UMLAUTS) == source.translate(_UMLAUTS):
        return False
    lost, added = Counter(source) - Counter(claimed), Counter(claimed) - Counter(source)
    tail = 3 if _ENDING_LETTERS & (lost + added).keys() else 1
    if claimed[0] != source[0] or claimed[-tail:] != source[-tail:]:
        return False
    replaced = min(lost.total(), added.total())
    return abs(len(claimed) - len(source)) <= 1 and replaced <= (1 if len(source) >= 8 else 0)
