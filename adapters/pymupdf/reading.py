"""A page of an open PDF as words with places. Runs in the worker.

Words come from PyMuPDF's structured text in its own order (sorting breaks two-column passages), without
annotations and form fields, in coordinates of the unrotated crop box.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby
from operator import itemgetter
from typing import Any

from pymupdf import mupdf

from adapters.pymupdf import characters, content, hidden, spaced, struck
from adapters.pymupdf.characters import WordDraft, compose
from adapters.pymupdf.columns import in_columns
from adapters.pymupdf.content import PageContent, extract
from adapters.pymupdf.figures import figures
from adapters.pymupdf.filled import Rect, in_place, typed_on
from adapters.pymupdf.initials import with_initials
from adapters.pymupdf.rectangles import PageRotation, upright
from adapters.pymupdf.tables import PageTable, tables
from core.domain.pages import (
    QUOTATION_INK,
    Box,
    Page,
    PageReading,
    PageTrouble,
    Region,
    RegionKind,
    TextSource,
    Word,
)

FAILURES = (RuntimeError, ValueError, LookupError, TypeError, AttributeError, mupdf.FzErrorBase)
"""Exceptions raised by PyMuPDF for broken files."""

COINCIDENT = 2.0
"""Points between the corners of a word and its duplicate."""


def read_page(document: Any, number: int, everything: Any = None) -> PageReading:
    """Read 1-based page `number`. `everything` is the same file with all layers switched on, if it has
    layers. Raises one of `FAILURES` for a broken page."""
    page = document[number - 1]
    rotation, label = page.rotation % 360, _label(page)
    with upright(page):
        shown = everything[number - 1] if everything else page
        return _read_upright(page, shown, rotation, label, typed_on(document, number))


def _read_upright(
    page: Any, everything: Any, rotation: int, label: str | None, typed: Sequence[Rect]
) -> PageReading:
    texts = extract(page, everything)
    drafts, unseen, is_scan = _visible_words(page, texts)
    drafts = with_initials(spaced.joined(in_place(drafts, typed)))
    text, words, found = regions(page, rotation, texts, in_columns(struck.marked(page, texts, drafts)))
    source = TextSource.OCR if is_scan else TextSource.NATIVE
    return PageReading(
        page=Page(
            number=page.number + 1,
            label=label,
            width=page.rect.width,
            height=page.rect.height,
            rotation=rotation,
            text=text,
            words=words,
            text_source=source,
        ),
        trouble=content.trouble(text, words, hidden.image_share(page, texts.panels), source),
        hidden_characters=texts.dropped + unseen,
        regions=found,
    )


def broken_page(number: int) -> PageReading:
    """The placeholder for a page that cannot be read."""
    page = Page(number=number, label=None, width=0.0, height=0.0, rotation=0, text="", words=())
    return PageReading(page=page, trouble=PageTrouble.NO_TEXT, hidden_characters=0)


def _label(page: Any) -> str | None:
    try:
        text = page.get_label() or ""
    except FAILURES:  # a damaged number tree
        return None
    return "".join(c for c in text if c.isprintable()).strip()[:64] or None


def _visible_words(page: Any, texts: PageContent) -> tuple[list[WordDraft], int, bool]:
    """The words that can be seen, each once; the number of hidden characters; whether it is a scan."""
    placed = [(place, span) for place, spans in texts.spans.items() for span in spans]
    unseen, is_scan = hidden.hidden_spans(page, [span for _, span in placed], texts.panels)
    hidden_ids = {id(placed[i][1]) for i in unseen}
    drafts: list[WordDraft] = []
    for place, words in groupby(texts.words, key=itemgetter(5, 6)):
        spans = texts.spans.get(place, [])
        marks = characters.marks(spans, hidden_ids)
        drafts += characters.drafts(list(words), spans, marks, place)
    count = sum(len("".join(placed[i][1]["text"].split())) for i in unseen)
    if not is_scan:
        placed_words = [draft[:2] for draft in drafts]
        covered = hidden.covered(page, placed_words, texts.covers, texts.overlays, texts.overwritten)
        count += sum(len(drafts[i].text) for i in covered)
        drafts = [draft for i, draft in enumerate(drafts) if i not in covered]
    set_off = {place for place, spans in texts.spans.items() if all(map(_is_set_off, spans))}
    marked = (draft._replace(set_off=True) if draft.place in set_off else draft for draft in drafts)
    return list(_once(marked)), count, is_scan


def _is_set_off(span: dict[str, Any]) -> bool:
    return bool(span["color"] == QUOTATION_INK)


def _once(drafts: Iterable[WordDraft]) -> Iterator[WordDraft]:
    """Leave out words printed again at the place of the same word (doubled text layers, fake bold)."""
    seen: dict[tuple[str, int], list[tuple[float, float]]] = {}
    step = 2 * COINCIDENT
    for draft in drafts:
        text, (x, y, *_), *_ = draft
        rows = {int((y - COINCIDENT) / step), int((y + COINCIDENT) / step)}
        near = (corner for row in rows for corner in seen.get((text, row), ()))
        if not any(abs(x - a) < COINCIDENT and abs(y - b) < COINCIDENT for a, b in near):
            seen.setdefault((text, int(y / step)), []).append((x, y))
            yield draft


def regions(
    page: Any, rotation: int, texts: PageContent, drafts: Sequence[WordDraft]
) -> tuple[str, tuple[Word, ...], tuple[Region, ...]]:
    """Text and words of a page, and what stands on it apart from running text, from top to bottom; no word is
    in two regions. `page` is not turned, which it was by `rotation` degrees.

    The words of a table come row after row and cell after cell, whatever the order of the file, so that a row
    can be quoted as it is read; all other words keep their order.
    """
    turn = PageRotation(rotation, page.rect.width, page.rect.height)
    text, words = compose(drafts)
    found = tables(turn, texts, words)
    order = _by_rows(len(words), found)
    if order is not None:
        text, words = compose(_placed(drafts, order, found))
        found = _renumbered(found, order)
    made = [_region(table) for table in found]
    made += figures(page, rotation, text, words, words_of(made))
    return text, words, tuple(sorted(made, key=lambda region: region.box.y0))


def words_of(regions: Sequence[Region]) -> set[int]:
    """Indices of the words that belong to `regions`."""
    rows = {word for region in regions for row in region.rows for word in row}
    return rows | {word for region in regions for word in region.caption}


def _region(table: PageTable) -> Region:
    rows = zip(table.groups, table.rows, strict=True)
    return Region(
        kind=RegionKind.TABLE,
        box=Box(*table.box),
        rows=tuple((*group, *chain.from_iterable(row)) for group, row in rows),
        header_rows=table.header_rows,
        caption=tuple(table.caption),
    )


def _by_rows(count: int, found: Sequence[PageTable]) -> list[int] | None:
    """The indices of all words with the tables' in order, each table where its first word is; None where they
    are already."""
    starts = {min(table.words): table.words for table in found}
    inside = {word for table in found for word in table.words}
    order: list[int] = []
    for i in range(count):
        order += starts.get(i, [] if i in inside else [i])
    return None if order == list(range(count)) else order


def _placed(drafts: Sequence[WordDraft], order: Sequence[int], found: Sequence[PageTable]) -> list[WordDraft]:
    """Drafts in order. A cell becomes a block of its own, or parts of two would count as one line."""
    block = 1 + max(draft.place[0] for draft in drafts)
    places = {}
    for number, cell in enumerate(cell for table in found for row in table.rows for cell in row):
        lines = {place: line for line, place in enumerate(dict.fromkeys(drafts[word].place for word in cell))}
        places.update({word: (block + number, lines[drafts[word].place]) for word in cell})
    return [drafts[i]._replace(place=places.get(i, drafts[i].place)) for i in order]


def _renumbered(found: Sequence[PageTable], order: Sequence[int]) -> list[PageTable]:
    now = {word: i for i, word in enumerate(order)}
    return [
        table._replace(
            rows=[[[now[word] for word in cell] for cell in row] for row in table.rows],
            caption=[now[word] for word in table.caption],
            groups=[[now[word] for word in group] for group in table.groups],
        )
        for table in found
    ]
