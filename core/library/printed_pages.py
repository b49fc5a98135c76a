"""The page numbers printed on pages, if they differ from the PDF's."""

from collections.abc import Iterable, Mapping, Sequence

from core.domain.ids import VersionId
from core.ports.library import Library

Printed = Mapping[tuple[VersionId, int], str]
"""Printed page numbers by version and PDF page."""


async def printed_pages(places: Iterable[tuple[VersionId, Sequence[int]]], library: Library) -> Printed:
    """The printed numbers of the pages of each of `places`, if known."""
    wanted = {(version, page) for version, pages in places for page in pages}
    found = {place: await library.page(*place) for place in sorted(wanted)}
    return {place: page.label for place, page in found.items() if page and page.label}


def labels_of(version: VersionId, pages: Sequence[int], printed: Printed) -> tuple[str | None, ...]:
    """The printed number of each of `pages` of a version, if in `printed`."""
    return tuple(printed.get((version, page)) for page in pages)
