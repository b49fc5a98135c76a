"""Is this alleged quote real? Search for where it might stand, then align it there word by word."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence, Set
from dataclasses import dataclass
from datetime import date

from core.answering.extractive.citations import source_of
from core.answering.labels import Labels
from core.answering.sight import TRUSTING, Sight
from core.domain.answers import Citation, Difference, Notice, Quote, Setting, Verdict
from core.domain.documents import Edition
from core.domain.ids import DocumentId, VersionId
from core.domain.pages import Page
from core.domain.passages import Passage, PassageKind, Span
from core.domain.scope import Scope
from core.errors import Refused
from core.evidence.alignment import Alignment, in_its_sentences
from core.evidence.changes import ChangeKind, Piece, changes, is_almost_right, is_another, kinds
from core.evidence.exact import MAX_PARTS
from core.evidence.index import DocumentIndex
from core.evidence.letters import PageLetters, may_stand
from core.evidence.patience import OutOfPatienceError, Patience
from core.evidence.quoted import Quoted
from core.evidence.skeleton import skeleton
from core.ports.library import Library
from core.recent import Recent
from core.search.nearest import Nearest

CANDIDATES = 20
"""Passages looked at, per way of searching."""

MATCHES = 10
"""Places reported at most."""

MIN_SKELETON = 20
"""Letters and digits that a quote needs to be verifiable."""

CPU_SECONDS = 1.5
"""Processor time for aligning one quote with all candidates."""

PAGES_KEPT = 4000
"""Pages whose letters are kept, some 5 kB each."""

_AT_ONCE = 2
"""Quotes that are aligned at the same time; each takes a thread and its share of the processor."""

_RANK = {
    verdict: rank
    for rank, verdict in enumerate(
        (Verdict.VERBATIM, Verdict.TYPO, Verdict.CUT, Verdict.NEAR, Verdict.ALTERED)
    )
}
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
    """Pages of a document on which the quote might stand, and the tables and figures among what was found."""

    edition: Edition
    pages: tuple[Page, ...]
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
        return _RANK[self.alignment.verdict], -self.alignment.coverage


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
        self._letters = Recent[tuple[VersionId, int], PageLetters](PAGES_KEPT)

    async def verify(self, text: str, *, scope: Scope, claimed: Claimed, today: date) -> QuoteCheck:
        """The verdict on `text`. `scope` only filters; it never makes a quote misattributed.

        Raises Refused for a text that has too many parts or takes too long to compare.
        """
        if len(skeleton(text)) < MIN_SKELETON:
            return QuoteCheck(verdict=Verdict.TOO_SHORT)
        found, unseen = await self._seen(await self._places(text, scope, today))
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

    async def _places(self, text: str, scope: Scope, today: date) -> list[_Aligned]:
        """Where something like `text` stands, best first, one place per document."""
        candidates = await self._candidates(text, scope, today)
        async with self._turns:
            found, complete = await asyncio.to_thread(_aligned, text, candidates, self._cpu_seconds)
        if not any(item.alignment.verdict in (*_STANDS, Verdict.CUT) for item in found):
            parts = len(Quoted(text).parts)
            if parts > MAX_PARTS:
                detail = f"a quote of {parts} parts; {MAX_PARTS} are possible: verify fewer at a time"
                raise Refused("verify.too_many_parts", detail, parts=parts, limit=MAX_PARTS)
            if not complete:
                detail = "comparing took too long: verify a shorter piece that repeats itself less"
                raise Refused("verify.too_slow", detail)
        return sorted(found, key=lambda item: item.rank)

    async def _candidates(self, text: str, scope: Scope, today: date) -> list[_Candidate]:
        """Pages round the passages that come nearest to `text`, the nearest document first."""
        near = await self._nearest.find(text, scope=scope, limit=CANDIDATES, today=today)
        numbers: dict[Edition, set[int]] = defaultdict(set)
        shown: dict[Edition, list[Passage]] = defaultdict(list)
        for passage, edition in near:
            if passage.kind in (PassageKind.TABLE, PassageKind.FIGURE):
                shown[edition].append(passage)
            numbers[edition] |= _around(passage.pages, edition.version.pages)
        quote = Quoted(text)
        return [
            _Candidate(edition=edition, pages=tuple(pages), shown=tuple(shown[edition]))
            for edition, wanted in numbers.items()
            if (pages := await self._pages(edition, wanted, quote))
        ]

    async def _pages(self, edition: Edition, numbers: Set[int], quote: Quoted) -> list[Page]:
        """The pages, if `quote` may stand there: their letters say so, which are small enough to keep."""
        letters = await self._letters_of(edition.version.id, numbers)
        if not await asyncio.to_thread(may_stand, quote, letters):
            return []
        return await self._library.pages_at(edition.version.id, numbers)

    async def _letters_of(self, version: VersionId, numbers: Set[int]) -> list[PageLetters]:
        """The letters of those pages that there are, ascending, as they were kept where they are known."""
        found = {n: known for n in numbers if (known := self._letters.get((version, n))) is not None}
        fresh = await self._library.written_at(version, numbers - found.keys())
        found |= {
            page.number: page for page in await asyncio.to_thread(lambda: list(map(PageLetters.of, fresh)))
        }
        for n, known in sorted(found.items()):
            self._letters[version, n] = known
        return [found[n] for n in sorted(found)]


def _aligned(text: str, candidates: Sequence[_Candidate], cpu_seconds: float) -> tuple[list[_Aligned], bool]:
    """Where `text` stands in the candidates, and whether all of them were looked at in the time given."""
    patience = Patience(cpu_seconds)
    found: list[_Aligned] = []
    for candidate in candidates:
        try:
            patience.spend()
            alignment = in_its_sentences(text, DocumentIndex(candidate.pages), patience=patience)
        except OutOfPatienceError:
            return found, False
        if alignment.verdict in _RANK and alignment.quote is not None:
            place = _Aligned(
                edition=candidate.edition,
                pages=candidate.pages,
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
