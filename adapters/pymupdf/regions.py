"""Tables and figures of a page, and its words with the rows of its tables whole. Runs in the worker."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

from adapters.pymupdf.characters import WordDraft, compose
from adapters.pymupdf.content import PageContent
from adapters.pymupdf.figures import figures
from adapters.pymupdf.protocol import RawRegion, RawWord
from adapters.pymupdf.rectangles import PageRotation
from adapters.pymupdf.tables import PageTable, tables
from core.domain.pages import RegionKind


def regions(
    page: Any, rotation: int, texts: PageContent, drafts: Sequence[WordDraft]
) -> tuple[str, list[RawWord], list[RawRegion]]:
    """Text and words of a page, and what stands on it apart from running text, from top to bottom; no word is
    in two regions. `page` is not turned, which it was by `rotation` degrees.

    The words of a table come row after row and cell after cell, whatever the order of the file, so that a row
    can be quoted as it is read; all other words keep their order.
    """
    turn = PageRotation(rotation, page.rect.width, page.rect.height)
    text, words = compose(drafts)
    found = tables(turn, texts, text, words)
    order = _by_rows(len(words), found)
    if order is not None:
        text, words = compose(_placed(drafts, order, found))
        found = _renumbered(found, order)
    made = [_region(table) for table in found]
    made += figures(page, rotation, text, words, words_of(made))
    return text, words, sorted(made, key=lambda region: region.box[1])


def words_of(regions: Sequence[RawRegion]) -> set[int]:
    """Indices of the words that belong to `regions`."""
    rows = {word for region in regions for row in region.rows for word in row}
    return rows | {word for region in regions for word in region.caption}


def _region(table: PageTable) -> RawRegion:
    rows = [list(chain.from_iterable(row)) for row in table.rows]
    return RawRegion(RegionKind.TABLE, table.box, rows, table.header_rows, table.caption)


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
        )
        for table in found
    ]
