"""Page numbers: those printed on pages, if they differ from the PDF's, and several in words."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

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


def page_ranges(numbers: Iterable[int]) -> str:
    """Page numbers in ascending order, with runs as ranges: "3-9, 12"."""
    ascending = groupby(enumerate(sorted(numbers)), key=lambda item: item[1] - item[0])
    runs = [[number for _, number in run] for _, run in ascending]
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
