"""Tells real words from misspellings, with simplemma's full-form dictionaries. They contain the inflected
forms of words, including names, and are read on first use (0.4 s of CPU and 8 MB per language).

German compounds are split. All words here are skeletons: case folded, "ss" for "ß".
"""

import re
import tomllib
import unicodedata
from collections import Counter
from functools import lru_cache
from importlib.resources import files
from itertools import takewhile

from rapidfuzz.distance import OSA

from core.evidence.guards import adds_affix, is_negation, word_lists
from core.evidence.quantities import number_word
from core.evidence.skeleton import skeleton
from core.language.languages import tags
from core.language.lemmas import is_known, lemma

_PART = 4
"""Minimum letters in a part of a compound; shorter words occur in too many others by chance."""
_SHORTEST_TAIL = 3
_LETTERS = "abcdefghijklmnopqrstuvwxyzäöüé"
_DIAERESIS = "\u0308"
_LONGEST = 60
"""Longer strings are not words: a compound's parts are looked up from every letter on."""
_LINKS = ("", "s", "es", "n", "en")
"""Linking elements between the parts of German compounds: Duden, Die Grammatik, 9th edition 2016, linking
elements."""


def load() -> None:
    """Read the dictionaries of all languages now, in the background, so that nobody has to wait for them
    later."""
    for code in tags():
        _listed(code, code)


def languages(word: str) -> frozenset[str]:
    """The languages that know `word`, German compounds of known words included."""
    known = frozenset(code for code in tags() if _listed(word, code))
    return known or frozenset({"de"} if _is_compound(word) else ())


def is_word(word: str, language: str) -> bool:
    """Whether `word` is known in `language`, or else in any other; only then are all dictionaries read."""
    return _listed(word, language) or bool(languages(word))


def is_listed(word: str, language: str) -> bool:
    """Whether the dictionary of `language`, or else another one, has `word` itself, not only the parts of a
    compound; "ue" may stand for "ü"."""
    others = (code for code in tags() if code != language)
    return any(_listed(form, code) for code in (language, *others) for form in {word, with_umlauts(word)})


@lru_cache(maxsize=4096)
def is_plain_compound(word: str) -> bool:
    """Whether `word` splits into German nouns, verbs and inflected adjectives: "Krollmannreihe" does not,
    though there is an imperative "kroll"."""
    return len(word) <= _LONGEST and any(
        any(map(_is_plain, _stems(word[:at]))) and (_is_plain(word[at:]) or is_plain_compound(word[at:]))
        for at in range(_PART, len(word) - _PART + 1)
    )


def beginnings(word: str) -> frozenset[str]:
    """The possible beginnings before a known word at the end of a German compound, with and without the
    linking element: "Krollmann" of "Krollmannreihe"."""
    found: set[str] = set()
    for at in range(_PART, min(len(word), _LONGEST) - _SHORTEST_TAIL + 1):
        if _listed(word[at:], "de") or _is_tail(word[at:]):
            found |= {word[:at], *_stems(word[:at])}
    return frozenset(found)


def may_be_slip(word: str, language: str) -> bool:
    """Whether deleting, adding, replacing or transposing one letter turns `word` into one in the dictionary
    of `language`."""
    cuts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    near = {head + tail[1:] for head, tail in cuts if tail}
    near |= {head + tail[1] + tail[0] + tail[2:] for head, tail in cuts if len(tail) > 1}
    for letter in _LETTERS:
        near |= {head + letter + tail for head, tail in cuts}
        near |= {head + letter + tail[1:] for head, tail in cuts if tail}
    return any(_listed(each, language) for each in near - {word})


def with_umlauts(word: str) -> str:
    """`word` with "ä", "ö" and "ü" for "ae", "oe" and "ue"."""
    for written, letter in (("ae", "ä"), ("oe", "ö"), ("ue", "ü"), ("Ae", "Ä"), ("Oe", "Ö"), ("Ue", "Ü")):
        word = word.replace(written, letter)
    return word


def without_accents(word: str) -> str:
    """The skeleton without accents; umlauts, which make different words, are kept, written out or not."""
    letters = unicodedata.normalize("NFD", with_umlauts(word))
    return "".join(each for each in letters if not unicodedata.combining(each) or each == _DIAERESIS)


@lru_cache(maxsize=65536)
def _is_plain(part: str) -> bool:
    """Whether it is a noun, a verb or an inflected adjective, judging by its base form."""
    if len(part) < _PART or not _listed(part, "de"):
        return False
    base = lemma(part, "de")
    return base != part or part.endswith("n") or all(_listed(part + end, "de") for end in ("er", "es"))


def makes_a_word(claimed: str, source: str) -> bool:
    """Whether `claimed`, written in place of `source`, is itself a word: in a language that has `source` (in
    any if none does or `source` is a denial), or the same German compound with a different part ("Stadtteil",
    "Stadtziel")."""
    known = tags() if is_negation(source) else languages(source) or tags()
    if any(_listed(claimed, code) for code in known):
        return True
    return languages(source) <= {"de"} and _is_compound_with_another_part(claimed, source)


