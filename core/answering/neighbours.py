"""What a document says right before and right after a quote: the next sentence may take it back ("Dogs are
allowed. Residents are exempt from this.").

Only sentences of the same paragraph, provision or list count. What cannot be found on the page word by word,
or is not seen there, is left out.
"""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.answering.extractive.statements import ends, rows
from core.answering.extractive.stretches import named_in, sentences_of
from core.answering.sight import TRUSTING, Sight, seen
from core.domain.answers import Citation, Quote
from core.domain.pages import Page, Word
from core.domain.passages import Passage, PassageKind, Section, Span
from core.evidence.alignment import quote_from_spans
from core.library.chunking.text import placed_words, spans_of
from core.library.subdivisions import heads_in
from core.ports.library import Library

LONGEST = 240
"""Maximum characters of a sentence that is shown beside a quote."""

_PROSE = (PassageKind.PROSE, PassageKind.SECTION)
_ITEM = re.compile(r"\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]\s|[-–—*]\s")
_LEADS_IN = re.compile(r"[:–—-]\s*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbours:
    """The sentences before and after a quote, None where there is none."""

    before: Quote | None = None
    after: Quote | None = None

    @property
    def following(self) -> str:
        """The sentence after the quote, cut at a word if it is long; "" if there is none."""
        text = self.after.text if self.after else ""
        return text if len(text) <= LONGEST else f"{text[:LONGEST].rsplit(' ', 1)[0]} …"


NOTHING = Neighbours()


async def neighbours_of(
    library: Library, citation: Citation, sight: Sight = TRUSTING, *, before: bool = True
) -> Neighbours:
    """The sentences before and after the quote of `citation`, whose passage says where it is; nothing without
    a passage. `sight` is asked whether they are visible; without `before` only for the one after is
    looked."""
    version = citation.edition.version.id
    held = await library.passages([citation.passage] if citation.passage else [])
    if not held or held[0].kind not in _PROSE:
        return NOTHING
    at = held[0].ordinal
    further = await library.passages_at(version, [*([at - 1] if before and at else []), at + 1])
    passages = sorted((*held, *further), key=lambda each: each.ordinal)
    pages = await library.pages_at(version, {number for each in passages for number in each.pages})
    language = citation.edition.document.fields.language
    found = await asyncio.to_thread(neighbours_in, passages, pages, citation.quote.spans, language)

    async def shown(quote: Quote | None) -> Quote | None:
        looked = await seen(sight, citation.edition, pages, quote) if quote else None
        return looked if isinstance(looked, Quote) else None

    first, last = await asyncio.gather(shown(found.before if before else None), shown(found.after))
    return Neighbours(before=first, after=last)


def neighbours_in(
    passages: Sequence[Passage], pages: Sequence[Page], spans: Sequence[Span], language: str
) -> Neighbours:
    """The sentences before and after the words under `spans`, of which `passages`, in their order, have all
    around them; `pages` are those of the passages."""
    read = _read(passages, {page.number: page for page in pages}, language)
    before = next(filter(None, (each.beside(spans[0].page, spans[0].start, -1) for each in read)), None)
    after = next(filter(None, (each.beside(spans[-1].page, spans[-1].end - 1, 1) for each in read)), None)
    return Neighbours(
        before=quote_from_spans(pages, before) if before else None,
        after=quote_from_spans(pages, after) if after else None,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Sentence:
    """A sentence and its words, each with its page. `line` tells its line from others; `row`: it stands for
    itself; `below`: it is the first one below a heading; `bullet`: a list sign is before its line; `item`:
    that is an item of a list, or has a number."""

    text: str
    words: tuple[tuple[int, Word], ...]
    line: tuple[int, int]
    section: Section | None
    row: bool
    below: bool
    bullet: bool
    item: bool

    def holds(self, page: int, at: int) -> bool:
        return any(number == page and word.start <= at < word.end for number, word in self.words)

    @property
    def spans(self) -> tuple[Span, ...]:
        return spans_of([number for number, _ in self.words], [word for _, word in self.words])


@dataclass(frozen=True, slots=True, eq=False)
class _Run:
    """Sentences that follow one another in a document."""

    said: tuple[_Sentence, ...]

    def beside(self, page: int, at: int, step: int) -> tuple[Span, ...]:
        """The spans of the sentence before (`step` -1) or after (1) the one that has character `at` of a
        page, a lead-in with what it leads to; none if they don't belong together."""
        own = next((n for n, each in enumerate(self.said) if each.holds(page, at)), None)
        if own is None or not 0 <= own + step < len(self.said):
            return ()
        first, second = (self.said[n] for n in sorted((own, own + step)))
        if not _belong(first, second):
            return ()
        further = self.said[own + 2] if step > 0 and own + 2 < len(self.said) else None
        if further and _LEADS_IN.search(second.text) and _belong(second, further):
            return (*second.spans, *further.spans)
        return self.said[own + step].spans


def _belong(first: _Sentence, second: _Sentence) -> bool:
    """Whether two sentences are of one paragraph, provision or list."""
    if first.row or second.row or second.below or not (ends(first.text) or first.item):
        return False
    if not (ends(second.text) or second.bullet):
        return False
    if first.line == second.line:
        return True
    if first.section is not None and second.section is not None:
        return first.section.id == second.section.id
    return second.item and (first.item or _LEADS_IN.search(first.text) is not None)


def _read(passages: Sequence[Passage], pages: Mapping[int, Page], language: str) -> list[_Run]:
    """The sentences of each passage, and those of a provision from one passage to the next."""
    said = [(each, _said(each, pages, language)) for each in passages if each.kind in _PROSE]
    found = [_Run(own) for _, own in said]
    for (one, first), (other, second) in pairwise(said):
        provision = one.kind is other.kind is PassageKind.SECTION
        if provision and other.ordinal == one.ordinal + 1 and first and second:
            found.append(_Run((first[-1], second[0])))
    return found


def _said(passage: Passage, pages: Mapping[int, Page], language: str) -> tuple[_Sentence, ...]:
    """The sentences of a passage; none if its words are not those of `pages`."""
    if not pages.keys() >= set(passage.pages):
        return ()
    try:
        placed = [*placed_words(passage, pages)]
    except ValueError:
        return ()
    text, single = passage.text, rows(passage.text)
    named = named_in(passage)
    heads = [*(start for start, _ in named), *(each.start for each in heads_in(text) if each.named)]
    found: list[_Sentence] = []
    end = 0
    for first, last in sentences_of(passage, language, named):
        words = [(number, word) for number, word, start, stop in placed if start < last and stop > first]
        if not words:
            continue
        begins = text.rfind("\n", 0, first) + 1
        bullet = begins == first and _has_bullet(pages[words[0][0]], words[0][1])
        if found and found[-1].line == (passage.ordinal, begins):
            bullet = found[-1].bullet
        found.append(
            _Sentence(
                text=text[first:last],
                words=tuple(words),
                line=(passage.ordinal, begins),
                section=passage.section if passage.kind is PassageKind.SECTION else None,
                row=(first, last) in single,
                below=any(end <= head <= first for head in heads),
                bullet=bullet,
                item=bullet or _ITEM.match(text, begins) is not None,
            )
        )
        end = last
    return tuple(found)


def _has_bullet(page: Page, word: Word) -> bool:
    """Whether a list sign is right before a word."""
    before = next((each for each in reversed(page.words) if each.end <= word.start), None)
    return before is not None and before.bullet
