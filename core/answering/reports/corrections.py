"""Checks quotes of earlier answers against the current documents."""

import asyncio
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from core.answering.extractive.statements import headings
from core.domain.answers import Citation, Quote, Verdict
from core.domain.documents import Edition
from core.domain.ids import TraceId, VersionId
from core.domain.pages import Page
from core.domain.passages import Passage, Span
from core.domain.records import AnswerRecord, CitationRecord, Recheck, Rechecked, Successor
from core.evidence.alignment import align, locate
from core.evidence.changes import wording
from core.evidence.index import GAP, DocumentIndex
from core.evidence.skeleton import skeleton
from core.language.sentences import sentences
from core.ports.library import Library
from core.recent import Recent

NEAREST = 0.3
"""Minimum share of a lost quote's significant words in the nearest sentences for these to be worth
showing."""

KEPT_OPEN = 2
"""Number of documents kept open: answers come in chronological order, and those close in time often cite the
same few."""


@dataclass(frozen=True, slots=True)
class _Open:
    """The current state of a document."""

    edition: Edition
    pages: tuple[Page, ...]
    passages: tuple[Passage, ...]
    index: DocumentIndex


class Rechecker:
    """Looks for quotes from earlier versions in their successors."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._open = Recent[VersionId, _Open](KEPT_OPEN)

    async def recheck(
        self, record: AnswerRecord, successors: Mapping[VersionId, Successor]
    ) -> list[Rechecked]:
        """Every citation of `record` whose version has a successor, checked against it; also those of a
        successor itself, which may have come back. Rereading the same bytes makes no quote wrong, so one not
        found in them counts as kept, without a place."""
        active = {each.version: each for each in successors.values()} | dict(successors)
        found = []
        for was in record.citations:
            successor = active.get(was.version)
            checked = await self.checked(record.trace, was, successor) if successor else None
            found += [checked] if checked else []
        return found

    async def checked(self, trace: TraceId, was: CitationRecord, successor: Successor) -> Rechecked | None:
        """A citation of `trace` checked against the successor of its version; None if that is gone."""
        document = await self._opened(successor.version)
        if document is None:
            return None
        outcome, now = await self._held(was, document)
        return Rechecked(
            trace=trace,
            was=was,
            edition=document.edition,
            since=successor.since,
            outcome=outcome,
            standing=await asyncio.to_thread(_standing, was, document) if outcome in _OTHER else (),
            now=now,
        )

    async def _held(self, was: CitationRecord, document: _Open) -> tuple[Recheck, Citation | None]:
        if was.version == document.edition.version.id:
            return Recheck.KEPT, _citation(was, Quote(spans=was.spans, text=was.quote), document)
        outcome, now = await asyncio.to_thread(_compared, was, document)
        if outcome is not Recheck.KEPT and await self._same_bytes(was.version, document):
            return Recheck.KEPT, None
        return outcome, now

    async def _opened(self, version: VersionId) -> _Open | None:
        known = self._open.get(version) or await self._read(version)
        if known is not None:
            self._open[version] = known
        return known

    async def _read(self, name: VersionId) -> _Open | None:
        version = await self._library.version(name)
        document = await self._library.document(version.document) if version else None
        if version is None or document is None:
            return None
        pages = tuple([page async for page in self._library.pages(name)])
        passages = tuple(await self._library.passages_at(name, range(version.passages)))
        if not pages:
            return None
        edition = Edition(document=document, version=version)
        return _Open(edition, pages, passages, await asyncio.to_thread(DocumentIndex, pages))

    async def _same_bytes(self, old: VersionId, document: _Open) -> bool:
        before = await self._library.version(old)
        return before is not None and before.sha256 == document.edition.version.sha256


_OTHER = (Recheck.CHANGED, Recheck.GONE)


def _standing(was: CitationRecord, document: _Open) -> tuple[str, ...]:
    """The sentences of a quote that are still anywhere in the document."""
    language = document.edition.document.fields.language or ""
    parts = [part for part in was.quote.split(GAP) if part.strip()]
    whole = [part[start:end] for part in parts for start, end in sentences(part, language)]
    return tuple(
        each for each in whole if align(each, document.index, hint=was.spans).verdict is Verdict.VERBATIM
    )


def _compared(was: CitationRecord, document: _Open) -> tuple[Recheck, Citation | None]:
    found = align(was.quote, document.index, hint=was.spans)
    if found.verdict is Verdict.TOO_SHORT:
        short = locate(was.quote, document.index, _everywhere(document.pages))
        if short is None:
            return Recheck.GONE, None
        return _kept_or_changed(was, short), _citation(was, short, document)
    if found.verdict is Verdict.VERBATIM and found.quote is not None:
        return _kept_or_changed(was, found.quote), _citation(was, found.quote, document)
    if found.quote is not None:
        return Recheck.CHANGED, _citation(was, _whole(was.quote, found.quote, document), document)
    near = nearest(was.quote, document.passages, document.index)
    return Recheck.GONE, _citation(was, near, document) if near else None


def _kept_or_changed(was: CitationRecord, now: Quote) -> Recheck:
    """Whether the quote is kept or changed: since punctuation is not compared as letters, the text may now
    read "15" instead of "1,5"."""
    return Recheck.KEPT if same_words(was.quote, now.text) else Recheck.CHANGED


def _whole(text: str, found: Quote, document: _Open) -> Quote:
    """The whole sentences around `found` that are most like `text`, starting at a sentence rather than the
    heading above it. An alignment may begin in mid-sentence if many sentences are alike."""
    language = document.edition.document.fields.language or ""
    room = len(sentences(text, language)) + 1
    passages = [
        passage
        for passage in document.passages
        if any(_overlaps(one, other) for one in passage.spans for other in found.spans)
    ]
    best, wanted = found, skeleton(text)
    titled = any(_begins_with_heading(found.text, passage) for passage in passages)
    score = 0.0 if titled else fuzz.ratio(wanted, skeleton(found.text))
    for passage in passages:
        cuts = _without_headings(passage, language)
        for first in range(len(cuts)):
            for last in cuts[first : first + room]:
                part = passage.text[cuts[first][0] : last[1]]
                alike = fuzz.ratio(wanted, skeleton(part), score_cutoff=score)
                if alike > score and (located := locate(part, document.index, passage.spans)):
                    best, score = located, alike
    return best


def _headings(passage: Passage) -> list[tuple[int, int]]:
    return headings(passage.text, numbers=True, cover=passage.ordinal == 0)


def _begins_with_heading(words: str, passage: Passage) -> bool:
    return any(words.startswith(passage.text[start:end]) for start, end in _headings(passage))


def _without_headings(passage: Passage, language: str) -> list[tuple[int, int]]:
    named = _headings(passage)
    found = sentences(passage.text, language)
    return [each for each in found if not any(start <= each[0] < end for start, end in named)]


def _overlaps(one: Span, other: Span) -> bool:
    return one.page == other.page and one.start < other.end and other.start < one.end


def _everywhere(pages: Sequence[Page]) -> list[Span]:
    return [Span(page.number, 0, len(page.text)) for page in (pages[0], pages[-1])]


def _citation(was: CitationRecord, quote: Quote, document: _Open) -> Citation:
    passage = next((each for each in document.passages if _holds(each, quote.spans[0])), None)
    return Citation.of(
        quote,
        document.pages,
        edition=document.edition,
        passage=passage,
        verdict=was.verdict,
        label=was.label,
    )


def _holds(passage: Passage, span: Span) -> bool:
    return any(each.page == span.page and each.start <= span.start < each.end for each in passage.spans)


def nearest(text: str, passages: Sequence[Passage], index: DocumentIndex) -> Quote | None:
    """The sentences of the document that share most of the words of `text`, weighted by rarity (inverse
    document frequency); None if less than `NEAREST` of them are shared."""
    windows = [(passage, window) for passage in passages for window in passage.windows]
    texts = [passage.text[start:end] for passage, (start, end) in windows]
    held = [_words(each.split()) for each in texts]
    wanted = _words(text.split())
    spread = Counter(word for words in held for word in words)
    weight = {word: math.log1p(len(held) / (1 + spread[word])) for word in wanted}
    whole = sum(weight.values())
    shares = [sum(weight[word] for word in wanted & words) / (len(words) ** 0.5 or 1) for words in held]
    best = max(range(len(held)), key=lambda row: shares[row], default=None)
    if best is None or sum(weight[word] for word in wanted & held[best]) < NEAREST * whole:
        return None
    return locate(texts[best], index, windows[best][0].spans)


def _words(words: Iterable[str]) -> set[str]:
    return {bare for word in words if len(bare := skeleton(word)) > 2}


def same_words(one: str, other: str) -> bool:
    """Whether two texts say the same, ignoring typography and case."""
    return wording(one.split()) == wording(other.split())
