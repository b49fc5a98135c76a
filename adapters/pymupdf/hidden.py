"""Text that a reader of the page does not see: it must not reach the index. A span is hidden when it is set
in the invisible render mode, fully transparent, under 2 pt, or indistinguishable from what is rendered in its
place. Colour alone is no test: white text on a coloured panel is common. Text that is clipped away or on a
switched-off layer never gets here; `reading` counts it. Runs in the worker.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from pymupdf import mupdf

from adapters.pymupdf.ink import MIN_CONTRAST, SAME_COLOUR, Sample, Views
from adapters.pymupdf.leaks import items, value_of

MIN_SIZE = 2.0
"""Points; anything smaller is not meant to be read."""
MAX_FAINT_ALPHA = 8
"""Opacity, of 255, that cannot be seen."""
MIN_BACKGROUND = 0.4
"""Share of a span's pixels that differ from its colour where it can be read. Glyphs cover up to a third of
their box, so what stands behind must show; visible text printed over it does not reach this share."""
OCR_IMAGE_SHARE = 0.7
"""An image over this share of the page, under mostly invisible text, is a scan with a text layer."""

_PAINTED = mupdf.FZ_STEXT_FILLED | mupdf.FZ_STEXT_STROKED
_MIN_PANEL = (8.0, 3.0)  # width and height in points below which nothing hides a word
_MOST_COVERS = 200
_SAME_SIZE = 2.5
"""Text over text that is so much larger is a stamp or a watermark through which one reads."""
_SCALE = 1.0  # pixels per point
_NEAR_WHITE = 255 - SAME_COLOUR << 16
_FAINT_ALPHA = 96  # opacity, of 255, that is considered

Rect = tuple[float, float, float, float]
SpanDict = dict[str, Any]


class Panel(NamedTuple):
    """Something painted that is no text: a filled or stroked shape, or an image."""

    rect: Rect
    is_image: bool


def covered(
    page: Any,
    words: Sequence[tuple[str, Rect]],
    covers: Sequence[Rect],
    overlays: Sequence[Panel],
    overwritten: Sequence[Rect],
) -> set[int]:
    """Indices of the words (text, box) that something painted over them, annotations among it, hides, or that
    are overwritten by lines of about their size."""
    written = {
        i for i, (_, box) in enumerate(words if overwritten else ()) if _is_overwritten(box, overwritten)
    }
    return written | _covered(page, words, [*covers, *(panel.rect for panel in overlays if _is_panel(panel))])


def _is_overwritten(box: Rect, lines: Sequence[Rect]) -> bool:
    return _on_panel(box, [line for line in lines if line[3] - line[1] < _SAME_SIZE * (box[3] - box[1])])


def _covered(page: Any, words: Sequence[tuple[str, Rect]], over: Sequence[Rect]) -> set[int]:
    doubtful = {
        i: box
        for i, (text, box) in enumerate(words if over else ())
        if _on_panel(box, over) and any(map(str.isalnum, text))
    }
    if not doubtful:
        return set()
    try:
        views = Views(page, list(doubtful.values()))
    except (RuntimeError, mupdf.FzErrorBase):  # a broken picture, say: nothing can be told
        return set()
    return {i for i, box in doubtful.items() if not views.look(box).is_inked}


def hidden_spans(page: Any, spans: list[SpanDict], panels: list[Panel]) -> tuple[set[int], bool]:
    """Indices of the hidden spans, and whether the page is a scan whose text layer is invisible."""
    hidden = {i for i, span in enumerate(spans) if _too_small(span)}
    unpainted = {i for i, span in enumerate(spans) if _unpainted(span)} - hidden
    scan = bool(unpainted) and _is_ocr_layer(page, spans, unpainted, panels)
    if not scan:
        hidden |= unpainted
    suspected = _may_hide(page)
    doubtful = [i for i in _doubtful(spans, panels, suspected) if i not in hidden and i not in unpainted]
    hidden.update(_without_ink(page, {i: spans[i] for i in doubtful}, suspected))
    return hidden, scan


def painted(text_page: Any) -> Iterator[Panel]:
    """Everything on a structured text page that is not text, in painting order."""
    for block in text_page:
        inner = block.m_internal
        if inner.type in (mupdf.FZ_STEXT_BLOCK_VECTOR, mupdf.FZ_STEXT_BLOCK_IMAGE):
            box = inner.bbox
            yield Panel((box.x0, box.y0, box.x1, box.y1), inner.type == mupdf.FZ_STEXT_BLOCK_IMAGE)


def panels_of(text_page: Any) -> Iterator[Panel]:
    """Shapes and images of a structured text page that text can stand on, in the order painted."""
    return filter(_is_panel, painted(text_page))


def _is_panel(panel: Panel) -> bool:
    x0, y0, x1, y1 = panel.rect
    return x1 - x0 >= _MIN_PANEL[0] and y1 - y0 >= _MIN_PANEL[1]


def covers_of(text_page: Any) -> list[Rect]:
    """Where panels are painted over text which was there before them."""
    before: list[Rect] = []
    found: list[Rect] = []
    for block in text_page:
        inner = block.m_internal
        box = inner.bbox
        rect = (box.x0, box.y0, box.x1, box.y1)
        if inner.type == mupdf.FZ_STEXT_BLOCK_TEXT:
            before.append(rect)
        elif _is_panel(Panel(rect, False)):
            shared = (_intersection(rect, text) for text in before)
            found += [part for part in shared if _area(part) > 0]
            if len(found) >= _MOST_COVERS:
                break
    return found


def shapes_of(text_page: Any) -> Iterator[Rect]:
    """The boxes of all shapes of a structured text page, images left out, in the order painted."""
    for block in text_page:
        inner = block.m_internal
        if inner.type == mupdf.FZ_STEXT_BLOCK_VECTOR:
            box = inner.bbox
            yield box.x0, box.y0, box.x1, box.y1


def image_share(page: Any, panels: Iterable[Panel]) -> float:
    """Share of the page's area under images, 0 to 1; overlapping images count once each, up to 1."""
    bounds = page.rect
    area = sum(_area(_intersection(panel.rect, tuple(bounds))) for panel in panels if panel.is_image)
    return float(min(1.0, area / max(1.0, bounds.width * bounds.height)))


