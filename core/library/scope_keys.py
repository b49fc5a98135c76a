"""The keys that a passage's point carries of its document, so that a search can be told what it may find."""

import re

from core.domain.documents import DocumentFields
from core.domain.search import SCOPE_FIELDS, ScopeKeys

YES, NO, UNSTATED = ("yes",), ("no",), ("-",)

RETIRED: ScopeKeys = {field: NO if field == "current" else UNSTATED for field in SCOPE_FIELDS}
"""The keys of a version that no question reads today."""

_TITLE_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def years_named(fields: DocumentFields) -> frozenset[int]:
    """The year of a document's validity and those in its title (a programme for an election in 2025 may hold
    from 2024)."""
    stated = {fields.valid_from.year} if fields.valid_from else set()
    return frozenset(stated | {int(year) for year in _TITLE_YEAR.findall(fields.title)})


def keys_of(fields: DocumentFields, *, is_current: bool = True) -> ScopeKeys:
    """The keys of a document's points; `is_current`: whether it is what a question about today reads."""
    return {
        "place": (fields.jurisdiction,) if fields.jurisdiction else UNSTATED,
        "language": (fields.language,),
        "type": (str(fields.doc_type),),
        "party": fields.parties or UNSTATED,
        "year": tuple(sorted(map(str, years_named(fields)))) or UNSTATED,
        "current": YES if is_current else NO,
    }


def both(one: ScopeKeys, other: ScopeKeys) -> ScopeKeys:
    """Keys with the values of two, so that whoever believes in either finds the points that carry them."""
    return {field: tuple(dict.fromkeys((*one[field], *other[field]))) for field in SCOPE_FIELDS}
