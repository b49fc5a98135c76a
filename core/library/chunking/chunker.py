"""From pages to passages: the one entry point. Questions are kept with their answers, contents left out."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from core.domain.documents import STATUTORY_TYPES, DocumentType
from core.domain.pages import Page
from core.domain.passages import PassageDraft, Section
from core.evidence.text import Vocabulary
from core.library.chunking.attribution import Speakers, own_names
from core.library.chunking.layout import (
    ROW,
    Metrics,
    Paragraph,
    ParagraphRole,
    in_readable_script,
    metrics,
    paragraphs,
    split_footnotes,
    split_margin,
)
from core.library.chunking.numbering import QUESTION, Mark, best_sequence
from core.library.chunking.packing import CountTokens, Packed, drafts, join_fragments, pack_units, pieces_of
from core.library.chunking.prose import heading_of, pack_prose
from core.library.chunking.statutes import find_sections, pack_statute
from core.library.chunking.tables import (
    Regions,
    figures_of,
    running_words,
    split_tables,
    with_figures,
    with_tables,
)
from core.library.chunking.text import Line, page_lines, upright_size
from core.library.chunking.voices import mark_others
from core.library.references import section_id

# Frequently asked questions: a passage is a numbered question with its answer.


_MIN_QUESTIONS = 5
_ASKING = 0.7
_MAX_QUESTION_LINES = 5


def find_questions(lines: Sequence[Line]) -> list[tuple[Mark, int]]:
    """The numbered questions of a document, each with the line after it; empty if it is not a list of
    questions."""
    chain = best_sequence(lines, (QUESTION,), "question")
    asked = [(mark, end) for mark in chain if (end := _question_end(lines, mark)) is not None]
    return asked if len(asked) >= max(_MIN_QUESTIONS, _ASKING * len(chain)) else []


def _question_end(lines: Sequence[Line], mark: Mark) -> int | None:
    """The line after the question mark that ends the question, if it is one."""
    for at in range(mark.line, min(mark.line + _MAX_QUESTION_LINES, len(lines))):
        if lines[at].text.rstrip("”\"’' )").endswith("?"):
            return at + 1
    return None


def pack_questions(
    lines: Sequence[Line],
    questions: Sequence[tuple[Mark, int]],
    usual: Metrics,
    vocabulary: Vocabulary,
    title: str,
    language: str,
    names: Sequence[str],
) -> list[Packed]:
    """The text before the questions as running text, then question by question. `names` are those of the
    document's author."""
    forced = frozenset(id(lines[i]) for mark, end in questions for i in (mark.line, end) if i < len(lines))
    made = paragraphs(lines, usual, vocabulary, forced)
    mark_others(made, language, names)
    starts = {id(lines[mark.line]) for mark, _ in questions}
    first = [i for i, paragraph in enumerate(made) if id(paragraph.lines[0]) in starts]
    packed = pack_prose(made[: first[0]], title, language)
    above: list[str] = []
    for (mark, _), begin, stop in zip(questions, first, [*first[1:], len(made)], strict=True):
        group, headings = _without_headings(made[begin:stop])
        packed += _pack_question(mark, group, above, title, language)
        above = headings or above
    return packed


def _without_headings(group: Sequence[Paragraph]) -> tuple[list[Paragraph], list[str]]:
    """An answer without the headings at its end, which belong to the following questions."""
    end = len(group)
    while end > 2 and group[end - 1].role is ParagraphRole.HEADING:
        end -= 1
    return list(group[:end]), [paragraph.text for paragraph in group[end:]]


def _pack_question(
    mark: Mark, group: Sequence[Paragraph], names: Sequence[str], title: str, language: str
) -> list[Packed]:
    question = group[0].text
    section = Section(id=section_id("question", mark.label), title=question, hierarchy=tuple(names))
    parts = pack_units([pieces_of(paragraph, language) for paragraph in group])
    return [
        Packed(part, heading_of(title, [*names, question] if i else names), section)
        for i, part in enumerate(parts)
    ]


# Tables of contents and indexes: they name everything and state nothing, so they are left out.


