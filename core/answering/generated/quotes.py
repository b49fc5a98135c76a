"""Finds the quotes of a model: in the passage it names, in another one it was given, or elsewhere in the
document it names. The result is the source's own text."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.answering.generated.sources import Source
from core.answering.sight import TRUSTING, Sight, seen
from core.domain.answers import Citation, LeftOut, Quote, Verdict
from core.domain.documents import Edition
from core.domain.ids import VersionId
from core.domain.pages import Page
from core.domain.passages import PassageKind, Span
from core.evidence.alignment import Alignment, align, quote_from_spans
from core.evidence.index import DocumentIndex
from core.evidence.skeleton import skeleton
from core.evidence.surroundings import Surroundings
from core.language.sentences import sentences
from core.ports.library import Library
from core.recent import Recent

MAX_WORDS = 120
"""Maximum words of a quote: longer ones prove nothing in particular."""

_PROBE = 16
_REACH = 300
"""Maximum characters by which a quote may grow to whole sentences, on either side."""

_RANK = {Verdict.VERBATIM: 0, Verdict.TYPO: 1, Verdict.NEAR: 2}
_KEPT_VERSIONS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundQuote:
    """A quote in its place, grown to whole sentences. `source` is the passage of the prompt that contains it,
    None if it is outside all of them; `pages` are those of the quote."""

    edition: Edition
    source: Source | None
    quote: Quote
    verdict: Verdict
    pages: tuple[Page, ...]

    @property
    def place(self) -> tuple[VersionId, tuple[Span, ...]]:
        """What identifies the quote."""
        return self.edition.version.id, self.quote.spans

    @property
    def kind(self) -> PassageKind:
        """The kind of passage that contains the quote."""
        return self.source.hit.passage.kind if self.source else PassageKind.PROSE

    def citation(self, label: str) -> Citation:
        """The quote as a citation."""
        passage = self.source.hit.passage if self.source else None
        return Citation.of(
            self.quote,
            self.pages,
            edition=self.edition,
            passage=passage,
            verdict=self.verdict,
            label=label,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class NotFound:
    """Why a quote may not be shown: too_short, too_long, altered, cut or absent, or an objection of
    `Sight`."""

    why: str


class QuoteFinder:
    """Finds quotes. Caches the letters of a few documents, to look beyond the passages."""

    def __init__(self, library: Library, sight: Sight = TRUSTING) -> None:
        self._library = library
        self._sight = sight
        self._letters = Recent[VersionId, list[tuple[tuple[int, ...], str]]](_KEPT_VERSIONS)

    async def over(self, sources: Sequence[Source]) -> "SourcePages":
        """The pages of `sources`, ready for looking up quotes: slow work is done in a thread."""
        wanted: dict[VersionId, set[int]] = defaultdict(set)
        for source in sources:
            wanted[source.hit.passage.version] |= set(source.hit.passage.pages)
        pages = {version: await self._pages(version, numbers) for version, numbers in wanted.items()}
        return SourcePages(sources=sources, indexes=await asyncio.to_thread(_indexes, pages))

    async def elsewhere(self, text: str, source: Source) -> FoundQuote | None:
        """The quote on another page of the document of `source`, word for word only."""
        version = source.hit.passage.version
        letters = await self._letters_of(source.hit.edition)
        whole = skeleton(text)
        middle = len(whole) // 2
        probes = {whole[:_PROBE], whole[middle : middle + _PROBE], whole[-_PROBE:]}
        numbers = {n for pages, said in letters for probe in probes if probe in said for n in pages}
        if not numbers:
            return None
        found = await self._pages(version, numbers)
        return await asyncio.to_thread(_verbatim, text, source.hit.edition, found)

    async def seen(self, found: FoundQuote) -> FoundQuote | NotFound:
        """The quote, or why a reader of its page does not see it."""
        quote = await seen(self._sight, found.edition, found.pages, found.quote)
        return NotFound(why=quote) if isinstance(quote, str) else replace(found, quote=quote)

    async def _letters_of(self, edition: Edition) -> list[tuple[tuple[int, ...], str]]:
        """The pages and letters of every passage; far quicker than reading the words of all pages."""
        version = edition.version
        known = self._letters.get(version.id)
        if known is None:
            passages = await self._library.passages_at(version.id, range(version.passages))
            known = await asyncio.to_thread(
                lambda: [(passage.pages, skeleton(passage.text)) for passage in passages]
            )
        self._letters[version.id] = known
        return known

    async def _pages(self, version: VersionId, numbers: set[int]) -> list[Page]:
        return await self._library.pages_at(version, numbers)


def _verbatim(text: str, edition: Edition, pages: Sequence[Page]) -> FoundQuote | None:
    """The quote on `pages`, if it is there word for word."""
    index = DocumentIndex(pages)
    alignment = align(text, index)
    found = _found(alignment, edition, index, []) if alignment.verdict is Verdict.VERBATIM else None
    return found if isinstance(found, FoundQuote) else None


def _indexes(pages: Mapping[VersionId, Sequence[Page]]) -> dict[VersionId, DocumentIndex]:
    """An index for each version, with everything precomputed that a lookup needs."""
    indexes = {version: DocumentIndex(own) for version, own in pages.items()}
    for index in indexes.values():
        list(index.views())
        _ = index.vocabulary
    return indexes


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePages:
    """The pages of one answer's passages. Lookup is pure."""

    sources: Sequence[Source]
    indexes: dict[VersionId, DocumentIndex]

    def find(self, text: str, labels: Sequence[str]) -> FoundQuote | NotFound:
        """The quote `text`, first looked for in the passages named by `labels`. A verbatim match in another
        passage beats an approximate one in the named passage."""
        if len(text.split()) > MAX_WORDS:
            return NotFound(why="too_long")
        best: FoundQuote | None = None
        why = Verdict.ABSENT
        for source in self._in_turn(labels):
            index = self.indexes[source.hit.passage.version]
            alignment = align(text, index, hint=source.hit.passage.spans)
            found = _found(alignment, source.hit.edition, index, [source, *self.sources])
            verdict = Verdict.CUT if isinstance(found, NotFound) else alignment.verdict
            if isinstance(found, FoundQuote) and (best is None or _RANK[verdict] < _RANK[best.verdict]):
                best = found
            if verdict in (Verdict.VERBATIM, Verdict.TOO_SHORT):
                why = verdict
                break
            if verdict in (Verdict.CUT, Verdict.STRUCK, Verdict.REPORTED) or (
                verdict is Verdict.ALTERED and why is Verdict.ABSENT
            ):
                why = verdict
        return best or NotFound(why=why.value)

    def _in_turn(self, labels: Sequence[str]) -> list[Source]:
        """One passage per document, those named first."""
        named = [source for source in self.sources if source.label in labels]
        turns: dict[VersionId, Source] = {}
        for source in [*named, *self.sources]:
            turns.setdefault(source.hit.passage.version, source)
        return list(turns.values())


