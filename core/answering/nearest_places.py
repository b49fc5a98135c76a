"""Instead of an answer: the nearest pages, each with its first words, for people to read."""

import re
from dataclasses import replace

from core.answering.extractive.statements import headings
from core.domain.answers import Reading
from core.domain.ids import VersionId
from core.domain.passages import Passage, PassageKind
from core.domain.search import Hit
from core.evidence.text import legible
from core.ports.library import Library
from core.search.plan import SearchResult

NEAREST = 3
"""Number of pages offered for reading if nothing can be quoted."""

BEGINNING = 16
"""Number of words shown of a passage."""

_WORD = re.compile(r"\w+")


def nearest_of(result: SearchResult) -> tuple[Reading, ...]:
    """The pages of the best hits, each page once, in the order of the hits; title pages, which are close to
    everything and say nothing, only if there are no others."""
    found: dict[tuple[VersionId, int], Reading] = {}
    for hit in sorted(result.hits, key=_is_title_page):
        if hit.passage.pages and len(found) < NEAREST:
            page = hit.passage.pages[0]
            under, begins = beginning(hit.passage)
            reading = Reading(edition=hit.edition, page=page, begins=begins, under=under)
            found.setdefault((hit.passage.version, page), reading)
    return tuple(found.values())


async def as_printed(reading: Reading, library: Library) -> Reading:
    """A place with the number printed on its page."""
    page = await library.page(reading.edition.version.id, reading.page)
    return replace(reading, printed=page.label if page else None)


def _is_title_page(hit: Hit) -> bool:
    """Whether a passage begins with its document's title, of two words at least."""
    title = hit.edition.document.fields.title.casefold()
    named = [word for word in _WORD.findall(title) if not word.isdigit()]
    return len(named) > 1 and _WORD.findall(hit.passage.text.casefold())[: len(named)] == named


def beginning(passage: Passage) -> tuple[str, str]:
    """The heading that a passage begins with, if it has one, and its first words."""
    if passage.kind in (PassageKind.TABLE, PassageKind.FIGURE):
        return "", first_words(passage.text, BEGINNING)
    return below_heading(passage.text, BEGINNING, cover=passage.ordinal == 0)


def below_heading(text: str, most: int, *, cover: bool = False) -> tuple[str, str]:
    """The heading that `text` begins with, and the first words below it, up to the next heading; `cover`: it
    begins with a title page."""
    found, start, under = headings(text, numbers=True, cover=cover), 0, ""
    while found and not text[start : found[0][0]].strip():
        first, start = found.pop(0)
        under = " ".join(text[first:start].split())
    below = text[start : found[0][0]] if found else text[start:]
    return under, first_words(below, most, goes_on=bool(found))


def first_words(text: str, most: int, *, goes_on: bool = False) -> str:
    """The first `most` words of `text`, with an ellipsis if more follow."""
    words = legible(text).split()
    return " ".join(words[:most]) + (" …" if goes_on or len(words) > most else "")
