"""Quotes provisions along the law's own divisions: whole, or from the beginning if they are long.

A provision asked for by name is not chosen by similarity. A sub-division comes with the words leading to it;
if a question asks for more than the text of the provision, the sub-division that answers best is quoted.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from core.answering.extractive.citations import Citer, proven, relabelled
from core.answering.extractive.sentences import Extractor
from core.answering.notices import notices_of
from core.domain.answers import Answer, Citation, Claim, Notice, Rejected
from core.domain.pages import Page
from core.domain.passages import Span
from core.domain.search import Hit
from core.evidence.alignment import quote_from_spans
from core.library.chunking.text import page_spans
from core.library.references import provision_name
from core.library.subdivisions import Part, lead_in, parts_of, within
from core.ports.library import Library
from core.search.plan import NamedProvision, SearchResult

BY_NAME, BY_REFERENCE = 0.95, 0.85
"""Confidence in a provision asked for by name, and in one chosen because of the rest of the question."""

MOST_WORDS = 400
"""Maximum words of a provision quoted whole; of a longer one as many sub-divisions as fit."""

FEW_WORDS = 120
"""Maximum words of a provision that is always quoted whole."""

LEAD_IN_WORDS = 60
"""Maximum words of a lead-in put before its item."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """The quoted parts of a provision, in order, and the parts left out."""

    parts: tuple[Part, ...]
    rest: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvisionQuote:
    """The citation of a provision, or why there is none, and the parts not quoted."""

    provision: NamedProvision
    cited: Citation | Rejected
    rest: tuple[Part, ...]


class ProvisionQuotes:
    """Quotes the provisions that a question names."""

    def __init__(self, library: Library, citer: Citer, extractor: Extractor) -> None:
        self._library = library
        self._citer = citer
        self._extractor = extractor

    async def answer_of(self, result: SearchResult, limit: int, blank: Answer) -> Answer | None:
        """`blank` with the text of the provisions named in `result`; None if none of them can be proven on
        its page."""
        quotes = await self._quoted(result, limit)
        shown = [each for each in quotes if isinstance(each.cited, Citation)]
        cited = relabelled([each.cited for each in shown if isinstance(each.cited, Citation)])
        rest = [_goes_on(quote, citation) for quote, citation in zip(shown, cited, strict=True) if quote.rest]
        if not cited:
            return None
        return replace(
            blank,
            claims=tuple(Claim(text=item.quote.text, labels=(item.label,)) for item in cited),
            citations=cited,
            confidence=BY_NAME if result.whole else BY_REFERENCE,
            notices=(*notices_of(cited, doubtful=False), *rest),
            rejected=tuple(each.cited for each in quotes if isinstance(each.cited, Rejected)),
        )

    async def _quoted(self, result: SearchResult, limit: int) -> list[ProvisionQuote]:
        """A quote of each provision named in `result`, at most `limit`."""
        named = result.provisions[:limit]
        if not result.whole:
            named = tuple([await self._narrowed(each, result) for each in named])
        return [await self._quote(each) for each in named]

    async def _narrowed(self, provision: NamedProvision, result: SearchResult) -> NamedProvision:
        """The sub-division that answers, if a long provision is named and more than its wording is asked
        for."""
        parts = _own(provision)
        if provision.path or _words(provision, parts) <= FEW_WORDS:
            return provision
        hits = [_hit(provision, number) for number in range(len(provision.family))]
        best = await self._extractor.pick(result.subject, hits, 1)
        if not best:
            return provision
        at = next(n for n, each in enumerate(provision.family) if each.id == best[0].hit.passage.id)
        part = next((p for p in parts if p.passage == at and p.start <= best[0].start < p.end), None)
        if part is None:
            return provision
        path = part.path[:1]
        while len(path) < len(part.path) and _words(provision, within(parts, path)) > MOST_WORDS:
            path = part.path[: len(path) + 1]
        return replace(provision, path=path)

    async def _quote(self, provision: NamedProvision) -> ProvisionQuote:
        cited: Citation | Rejected = Rejected(what="quote", text="", why="not_on_page")
        for extent in _ever_less(provision, extent_of(provision)):
            cited = await self._cited(provision, extent)
            if isinstance(cited, Citation):
                return ProvisionQuote(provision=provision, cited=cited, rest=extent.rest)
        return ProvisionQuote(provision=provision, cited=cited, rest=())

    async def _cited(self, provision: NamedProvision, extent: Extent) -> Citation | Rejected:
        pages = await self._pages(provision, extent)
        made = await asyncio.to_thread(_proven, provision, extent, pages)
        return made if isinstance(made, Rejected) else await self._citer.seen(made, pages)

    async def _pages(self, provision: NamedProvision, extent: Extent) -> list[Page]:
        numbers = {page for part in extent.parts for page in provision.family[part.passage].pages}
        return await self._library.pages_at(provision.edition.version.id, numbers)


def _ever_less(provision: NamedProvision, extent: Extent) -> Iterator[Extent]:
    """What to try in turn: all of it, without the lead-in, then half as much from the beginning each time,
    since text in a form's blanks or a table is read differently from how it is printed."""
    yield extent
    parts = [part for part in extent.parts if _is_own(part, provision)]
    if len(parts) < len(extent.parts):
        yield Extent(parts=tuple(parts), rest=extent.rest)
    number = len(parts)
    while number > 1:
        number //= 2
        yield Extent(parts=tuple(parts[:number]), rest=(*parts[number:], *extent.rest))


