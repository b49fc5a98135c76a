"""What stands beside an answer, to be read on: how its pages go on, and the next places that were found."""

import re
from collections.abc import Sequence

from core.answering.nearest_places import as_printed, beginning, below_heading
from core.domain.answers import Reading
from core.domain.documents import Edition
from core.domain.ids import VersionId
from core.domain.passages import Passage
from core.domain.records import AnswerRecord, CitationRecord
from core.evidence.index import GAP
from core.ports.library import Library

NEXT_WORDS = 40
"""Words of a page that are shown behind a quote."""


async def further(record: AnswerRecord, library: Library, *, on_first: bool) -> list[Reading]:
    """Places that the answer did not quote, none twice: the next ones found, then how the quoted ones go on,
    or with `on_first` the other way round: reasons stand behind what they are given for."""
    on = await _continuations(record.citations, library)
    quoted = {citation.passage for citation in record.citations}
    hits = [hit.passage for hit in record.hits if hit.passage not in quoted]
    told = {(reading.edition.version.id, reading.begins) for reading in on}
    others = []
    for passage in await library.passages(hits):
        reading = await _reading(passage, beginning(passage), library)
        if reading is not None and (passage.version, reading.begins) not in told:
            others.append(reading)
    return [*on, *others] if on_first else [*others, *on]


async def _continuations(citations: Sequence[CitationRecord], library: Library) -> list[Reading]:
    """How the text goes on behind each quote, up to the next one."""
    found: list[Reading] = []
    quotes = [_plain(citation.quote) for citation in citations]
    for citation in citations:
        passages = await library.passages([citation.passage] if citation.passage else [])
        for quoted in passages:
            passage: Passage | None = quoted
            behind = _behind(quoted.text, citation.quote)
            if not behind:
                passage = next(iter(await library.passages_at(quoted.version, [quoted.ordinal + 1])), None)
                behind = passage.text if passage else ""
            begins = below_heading(behind, NEXT_WORDS)
            if passage is None or not begins[1] or any(quote in begins[1] for quote in quotes):
                continue
            reading = await _reading(passage, begins, library)
            if reading is not None and reading not in found:
                found.append(reading)
    return found


def _behind(text: str, quote: str) -> str:
    """What of `text` stands behind the last words of a quote that were quoted without a gap, lines as they
    are; empty where they do not stand in it."""
    last = re.split(rf"{re.escape(GAP)}[.!?]?", quote)[-1]
    found = re.search(r"\s+".join(map(re.escape, last.split())), text) if last.strip() else None
    return text[found.end() :].strip() if found else ""


def _plain(text: str) -> str:
    return " ".join(text.split())


async def _reading(passage: Passage, begins: tuple[str, str], library: Library) -> Reading | None:
    edition = await _edition(passage.version, library)
    if edition is None or not passage.pages:
        return None
    found = Reading(edition=edition, page=passage.pages[0], begins=begins[1], under=begins[0])
    return await as_printed(found, library)


async def _edition(version: VersionId, library: Library) -> Edition | None:
    """None where its pages may not be shown any more."""
    found = await library.version(version)
    document = await library.document(found.document) if found else None
    if found is None or document is None:
        return None
    edition = Edition(document=document, version=found)
    return edition if edition.can_be_shown else None
