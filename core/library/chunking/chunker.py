"""From pages to passages: the one entry point."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.documents import STATUTORY_TYPES, DocumentType
from core.domain.pages import Page
from core.domain.passages import PassageDraft
from core.evidence.text import Vocabulary
from core.library.chunking.attribution import Speakers, own_names
from core.library.chunking.contents import without_contents
from core.library.chunking.layout import Metrics, metrics, paragraphs
from core.library.chunking.notes import in_readable_script, split_footnotes, split_margin
from core.library.chunking.packing import CountTokens, Packed, drafts, join_fragments
from core.library.chunking.prose import pack_prose
from core.library.chunking.questions import find_questions, pack_questions
from core.library.chunking.statutes import find_sections, pack_statute
from core.library.chunking.tables import (
    Regions,
    figures_of,
    running_words,
    split_tables,
    with_figures,
    with_tables,
)
from core.library.chunking.voices import mark_others
from core.library.lines import Line, page_lines, upright_size

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
