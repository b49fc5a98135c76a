"""From a chosen sentence to a citation: its exact words on its pages, verified before it is shown."""

import asyncio
import dataclasses
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.answering.columns import cells_holding, cells_of, cells_under
from core.answering.extractive.extracts import Extract, Range
from core.answering.extractive.statements import commits, rows
from core.answering.labels import Labels
from core.answering.sight import TRUSTING, Sight, seen
from core.answering.told import has_own_voice
from core.domain.answers import Citation, LeftOut, Quote, Rejected, Verdict
from core.domain.documents import DocumentFields
from core.domain.pages import Page
from core.domain.passages import Passage, PassageKind, Span
from core.domain.search import Hit
from core.evidence.alignment import align, quote_from_spans
from core.evidence.index import DocumentIndex
from core.evidence.surroundings import Surroundings
from core.language import lemmas
from core.language.languages import every, of, tags
from core.language.terms import is_function_word, key_words, merged, names_topic, terms
from core.language.words import DocumentTypeWords
from core.library.chunking.prose import SEPARATOR
from core.library.chunking.text import page_spans
from core.ports.library import Library
from core.question.topic import in_capitals, topic
from core.search.plan import SearchResult

_LEAD_IN_WORDS = 40
"""Maximum words of a lead-in that always accompanies its item."""

_REST_CHARACTERS = 300
"""Maximum characters by which a quote may grow to a complete sentence."""

_AMOUNT = re.compile(r"\d[\d.,:]*\s?(?:%|[^\W\d])")
"""A figure with what it counts."""

_CARRYING_WORDS = 8
"""Maximum words to emphasise in the sentence that carries a quote; more would not stand out."""

_MARK = re.compile(r"\W*\w{1,4}[.)]+\s+")


class Citer:
    """Makes citations. Anything that cannot be proven on its page is rejected, never shown."""

    def __init__(self, library: Library, sight: Sight = TRUSTING) -> None:
        self._library = library
        self._sight = sight

    async def cite_all(self, extracts: Sequence[Extract]) -> list[Citation | Rejected]:
        """The citations of `extracts`, labelled in their order, or why there are none; spare ones are tried
        only as long as nothing is proven, and not if the answer is in somebody else's words."""
        labelled = [(f"S{n}", extract) for n, extract in enumerate(extracts, start=1)]
        first = [self.cite(label, extract) for label, extract in labelled if not extract.spare]
        made: list[Citation | Rejected] = list(await asyncio.gather(*first))
        if any(isinstance(each, Rejected) and each.why == Verdict.REPORTED for each in made):
            return made
        for label, extract in labelled:
            if extract.spare and not any(isinstance(each, Citation) for each in made):
                made.append(await self.cite(label, extract))
        return made

    async def cite(self, label: str, extract: Extract) -> Citation | Rejected:
        """The citation of `extract` under `label`, or why there is none. If it cannot be proven with its
        surroundings, it is quoted alone."""
        pages = await self._pages(extract)
        made = await self._seen_and_proven(label, extract, pages)
        for less in _less(extract):
            if isinstance(made, Citation):
                break
            other = await self._seen_and_proven(label, less, pages)
            made = other if isinstance(other, Citation) else made
        return made

    async def _seen_and_proven(self, label: str, extract: Extract, pages: list[Page]) -> Citation | Rejected:
        made = await asyncio.to_thread(self._cited, label, extract, pages)
        if isinstance(made, Rejected):
            return made
        return await self.seen(await self._titled(made, extract), pages)

    async def _titled(self, made: Citation, extract: Extract) -> Citation:
        """The citation with the heading above it, if that should be shown and is a real heading."""
        passage = extract.hit.passage
        over = heading_over(passage) if extract.titled else ""
        heading = shown_heading(over, extract.hit.edition.document.fields) if over else ""
        if not heading:
            return made
        around = range(max(0, passage.ordinal - NEARBY), passage.ordinal + NEARBY + 1)
        nearby = await self._library.passages_at(passage.version, around)
        return made if recurs(over, nearby) else replace(made, heading=heading)

    async def seen(self, made: Citation, pages: list[Page]) -> Citation | Rejected:
        """The citation, or why a reader of its page does not see what it quotes."""
        quote = await seen(self._sight, made.edition, pages, made.quote)
        if isinstance(quote, str):
            return Rejected(what="quote", text=made.quote.text, why=quote)
        return replace(made, quote=quote)

    def _cited(self, label: str, extract: Extract, pages: list[Page]) -> Citation | Rejected:
        passage = extract.hit.passage
        own = page_spans(passage, extract.start, extract.end, pages)
        if not own:
            return Rejected(what="quote", text=extract.text, why="not_on_page")
        spans = _spans(extract, own, pages)
        fields = extract.hit.edition.document.fields
        parties = fields.parties
        if extract.column:
            return _cell(label, extract, own, pages)
        if passage.kind is PassageKind.TABLE and extract.parties and len(parties) > 1:
            spans = cells_of(pages, own, extract.parties, parties) or spans
        elif passage.kind is PassageKind.TABLE and extract.day and not has_own_voice(fields):
            holding = cells_holding(pages, own, extract.day)
            if holding and isinstance(proven(extract.hit, quote_from_spans(pages, holding), pages), Citation):
                spans = holding  # cells too short to prove stand with the names of all columns
        index = DocumentIndex(pages)
        alone = quote_from_spans(pages, spans)
        if passage.kind is PassageKind.PROSE and (extract.start, extract.end) in rows(passage.text):
            made = proven(extract.hit, alone, pages, beside=True)
            return made if isinstance(made, Rejected) else replace(made, label=label, carrying=own)
        if passage.kind is PassageKind.PROSE:
            alone = _grown(alone, index)
        made = proven(extract.hit, _led_in(alone, index, items=True), pages)
        if isinstance(made, Rejected):  # a mere introduction is optional
            made = proven(extract.hit, _led_in(alone, index, items=False), pages)
        if isinstance(made, Rejected):
            return made
        return replace(made, label=label, carrying=own, key_words=_carried(made.quote, own, pages))

    async def _pages(self, extract: Extract) -> list[Page]:
        passage = extract.hit.passage
        return await self._library.pages_at(passage.version, passage.pages)