def _unpainted(span: SpanDict) -> bool:
    """Neither filled nor stroked, or transparent. Text that clips (render mode 7) is painted by what is
    drawn through it: headings with a gradient are made so."""
    return span["alpha"] <= MAX_FAINT_ALPHA and not span["char_flags"] & mupdf.FZ_STEXT_CLIPPED


def _too_small(span: SpanDict) -> bool:
    height = span["bbox"][3] - span["bbox"][1]
    return bool(span["size"] < MIN_SIZE and height < 2 * MIN_SIZE)


def _is_ocr_layer(page: Any, spans: list[SpanDict], unpainted: set[int], panels: list[Panel]) -> bool:
    invisible = sum(len(spans[i]["text"]) for i in unpainted if not spans[i]["char_flags"] & _PAINTED)
    total = sum(len(span["text"]) for span in spans)
    return 2 * invisible > total and image_share(page, panels) >= OCR_IMAGE_SHARE


def _doubtful(spans: list[SpanDict], panels: list[Panel], suspected: bool) -> Iterator[int]:
    """"""
    rects = [panel.rect for panel in panels]
    for i, span in enumerate(spans):
        stencil = span["char_flags"] & mupdf.FZ_STEXT_CLIPPED
        doubtful = suspected or stencil or _faint(span) or _on_panel(span["bbox"], rects)
        if doubtful and any(map(str.isalnum, span["text"])):
            yield i


def _faint(span: SpanDict) -> bool:
    return bool(span["alpha"] < _FAINT_ALPHA) or _near_white(span["color"])


