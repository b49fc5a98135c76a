"""Is this alleged quote real? Search for where it might stand, then align it there word by word."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from core.answering.citing import source_of
from core.answering.labels import Labels
from core.answering.sight import TRUSTING, Sight
from core.domain.answers import Citation, Difference, Notice, Quote, Verdict
from core.domain.documents import Edition
from core.domain.ids import DocumentId
from core.domain.pages import Page
from core.domain.passages import Passage, PassageKind, Span
from core.domain.scope import Scope
from core.evidence.alignment import Alignment, align
from core.evidence.index import DocumentIndex
from core.evidence.skeleton import skeleton
from core.ports import Library
from core.search.nearest import Nearest

CANDIDATES = 20
"""Passages looked at, per way of searching."""

MATCHES = 10
"""Places reported at most."""

MIN_SKELETON = 20
"""Letters and digits that a quote needs to be verifiable."""

_RANK = {Verdict.VERBATIM: 0, Verdict.TYPO: 1, Verdict.NEAR: 2, Verdict.ALTERED: 3}


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """What is claimed of the quote beside its words; None or empty where nothing is."""

    parties: tuple[str, ...] = ()
    document: DocumentId | None = None
    page: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteCheck:
    """The verdict, where the words stand (best places first), and the words that differ. `unseen` says why
    places that have them were left out: a reader of the page does not see them there (`Sight`)."""

    verdict: Verdict
    matches: tuple[Citation, ...] = ()
    differences: tuple[Difference, ...] = ()
    unseen: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    edition: Edition
    pages: tuple[Page, ...]
    alignment: Alignment
    quote: Quote
    passage: Passage | None  # the table or figure that it stands in

    @property
    def kind(self) -> PassageKind:
        return self.passage.kind if self.passage else PassageKind.PROSE

    @property
    def rank(self) -> tuple[int, float]:
        return _RANK[self.alignment.verdict], -self.alignment.coverage


class QuoteVerifier:
    """Checks alleged quotes against the documents in scope."""

    def __init__(self, *, library: Library, nearest: Nearest, sight: Sight = TRUSTING) -> None:
        self._library = library
        self._nearest = nearest
        self._sight = sight

    async def verify(self, text: str, *, scope: Scope, claimed: Claimed, today: date) -> QuoteCheck:
        """The verdict on `text`. `scope` only filters; it never makes a quote misattributed."""
        if len(skeleton(text)) < MIN_SKELETON:
            return QuoteCheck(verdict=Verdict.TOO_SHORT)
        found, unseen = await self._seen(await self._places(text, scope, today))
        if not found:
            return QuoteCheck(verdict=Verdict.ABSENT, unseen=unseen)
        best = found[0].alignment
        same = [item for item in found if item.alignment.verdict is best.verdict]
        verdict = best.verdict
        if verdict in (Verdict.VERBATIM, Verdict.TYPO):
            agreeing = [item for item in same if agrees(item, claimed)]
            verdict, same = (verdict, agreeing) if agreeing else (Verdict.MISATTRIBUTED, same)
        labels = Labels()
        matches = tuple(cited(labels.next(item.kind), item) for item in same[:MATCHES])
        differences = same[0].alignment.differences
        return QuoteCheck(verdict=verdict, matches=matches, differences=differences, unseen=unseen)

    async def _seen(self, found: Sequence[_Found]) -> tuple[list[_Found], tuple[str, ...]]:
        """The places where a reader sees the words, and why those that were left out were."""
        said = await asyncio.gather(
            *(self._sight.objection(item.edition, item.pages, item.quote.spans) for item in found)
        )
        seen = [item for item, why in zip(found, said, strict=True) if why is None]
        return seen, tuple(dict.fromkeys(why for why in said if why))

    async def _places(self, text: str, scope: Scope, today: date) -> list[_Found]:
        """Where something like `text` stands, best first, one place per document."""
        near = await self._nearest.find(text, scope=scope, limit=CANDIDATES, today=today)
        numbers: dict[Edition, set[int]] = defaultdict(set)
        shown: dict[Edition, list[Passage]] = defaultdict(list)
        for passage, edition in near:
            if passage.kind in (PassageKind.TABLE, PassageKind.FIGURE):
                shown[edition].append(passage)
            numbers[edition] |= _around(passage.pages, edition.version.pages)
        found = []
        for edition, wanted in numbers.items():
            pages = await self._pages(edition, wanted)
            alignment = align(text, DocumentIndex(pages))
            if alignment.verdict in _RANK and alignment.quote is not None:
                place = _Found(
                    edition=edition,
                    pages=tuple(pages),
                    alignment=alignment,
                    quote=alignment.quote,
                    passage=_holding(shown[edition], alignment.quote),
                )
                found.append(place)
        return sorted(found, key=lambda item: item.rank)

    async def _pages(self, edition: Edition, numbers: Iterable[int]) -> list[Page]:
        found = [await self._library.page(edition.version.id, number) for number in sorted(numbers)]
        return [page for page in found if page is not None]


def agrees(item: _Found, claimed: Claimed) -> bool:
    """Whether the place of a quote is what was claimed of it."""
    document = item.edition.document
    return (
        (not claimed.parties or bool(set(claimed.parties) & set(document.fields.parties)))
        and claimed.document in (None, document.id)
        and (claimed.page is None or claimed.page in {span.page for span in item.quote.spans})
    )


def cited(label: str, item: _Found) -> Citation:
    """The place of an alleged quote as a citation: always the source's own words."""
    pages = [page for page in item.pages if page.number in item.quote.pages]
    return Citation(
        label=label,
        edition=item.edition,
        passage=item.passage.id if item.passage else None,
        kind=item.kind,
        section=None,
        quote=item.quote,
        verdict=item.alignment.verdict,
        text_source=source_of(pages),
        printed_labels=tuple(page.label for page in pages),
    )


def _holding(passages: Sequence[Passage], quote: Quote) -> Passage | None:
    """The one of `passages` in which the quote begins and ends."""
    ends = (quote.spans[0], quote.spans[-1])
    return next((each for each in passages if all(_has(each, span) for span in ends)), None)


def _has(passage: Passage, span: Span) -> bool:
    return any(
        own.page == span.page and own.start < span.end and own.end > span.start for own in passage.spans
    )


def _around(pages: Sequence[int], last: int) -> set[int]:
    return {number for page in pages for number in (page - 1, page, page + 1) if 1 <= number <= last}
