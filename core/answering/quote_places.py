"""Where an alleged quote is in the documents that may contain it, and what was claimed about it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from core.domain.answers import STANDS, Citation, Quote, Verdict
from core.domain.documents import Edition
from core.domain.ids import DocumentId
from core.domain.pages import Page
from core.domain.passages import Passage, PassageKind, Section, Span
from core.evidence.alignment import Alignment, in_its_sentences, lacking_words
from core.evidence.index import DocumentIndex
from core.evidence.quoted import OutOfPatienceError, Patience
from core.evidence.repair import PageLetters
from core.evidence.skeleton import skeleton
from core.library.chunking.prose import SEPARATOR, TRAIL
from core.library.references import UNITS, SectionReference, format_reference

WRITTEN = (*STANDS, Verdict.CUT, Verdict.REPORTED, Verdict.STRUCK)
"""Verdicts for words that are there (apart from a slip), whatever their status."""

_OTHER_UNITS = ("recital", "schedule", "annex", "form")
_ANNEXED = {"schedule", "annex"}

_BEGINNING = 25
"""Number of characters by which a quote is located in its passage."""
_HEADING_WORDS = 12
_ENDS = ".!?:;,"

_BEST_FIRST = (*WRITTEN, Verdict.NEAR, Verdict.ALTERED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """The claims about a quote apart from its words; None or empty if there are none. If several documents or
    provisions are named, it may be in any; a document speaks for the parties if it has all names of one of
    the sets in `speaking`; `page` is a printed or PDF page number, the first of those up to `last_page`;
    `unknown` is the claimed source if the library does not know that name, and `similar` are names that it
    knows; `chapter` is the title of the part that it is said to be in; `turned` is the text that calls the
    words denied or false."""

    parties: tuple[str, ...] = ()
    speaking: tuple[frozenset[str], ...] = ()
    jurisdictions: tuple[str, ...] = ()
    documents: tuple[DocumentId, ...] = ()
    page: int | None = None
    last_page: int | None = None
    sections: tuple[SectionReference, ...] = ()
    chapter: str = ""
    unknown: str = ""
    similar: tuple[str, ...] = ()
    turned: str = ""

    def is_by(self, parties: Iterable[str]) -> bool:
        """Whether a document of `parties` speaks for the claimed source."""
        return any(each <= set(parties) for each in self.speaking)

    @property
    def provisions(self) -> tuple[str, ...]:
        """The provisions as people write them."""
        return tuple(format_reference(each, "en") for each in self.sections)


@dataclass(frozen=True, slots=True, kw_only=True)
class LikelyDocument:
    """A document that might contain the quote: the letters of the pages around the passages found, the tables
    and figures among these, and all of them."""

    edition: Edition
    letters: tuple[PageLetters, ...]
    shown: tuple[Passage, ...]
    near: tuple[Passage, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotePlace:
    """The place of an alleged quote in a document, and which claims are true there."""

    edition: Edition
    pages: tuple[Page, ...]
    alignment: Alignment
    quote: Quote
    passage: Passage | None  # the table or figure that contains it
    section: Section | None = None  # the provision, if known
    near: tuple[Passage, ...] = ()  # what was found near it
    in_name: bool | None = None  # whether it is in a cell of whom it is said to be; None: no table has them

    @property
    def kind(self) -> PassageKind:
        """What contains it: prose, a table or a figure."""
        return self.passage.kind if self.passage else PassageKind.PROSE

    @property
    def altered(self) -> "QuotePlace":
        """The place of words with a different meaning."""
        return replace(self, alignment=replace(self.alignment, verdict=Verdict.ALTERED))

    @property
    def rank(self) -> tuple[int, float]:
        """Sort key; lower is better."""
        return _BEST_FIRST.index(self.alignment.verdict), -self.alignment.coverage


def aligned(
    text: str, candidates: Sequence[tuple[LikelyDocument, Sequence[Page]]], cpu_seconds: float
) -> tuple[list[QuotePlace], bool]:
    """Where `text` is in the pages of candidates, and whether all were examined in the given time."""
    patience = Patience(cpu_seconds)
    found: list[QuotePlace] = []
    for candidate, pages in candidates:
        try:
            patience.spend()
            index = DocumentIndex(pages)
            alignment = in_its_sentences(text, index, patience=patience)
            alignment = lacking_words(text, alignment, index, patience) or alignment
        except OutOfPatienceError:
            return found, False
        if alignment.verdict in _BEST_FIRST and alignment.quote is not None:
            place = QuotePlace(
                edition=candidate.edition,
                pages=tuple(pages),
                alignment=alignment,
                quote=alignment.quote,
                passage=_holding(candidate.shown, alignment.quote),
                section=next((each.section for each in beginning(candidate.near, alignment.quote)), None),
                near=candidate.near,
            )
            found.append(place)
    return found, True


def claimed_first(found: list[QuotePlace], claimed: Claimed) -> list[QuotePlace]:
    """The places from the claimed source before all others, unless the words are only elsewhere."""
    if claimed == Claimed() or found[0].alignment.verdict in WRITTEN:
        return found
    return sorted(found, key=lambda item: not agrees(item, claimed))


def agrees(item: QuotePlace, claimed: Claimed) -> bool:
    """Whether the place of a quote is the claimed one."""
    document = item.edition.document
    return (
        not claimed.unknown
        and item.in_name is not False
        and (item.in_name or not claimed.parties or claimed.is_by(document.fields.parties))
        and (not claimed.jurisdictions or document.fields.jurisdiction in claimed.jurisdictions)
        and (not claimed.documents or document.id in claimed.documents)
        and not claimed.turned
        and (claimed.page is None or _on_pages(item, claimed.page, claimed.last_page or claimed.page))
        and is_claimed(item.section, claimed)
        and (not claimed.chapter or _in_chapter(item, claimed.chapter))
    )


def _in_chapter(item: QuotePlace, title: str) -> bool:
    """Whether a quote is under a heading with the words of `title`; true if that is unknown."""
    holding = next((each for each in item.near if has_span(each, item.quote.spans[0])), None)
    if holding is None:
        return True
    headings = holding.heading.split(SEPARATOR)[1:]
    higher = len(headings) >= TRAIL and not any(_has_words(each.heading, title) for each in item.near)
    if holding.section:
        headings = [*holding.section.hierarchy, *headings, holding.section.title]
    inside = _headings_before(holding.text, item.quote.text)
    headings = [*headings[:-1], inside[-1]] if inside else headings
    return higher or not headings or any(_has_words(heading, title) for heading in headings)


def _headings_before(text: str, quote: str) -> list[str]:
    """The headings of small parts that precede a quote in its passage."""
    before = text[: max(text.find(quote[:_BEGINNING]), 0)].split("\n")[:-1]
    return [line for line in before if line and len(line.split()) <= _HEADING_WORDS and line[-1] not in _ENDS]


def _has_words(heading: str, title: str) -> bool:
    """Whether a heading has the words of a title, which may be shorter."""
    own = skeleton(heading)
    return all(skeleton(word) in own for word in title.split())


def is_claimed(section: Section | None, claimed: Claimed) -> bool:
    """Whether the claimed provision may be `section`."""
    return not claimed.sections or any(_in_section(section, each) for each in claimed.sections)


def _on_pages(item: QuotePlace, first: int, last: int) -> bool:
    """Whether some of the quote is on pages with these numbers, as counted or printed."""
    touched = {span.page for span in item.quote.spans}
    numbers = {str(number) for number in range(first, last + 1)}
    return any(
        str(page.number) in numbers or page.label in numbers for page in item.pages if page.number in touched
    )


def is_numbered(section: Section) -> bool:
    """Whether a section is a numbered provision rather than a heading."""
    return section.id.partition(":")[0] in (*UNITS, *_OTHER_UNITS)


def _in_section(section: Section | None, claimed: SectionReference) -> bool:
    """Whether a quote in `section` is where it is said to be; true if that is unknown. People call the
    provisions of a law by the name of any unit."""
    if section is None:
        return True
    if not is_numbered(section):
        return True
    kind, _, number = section.id.partition(":")
    alike = (
        kind == claimed.kind or (kind in UNITS and claimed.kind in UNITS) or {kind, claimed.kind} <= _ANNEXED
    )
    path = [value.rstrip(".") for value in section.path]
    inside = all(one == other for one, other in zip(path, claimed.path, strict=False))
    return alike and number.casefold() == claimed.number and inside


def beginning(passages: Sequence[Passage], quote: Quote) -> Iterator[Passage]:
    """Those of `passages` with a section that contains the beginning of the quote."""
    return (each for each in passages if each.section and has_span(each, quote.spans[0]))


def cited(label: str, item: QuotePlace) -> Citation:
    """The place of an alleged quote as a citation: always the source's own words."""
    verdict, passage = item.alignment.verdict, item.passage
    made = Citation.of(
        item.quote, item.pages, edition=item.edition, passage=passage, verdict=verdict, label=label
    )
    return replace(made, section=item.section)


def _holding(passages: Sequence[Passage], quote: Quote) -> Passage | None:
    """The one of `passages` in which the quote begins and ends."""
    ends = (quote.spans[0], quote.spans[-1])
    return next((each for each in passages if all(has_span(each, span) for span in ends)), None)


def has_span(passage: Passage, span: Span) -> bool:
    """Whether a passage has characters at `span`."""
    return any(
        own.page == span.page and own.start < span.end and own.end > span.start for own in passage.spans
    )
