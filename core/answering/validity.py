"""Whether cited texts are still current: later editions, changed texts, amendments, dates of validity.

Based on the library alone, and only on collections that the question may see. The library cannot know what it
does not contain, so the absence of a notice proves nothing.
"""

from collections.abc import Iterable, Sequence
from datetime import date

from core.domain.answers import Answer, Citation, Notice, Outcome
from core.domain.documents import PUBLIC, Edition
from core.domain.passages import Edge, Provision, ReferenceKind
from core.domain.scope import Scope
from core.library.edges import CrossReferences
from core.message_keys import NoticeKey
from core.ports.clock import Clock
from core.ports.library import Library
from core.search.editions import current, is_valid, years_of

_OVER = frozenset({"notice.superseded_edition", "notice.replaced_edition", "notice.no_longer_in_force"})
TO_COME = 3
"""Maximum number of documents named that are not in force yet."""
_CHANGING = frozenset({ReferenceKind.AMENDS, ReferenceKind.SUPERSEDES})


class Validity:
    """Reports what has happened to cited texts."""

    def __init__(self, library: Library, clock: Clock) -> None:
        self._library = library
        self._clock = clock
        self._references = CrossReferences(library)

    async def notices(self, answer: Answer, today: date) -> tuple[Notice, ...]:
        """A notice for each cited document that is no longer as cited, and for each that another document
        amends, naming the provisions concerned if known. For several editions of a year that was asked for,
        there is no notice that they are superseded."""
        scope = answer.scope
        asked = scope.as_of or today
        unclear = any(notice.key == "notice.low_confidence" for notice in answer.notices)
        found: list[Notice] = []
        if unclear or answer.outcome is Outcome.NO_EVIDENCE:
            found += await self._to_come(scope, asked, today)
        if not answer.citations:
            return tuple(found)
        editions = await self._library.editions(Scope(collections=scope.collections), on=today)
        cited = list(_by_edition(answer.citations))
        for edition, items in cited:
            labels = tuple(item.label for item in items)
            seen = self._clock.day_of(edition.version.seen_from)
            later = _successors(edition, labels, editions, today, seen=seen)
            notices = _as_one(_validity(edition, labels, asked, today), later)
            # whoever asks for a year knows that it is past; for many documents the notices would be a list of
            # their own
            known = len(cited) > 1 and bool(set(scope.editions) & years_of(edition))
            found += [notice for notice in notices if not (known and notice.key in _OVER)]
            found += await self._amendments(edition, items, editions, asked)
        return tuple(found)

    async def _to_come(self, scope: Scope, asked: date, today: date) -> list[Notice]:
        """For a question without an answer: which documents of closed collections could not be quoted, since
        they are not in force yet. For future law in public libraries this would be a list under every such
        answer."""
        closed = tuple(each for each in scope.collections if each != PUBLIC)
        if not closed:
            return []
        editions = await self._library.editions(Scope(collections=closed), on=today)
        notices = [notice for each in editions for notice in _validity(each, (), asked, today)]
        return [notice for notice in notices if notice.key == "notice.not_in_force_yet"][:TO_COME]

    async def _amendments(
        self, edition: Edition, items: Sequence[Citation], editions: Sequence[Edition], day: date
    ) -> list[Notice]:
        """The documents that amend a cited one on `day`, with the labels of provisions that they name; all
        labels if none is known."""
        found = []
        for amending in _amending(edition, editions, day):
            named = [item.label for item in items if await self._names(amending, item, editions)]
            key: NoticeKey = "notice.amended_provision" if named else "notice.amended"
            labels = tuple(named or [item.label for item in items])
            found.append(_notice(key, edition, labels, other=amending))
        return found

    async def _names(self, amending: Edition, citation: Citation, editions: Sequence[Edition]) -> bool:
        if citation.section is None:
            return False
        provision = Provision(edition=citation.edition, section=citation.section.id)
        edges = await self._references.incoming(provision, [*editions, citation.edition])
        return any(_changes(edge, amending) for edge in edges)


def _by_edition(citations: Sequence[Citation]) -> Iterable[tuple[Edition, list[Citation]]]:
    grouped: dict[str, list[Citation]] = {}
    for item in citations:
        grouped.setdefault(item.edition.version.id, []).append(item)
    return [(items[0].edition, items) for items in grouped.values()]


def _validity(edition: Edition, labels: tuple[str, ...], asked: date, today: date) -> list[Notice]:
    """Notices for a text that is not yet in force on the day asked about, or no longer in force today."""
    fields = edition.document.fields
    if fields.valid_from and fields.valid_from > asked:
        return [_notice("notice.not_in_force_yet", edition, labels, day=fields.valid_from)]
    if fields.valid_to and fields.valid_to < today:
        return [_notice("notice.no_longer_in_force", edition, labels, day=fields.valid_to)]
    return []


def _successors(
    edition: Edition, labels: tuple[str, ...], editions: Sequence[Edition], today: date, *, seen: date
) -> list[Notice]:
    """Notices for a text, `seen` from that day on, that has a later version or edition."""
    document = edition.document
    same = [other for other in editions if other.document.id == document.id]
    if any(other.version.id != edition.version.id for other in same):
        return [_notice("notice.text_changed", edition, labels, day=seen)]
    family = [other for other in editions if document.series and other.document.series == document.series]
    newest = current([other for other in family if other.document.collection == document.collection], today)
    start = document.fields.valid_from or date.min
    later = [other for other in newest if (other.document.fields.valid_from or date.min) > start]
    return [_notice("notice.superseded_edition", edition, labels, other=other) for other in later[:1]]


def _as_one(standing: list[Notice], successors: list[Notice]) -> list[Notice]:
    """Until when a text applied and what is newer, in one notice."""
    match standing, successors:
        case [
            [Notice(key="notice.no_longer_in_force") as ended],
            [Notice(key="notice.superseded_edition") as newer],
        ]:
            values = {**ended.values, **newer.values}
            return [Notice(key="notice.replaced_edition", values=values, labels=ended.labels)]
    return [*standing, *successors]


def _amending(edition: Edition, editions: Sequence[Edition], day: date) -> list[Edition]:
    """The documents in force on `day` that amend `edition` and are no older than its text."""
    document = edition.document
    start = document.fields.valid_from or date.min
    return [
        other
        for other in editions
        if other.document.fields.amends == document.key
        and other.document.collection == document.collection
        and other.document.id != document.id
        and is_valid(other, day)
        and (other.document.fields.valid_from or date.max) >= start
    ]


def _changes(edge: Edge, amending: Edition) -> bool:
    return edge.kind in _CHANGING and edge.source.edition.document.id == amending.document.id


def _notice(
    key: NoticeKey,
    edition: Edition,
    labels: tuple[str, ...],
    *,
    other: Edition | None = None,
    day: date | None = None,
) -> Notice:
    values = {"title": edition.document.fields.title}
    if other is not None:
        values["other"] = other.document.fields.title
    if day is not None:
        values["date"] = day.isoformat()
    return Notice(key=key, values=values, labels=labels)
