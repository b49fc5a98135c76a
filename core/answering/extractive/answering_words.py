"""The few words of a quote that answer the question: the amount asked for, or a denial; none if that is not
certain."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.domain.answers import Citation
from core.language.languages import of, tags
from core.language.patterns import pattern
from core.language.terms import is_function_word
from core.question.wanted import Wanted

MOST = 3
"""Maximum number of amounts that answer if one is asked for; otherwise only a single one stands out."""

APART = 30
"""Maximum characters of a denial marked as a whole; of a longer one only the first and last words are
marked."""

_NUMBER = r"(?<![\w.,/-])(?:[€$£₹]\s?)?\d+(?:[.,:\s\u202f]\d{2,3})*(?:[.,]\d+)?"
_WORD = r"\b(?:{amounts.stated})(?:mal)?\b"
_AMOUNT = pattern(
    rf"(?P<number>{_NUMBER}|{_WORD}(?:[-\s]{_WORD})*)(?P<sign>\s?[%€$£₹°])?"
    r"(?:\s\([^\W\d]+\))?(?:[-\s](?P<unit>[^\W\d_]{2,}(?:/s|/h)?))?",
    re.IGNORECASE,
)
_PLACE = pattern(r"(?:§§?|\b(?:{amounts.places_in_text}))\s*\(?\d+(?:\s*\(\w+\))*", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d")
_NOUN = re.compile(r"\s[A-ZÄÖÜ][^\W\d_]+")
_DENIAL = pattern(
    r"\b(?:(?P<rejecting>{denials.rejecting})|(?P<denying>{denials.denying}))(?!\w)", re.IGNORECASE
)

Range = tuple[int, int]


def with_answering_words(citations: Sequence[Citation], wanted: Wanted) -> tuple[Citation, ...]:
    """`citations` with the words of their quotes that answer a question for `wanted`; if one sentence carries
    a quote and no fewer words are certain, that sentence."""
    return tuple(replace(item, key_words=_in_quote(item, wanted)) for item in citations)


def _in_quote(item: Citation, wanted: Wanted) -> tuple[Range, ...]:
    text, language = item.quote.text, item.edition.document.fields.language
    if not item.key_words:
        return answering_words(text, wanted, language)
    found = [
        (start + first, start + last)
        for start, end in item.key_words
        for first, last in answering_words(text[start:end], wanted, language)
    ]
    return tuple(found) or item.key_words


def answering_words(text: str, wanted: Wanted, language: str) -> tuple[Range, ...]:
    """The positions in `text`, in `language`, of the amounts of the kind that is `wanted`; if anything said
    is wanted, of its only amount, else its only denial."""
    amounts = [each for each in _amounts(text, language) if _fits(text[slice(*each)], wanted)]
    if (amounts and wanted.number) or wanted.openly:
        few = len(amounts) <= (MOST if wanted.number else 1)
        return tuple(amounts) if few else ()
    denials = [] if wanted.number else [*_DENIAL().finditer(text)]
    rejecting = [each for each in denials if each["rejecting"]] or denials
    return _marked(rejecting[0]) if len(rejecting) == 1 else ()


def _amounts(text: str, language: str) -> Iterator[Range]:
    """Numbers with what they count: "17 Taler", "fünf Jahre", "24.000 neue Wohnungen"; years alone."""
    nouns = language in tags() and of(language).topics.nouns_have_capitals
    places = [each.span() for each in _PLACE().finditer(text)]
    for found in _AMOUNT().finditer(text):
        if any(start < found.end() and found.start() < end for start, end in places):
            continue
        year, word = _YEAR.fullmatch(found["number"]), found["unit"] or ""
        counts = word and not (found["sign"] or year or is_function_word(word.lower(), language))
        unit = word if counts else None
        if unit is None and not found["sign"] and not year:
            continue
        end = found.end() if unit else found.end("sign") if found["sign"] else found.end("number")
        noun = _NOUN.match(text, end) if unit and nouns and unit.islower() else None
        yield found.start(), noun.end() if noun else end


def _fits(amount: str, wanted: Wanted) -> bool:
    """Whether an amount is of the kind that is wanted; a year counts only if that is a time."""
    if wanted.number and wanted.amount is not None:
        return wanted.amount.search(amount) is not None
    return _YEAR.search(amount) is None


def _marked(found: re.Match[str]) -> tuple[Range, ...]:
    """A denial as a whole, or its first and last words."""
    start, end = found.span()
    if end - start <= APART:
        return ((start, end),)
    first, last = found[0].split()[0], found[0].split()[-1]
    return (start, start + len(first)), (end - len(last), end)