_LEADERS = ".…·_\ufffd"
_LEADER = re.compile(rf"(?:[{_LEADERS}]\s*+){{4}}")
_LONG_LEADER = 8
_TITLE = re.compile(
    r"(?:\W*(?:inhalt|inhaltsverzeichnis|inhaltsübersicht|gliederung|(?:table of )?contents|index|"
    r"stichwortverzeichnis|stichwortregister|sachregister|(?:arrangement of|list of) "
    r"(?:sections|articles|rules|clauses|chapters)))\W*",
    re.IGNORECASE,
)
_LAST_NUMBER = re.compile(r"(?<!\d)(?<!\d[.,:])(\d{1,4})(?:\s?[-–]\s?\d{1,4})?[^\w€$£¥%‰°]*$")
"""The number that a line ends with: of a page, no price, share or time."""
_ONLY_NUMBER = re.compile(r"(?:Seite|S\.|page|p\.)?\s*\d{1,4}(?:\s?[-–]\s?\d{1,4})?", re.IGNORECASE)
_PAGES = r"\d{1,4}(?:\s?[–-]\s?\d{1,4})?(?:\s?ff?\.)?"
_INDEX_ENTRY = re.compile(
    rf"\D{{3,80}}?,?\s{_PAGES}(?:,\s?{_PAGES})*,?|\D{{2,60}}?\s(?:siehe|see|→)\s.*|[A-ZÄÖÜ]"
)
_SENTENCE_END = re.compile(r"[.!?][\"“”»)]?$")

_MIN_ENTRIES = 5
_SHARE_OF_LINES = 0.35
_INCREASING = 0.75
_WRAPPED_LINES = 4
_WIDE_GAP = 1.8
_MIN_INDEX_LINES = 15
_DIFFERENT = 0.6
"""Share of entries on different pages."""
_FEW_PAGES = 3
_LATE = 0.75
"""Share of a document's pages after which an index begins, if nothing names it."""
_EARLY = 8
"""The last page on which a table of contents begins, if nothing names it."""


def without_contents(lines: Sequence[Line], pages: int) -> list[Line]:
    """`lines` without those of tables of contents and indexes; `pages` is the number of pages."""
    kept: list[Line] = []
    listing = False
    for _, group in groupby(lines, key=lambda line: line.page):
        page = list(group)
        first, last = _listing(page, pages, listing)
        listing = last - first > len(page) / 2
        kept += page[:first] + page[last:]
    return kept


def _listing(page: Sequence[Line], pages: int, goes_on: bool) -> tuple[int, int]:
    """The range of the page's lines occupied by a table of contents or an index; empty if there is none.

    `goes_on`: the previous page was one.
    """
    titles = [i for i, line in enumerate(page[:8]) if _TITLE.fullmatch(line.text)]
    entries = list(_entries(page, pages, bool(titles) or goes_on))
    expected = bool(titles) or goes_on
    enough = 3 if expected else _MIN_ENTRIES
    numbers = [number for _, number in entries]
    if len(entries) >= enough and _increasing(numbers) and (expected or _are_pages(page, entries, pages)):
        first, last = _extent(page, [i for i, _ in entries], titles)
        if len(entries) >= _SHARE_OF_LINES * (last - first) * (0.6 if expected else 1):
            return first, last
    if titles and pages > _FEW_PAGES and _mere_titles(page):
        return 0, len(page)
    if page[0].page > _LATE * pages and _is_index(page, pages):
        return 0, len(page)
    return 0, 0


def _are_pages(page: Sequence[Line], entries: Sequence[tuple[int, int]], pages: int) -> bool:
    """Whether the numbers at the ends of lines are those of pages, if nothing else says so: leaders lead to
    them, or they go through the document. A table's numbers increase as well, but seldom that far."""
    led = sum(_LEADER.search(page[i].text) is not None for i, _ in entries)
    numbers = {number for _, number in entries}
    through = len(numbers) >= _DIFFERENT * len(entries) and max(numbers) - min(numbers) >= pages / 2
    early = page[0].page <= _EARLY and pages > _FEW_PAGES
    return 2 * led >= len(entries) or (early and through)


