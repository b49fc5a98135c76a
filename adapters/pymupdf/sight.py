"""Whether a reader of the page sees the words that are quoted from it. Runs in the worker."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import pymupdf

from adapters.pymupdf.ink import MIN_RANGE, Box, Letter, Sample, Views, inside, letters_near
from adapters.pymupdf.protocol import Unsure
from adapters.pymupdf.rectangles import page_of, upright
from adapters.pymupdf.shapes import Strokes
from adapters.pymupdf.sworn import Lie, Witness
from core.domain.pages import Doubt

_MIN_WIDTH = 0.35
"""Points; the second half of a ligature is narrower."""
_CELL = 8.0  # points; where letters are looked up
_LARGER = 1.5
MOST_BEHIND = 0.6
"""Share of the contrast in a letter's place that other text there may have."""
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
    own = [_own(near, box) for box in words]
    if _unreadable([letter for letters in own for letter in letters if _tells(letter)], near, views):
        return Look(Doubt.NO_INK)
    unseen = [box for box, letters in zip(words, own, strict=True) if not _is_seen(views, letters)]
    if unseen and not _change_the_page(page, unseen, near):
        return Look(Doubt.NO_INK)
    try:
        unsure = Witness(views.painted, words, Strokes(views.painted, words, views.letters)).unsure(own)
    except Lie:
        return Look(Doubt.OTHER_LETTERS)
    doubt = Doubt.COMPARE if any(letter.plain for letter in unsure) else None
    said = ["".join(letter.text for letter in letters if letter.text.isalnum()) for letters in own]
    return Look(doubt, unsure, said if unsure else ())


def _own(near: Sequence[Letter], box: Box) -> list[Letter]:
    """The letters of the word in a box, not those of a watermark that runs across it, askew or larger."""
    found = [letter for letter in near if inside(box, letter.middle)]
    level = any(letter.turn is not None for letter in found)
    return [
        letter
        for letter in found
        if (letter.turn is not None or not level)
        and _height(letter.box, letter) <= _LARGER * _height(box, letter)
    ]


def _height(box: Box, letter: Letter) -> float:
    """How high a box is as a letter in it is written."""
    return box[2] - box[0] if letter.turn in (90, 270) else box[3] - box[1]


def _unreadable(own: Sequence[Letter], near: Sequence[Letter], views: Views) -> bool:
    """Whether some of `own` cannot be read because of other text in their places. Where that is larger and
    paler, as a watermark is, they are compared from then on with the page without them, watermark and all."""
    places: dict[tuple[int, int], list[Letter]] = {}
    for letter in filter(_tells, near):
        x0, y0, x1, y1 = (int(value / _CELL) for value in letter.box)
        for place in product(range(x0, x1 + 1), range(y0, y1 + 1)):
            places.setdefault(place, []).append(letter)
    crossed = {letter: others for letter in own if (others := _crossing(letter, places))}
    if not crossed:
        return False
    if not {other for others in crossed.values() for other in others}.isdisjoint(own):
        return True  # two words in one place
    views.only(own)
    return any(
        views.range(_inner(letter.box), bare=True) > MOST_BEHIND * views.range(letter.box)
        for letter in crossed
    )


def _inner(box: Box) -> Box:
    """The middle of a letter's box, which lines above and below do not reach."""
    x0, y0, x1, y1 = box
    across, down = _INNER * (x1 - x0), _INNER * (y1 - y0)
    return x0 + across, y0 + down, x1 - across, y1 - down


def _crossing(letter: Letter, places: Mapping[tuple[int, int], list[Letter]]) -> list[Letter]:
    """The other letters whose middle is in the place of this one, and larger ones that this one's is in."""
    inner, (x, y) = _inner(letter.box), letter.middle
    return [
        other
        for other in places.get((int(x / _CELL), int(y / _CELL)), ())
        if other.text.casefold() != letter.text.casefold()
        and (inside(inner, other.middle) or (_is_larger(other, letter) and inside(other.box, letter.middle)))
    ]


def _is_larger(one: Letter, other: Letter) -> bool:
    return one.box[3] - one.box[1] > _LARGER * (other.box[3] - other.box[1])


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
    return (
        bool(samples)
        and whole.is_seen
        and all(each.is_inked if each.strokes else each.is_seen for each in samples)
    )


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
