"""In place of an answer: the pages that come nearest, each with its first words, to be read by people."""

import re

from core.domain.answers import Reading
from core.domain.ids import VersionId
from core.domain.search import Hit, SearchResult

NEAREST = 3
"""Pages offered for reading where nothing can be quoted."""

BEGINNING = 16
"""Words of a passage that are shown of it."""

_WORD = re.compile(r"\w+")


def nearest_of(result: SearchResult) -> tuple[Reading, ...]:
    """The pages of the best hits, each page once, in the order of the hits; title pages, which come near to
    everything and say nothing, only where there are no others."""
    found: dict[tuple[VersionId, int], Reading] = {}
    for hit in sorted(result.hits, key=_is_title_page):
        if hit.passage.pages and len(found) < NEAREST:
            page = hit.passage.pages[0]
            reading = Reading(edition=hit.edition, page=page, begins=beginning(hit.passage.text))
            found.setdefault((hit.passage.version, page), reading)
    return tuple(found.values())


def _is_title_page(hit: Hit) -> bool:
    """Whether a passage begins with its document's title, of two words at least."""
    title = hit.edition.document.fields.title.casefold()
    named = [word for word in _WORD.findall(title) if not word.isdigit()]
    return len(named) > 1 and _WORD.findall(hit.passage.text.casefold())[: len(named)] == named


def beginning(text: str) -> str:
    """The first words of a passage, with dots where it goes on."""
    words = text.split()
    return " ".join(words[:BEGINNING]) + (" …" if len(words) > BEGINNING else "")
