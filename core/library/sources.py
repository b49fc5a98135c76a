"""Sources that are checked on a schedule: which, when, and which changes need approval. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import PurePath

from core.domain.documents import Document
from core.domain.ids import DocumentId, document_id
from core.domain.registry import RegisteredDocument
from core.errors import FundstelleError, Refused, Unavailable
from core.registry.names import fold

UNITS = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}
GONE = (404, 410)
"""Status codes for a missing resource (RFC 9110, sections 15.5.5 and 15.5.11)."""

SHRUNK = 0.5
"""A new version with less than this share of the previous one's pages or text needs approval."""

FIRST_RETRY = timedelta(minutes=5)
LONGEST_RETRY = timedelta(hours=6)
"""Longest retry interval of a source that is checked more often than that; others are never retried later
than planned."""

BEGINNING = 3
"""Minimum letters of a title's beginning that may stand for the whole."""

JITTER = 0.1
MAX_JITTER = timedelta(minutes=10)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledSource:
    """A document that is fetched regularly: `document` once it is in the library, `row` if a manifest lists
    it. `urls` holds its address, then its mirrors."""

    id: DocumentId
    collection: str
    title: str
    schedule: str
    urls: tuple[str, ...]
    document: Document | None = None
    row: RegisteredDocument | None = None


def scheduled(documents: Iterable[Document], listed: Iterable[RegisteredDocument]) -> list[ScheduledSource]:
    """The documents with a schedule that come from an address, and listed ones that are not in the library
    yet. Manifests take precedence. A document with a file of its own is not fetched, whatever its address."""
    rows = {document_id(row.collection, row.key): row for row in listed}
    known = {document.id: document for document in documents}
    found = [_source(each, known.get(each), rows.get(each)) for each in dict.fromkeys((*rows, *known))]
    return sorted((source for source in found if source), key=lambda source: (source.title, source.id))


def _source(
    of: DocumentId, document: Document | None, row: RegisteredDocument | None
) -> ScheduledSource | None:
    fields = row.fields if row else document.fields if document else None
    key = row.key if row else document.key if document else ""
    if fields is None or not fields.schedule or key != fields.source_uri:
        return None
    return ScheduledSource(
        id=of,
        collection=row.collection if row else document.collection if document else "",
        title=document.fields.title if document else fields.title or key,
        schedule=fields.schedule,
        urls=(key, *fields.mirrors),
        document=document,
        row=row,
    )


def named(name: str, sources: Sequence[ScheduledSource]) -> ScheduledSource:
    """The source that `name` refers to: an id, a title, an address, a file, or an unambiguous beginning of a
    title. Raises Refused("document.unknown") or Refused("document.ambiguous")."""
    wanted = _plain(name)
    matching = [source for source in sources if wanted in map(_plain, _names(source))]
    if not matching and len(wanted) >= BEGINNING:
        begun = [source for source in sources if _plain(source.title).startswith(wanted)]
        matching = begun if len(begun) == 1 else []
    if len(matching) > 1:
        listed = ", ".join(source.id for source in matching)
        raise Refused(
            "document.ambiguous", f"{name} may be any of {listed}; give an id", name=name, suggestions=listed
        )
    if not matching:
        titles = ", ".join(source.title for source in sources) or "none"
        detail = f"no document {name!r} has an address and a schedule; those that have: {titles}"
        raise Refused("document.unknown", detail, name=name)
    return matching[0]


def _names(source: ScheduledSource) -> tuple[str, ...]:
    files = (source.document.file, PurePath(source.document.file).stem) if source.document else ()
    stated = (source.row.fields.title,) if source.row and source.row.fields.title else ()
    return (source.id, source.title, *stated, *source.urls, *files)


def _plain(name: str) -> str:
    return fold(" ".join(name.split()))


def interval(schedule: str) -> timedelta | None:
    """The interval of a schedule such as `every 6h`; None for anything else, such as cron."""
    match = re.fullmatch(r"every (\d{1,4}) ?([mhd])", schedule.strip())
    if match is None or int(match[1]) == 0:
        return None
    return UNITS[match[2]] * int(match[1])


def with_jitter(planned: datetime, now: datetime, chance: float) -> datetime:
    """`planned` or a little later, so that not all requests happen on the hour; `chance` is in [0, 1)."""
    longest = min(max(planned - now, timedelta(0)) * JITTER, MAX_JITTER)
    return planned + longest * chance


def retry_at(error: FundstelleError, failures: int, *, now: datetime, planned: datetime) -> datetime:
    """When to check again after the `failures`-th consecutive failure. Transient failures are retried soon,
    then less and less often, but not before the server allows; permanent ones would not go away by
    retrying."""
    if not isinstance(error, Unavailable):
        return planned
    delay: timedelta = FIRST_RETRY * float(2 ** min(failures - 1, 16))
    longest = max(planned - now, LONGEST_RETRY)
    return now + max(min(delay, longest), timedelta(seconds=error.retry_after_s))


def is_gone(error: FundstelleError) -> bool:
    """Whether the server says that the resource is gone."""
    return isinstance(error, Refused) and error.values.get("status") in GONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """The size of a version."""

    pages: int
    characters: int

    def shrank_from(self, before: "Size") -> bool:
        """Whether so much is missing that somebody should check."""
        return self.pages < before.pages * SHRUNK or self.characters < before.characters * SHRUNK
