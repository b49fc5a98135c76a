"""What stands round an alleged quote of where it stands: provisions, pages, years; and what only refers."""

import re
from dataclasses import dataclass

from core.language.languages import tags
from core.language.patterns import pattern
from core.library.asked_references import read_question
from core.library.references import SectionReference

_PAGE = re.compile(
    r"(?<![\w§])(?:S\.?|Seiten?|seiten?|pp?\.|P\.|[Pp]ages?|pg\.)\s?(?P<first>\d{1,4})(?!\w)"
    r"(?:(?P<following>\s?ff?\b\.?)|\s?(?:[-–/]|bis|to|à|und|and|et|&)\s?(?P<last>\d{1,4})(?!\w))?"
)
_SENTENCE = re.compile(
    r"(?:(?:Abs|Absatz|Nr|Nummer|Buchst|lit)\.?\s*\w{1,4}[,)]?|(?:§|\bArt\.?|\bArtikel)\s*\d{1,4}[a-z]?(?:\s*\(\w+\))*)\s*$"
)
"""What stands before a sentence of a provision: its sign is that of a page."""
_YEAR = re.compile(r"(?<![\d.,/§])(?<!§ )(?:19|20)\d\d(?![\d/]|[.,]\d)")
_DAY = re.compile(
    r"\b\d{1,2}(?:\.\s?\d{1,2}\.(?=\s?(?:19|20)\d\d)|(?:\.|st|nd|rd|th|er)?\s+[^\W\d]{3,9}\.?(?=\s+(?:19|20)\d\d))"
)
_CHAPTER = pattern(
    r"(?:\b(?:[Ii]m|[Ii]n|[Uu]nter|[Aa]us|der|dem|[Uu]nder|the|[Dd]ans|le|la)\s+)*\b(?:{attribution.chapters})\s+(?:‹(?P<marked>[^›]{2,90})›"
    r"|(?P<title>[A-ZÄÖÜÉ](?:(?!\s+(?:{voices.saying}|{attribution.standing})\b)[^:,;()„“”\"«»\n]){1,80}))"
)
"""The title of a chapter, up to a verb."""
_MARKED_CHAPTER = pattern(
    r"\b(?P<before>(?:{attribution.chapters})\s+)[„“\"«]\s?(?P<title>[^„“”\"«»]{2,90}?)\s?[“”\"»]"
)
_MARK = re.compile(
    r"\[\s*\d{1,3}\s*\]|\ba\.\s?a\.\s?O\.?|\bm\.\s?w\.\s?N\.?|\bi\.\s?(?:V\.\s?m\.|d\.\s?F\.)|\bi\.\s?O\.|\b(?:Fn|Rn|Rdnr|Anm|fn|n)\.\s?\d{1,4}"
    r"|[⁰¹²³⁴-⁹]+$|\b(?:op|loc)\.\s?cit\.?"
)
_LEVEL = re.compile(
    r",?\s*(?:al(?:inéa|\.)?|paragraphe|par\.|sub-?section|phrase)\s*(?P<value>\d{1,3})(?!\w)", re.IGNORECASE
)
_FOLLOWING = 1
"""Pages behind the one that is named with "f."; "ff." may be many."""
_MANY = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedPlaces:
    """The places named in a text, and the text without them."""

    sections: tuple[SectionReference, ...] = ()
    pages: tuple[int, int] | None = None
    chapter: str = ""
    years: frozenset[int] = frozenset()
    refers: bool = False
    rest: str = ""


def claimed_places(text: str) -> ClaimedPlaces:
    """The places that `text` names; `refers`: it has a sign that refers to a source, such as "[1]"."""
    chapter = _CHAPTER().search(text)
    rest, pages = _without(text, chapter) if chapter else text, None
    for found in _PAGE.finditer(text):
        if _SENTENCE.search(text[: found.start()]):
            continue
        first = int(found["first"])
        following = found["following"]
        behind = 0 if following is None else _MANY if "ff" in following else _FOLLOWING
        pages = (first, max(int(found["last"] or 0), first + behind))
        rest = _without(rest, found)
        break
    marks = [*_MARK.finditer(rest)]
    for mark in (*marks, *_DAY.finditer(rest)):
        rest = _without(rest, mark)
    years = [*_YEAR.finditer(rest)]
    for year in years:
        rest = _without(rest, year)
    sections, rest = _sections(rest)
    return ClaimedPlaces(
        sections=sections,
        pages=pages,
        chapter=(chapter["marked"] or chapter["title"]).strip() if chapter else "",
        years=frozenset(int(year[0]) for year in years),
        refers=bool(marks),
        rest=rest,
    )


def with_chapter_parted(text: str) -> str:
    """`text` with other marks round the title of a chapter, so that these are no marks of a quote."""
    return _MARKED_CHAPTER().sub(r"\g<before>‹\g<title>›", text)


def _without(text: str, found: re.Match[str]) -> str:
    return text[: found.start()] + " " * len(found[0]) + text[found.end() :]


def _sections(text: str) -> tuple[tuple[SectionReference, ...], str]:
    """The provisions that `text` names in any language, and the text without them."""
    for language in tags():
        read = read_question(text, language)
        if not read.references:
            continue
        rest, found = read.text, []
        for reference in reversed(read.references):
            end = reference.end
            if reference.instrument:
                end = rest.rfind(reference.instrument, reference.start, end)
            path = reference.path
            if level := _LEVEL.match(rest, end):
                path, end = path or (level["value"],), level.end()
            found.append(SectionReference(id=reference.id, path=path))
            rest = f"{rest[: reference.start]} {rest[end:]}"
        return tuple(found[::-1]), rest
    return (), text