def _proven(provision: NamedProvision, extent: Extent, pages: list[Page]) -> Citation | Rejected:
    spans: list[Span] = []
    for passage, start, end in _stretches(extent.parts):
        spans += page_spans(provision.family[passage], start, end, pages)
    if not spans:
        return Rejected(what="quote", text="", why="not_on_page")
    return proven(_hit(provision, extent.parts[-1].passage), quote_from_spans(pages, spans), pages)


def extent_of(provision: NamedProvision) -> Extent:
    """The part of `provision` to quote: all of it, or as many sub-divisions from the beginning as fit, at
    least one."""
    own = _own(provision)
    if not provision.path and _words(provision, own) > MOST_WORDS and provision.begins:
        begun = next((part for part in own if part.passage >= provision.begins), own[0])
        own = within(own, begun.path[:1]) if begun.path else [p for p in own if p.passage >= begun.passage]
    shown: list[Part] = []
    words = 0
    for part in own:
        words += _words(provision, [part])
        if shown and words > MOST_WORDS:
            break
        shown.append(part)
    if (
        len(shown) < len(own)
        and _opens_list(provision, shown[-1])
        and _words(provision, shown[:-1]) > FEW_WORDS
    ):
        shown.pop()
    opening = lead_in(parts_of(provision.family), provision.path)
    if _words(provision, opening) > LEAD_IN_WORDS:
        opening = []
    return Extent(parts=(*opening, *shown), rest=tuple(own[len(shown) :]))


def _opens_list(provision: NamedProvision, part: Part) -> bool:
    """Whether a line only introduces what follows."""
    return _text(provision, part).rstrip().endswith((":", "-", "–", "—", "―"))


def _goes_on(quote: ProvisionQuote, cited: Citation) -> Notice:
    provision, first = quote.provision, quote.rest[0]
    section = provision.family[first.passage].section
    language = provision.edition.document.fields.language
    pages = sorted({page for part in quote.rest for page in provision.family[part.passage].pages})
    values = {
        "words": str(_words(provision, quote.rest)),
        "pages": f"{pages[0]}–{pages[-1]}" if len(pages) > 1 else str(pages[0]),
        "name": provision_name(replace(section, path=first.path), language) if section else "",
    }
    return Notice(key="notice.provision_goes_on", values=values, labels=(cited.label,))


def _own(provision: NamedProvision) -> list[Part]:
    parts = parts_of(provision.family)
    return [part for part in within(parts, provision.path) if not part.head] or parts


def _is_own(part: Part, provision: NamedProvision) -> bool:
    return part.path[: len(provision.path)] == provision.path


def _hit(provision: NamedProvision, number: int) -> Hit:
    return Hit(
        passage=provision.family[number],
        edition=provision.edition,
        score=-float(number),
        found_by=("pinned",),
    )


def _words(provision: NamedProvision, parts: Sequence[Part]) -> int:
    return sum(len(_text(provision, part).split()) for part in parts)


def _text(provision: NamedProvision, part: Part) -> str:
    return provision.family[part.passage].text[part.start : part.end]


def _stretches(parts: Sequence[Part]) -> list[tuple[int, int, int]]:
    """Runs of adjacent lines as (passage, start, end)."""
    runs: list[tuple[int, int, int]] = []
    for passage, lines in groupby(parts, key=lambda part: part.passage):
        for part in lines:
            if runs and runs[-1][0] == passage and part.start - runs[-1][2] <= 1:
                runs[-1] = (passage, runs[-1][1], part.end)
            else:
                runs.append((passage, part.start, part.end))
    return runs