def _last_page(pages: int) -> float:
    """The highest number that a page may have: prefaces and excerpts are numbered otherwise."""
    return 1.3 * pages + min(20, pages)


def _entries(page: Sequence[Line], pages: int, expected: bool) -> Iterator[tuple[int, int]]:
    """Lines that end with a page number set apart from the text, and that number. If a table of contents is
    `expected`, a leader suffices; elsewhere it is a blank to fill in."""
    last = 0
    for i, line in enumerate(page):
        text = line.text
        number = _LAST_NUMBER.search(text)
        if number is None and expected and _ends_in_leader(text):
            yield i, last
        if number is None or int(number[1]) > _last_page(pages):
            continue
        beside = i > 0 and abs(page[i - 1].y0 - line.y0) < line.size
        apart = len(line.words) > 1 and _gap_before_last(line) > _WIDE_GAP * line.size
        if _LEADER.search(text) or apart or (beside and _ONLY_NUMBER.fullmatch(text)):
            last = int(number[1])
            yield i, last


def _ends_in_leader(text: str) -> bool:
    """Whether the text ends with a leader of at least `_LONG_LEADER` characters, with or without white
    space."""
    at, signs = len(text), 0
    while at and signs < _LONG_LEADER and (text[at - 1] in _LEADERS or text[at - 1].isspace()):
        at -= 1
        signs += text[at] in _LEADERS
    return signs == _LONG_LEADER


def _gap_before_last(line: Line) -> float:
    """The widest space before one of the last four words, in points."""
    tail = line.words[-5:]
    return max(right.box.x0 - left.box.x1 for left, right in pairwise(tail))


def _increasing(numbers: Sequence[int]) -> bool:
    steps = list(pairwise(numbers))
    return sum(a <= b for a, b in steps) >= _INCREASING * len(steps)


def _extent(page: Sequence[Line], entries: Sequence[int], titles: Sequence[int]) -> tuple[int, int]:
    """From the title or the first entry (its title may take more lines) to the last entry."""
    first = titles[0] if titles else entries[0]
    while (
        first > 0 and entries[0] - first < _WRAPPED_LINES and not _SENTENCE_END.search(page[first - 1].text)
    ):
        first -= 1
    return first, entries[-1] + 1


def _mere_titles(page: Sequence[Line]) -> bool:
    """Whether a page under the title "Contents" holds no sentences."""
    ended = sum(bool(_SENTENCE_END.search(line.text)) for line in page)
    return len(page) >= _MIN_ENTRIES and ended <= 0.15 * len(page)


def _is_index(page: Sequence[Line], pages: int) -> bool:
    entries = [each.text for each in page if _INDEX_ENTRY.fullmatch(each.text) and not ROW.match(each.text)]
    initials = [text[0].casefold() for text in entries]
    numbers = [int(found[1]) for text in entries if (found := _LAST_NUMBER.search(text))]
    beyond = sum(number > _last_page(pages) for number in numbers)
    return 4 * beyond <= len(numbers) and (
        len(entries) >= _MIN_INDEX_LINES
        and len(entries) >= 0.6 * len(page)
        and sum(a <= b for a, b in pairwise(initials)) >= _INCREASING * (len(initials) - 1)
    )


SECTIONS_NOT_FOUND = "sections.not_found"
"""Warning: a statute whose sections could not be identified was cut as running text."""
OTHER_SCRIPT = "text.other_script"
"""Warning: parts in another script than the document's language were left out."""
STRUCK = "text.struck"
"""Warning: words are struck out on the pages listed after a colon; no passage contains them."""

_OWN_KINDS = {
    DocumentType.ACT: "section",
    DocumentType.RULES: "rule",
    DocumentType.REGULATION: "regulation",
    DocumentType.CIRCULAR: "section",
}
_OTHER_SCRIPT_LINES = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkResult:
    """Passages in document order, footnotes last; `warnings` are message keys."""

    passages: tuple[PassageDraft, ...]
    warnings: tuple[str, ...] = ()


