"""Is this alleged quote real? Search for where it might stand, then align it there word by word."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from core.answering.extractive.citations import source_of
from core.answering.kept_letters import KeptLetters
from core.answering.labels import Labels
from core.answering.sight import TRUSTING, Sight
from core.domain.answers import Citation, Difference, Notice, Quote, Setting, Verdict
from core.domain.documents import Edition
from core.domain.ids import DocumentId
from core.domain.pages import Page
from core.domain.passages import Passage, PassageKind, Span
from core.domain.scope import Scope
from core.errors import Refused
from core.evidence.alignment import Alignment, in_its_sentences
from core.evidence.changes import ChangeKind, Piece, changes, is_almost_right, is_another, kinds
from core.evidence.exact import MAX_PARTS
from core.evidence.index import DocumentIndex
from core.evidence.letters import PageLetters, may_be_near, may_be_verbatim
from core.evidence.patience import OutOfPatienceError, Patience
from core.evidence.quoted import Quoted
from core.evidence.skeleton import skeleton
from core.ports.library import Library
from core.search.nearest import Nearest

CANDIDATES = 20
"""Passages looked at, per way of searching."""

MATCHES = 10
"""Places reported at most."""

MIN_SKELETON = 20
"""Letters and digits that a quote needs to be verifiable."""

CPU_SECONDS = 1.5
"""Processor time for aligning one quote with the candidates of one kind."""

_AT_ONCE = 2
"""Quotes that are aligned at the same time; each takes a thread and its share of the processor."""

_BEST_FIRST = (Verdict.VERBATIM, Verdict.TYPO, Verdict.CUT, Verdict.NEAR, Verdict.ALTERED)
_STANDS = (Verdict.VERBATIM, Verdict.TYPO)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """What is claimed of the quote beside its words; None or empty where nothing is."""

    parties: tuple[str, ...] = ()
    document: DocumentId | None = None
    page: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteCheck:
    """The verdict, where the words stand (best places first, those of whom they are said to be before
    others), and the words that differ. `wording` is the first match with the alleged words where they
    differ, `changed` what these differences are. `settings` has the whole sentences of each match, None where
    they were not looked at; `unseen` says why places that have the words were left out: a reader of the page
    does not see them there (`Sight`)."""

    verdict: Verdict
    matches: tuple[Citation, ...] = ()
    differences: tuple[Difference, ...] = ()
    unseen: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()
    settings: tuple[Setting | None, ...] = ()
    wording: tuple[Piece, ...] = ()
    changed: tuple[ChangeKind, ...] = ()

    @property
    def almost(self) -> bool:
        """Whether so few words differ that the quote is nearly right."""
        return is_almost_right(self.wording)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Candidate:
    """A document in which the quote might stand: the letters of the pages round what was found there, and the
    tables and figures among that."""

    edition: Edition
    letters: tuple[PageLetters, ...]
    shown: tuple[Passage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Aligned:
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
        return _BEST_FIRST.index(self.alignment.verdict), -self.alignment.coverage


class QuoteVerifier:
    """Checks alleged quotes against the documents in scope."""

    def __init__(
        self,
        *,
        library: Library,
        nearest: Nearest,
        sight: Sight = TRUSTING,
        cpu_seconds: float = CPU_SECONDS,
    ) -> None:
        self._library = library
        self._nearest = nearest
        self._sight = sight
        self._cpu_seconds = cpu_seconds
        self._turns = asyncio.Semaphore(_AT_ONCE)
        self._letters = KeptLetters(library)

    async def verify(self, text: str, *, scope: Scope, claimed: Claimed, today: date) -> QuoteCheck:
        """The verdict on `text`. `scope` only filters; it never makes a quote misattributed.

        Raises Refused for a text that has too many parts or takes too long to compare.
        """
        if len(skeleton(text)) < MIN_SKELETON:
            return QuoteCheck(verdict=Verdict.TOO_SHORT)
        found, unseen = await self._places(text, await self._candidates(text, scope, today))
        if not found:
            return QuoteCheck(verdict=Verdict.ABSENT, unseen=unseen)
        found = claimed_first(found, claimed)
        verdict = found[0].alignment.verdict
        same = [item for item in found if item.alignment.verdict is verdict]
        agreeing = [item for item in same if agrees(item, claimed)]
        if verdict in _STANDS and not agreeing:
            verdict = Verdict.MISATTRIBUTED
        elif verdict in (*_STANDS, Verdict.CUT):
            same = agreeing or same
        wording = await asyncio.to_thread(_wording, text, same[0])
        if verdict is Verdict.ALTERED and is_another(text, wording):
            return QuoteCheck(verdict=Verdict.ABSENT, unseen=unseen)
        labels = Labels()
        matches = tuple(cited(labels.next(item.kind), item) for item in same[:MATCHES])
        return QuoteCheck(
            wording=wording,
            changed=kinds(wording),
            verdict=verdict,
            matches=matches,
            differences=same[0].alignment.differences,
            settings=tuple(item.alignment.setting for item in same[:MATCHES]),
            unseen=unseen,
        )

    async def _seen(self, found: Sequence[_Aligned]) -> tuple[list[_Aligned], tuple[str, ...]]:
        """The places where a reader sees the words, and why those that were left out were."""
        said = await asyncio.gather(
            *(self._sight.objection(item.edition, item.pages, item.quote.spans) for item in found)
        )
        seen = [item for item, why in zip(found, said, strict=True) if why is None]
        return seen, tuple(dict.fromkeys(why for why in said if why))

    async def _places(
        self, text: str, candidates: Sequence[_Candidate]
    ) -> tuple[list[_Aligned], tuple[str, ...]]:
        """Where a reader sees something like `text`, best first, one place per document, and why others were
        left out. Documents that have only some of its letters are looked at if it is verbatim in none: no
        place in them is better, and most of them have nothing but its common words."""
        quote = Quoted(text)
        exact, others = await asyncio.to_thread(_parted, quote, candidates)
        found, complete = await self._aligned(text, exact)
        seen, unseen = await self._seen(found)
        if complete and not any(item.alignment.verdict is Verdict.VERBATIM for item in seen):
            near, complete = await self._aligned(text, await asyncio.to_thread(_nearest, quote, others))
            found += near
            more, why = await self._seen(near)
            seen, unseen = seen + more, tuple(dict.fromkeys(unseen + why))
        _refuse_unless_known(quote, found, complete=complete)
        order = {candidate.edition: n for n, candidate in enumerate(candidates)}
        return sorted(seen, key=lambda item: (item.rank, order[item.edition])), unseen

    async def _aligned(self, text: str, candidates: Sequence[_Candidate]) -> tuple[list[_Aligned], bool]:
        """Where `text` stands in the candidates, and whether there was time to look at all of them."""
        read = [(each, await self._pages(each)) for each in candidates]
        async with self._turns:
            return await asyncio.to_thread(_aligned, text, read, self._cpu_seconds)

    async def _pages(self, candidate: _Candidate) -> list[Page]:
        numbers = [page.number for page in candidate.letters]
        return await self._library.pages_at(candidate.edition.version.id, numbers)

    async def _candidates(self, text: str, scope: Scope, today: date) -> list[_Candidate]:
        """The documents of the passages that come nearest to `text`, the nearest first."""
        near = await self._nearest.find(text, scope=scope, limit=CANDIDATES, today=today)
        numbers: dict[Edition, set[int]] = defaultdict(set)
        shown: dict[Edition, list[Passage]] = defaultdict(list)
        for passage, edition in near:
            if passage.kind in (PassageKind.TABLE, PassageKind.FIGURE):
                shown[edition].append(passage)
            numbers[edition] |= _around(passage.pages, edition.version.pages)
        return [
            _Candidate(
                edition=edition,
                letters=tuple(await self._letters.of(edition.version.id, wanted)),
                shown=tuple(shown[edition]),
            )
            for edition, wanted in numbers.items()
        ]


def _parted(quote: Quoted, candidates: Sequence[_Candidate]) -> tuple[list[_Candidate], list[_Candidate]]:
    """The candidates in which `quote` may be verbatim, and the others."""
    exact = [each for each in candidates if may_be_verbatim(quote, each.letters)]
    return exact, [each for each in candidates if each not in exact]


def _nearest(quote: Quoted, candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """Those of the candidates in which something like `quote` may stand."""
    return [each for each in candidates if may_be_near(quote, each.letters)]


def _refuse_unless_known(quote: Quoted, found: Sequence[_Aligned], *, complete: bool) -> None:
    """Raises Refused for a quote that stands nowhere, as far as was looked, if not all was looked at."""
    if any(item.alignment.verdict in (*_STANDS, Verdict.CUT) for item in found):
        return
    if len(quote.parts) > MAX_PARTS:
        detail = f"a quote of {len(quote.parts)} parts; {MAX_PARTS} are possible: verify fewer at a time"
        raise Refused("verify.too_many_parts", detail, parts=len(quote.parts), limit=MAX_PARTS)
    if not complete:
        detail = "comparing took too long: verify a shorter piece that repeats itself less"
        raise Refused("verify.too_slow", detail)


def _aligned(
    text: str, candidates: Sequence[tuple[_Candidate, Sequence[Page]]], cpu_seconds: float
) -> tuple[list[_Aligned], bool]:
    """Where `text` stands in the pages of candidates, and whether all were looked at in the time given."""
    patience = Patience(cpu_seconds)
    found: list[_Aligned] = []
    for candidate, pages in candidates:
        try:
            patience.spend()
            alignment = in_its_sentences(text, DocumentIndex(pages), patience=patience)
        except OutOfPatienceError:
            return found, False
        if alignment.verdict in _BEST_FIRST and alignment.quote is not None:
            place = _Aligned(
                edition=candidate.edition,
                pages=tuple(pages),
                alignment=alignment,
                quote=alignment.quote,
                passage=_holding(candidate.shown, alignment.quote),
            )
            found.append(place)
    return found, True


def _wording(text: str, item: _Aligned) -> tuple[Piece, ...]:
    """What is different at a place where the words do not stand as they are said to."""
    verbatim = item.alignment.verdict in (Verdict.VERBATIM, Verdict.CUT)
    return () if verbatim else changes(text, item.quote.text)


def claimed_first(found: list[_Aligned], claimed: Claimed) -> list[_Aligned]:
    """The places of whom the words are said to be before all others, unless the words stand elsewhere."""
    if claimed == Claimed() or found[0].alignment.verdict in (*_STANDS, Verdict.CUT):
        return found
    return sorted(found, key=lambda item: not agrees(item, claimed))


def agrees(item: _Aligned, claimed: Claimed) -> bool:
    """Whether the place of a quote is what was claimed of it."""
    document = item.edition.document
    return (
        (not claimed.parties or bool(set(claimed.parties) & set(document.fields.parties)))
        and claimed.document in (None, document.id)
        and (claimed.page is None or claimed.page in {span.page for span in item.quote.spans})
    )


def cited(label: str, item: _Aligned) -> Citation:
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
