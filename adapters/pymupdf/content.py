"""What a page's content yields, before it is asked what of it can be seen. Runs in the worker."""

import re
from typing import Any, NamedTuple

import pymupdf
from pymupdf import mupdf

from adapters.pymupdf import hidden, quality
from adapters.pymupdf.characters import Place

FLAGS = pymupdf.TEXTFLAGS_WORDS
_COUNTING = (FLAGS & ~pymupdf.TEXT_CLIP) | (
    pymupdf.TEXT_IGNORE_ACTUALTEXT | pymupdf.TEXT_COLLECT_VECTORS | pymupdf.TEXT_PRESERVE_IMAGES
)
_EVERYWHERE = (-1e5, -1e5, 1e5, 1e5)
_LETTERS = re.compile(r"[\W_]+")
_UNKNOWN = "\ufffd"


class PageContent(NamedTuple):
    """What one page's content yields."""

    words: list[tuple[Any, ...]]  # x0, y0, x1, y1, text, block, line, number
    spans: dict[Place, list[hidden.SpanDict]]
    panels: list[hidden.Panel]
    shapes: list[hidden.Rect]  # of everything drawn, thin lines as well
    covers: list[hidden.Rect]  # what is painted over text that was there before
    overlays: list[hidden.Panel]  # what annotations and form fields paint over the page
    overwritten: list[hidden.Rect]  # the lines of text among that
    dropped: int


def extract(page: Any, everything: Any) -> PageContent:
    """Words and spans of a page that are inside the clipping paths and on a switched-on layer.

    A second, unclipped pass counts what was left out. /ActualText (ISO 32000-1, 14.9.4) may say other
    letters than the glyphs show; then the glyphs count, unless they have no readable text of their own.
    """
    first = _structured(page, FLAGS)
    second = _structured(everything, _COUNTING, _EVERYWHERE)
    panels = list(hidden.panels_of(second.this))
    shapes = list(hidden.shapes_of(second.this))
    text, all_letters = first.extractText(), _letters(second.extractText())
    dropped = 0
    if _letters(text) != all_letters or _UNKNOWN in text:
        glyphs = _structured(page, FLAGS | pymupdf.TEXT_IGNORE_ACTUALTEXT)
        shown = glyphs.extractText()
        dropped = max(0, len(all_letters) - len(_letters(shown)))
        if _shows_otherwise(text, shown):
            dropped += max(0, len(_letters(text)) - len(_letters(shown)))
            first = glyphs
    covers = list(hidden.covers_of(second.this))
    return PageContent(first.extractWORDS(), _spans(first), panels, shapes, covers, *_overlays(page), dropped)


def _shows_otherwise(text: str, shown: str) -> bool:
    """Whether the glyphs `shown` say something else than `text`, or say it better."""
    if text.count(_UNKNOWN) != shown.count(_UNKNOWN):
        return text.count(_UNKNOWN) > shown.count(_UNKNOWN)
    return _letters(text) != _letters(shown) and not quality.is_garbled(shown)


def _structured(page: Any, flags: int, bounds: Any = None) -> Any:
    """The structured text of the page's own content (no annotations), as a PyMuPDF text page."""
    options = mupdf.FzStextOptions()
    options.flags = flags
    if bounds is None:
        return pymupdf.TextPage(mupdf.FzStextPage(page.this, options))
    text_page = mupdf.FzStextPage(mupdf.FzRect(*bounds))
    device = mupdf.fz_new_stext_device(text_page, options)
    mupdf.fz_run_page_contents(page.this, device, mupdf.FzMatrix(), mupdf.FzCookie())
    mupdf.fz_close_device(device)
    return pymupdf.TextPage(text_page)


def _overlays(page: Any) -> tuple[list[hidden.Panel], list[hidden.Rect]]:
    """What annotations and form fields of the page paint over it, and the level lines of text among that."""
    own = mupdf.pdf_page_from_fz_page(page.this)
    if not (mupdf.pdf_first_annot(own).m_internal or mupdf.pdf_first_widget(own).m_internal):
        return [], []
    options = mupdf.FzStextOptions()
    options.flags = mupdf.FZ_STEXT_COLLECT_VECTORS | mupdf.FZ_STEXT_PRESERVE_IMAGES
    text_page = mupdf.FzStextPage(mupdf.FzRect(*_EVERYWHERE))
    device = mupdf.fz_new_stext_device(text_page, options)
    mupdf.fz_run_page_annots(page.this, device, mupdf.FzMatrix(), mupdf.FzCookie())
    mupdf.fz_run_page_widgets(page.this, device, mupdf.FzMatrix(), mupdf.FzCookie())
    mupdf.fz_close_device(device)
    lines = (
        line
        for block in pymupdf.TextPage(text_page).extractDICT()["blocks"]
        for line in block.get("lines", ())
    )
    return list(hidden.painted(text_page)), [line["bbox"] for line in lines if line["dir"] == (1.0, 0.0)]


def _letters(text: str) -> str:
    return _LETTERS.sub("", text).casefold()


def _spans(text_page: Any) -> dict[Place, list[hidden.SpanDict]]:
    lines = {
        (block["number"], line): content
        for block in text_page.extractDICT()["blocks"]
        for line, content in enumerate(block.get("lines", ()))
    }
    for content in lines.values():
        for span in content["spans"]:
            span["dir"] = content["dir"]
    return {place: content["spans"] for place, content in lines.items()}