def _cell(label: str, extract: Extract, row: tuple[Span, ...], pages: list[Page]) -> Citation | Rejected:
    """A row's cell in the column of `extract`, with the cell that says what the row is about."""
    spans = cells_under(pages, row, extract.column)
    if not spans:
        return Rejected(what="quote", text=extract.text, why="not_on_page")
    made = proven(extract.hit, quote_from_spans(pages, spans), pages, beside=True)
    return made if isinstance(made, Rejected) else replace(made, label=label, carrying=tuple(spans))


_BESIDE = (Verdict.CUT, Verdict.REPORTED)


def _carried(quote: Quote, own: tuple[Span, ...], pages: Sequence[Page]) -> tuple[Range, ...]:
    """The ranges of the words under `own` in the text of `quote`; empty if they are all of it."""
    words = quote_from_spans(pages, own).text
    at = quote.text.find(words)
    return ((at, at + len(words)),) if at >= 0 and words != quote.text else ()


def proven(hit: Hit, quote: Quote, pages: list[Page], *, beside: bool = False) -> Citation | Rejected:
    """`quote`, of the passage of `hit`, as a citation without a label if its words are on `pages` letter by
    letter; `beside`: the words left out in between are others' cells, whose "no" and "we" do not change its
    meaning."""
    found = align(quote.text, DocumentIndex(pages))
    if found.verdict is not Verdict.VERBATIM and not (beside and found.verdict in _BESIDE):
        return Rejected(what="quote", text=quote.text, why=found.verdict.value)
    return Citation.of(quote, pages, edition=hit.edition, passage=hit.passage, verdict=Verdict.VERBATIM)


def _spans(extract: Extract, own: tuple[Span, ...], pages: Sequence[Page]) -> list[Span]:
    """The spans of `extract` with its surroundings, as far as these are on the pages of its sentence."""
    passage, there = extract.hit.passage, {span.page for span in own}
    here = [
        part
        for part in extract.parts or ((extract.start, extract.end),)
        if all(span.page in there for span in page_spans(passage, *part, pages))
    ]
    return [span for part in merged(here, passage.text) for span in page_spans(passage, *part, pages)]


def _less(extract: Extract) -> Iterator[Extract]:
    """What to try if a quote cannot be proven, in this order: without the list mark at its beginning (it may
    be elsewhere on the page), the sentence alone, and that without its mark."""
    alone = replace(extract, parts=())
    for each in (extract, alone) if extract.parts else (alone,):
        (start, end), *rest = each.parts or ((each.start, each.end),)
        if each is not extract:
            yield each
        if mark := _MARK.match(extract.hit.passage.text, start, end):
            begins = mark.end() if start == extract.start else extract.start
            yield replace(each, start=begins, parts=((mark.end(), end), *rest))