def _without_ink(page: Any, spans: dict[int, SpanDict], suspected: bool) -> Iterator[int]:
    """The spans that don't change the page, are on a single colour, or stand alone."""
    inside = {
        i: span for i, span in spans.items() if _area(_intersection(span["bbox"], tuple(page.rect))) > 0
    }
    yield from spans.keys() - inside.keys()
    if not inside:
        return
    try:
        views = Views(page, [span["bbox"] for span in inside.values()], _SCALE)
    except (RuntimeError, mupdf.FzErrorBase):  # a broken picture, say: nothing can be told
        yield from inside
        return
    yield from (i for i, span in inside.items() if not _shows(views, span, suspected or _faint(span)))


def _shows(views: Views, span: SpanDict, suspected: bool) -> bool:
    """Whether a span's place is not of one colour, nor mostly of the span's own, and, where that is not
    enough, whether its strokes change the page."""
    box = span["bbox"]
    if views.range(box) < MIN_CONTRAST:
        return False
    if span["char_flags"] & mupdf.FZ_STEXT_CLIPPED:
        return True
    if views.unlike(box, _channels(span["color"])) < MIN_BACKGROUND:
        return False
    seen = views.look(box) if suspected else Sample()
    return not seen.strokes or seen.is_inked


def _near_white(colour: int) -> bool:
    return colour >= _NEAR_WHITE and min(_channels(colour)) >= 255 - SAME_COLOUR


def _channels(colour: int) -> tuple[int, int, int]:
    return colour >> 16 & 255, colour >> 8 & 255, colour & 255


def _on_panel(box: Rect, panels: Sequence[Rect]) -> bool:
    """Whether the middle of a box is in one of the panels."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in panels)


def _intersection(a: Rect, b: Rect) -> Rect:
    return max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])


def _area(box: Rect) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


# Whether a page uses anything that can hide text without a trace in the text itself.
#
# Only its resources are considered (ISO 32000-1, 7.8.3): soft masks, faint or unusual ways of painting,
# Type 3 fonts. Pages that have any of them are rendered to see their text.

FAINT = 0.4
"""Opacity from which on text can be read whatever it is painted on."""
_USUAL = frozenset({"", "Normal", "Compatible", "Multiply"})
_DEPTH, _MANY = 4, 400


def _may_hide(page: Any) -> bool:
    """Whether the page's resources, or those of its forms, hold something of the kind."""
    resources = mupdf.pdf_dict_get_inheritable(
        mupdf.pdf_page_from_fz_page(page.this).obj(), mupdf.pdf_new_name("Resources")
    )
    return _any(resources, _DEPTH, set())


def _any(resources: Any, depth: int, seen: set[int]) -> bool:
    states = (_may_hide_text(state) for _, state in items(value_of(resources, "ExtGState")))
    fonts = (_name(font, "Subtype") == "Type3" for _, font in items(value_of(resources, "Font")))
    return any(states) or any(fonts) or (depth > 0 and _in_forms(resources, depth, seen))


def _in_forms(resources: Any, depth: int, seen: set[int]) -> bool:
    for _, form in items(value_of(resources, "XObject")):
        number = mupdf.pdf_to_num(form)
        if number in seen or _name(form, "Subtype") != "Form":
            continue
        seen.add(number)
        if len(seen) > _MANY or _any(value_of(form, "Resources"), depth - 1, seen):
            return True
    return False


def _may_hide_text(state: Any) -> bool:
    mask, mode = value_of(state, "SMask"), value_of(state, "BM")
    if mupdf.pdf_is_array(mode):
        mode = mupdf.pdf_array_get(mode, 0)
    faint = (value_of(state, key) for key in ("ca", "CA"))
    return (
        bool(mupdf.pdf_is_dict(mask))
        or mupdf.pdf_to_name(mode) not in _USUAL
        or any(mupdf.pdf_is_number(value) and mupdf.pdf_to_real(value) < FAINT for value in faint)
    )


def _name(dictionary: Any, key: str) -> str:
    return str(mupdf.pdf_to_name(value_of(dictionary, key)))
