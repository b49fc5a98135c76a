"""What a page's content yields, before checking which parts can be seen. Runs in the worker."""

import re
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import pymupdf
from pymupdf import mupdf

from adapters.pymupdf import hidden
from adapters.pymupdf.characters import Place
from adapters.pymupdf.ink import held, is_odd, structured
from core.domain.pages import PageTrouble, TextSource

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
    shapes: list[hidden.Rect]  # of everything drawn, including thin lines
    covers: list[hidden.Rect]  # what is painted over text that was there before
    overlays: list[hidden.Panel]  # what annotations and form fields paint over the page
    overwritten: list[hidden.Rect]  # the lines of text among these
    dropped: int


def extract(page: Any, everything: Any) -> PageContent:
    """Words and spans of a page that are inside the clipping paths and on a switched-on layer.

    A second, unclipped pass counts what was left out. /ActualText (ISO 32000-1, 14.9.4) may say other
    letters than the glyphs show; then the glyphs count, unless they have no readable text of their own.
    """
    first = structured(page, FLAGS)
    second = structured(everything, _COUNTING, _EVERYWHERE)
    panels = list(hidden.panels_of(second.this))
    shapes = list(hidden.shapes_of(second.this))
    text, all_letters = first.extractText(), _letters(second.extractText())
    dropped = 0
    if _letters(text) != all_letters or _UNKNOWN in text:
        glyphs = structured(page, FLAGS | pymupdf.TEXT_IGNORE_ACTUALTEXT)
        shown = glyphs.extractText()
        dropped = max(0, len(all_letters) - len(_letters(shown)))
        if _shows_otherwise(text, shown):
            dropped += max(0, len(_letters(text)) - len(_letters(shown)))
            first = glyphs
    covers = list(hidden.covers_of(second.this))
    spans = _spans(first)
    words = _held(first.extractWORDS(), spans)
    return PageContent(words, spans, panels, shapes, covers, *_overlays(page), dropped)


def _shows_otherwise(text: str, shown: str) -> bool:
    """Whether the glyphs `shown` differ from `text`, or are more readable."""
    if text.count(_UNKNOWN) != shown.count(_UNKNOWN):
        return text.count(_UNKNOWN) > shown.count(_UNKNOWN)
    return _letters(text) != _letters(shown) and not _is_garbled(shown)


def _overlays(page: Any) -> tuple[list[hidden.Panel], list[hidden.Rect]]:
    """What annotations and form fields paint over the page, and the level lines of text among it."""
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


def _held(words: list[tuple[Any, ...]], spans: dict[Place, list[hidden.SpanDict]]) -> list[tuple[Any, ...]]:
    """The words, and `spans` with them, reduced to the height of letters if fonts claim boxes that no letter
    has."""
    odd = {place for place, line in spans.items() if any(map(is_odd, line))}
    if not odd:
        return words
    for place in odd:
        for span in filter(is_odd, spans[place]):
            span["bbox"] = held(span["bbox"], span["origin"], span["size"], span["dir"])
    found = []
    for word in words:
        if word[5:7] in odd:
            span = max(spans[word[5:7]], key=partial(_overlap, word))
            if is_odd(span):
                word = (*held(word[:4], span["origin"], span["size"], span["dir"]), *word[4:])
        found.append(word)
    return found


def _overlap(word: Sequence[float], span: hidden.SpanDict) -> float:
    """How much of a word is in a span: the length of their overlap, along or across."""
    x0, y0, x1, y1 = span["bbox"]
    return float(max(min(word[2], x1) - max(word[0], x0), 0) + max(min(word[3], y1) - max(word[1], y0), 0))


# Is a page's text fit to be read? Decides who needs OCR. Pure; runs in the worker.

MIN_WORDS = 5
"""A page with fewer words and a large image is a scan."""
SCAN_IMAGE_SHARE = 0.5
MAX_UNREADABLE = 0.1
"""Share of replacement, private-use and control characters of a readable text."""
MAX_SINGLES = 0.6
"""Share of one-character words of a readable text, in scripts that put spaces between words."""
MAX_JUMBLED = 0.25
"""Share of words of an OCR layer that mix cases, digits and symbols inside: read in the wrong script."""
_ENOUGH_WORDS = 20

_BAD = "[\ufffd\ue000-\uf8ff\U000f0000-\U0010fffd\x00-\x08\x0e-\x1f\x7f-\x9f]"
_UNREADABLE = re.compile(_BAD)
_RUNS = re.compile(f"({_BAD})\\1+")
_JUMBLED = re.compile(r"[a-zß-ÿ][A-ZÀ-Þ]|[A-Za-zÀ-ÿ]\d+[A-Za-zÀ-ÿ]|\w[^\w\s\-‐‑'’./&:,;)(\u00ad@%]\w")
_SINGLE = re.compile(r"[^\W\d_]")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def trouble(text: str, words: Sequence[Any], images: float, source: TextSource) -> PageTrouble | None:
    """What is wrong with a page of `words` that has images over the share `images` of its area."""
    if len(words) < MIN_WORDS and images > SCAN_IMAGE_SHARE:
        return PageTrouble.SCAN
    if not words:
        return PageTrouble.NO_TEXT
    if _is_garbled(text) or (source is TextSource.OCR and _is_jumbled(text)):
        return PageTrouble.GARBLED
    return None


def _is_garbled(text: str) -> bool:
    """Many characters without a meaning, or mostly words of one letter."""
    if not text.isascii() and _is_unreadable(text):
        return True
    words = text.split()
    if len(text) > 4 * len(words):
        return False
    singles = sum(1 for word in words if len(word) == 1 and _SINGLE.match(word))
    return len(words) >= _ENOUGH_WORDS and singles > MAX_SINGLES * len(words) and not _UNSPACED.search(text)


def _is_unreadable(text: str) -> bool:
    """A run of one unreadable character counts once: contents pages have such leaders."""
    letters = "".join(_RUNS.sub(r"\1", text).split())
    return len(_UNREADABLE.findall(letters)) > MAX_UNREADABLE * len(letters)


def _is_jumbled(text: str) -> bool:
    """Many words that no language writes: an OCR layer made for another script."""
    words = [word for word in text.split() if len(word) > 2]
    jumbled = sum(1 for word in words if _JUMBLED.search(word))
    return len(words) >= _ENOUGH_WORDS and jumbled > MAX_JUMBLED * len(words)


# Content streams that MuPDF cuts short and other viewers show.
#
# Some old printer drivers write spacing operators inside the arrays of TJ, where only strings and numbers
# may stand (ISO 32000-1, 9.4.3). MuPDF drops the whole array, and with it most of the page; viewers skip
# the operator. The operator is taken out before the page is read or drawn.

_COMPLAINT = "syntax error in array"
_STRAY = re.compile(rb"(?<=[)>])\s*[-+]?(?:\d+\.?\d*|\.\d+)\s+T[cwz]\b")


def forget_complaints() -> None:
    """Start listening to MuPDF again."""
    pymupdf.TOOLS.reset_mupdf_warnings()


def complained() -> bool:
    """Whether MuPDF has dropped an array since `forget_complaints`."""
    return _COMPLAINT in pymupdf.TOOLS.mupdf_warnings()


def mend(document: Any, number: int) -> bool:
    """Take stray operators out of the content of 1-based page `number`; True if there were any."""
    mended = False
    for xref in document[number - 1].get_contents():
        stream = document.xref_stream(xref) or b""
        sound = _STRAY.sub(b"", stream)
        if sound != stream:
            document.update_stream(xref, sound)
            mended = True
    return mended