def _led_in(quote: Quote, index: DocumentIndex, *, items: bool) -> Quote:
    """The quote, preceded by the lead-in of its list if that changes its meaning ("We reject:"); with `items`
    also if the quote begins with an item and its lead-in is short."""
    around = Surroundings.of(index, quote.spans, quote.text)
    if around is None or around.lead_in is None:
        return quote
    short = around.lead_in.end - around.lead_in.body <= _LEAD_IN_WORDS
    introduced = items and short and around.touched[0].item and around.introduced
    return quote_from_spans(index.pages, around.with_lead_in) if introduced or around.left_out else quote


def _grown(quote: Quote, index: DocumentIndex) -> Quote:
    """The quote, completed to the sentences in which it begins and ends if the rest may change its meaning
    and is not too long."""
    around = Surroundings.of(index, quote.spans, quote.text)
    if around is None or len(around.stretches) > 1 or around.left_out is not LeftOut.UNSURE:
        return quote
    whole = quote_from_spans(index.pages, around.whole)
    return whole if len(whole.text) - len(quote.text) <= _REST_CHARACTERS else quote


def with_key_words(
    citations: Sequence[Citation], wanted: frozenset[str], language: str
) -> tuple[Citation, ...]:
    """Citations with the terms `wanted` (in `language`) marked in their quotes. If a sentence carries the
    quote, an amount in it is marked with its unit; without one the answering words cannot be singled out, and
    the whole sentence is kept."""
    return tuple(replace(item, key_words=_worth_finding(item, wanted, language)) for item in citations)


def _worth_finding(item: Citation, wanted: frozenset[str], language: str) -> tuple[Range, ...]:
    text, written = item.quote.text, item.edition.document.fields.language
    if not item.key_words:
        return key_words(text, wanted, language, written)
    found = [
        (start + first, start + last)
        for start, end in item.key_words
        for first, last in key_words(text[start:end], wanted, language, written)
    ]
    said = [text[first:last] for first, last in found]
    states_amount = (
        any(_AMOUNT.search(each) for each in said) and len(" ".join(said).split()) <= _CARRYING_WORDS
    )
    return tuple(found) if states_amount else item.key_words


def topic_of(citations: Sequence[Citation], result: SearchResult) -> str:
    """The topic asked about, limited to what quotes in the language of the question mention; all of it if
    other wordings were searched; else what the heading above them names of it. Without the names of those
    quoted and of their documents."""
    subject, language = result.subject, result.plan.language
    beside = _named_beside(citations, result)
    if subject.said:
        return topic(subject.said, language, beside=beside)
    said = [item.quote.text for item in citations if item.edition.document.fields.language == language]
    asked = in_capitals(subject.text, language, said)
    about = topic(asked, language, terms(" ".join(said), language) if said else None, beside)
    return about or _heading_about(citations, result)


def _named_beside(citations: Sequence[Citation], result: SearchResult) -> frozenset[str]:
    """The terms of names that say whose words are quoted, and of their documents' kinds."""
    fields = [item.edition.document.fields for item in citations]
    who = {name for each in fields for name in each.parties} | {each.jurisdiction for each in fields}
    above = {code for code in who if code} | {code.partition("-")[0] for code in who if code}
    names = [writing for writing, key in result.plan.question.called if key in above]
    kinds = [word for each in fields for word in kind_words(each)]
    return terms(" ".join([*names, *kinds]), result.plan.language)


def _heading_about(citations: Sequence[Citation], result: SearchResult) -> str:
    """The heading above the quotes from one document, if it names the topic asked about."""
    passages = {hit.passage.id: hit.passage for hit in result.best}
    first, *rest = citations or (None,)
    passage = passages.get(first.passage) if first and first.passage else None
    if first is None or passage is None or any(item.edition != first.edition for item in rest):
        return ""
    fields = first.edition.document.fields
    heading = shown_heading(heading_over(passage), fields)
    asked = result.subject.key_terms
    return heading if asked and names_topic(asked, terms(heading, fields.language)) else ""


def relabelled(citations: Sequence[Citation]) -> tuple[Citation, ...]:
    """Citations with labels S1, S2, ... and F1, F2, ... without gaps."""
    labels = Labels()
    return tuple(replace(item, label=labels.next(item.kind)) for item in citations)


# The heading above a quote as shown in a citation: a name for its topic, set as running text is.
#
# Headings were recognised by their type. Some are not names: sentences set large, truncated lines, codes that
# only number chapters, the title of the document itself. Those are left out; a citation without a heading has
# its page.

