"""Text typed into form fields counts as part of the page. Runs in the worker.

Files keep it apart from the page's content. It is made part of that when the file is opened, so that it is
read, checked and marked like all other text.
"""

from collections.abc import Sequence
from typing import Any

from adapters.pymupdf.characters import Place, WordDraft

_FREE_TEXT = 2
_MOST_PAGES = 500
_HIDDEN = 2 | 32
"""Flags of fields that no viewer shows (ISO 32000-1, 12.5.3)."""
_BESIDE = 4.0
"""Maximum distance, in line heights, between a line and the typed text that continues it; unlimited after a
colon."""

Rect = tuple[float, float, float, float]


def bake(document: Any) -> None:
    """Make the appearance of fields part of the pages. `document.typed` are their boxes by the number of the
    page (from 0)."""
    if not document.is_form_pdf:
        return
    found: dict[int, list[Rect]] = {}
    for page in document:
        fields = [field for field in page.widgets() if field.field_value and not _is_hidden(field)]
        if fields and not page.rotation:
            found[page.number] = [tuple(field.rect) for field in fields]
    if found:
        document.bake(annots=False, widgets=True)
        document.typed = found


def _is_hidden(field: Any) -> bool:
    return bool(field._annot.flags & _HIDDEN)


def boxes_of_text(document: Any) -> int:
    """How many boxes of text are laid on pages (comments that look like text). They are not read."""
    numbers = range(min(document.page_count, _MOST_PAGES))
    found = (
        number
        for number in numbers
        if document.xref_get_key(document.page_xref(number), "Annots")[0] != "null"
    )
    return sum(
        bool(each.get_text().strip()) for number in found for each in document[number].annots([_FREE_TEXT])
    )


def typed_on(document: Any, number: int) -> Sequence[Rect]:
    """The boxes of what was typed on 1-based page `number`."""
    found: Sequence[Rect] = getattr(document, "typed", {}).get(number - 1, ())
    return found


def in_place(drafts: Sequence[WordDraft], boxes: Sequence[Rect]) -> list[WordDraft]:
    """The words of a page, with those in `boxes` moved to where they belong: files draw them last."""
    found = list(drafts)
    for box in boxes:
        own = [draft for draft in found if _holds(box, draft.box)]
        rest = [draft for draft in found if draft not in own]
        if not own:
            continue
        at, place = _where(rest, own[0])
        moved = [draft._replace(place=place) for draft in own] if place else own
        found = [*rest[:at], *moved, *rest[at:]]
    return found


def _holds(box: Rect, inner: Rect) -> bool:
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _where(drafts: Sequence[WordDraft], typed: WordDraft) -> tuple[int, Place | None]:
    """After how many of the words `typed` belongs, and in whose line, if it continues that."""
    x0, y0, _, y1 = typed.box
    middle, height = (y0 + y1) / 2, y1 - y0
    left = [
        at
        for at, draft in enumerate(drafts)
        if draft.box[1] <= middle <= draft.box[3] and -height < x0 - draft.box[2]
    ]
    if left:
        nearest = max(left, key=lambda at: drafts[at].box[2])
        beside = drafts[nearest]
        if x0 - beside.box[2] < _BESIDE * height or beside.text.endswith(":"):
            return nearest + 1, beside.place
    above = [at for at, draft in enumerate(drafts) if draft.box[3] <= middle]
    if not above:
        return 0, None
    last = max(above, key=lambda at: (drafts[at].box[3], drafts[at].box[2]))
    return last + 1, None
