"""The heading over a quote as a citation shows it: a name of what the quote is about, set as running text is.

What a passage has above it was recognised by its type. Some of that is no name: sentences set large, lines
that were cut, codes that only order chapters, what the paper itself is called. Those are left out; a citation
without a heading has its page."""

import dataclasses
import re
import unicodedata
from collections.abc import Sequence

from core.answering.extractive.statements import commits
from core.domain.documents import DocumentFields
from core.domain.passages import Passage
from core.language import lemmas
from core.language.languages import every, of, tags
from core.language.terms import is_function_word
from core.language.words import DocumentTypeWords
from core.library.chunking.prose import SEPARATOR

_KINDS = tuple(field.name for field in dataclasses.fields(DocumentTypeWords))

RECURRING = 3
"""Passages near each other with the same line from which on it is a running head."""

NEARBY = 30
"""Passages before and behind a quote that are looked at for it."""

_CODE = re.compile(r"^(?:[A-Z]{1,4}\d{1,3}|[A-Z]\.)\s*:?\s+")
_CUT = re.compile(r"(?:…|\.\.\.|[,;:(–—-])\s*$")
_NUMBER = re.compile(r"^\W*(?:\d{1,3}(?:\.\d{1,3})*|[IVX]{1,5}(?:\.\d{1,3})?)[.)]?\s+")
_SENTENCE_ENDS = re.compile(r"[.!][\"”“»«’)]*$")
_LETTERS = re.compile(r"[^\W\d_]+")


def heading_over(passage: Passage) -> str:
    """The last heading in whose range `passage` stands, as it was read."""
    return passage.heading.rpartition(SEPARATOR)[2]


def recurs(heading: str, nearby: Sequence[Passage]) -> bool:
    """Whether a line comes back over and over in `nearby`: a running head, or a caption that names
    nothing."""
    return sum(heading in passage.text.split("\n") for passage in nearby) >= RECURRING


def shown_heading(heading: str, fields: DocumentFields) -> str:
    """`heading` as it is shown with a quote of a document with `fields`; empty where it names nothing."""
    text = _CODE.sub("", unicodedata.normalize("NFKC", heading).strip())
    bare = _NUMBER.sub("", text)
    names = [each.casefold() for each in (fields.title, *fields.parties, *fields.aliases)]
    if not bare or any(bare.casefold() in name for name in names) or _names_its_kind(bare):
        return ""
    if _is_fragment(bare, fields.language) or _is_sentence(bare):
        return ""
    if not bare.isupper() or len(_LETTERS.findall(bare)) < 1:
        return text
    written = in_small_letters(bare, fields.language)
    return text[: len(text) - len(bare)] + written if written else ""


def in_small_letters(capitals: str, language: str) -> str:
    """`capitals` as the language writes them in running text; empty where its dictionary cannot tell."""
    if language not in tags():
        return ""
    said = [word[0] for word in _LETTERS.finditer(capitals)]
    written = [_small(word, language) for word in said]
    for n, behind in reversed([*enumerate(written[1:])]):
        if not written[n] and behind[:1].isupper() and _is_adjective(said[n].lower(), language):
            written[n] = said[n].lower()
    if not all(written):
        return ""
    rest = iter(written)
    text = _LETTERS.sub(lambda _: next(rest), capitals)
    return text[:1].upper() + text[1:]


def _small(word: str, language: str) -> str:
    """A word in capitals as it is written within a sentence; empty where it may be either."""
    low, large = word.lower(), word.capitalize()
    if is_function_word(low, language):
        return low
    known_low = _is(low, language)
    if not of(language).topics.nouns_have_capitals:
        return low if known_low else ""
    known_large = _is(large, language)
    if known_low == known_large:
        return ""
    return large if known_large else low


def _is_adjective(low: str, language: str) -> bool:
    """Whether a word that may be written either way has an ending that a noun behind it asks for."""
    lemma = lemmas.lemma(low, language)
    return _is(low, language) and low != lemma and low.startswith(lemma)


def _is(word: str, language: str) -> bool:
    """Whether a dictionary has `word` in this writing, and its base form as well."""
    lemma = lemmas.lemma(word, language)
    known = lemmas.is_known(word, language)
    return known and lemma[:1].isupper() == word[:1].isupper()


def kind_words(fields: DocumentFields) -> list[str]:
    """The words of a document's title that say what kind of paper it is: "Merkblatt"."""
    return [word for word in _LETTERS.findall(fields.title) if _names_its_kind(word)]


def _names_its_kind(text: str) -> bool:
    """Whether a heading only says what kind of paper it stands in."""
    kinds = [getattr(each.document_types, kind) for each in every() for kind in _KINDS]
    return any(re.fullmatch(f"(?:{phrase})", text, re.IGNORECASE) for found in kinds for phrase in found)


def _is_fragment(text: str, language: str) -> bool:
    last = _LETTERS.findall(text)[-1:]
    return bool(
        _CUT.search(text)
        or text[:1].islower()
        or not last
        or (text[-1:].isalpha() and is_function_word(last[0].lower(), language))
    )


def _is_sentence(text: str) -> bool:
    """Whether a line says what somebody does, and not only what it is about."""
    return bool(_SENTENCE_ENDS.search(text)) or commits(text, present=True)