_KINDS = tuple(field.name for field in dataclasses.fields(DocumentTypeWords))

RECURRING = 3
"""Minimum nearby passages with the same line for it to be a running head."""

NEARBY = 30
"""Passages before and after a quote that are examined for it."""

_CODE = re.compile(r"^(?:[A-Z]{1,4}\d{1,3}|[A-Z]\.)\s*:?\s+")
_CUT = re.compile(r"(?:…|\.\.\.|[,;:(–—-])\s*$")
_NUMBER = re.compile(r"^\W*(?:\d{1,3}(?:\.\d{1,3})*|[IVX]{1,5}(?:\.\d{1,3})?)[.)]?\s+")
_SENTENCE_ENDS = re.compile(r"[.!][\"”“»«’)]*$")
_LETTERS = re.compile(r"[^\W\d_]+")


def heading_over(passage: Passage) -> str:
    """The innermost heading above `passage`, as read."""
    return passage.heading.rpartition(SEPARATOR)[2]


def recurs(heading: str, nearby: Sequence[Passage]) -> bool:
    """Whether a line recurs often in `nearby`: a running head, or a caption that names nothing."""
    return sum(heading in passage.text.split("\n") for passage in nearby) >= RECURRING


def shown_heading(heading: str, fields: DocumentFields) -> str:
    """`heading` as it is shown with a quote of a document with `fields`; empty if it names nothing."""
    text = _CODE.sub("", unicodedata.normalize("NFKC", heading).strip())
    bare = _NUMBER.sub("", text)
    names = [each.casefold() for each in (fields.title, *fields.parties, *fields.aliases)]
    if not bare or any(bare.casefold() in name for name in names) or _names_its_kind(bare):
        return ""
    if _is_fragment(bare, fields.language) or _is_sentence(bare):
        return ""
    if not bare.isupper() or len(_LETTERS.findall(bare)) < 1:
        return text
    written = in_small_letters(bare, fields.language)
    return text[: len(text) - len(bare)] + written if written else ""


def in_small_letters(capitals: str, language: str) -> str:
    """`capitals` as written in running text; empty if the dictionary cannot tell."""
    if language not in tags():
        return ""
    said = [word[0] for word in _LETTERS.finditer(capitals)]
    written = [_small(word, language) for word in said]
    for n, after in reversed([*enumerate(written[1:])]):
        if not written[n] and after[:1].isupper() and _is_adjective(said[n].lower(), language):
            written[n] = said[n].lower()
    if not all(written):
        return ""
    rest = iter(written)
    text = _LETTERS.sub(lambda _: next(rest), capitals)
    return text[:1].upper() + text[1:]


def _small(word: str, language: str) -> str:
    """A word in capitals as written within a sentence; empty if ambiguous."""
    low, large = word.lower(), word.capitalize()
    if is_function_word(low, language):
        return low
    known_low = _is(low, language)
    if not of(language).topics.nouns_have_capitals:
        return low if known_low else ""
    known_large = _is(large, language)
    if known_low == known_large:
        return ""
    return large if known_large else low


def _is_adjective(low: str, language: str) -> bool:
    """Whether a word that may be in either case has the adjective ending required by the following noun."""
    lemma = lemmas.lemma(low, language)
    return _is(low, language) and low != lemma and low.startswith(lemma)


def _is(word: str, language: str) -> bool:
    """Whether a dictionary has `word` in this spelling, and its base form as well."""
    lemma = lemmas.lemma(word, language)
    known = lemmas.is_known(word, language)
    return known and lemma[:1].isupper() == word[:1].isupper()


def kind_words(fields: DocumentFields) -> list[str]:
    """The words of a document's title that state its kind: "Merkblatt"."""
    return [word for word in _LETTERS.findall(fields.title) if _names_its_kind(word)]


def _names_its_kind(text: str) -> bool:
    """Whether a heading only states the kind of its document."""
    kinds = [getattr(each.document_types, kind) for each in every() for kind in _KINDS]
    return any(re.fullmatch(f"(?:{phrase})", text, re.IGNORECASE) for found in kinds for phrase in found)


def _is_fragment(text: str, language: str) -> bool:
    last = _LETTERS.findall(text)[-1:]
    return bool(
        _CUT.search(text)
        or text[:1].islower()
        or not last
        or (text[-1:].isalpha() and is_function_word(last[0].lower(), language))
    )


def _is_sentence(text: str) -> bool:
    """Whether a line says what somebody does, rather than just naming a topic."""
    return bool(_SENTENCE_ENDS.search(text)) or commits(text, present=True)