def _found(
    alignment: Alignment, edition: Edition, index: DocumentIndex, sources: Sequence[Source]
) -> FoundQuote | NotFound | None:
    """The quote grown to whole sentences; not found if that is impossible and the omission changes its
    meaning."""
    if alignment.quote is None or alignment.verdict not in _RANK:
        return None
    quote = _whole_sentences(alignment.quote, index, edition.document.fields.language)
    around = Surroundings.of(index, quote.spans, quote.text)
    if around is not None and around.left_out in (LeftOut.UNSURE, LeftOut.JOINS):
        grown = quote_from_spans(index.pages, around.whole)
        if len(grown.text) - len(quote.text) <= _REACH:
            quote, around = grown, Surroundings.of(index, grown.spans, grown.text)
    if around is not None and around.left_out:
        return NotFound(why=Verdict.CUT.value)
    by_number = {page.number: page for page in index.pages}
    return FoundQuote(
        edition=edition,
        source=_holding(sources, edition, alignment.quote),
        quote=quote,
        verdict=alignment.verdict,
        pages=tuple(by_number[number] for number in quote.pages),
    )


def _holding(sources: Sequence[Source], edition: Edition, quote: Quote) -> Source | None:
    """The passage that shares the most characters with the quote; the first of `sources` in case of a tie."""
    own = [source for source in sources if source.hit.passage.version == edition.version.id]
    best = max(own, key=lambda source: _shared(source.hit.passage.spans, quote.spans), default=None)
    return best if best and _shared(best.hit.passage.spans, quote.spans) else None


def _shared(one: Sequence[Span], other: Sequence[Span]) -> int:
    pairs = ((a, b) for a in one for b in other if a.page == b.page)
    return sum(max(0, min(a.end, b.end) - max(a.start, b.start)) for a, b in pairs)


def _whole_sentences(quote: Quote, index: DocumentIndex, language: str) -> Quote:
    """`quote` with the rest of the sentences in which it begins and ends, so that no "not" is cut off;
    unchanged if they are too long."""
    pages = {page.number: page for page in index.pages}
    first, last = quote.spans[0], quote.spans[-1]
    start, _ = _sentence_at(pages[first.page].text, first.start, first.start + 1, language)
    _, end = _sentence_at(pages[last.page].text, last.end - 1, last.end, language)
    if first.start - start > _REACH or end - last.end > _REACH or (start, end) == (first.start, last.end):
        return quote
    spans = list(quote.spans)
    spans[0] = replace(spans[0], start=start)
    spans[-1] = replace(spans[-1], end=end)
    return quote_from_spans(index.pages, spans)


def _sentence_at(text: str, start: int, end: int, language: str) -> tuple[int, int]:
    """Where the sentence around characters `start` to `end` of a page begins and ends; a sentence does
    not go beyond its block."""
    left = text.rfind("\n\n", 0, start) + 2 if "\n\n" in text[:start] else 0
    right = text.find("\n\n", end)
    block = text[left : right if right >= 0 else len(text)].replace("\n", " ")
    for begin, stop in sentences(block, language):
        if begin <= start - left < stop:
            return min(start, left + begin), max(end, left + stop)
    return start, end