@lru_cache(maxsize=65536)
def _listed(word: str, language: str) -> bool:
    forms = {word, word.replace("ss", "ß")} - {""}
    if len(word) > _LONGEST:
        return False
    return word in _more_words(language) or any(is_known(form, language) for form in forms)


@lru_cache(maxsize=4)
def _more_words(language: str) -> frozenset[str]:
    """Additional words missing from the dictionary of `language`."""
    text = files("core.evidence").joinpath("data", "more_words.toml").read_text(encoding="utf-8")
    return frozenset(map(skeleton, tomllib.loads(text)[language]))


@lru_cache(maxsize=4096)
def _is_compound(word: str) -> bool:
    """Whether the word splits into known parts of four or more letters."""
    return len(word) <= _LONGEST and any(
        _stems(word[:at]) and _is_tail(word[at:]) for at in range(_PART, len(word) - _PART + 1)
    )


def _is_tail(part: str) -> bool:
    return (len(part) >= _PART and _listed(part, "de")) or _is_compound(part)


def _stems(head: str) -> set[str]:
    """Words that a compound beginning with `head` may start with, without the linking element."""
    stems = {head.removesuffix(link) for link in _LINKS if head.endswith(link)}
    return {stem for stem in stems if len(stem) >= _PART and _listed(stem, "de")}


def _is_compound_with_another_part(claimed: str, source: str) -> bool:
    if max(len(claimed), len(source)) > _LONGEST:
        return False
    return any(
        _stems(source[:at]) and _is_tail(source[at:]) and _is_tail(claimed[at:])
        for at in range(_PART, beginning(claimed, source) + 1)
    ) or any(
        _is_tail(source[-at:]) and _other_stem(claimed[:-at], source[:-at])
        for at in range(_PART, beginning(claimed[::-1], source[::-1]) + 1)
    )


def _other_stem(claimed: str, source: str) -> bool:
    one, other = _stems(claimed), _stems(source)
    return bool(one and other) and one.isdisjoint(other)


def beginning(one: str, other: str) -> int:
    """Length of the common prefix of two words."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


# Misspellings: whether a claimed word can only be meant as the source's.

_ENDING_LETTERS = frozenset("degilmnrsty")
"""Letters in German and English inflections."""
_ENDING = re.compile(r"(?:en|er)?[dnrstmy]?|e[mnrst]?|en(?:s|de)|e?st|e[mnrs]|ed|ly|ing")
"""Endings of inflected German and English words."""
_PAST = re.compile(r"te[nt]?$|ed$")
"""Endings of past tenses."""
_ELIDED = re.compile(r"^(.*[aeiouäöü].*)er(?=e[mnrs]?$)")
"""Where German may leave out an "e": "unserer", "unsrer"."""
_STEM = 3
_UMLAUTS = str.maketrans("äöü", "aou")


def is_misspelling(claimed: str, source: str) -> bool:
    """Whether they differ by one slip (two from 10 letters on) in a word of 5 or more letters that yields no
    other word: a letter missing, added, replaced or transposed. Both are skeletons.

    Number words never count as misspelt, negations only inside.
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
    """Whether the slip is at the edge of a negation, or at the start of what looks like one ("niemals",
    "niedrig")."""
    lists = word_lists()
    if claimed[0] != source[0] and source.startswith(tuple(lists.negations | lists.negative_prefixes)):
        return True
    return is_negation(source) and claimed[-1] != source[-1]


def _another_form(claimed: str, source: str) -> bool:
    """Whether only the endings differ and both are inflectional; a missing "e" before the last letter is a
    slip."""
    stem = beginning(claimed, source)
    endings = claimed[stem:], source[stem:]
    if claimed == _ELIDED.sub(r"\1r", source) or source == _ELIDED.sub(r"\1r", claimed):
        return True
    return stem >= _STEM and all(map(_ENDING.fullmatch, endings)) and endings[1] != "e" + endings[0]


def is_inflected(claimed: str, source: str) -> bool:
    """Whether two written words are forms of the same word that begin alike, in the same tense."""
    if bool(_PAST.search(claimed)) is not bool(_PAST.search(source)):
        return False
    alike = 2 * beginning(claimed.casefold(), source.casefold()) >= max(len(claimed), len(source))
    return alike and any(lemma(claimed, code) == lemma(source, code) for code in tags())


def slipped_inside(claimed: str, source: str) -> bool:
    """Whether the slip can hardly have produced another word or form, for words in no dictionary.

    The first and last letters must be unchanged, the last three if a letter common in endings is missing or
    added: different beginnings and endings make different words and forms. A letter may be replaced only from
    8 letters on, and never by its umlaut.
    """
    if claimed.translate(_UMLAUTS) == source.translate(_UMLAUTS):
        return False
    lost, added = Counter(source) - Counter(claimed), Counter(claimed) - Counter(source)
    tail = 3 if _ENDING_LETTERS & (lost + added).keys() else 1
    if claimed[0] != source[0] or claimed[-tail:] != source[-tail:]:
        return False
    replaced = min(lost.total(), added.total())
    return abs(len(claimed) - len(source)) <= 1 and replaced <= (1 if len(source) >= 8 else 0)
