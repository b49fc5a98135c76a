"""The numbers that are printed on pages, where they are other than those of the PDF."""

from collections.abc import Iterable, Mapping, Sequence

from core.domain.ids import VersionId
from core.ports.library import Library

Printed = Mapping[tuple[VersionId, int], str]
"""By version and PDF page."""


async def printed_pages(places: Iterable[tuple[VersionId, Sequence[int]]], library: Library) -> Printed:
    """What is printed on the pages of each of `places`, where that is known."""
    wanted = {(version, page) for version, pages in places for page in pages}
    found = {place: await library.page(*place) for place in sorted(wanted)}
    return {place: page.label for place, page in found.items() if page and page.label}


def labels_of(version: VersionId, pages: Sequence[int], printed: Printed) -> tuple[str | None, ...]:
    """What is printed on each of `pages` of a version, as far as `printed` knows."""
    return tuple(printed.get((version, page)) for page in pages)
