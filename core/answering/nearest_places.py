"""In place of an answer: the pages that come nearest, each with its first words, to be read by people."""

from core.domain.answers import Reading
from core.domain.ids import VersionId
from core.domain.search import SearchResult

NEAREST = 3
"""Pages offered for reading where nothing can be quoted."""

BEGINNING = 16
"""Words of a passage that are shown of it."""


def nearest_of(result: SearchResult) -> tuple[Reading, ...]:
    """The pages of the best hits, each page once, in the order of the hits."""
    found: dict[tuple[VersionId, int], Reading] = {}
    for hit in result.hits:
        if hit.passage.pages and len(found) < NEAREST:
            page = hit.passage.pages[0]
            reading = Reading(edition=hit.edition, page=page, begins=beginning(hit.passage.text))
            found.setdefault((hit.passage.version, page), reading)
    return tuple(found.values())


def beginning(text: str) -> str:
    """The first words of a passage, with dots where it goes on."""
    words = text.split()
    return " ".join(words[:BEGINNING]) + (" …" if len(words) > BEGINNING else "")
