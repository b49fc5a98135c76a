"""Which documents a question means with the name beside a provision: "art 5 gg", "section 7 of the Act"."""

from collections.abc import Sequence

from core.domain.documents import Edition
from core.language.patterns import words
from core.library.edges import is_called
from core.library.references import SectionReference
from core.registry import titles
from core.registry.names import tokens
from core.registry.titles import abbreviations, aliases_of


def beside(
    question: str, references: Sequence[SectionReference], editions: Sequence[Edition]
) -> list[Edition]:
    """The editions that a single word next to a provision names, its article left out; or the only one that
    the last word of a name can mean there ("Article 31 of our constitution")."""
    words_there = [word for word in tokens(question) if word.folded not in words("asked.before_laws")]
    for reference in references:
        behind = next((word for word in words_there if word.start >= reference.end), None)
        before = next((word for word in reversed(words_there) if word.end <= reference.start), None)
        for word in (behind, before):
            if word is not None and (named := _by_name(word.text, editions)):
                return named
        if behind is not None and len(kind := _of_kind(behind.folded, editions)) == 1:
            return kind
    return []


def _by_name(name: str, editions: Sequence[Edition]) -> list[Edition]:
    return [
        each
        for each in editions
        if titles.is_called(each.document.fields, name)
        or name.upper() in abbreviations(each.document.fields.title)
    ]


def _of_kind(word: str, editions: Sequence[Edition]) -> list[Edition]:
    """The editions one of whose names, of several words, ends in `word`."""
    names = ((each, tokens(name)) for each in editions for name in aliases_of(each.document.fields))
    return list(dict.fromkeys(each for each, name in names if len(name) > 1 and name[-1].folded == word))


def called(reference: SectionReference, editions: Sequence[Edition]) -> list[Edition]:
    """The editions that the abbreviation behind a reference may mean."""
    name = reference.instrument
    if not name:
        return []
    return [
        each
        for each in editions
        if is_called(each, name) or name in abbreviations(each.document.fields.title)
    ]