def struck_pages(warnings: Sequence[str]) -> list[int]:
    """The pages with struck-out words, according to a version's warnings."""
    named = (rest for key, _, rest in (each.partition(":") for each in warnings) if key == STRUCK)
    return [int(number) for rest in named for number in rest.split(",") if number.isdecimal()]


@dataclass(frozen=True, slots=True)
class _Source:
    """What is known about a document besides its lines."""

    pages: Sequence[Page]
    title: str
    language: str
    usual: Metrics
    vocabulary: Vocabulary
    names: tuple[str, ...] | None  # names of the document's author; a statute speaks only in its own name


def chunk(
    pages: Sequence[Page],
    *,
    doc_type: DocumentType,
    language: str,
    title: str,
    count_tokens: CountTokens,
    max_tokens: int = 480,
    parties: Sequence[str] = (),
    regions: Regions | None = None,
) -> ChunkResult:
    """Cut a document, furniture already marked, into passages. Pages may be missing from `pages`.

    Statutory types are cut by sections if their numbering is plausible, lists of questions by questions,
    everything else as running text. No passage exceeds `max_tokens` including its heading (`count_tokens`
    takes a batch of texts). `title` is put into headings; `language` is "de" or "en"; `parties` are those
    whose document it is. `regions` are the tables and figures by page: rows and captions become passages of
    their own. Pure, deterministic.
    """
    figures = figures_of(pages, regions or {})
    lines = [line for page in pages for line in page_lines(page, running_words(page, figures))]
    readable = [line for line in lines if in_readable_script(line)]
    warnings = []
    if len(lines) - len(readable) > _OTHER_SCRIPT_LINES * len(lines):
        warnings.append(OTHER_SCRIPT)
    if struck := [str(page.number) for page in pages if any(word.struck for word in page.words)]:
        warnings.append(f"{STRUCK}:{','.join(struck)}")
    vocabulary = Vocabulary.of(pages)
    text = without_contents(readable or lines, len(pages))
    names = None if doc_type in STATUTORY_TYPES else own_names(parties, title)
    speakers = None if names is None else Speakers(names, language == "de")
    text, tables = split_tables(text, pages, regions or {}, vocabulary, speakers)
    source = _Source(pages, title, language, metrics(text), vocabulary, names)
    text, notes = split_footnotes(text, source.usual, {page.number: upright_size(page)[1] for page in pages})
    packed = _statute(text, doc_type, source)
    if packed is None:
        packed = _questions(text, source) or _running(text, source)
        if doc_type in STATUTORY_TYPES:
            warnings.append(SECTIONS_NOT_FOUND)
    packed = with_tables(join_fragments(packed), tables, title, language)
    packed = with_figures(packed, figures, vocabulary, title, language)
    packed += join_fragments(_running(notes, source))
    return ChunkResult(passages=tuple(drafts(packed, count_tokens, max_tokens)), warnings=tuple(warnings))


def _running(lines: Sequence[Line], source: _Source) -> list[Packed]:
    made = paragraphs(lines, source.usual, source.vocabulary)
    if source.names is not None:
        mark_others(made, source.language, source.names)
    return pack_prose(made, source.title, source.language)


def _questions(lines: Sequence[Line], source: _Source) -> list[Packed]:
    """The passages of a list of questions; empty if it is not one."""
    questions = find_questions(lines)
    if not questions:
        return []
    own = (source.usual, source.vocabulary, source.title, source.language)
    return pack_questions(lines, questions, *own, source.names or ())


def _statute(lines: Sequence[Line], doc_type: DocumentType, source: _Source) -> list[Packed] | None:
    """The passages of a statute, or None if it is not one or its sections are not found."""
    if doc_type not in STATUTORY_TYPES:
        return None
    text, margin = split_margin(lines, {page.number: upright_size(page)[0] for page in source.pages})
    statute = find_sections(
        text, margin, lines, _OWN_KINDS[doc_type], source.vocabulary, german=source.language == "de"
    )
    if statute is None:
        return None
    return pack_statute(statute, source.usual, source.vocabulary, source.title, source.language)
