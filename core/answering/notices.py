"""What has to be said beside an answer."""

from collections.abc import Sequence

from core.domain.answers import Citation, Notice
from core.domain.documents import Edition
from core.domain.pages import TextSource
from core.domain.search import Hit

CUT_OFF = "pages.cut_off:"
"""Warning of a version of which only the first pages were read."""


def notices_of(citations: Sequence[Citation], *, doubtful: bool) -> tuple[Notice, ...]:
    """Notices about the citations of an answer."""
    found = []
    if doubtful:
        found.append(Notice(key="notice.low_confidence"))
    scanned = tuple(item.label for item in citations if item.text_source is TextSource.OCR)
    if scanned:
        found.append(Notice(key="notice.ocr_source", labels=scanned))
    places = {item.edition.document.fields.jurisdiction for item in citations}
    if len(places - {None, "global"}) > 1:
        found.append(Notice(key="notice.several_places"))
    return tuple(found)


def cut_off_notices(editions: Sequence[Edition]) -> tuple[Notice, ...]:
    """A notice for each document of which some pages are not in the library."""
    found = {}
    for edition in editions:
        for warning in edition.version.warnings:
            if warning.startswith(CUT_OFF):
                values = {"title": edition.document.fields.title, "pages": warning.removeprefix(CUT_OFF)}
                found[edition.document.id] = Notice(key="notice.pages.cut_off", values=values)
    return tuple(found.values())


def path_notices(citations: Sequence[Citation], hits: Sequence[Hit]) -> tuple[Notice, ...]:
    """A notice for each path of references ("Rule 3 -> Section 4") that led to what is cited."""
    trails = {hit.passage.id: hit.trail for hit in hits if hit.trail}
    labels: dict[tuple[str, ...], list[str]] = {}
    for citation in citations:
        if citation.passage in trails:
            labels.setdefault(trails[citation.passage], []).append(citation.label)
    return tuple(
        Notice(key="notice.cross_reference", values={"path": " -> ".join(trail)}, labels=tuple(named))
        for trail, named in labels.items()
    )
