"""Whether a reader of the page sees the words that are quoted from it. Runs in the worker."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pymupdf

from adapters.pymupdf.ink import MIN_RANGE, Box, Letter, Sample, Views, inside, letters_near
from adapters.pymupdf.protocol import Unsure
from adapters.pymupdf.rectangles import page_of, upright
from adapters.pymupdf.shapes import Judge, Strokes
from adapters.pymupdf.sworn import Lie, Witness
from core.domain.pages import Doubt

_MIN_WIDTH = 0.35
"""Points; the second half of a ligature is narrower."""
_CELL = 8.0  # points; where letters are looked up
_INNER = 0.25
"""Share of a letter's box, on each side, where the middle of a neighbour may be."""
_REDACTED = 0.35
"""Share of a word's height, above and below, that is left out when it is taken away: other lines stay."""


class Look(NamedTuple):
    """Why words are not what a reader sees, and the letters that nothing vouches for. `said`: the letters and
    digits of each word, where there are such."""

    doubt: Doubt | None = None
    unsure: Sequence[Unsure] = ()
    said: Sequence[str] = ()


def look_on(document: Any, number: int, words: Sequence[Box], *, scan: bool) -> Look:
    """`look` of 1-based page `number`. Raises PdfError: no_such_page."""
    with upright(page_of(document, number)) as page:
        return look(page, words, scan=scan)


def look(page: Any, words: Sequence[Box], *, scan: bool) -> Look:
    """Why the words in these boxes (of the unrotated crop box; the page is not rotated) are not what a reader
    sees. `scan`: they are an invisible layer over a picture, which is examined instead."""
    if not words:
        return Look()
    views = Views(page, words)
    if scan:
        shown = all(views.range(box) >= MIN_RANGE for box in words)
        return Look(None if shown else Doubt.NO_INK)
    near = letters_near(page, words)
    places = [letter.middle for letter in near]
    own = [
        [letter for letter, (x, y) in zip(near, places, strict=True) if x0 <= x <= x1 and y0 <= y <= y1]
        for x0, y0, x1, y1 in words
    ]
    if _overprinted((letter for letters in own for letter in letters), near):
        return Look(Doubt.NO_INK)
    unseen = [box for box, letters in zip(words, own, strict=True) if not _is_seen(views, letters)]
    if unseen and not _change_the_page(page, unseen, near):
        return Look(Doubt.NO_INK)
    strokes = Strokes(views.painted, words)
    judge = Judge(strokes)
    try:
        unsure = Witness(views.painted, words, strokes).unsure(own)
    except Lie:
        return Look(Doubt.OTHER_LETTERS)
    lying = any(judge.lies(letter) for letters in own for letter in letters)
    said = ["".join(letter.text for letter in letters if letter.text.isalnum()) for letters in own]
    return Look(Doubt.OTHER_LETTERS if lying else None, unsure, said if unsure else ())


def _overprinted(own: Iterable[Letter], near: Sequence[Letter]) -> bool:
    """Whether another letter stands in the place of one of `own`."""
    places: dict[tuple[int, int], list[Letter]] = {}
    for letter in filter(_tells, near):
        x, y = letter.middle
        places.setdefault((int(x / _CELL), int(y / _CELL)), []).append(letter)
    return any(_others(letter, places) for letter in own if _tells(letter))


def _others(letter: Letter, places: Mapping[tuple[int, int], list[Letter]]) -> bool:
    x0, y0, x1, y1 = letter.box
    across, down = _INNER * (x1 - x0), _INNER * (y1 - y0)
    inner = (x0 + across, y0 + down, x1 - across, y1 - down)
    columns = range(int(inner[0] / _CELL), int(inner[2] / _CELL) + 1)
    rows = range(int(inner[1] / _CELL), int(inner[3] / _CELL) + 1)
    if len(columns) * len(rows) > len(places):
        found = [other for letters in places.values() for other in letters]
    else:
        found = [other for x in columns for y in rows for other in places.get((x, y), ())]
    return any(
        inside(inner, other.middle) and other.text.casefold() != letter.text.casefold() for other in found
    )


def _tells(letter: Letter) -> bool:
    """Whether it is a letter or digit with a place of its own, not the second half of a ligature."""
    x0, y0, x1, y1 = letter.box
    return letter.text.isalnum() and x1 - x0 >= _MIN_WIDTH and y1 - y0 >= _MIN_WIDTH


def _is_seen(views: Views, letters: Sequence[Letter]) -> bool:
    """Whether a word has ink, and each of its letters and digits."""
    if letters and not any(letter.text.isalnum() for letter in letters):
        return True  # dashes, dots and bullets say nothing
    samples = [views.look(letter.box) for letter in letters if _tells(letter)]
    whole = Sample()
    for sample in samples:
        whole = whole.plus(sample)
    return bool(samples) and whole.is_seen and all(sample.is_seen for sample in samples)


def _change_the_page(page: Any, words: Sequence[Box], near: Sequence[Letter]) -> bool:
    """Whether the page changes at each letter of `words` when just these are taken out of its content. Text
    that is a stencil for a gradient or a drawing of its own has no strokes that could be left out."""
    views = Views(page, words)
    if any(views.look(box).strokes for box in words):
        return False  # painted, and covered or of the colour behind it
    copy = pymupdf.open()
    try:
        only = {"from_page": page.number, "to_page": page.number}
        copy.insert_pdf(page.parent, **only, links=False, annots=False, widgets=False)
        bare: Any = copy[0]
        bare.set_rotation(0)
        for x0, y0, x1, y1 in words:
            cut = _REDACTED * (y1 - y0)
            bare.add_redact_annot(pymupdf.Rect(x0, y0 + cut, x1, y1 - cut), fill=False, cross_out=False)
        bare.apply_redactions(images=0, graphics=0, text=0)
        views.compare(copy[0])
        return all(views.look(letter.box).is_seen for letter in _of(words, near))
    finally:
        copy.close()


def _of(words: Sequence[Box], near: Sequence[Letter]) -> Iterator[Letter]:
    for letter in near:
        if _tells(letter) and any(inside(box, letter.middle) for box in words):
            yield letter
