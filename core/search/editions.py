"""Which edition answers: the newest valid one of a series unless a year or day is asked for."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING

from core.domain.documents import Edition
from core.library.indexing import years_named

if TYPE_CHECKING:
    from core.registry.detection import NamedYear


def years_of(edition: Edition) -> frozenset[int]:
    """Years that name an edition."""
    return years_named(edition.document.fields)


def is_valid(edition: Edition, day: date) -> bool:
    """Whether the document is valid on `day`, as far as is known."""
    fields = edition.document.fields
    return (fields.valid_from is None or fields.valid_from <= day) and (
        fields.valid_to is None or day <= fields.valid_to
    )


def current(editions: Iterable[Edition], day: date) -> list[Edition]:
    """Of each series the newest edition valid on `day`; documents without a series if valid."""
    by_series: dict[tuple[str, str], list[Edition]] = defaultdict(list)
    for edition in editions:
        if is_valid(edition, day):
            series = edition.document.series or edition.document.id
            by_series[edition.document.collection, series].append(edition)
    return [edition for members in by_series.values() for edition in _newest(members)]


def _newest(members: Sequence[Edition]) -> list[Edition]:
    newest = max(member.document.fields.valid_from or date.min for member in members)
    return [m for m in members if (m.document.fields.valid_from or date.min) == newest]


def has_edition(editions: Iterable[Edition], year: int) -> bool:
    """Whether some series among `editions` has an edition of `year`."""
    return any(edition.document.series and year in years_of(edition) for edition in editions)


def years_said(years: Iterable["NamedYear"], today: date) -> frozenset[int]:
    """Years that clearly mean an edition; a distant future year is a goal."""
    return frozenset(each.year for each in years if each.edition and each.year <= today.year + 1)


def years_held(years: Iterable["NamedYear"], editions: Iterable[Edition]) -> frozenset[int]:
    """Years with an edition, whatever else they might mean."""
    held = tuple(editions)
    return frozenset(each.year for each in years if not each.point_in_time and has_edition(held, each.year))


def of_years(editions: Iterable[Edition], years: Sequence[int], day: date, *, strict: bool) -> list[Edition]:
    """Editions of any of `years`; documents outside a series if valid on `day` and, if `strict` (the year
    names an edition), undated or of that year."""
    wanted = set(years)
    return [
        edition
        for edition in editions
        if (years_of(edition) & wanted and (strict or edition.document.series))
        or (not edition.document.series and is_valid(edition, day) and not (strict and years_of(edition)))
    ]
