"""The glyphs that a part of a page is set in, and what their fonts say of them. Runs in the worker.

A font program names its glyphs or maps characters to them (OpenType, "post" and "cmap"; CFF charsets; Adobe
Glyph List). What the file says the text is (ToUnicode, say) must agree. Subset fonts often have neither, or
names without a meaning: they say nothing.
"""

import re
from collections.abc import Sequence
from functools import cached_property
from hashlib import md5
from typing import Any, NamedTuple

from pymupdf import mupdf

from adapters.pymupdf.letters import Box
from core.recent import Recent

_KINDS = ("fill_text", "stroke_text", "clip_text", "clip_stroke_text", "ignore_text")
_UNI = re.compile(r"uni([0-9A-F]{4})|u([0-9A-F]{4,6})")
LAST_CODE = 0xFF
"""A map that has nothing beyond it may be one of codes, not of characters."""
_THIN = 0.1
"""Of the type size; outlines that are narrower are no letters."""
_MARGIN = 1.0
_PRIVATE = range(0xE000, 0xF900)
_MAPS = Recent[str, dict[int, set[str]]](32)


class Font:
    """A font as MuPDF loaded it; for a file that brings none, the one that stands for it."""

    def __init__(self, font: Any) -> None:
        self._font = font
        self.name = str(mupdf.fz_font_name(font))

    @cached_property
    def key(self) -> str:
        """Tells its program from all others; empty where it has none (Type 3)."""
        buffer = self._font.m_internal.buffer
        if buffer is None:
            return ""
        data = mupdf.fz_buffer_extract_copy(mupdf.FzBuffer(mupdf.ll_fz_keep_buffer(buffer)))
        return md5(data, usedforsecurity=False).hexdigest()

    @cached_property
    def _codes(self) -> dict[int, set[str]]:
        """The characters that its map has for a glyph. A large map takes 100 ms; the last ones are kept."""
        known = _MAPS.get(self.key)
        if known is not None:
            return known
        found: dict[int, set[str]] = {}
        for pair in mupdf.fz_enumerate_font_cmap2(self._font):
            if pair.ucs not in _PRIVATE:
                found.setdefault(pair.gid, set()).add(chr(pair.ucs))
        _MAPS[self.key] = found
        return found

    @cached_property
    def maps_characters(self) -> bool:
        """Whether its map is one of characters, not of codes."""
        return any(ord(character) > LAST_CODE for found in self._codes.values() for character in found)

    def named(self, glyph: int) -> str:
        """The character that a glyph's name means, empty if none."""
        if not self.key:
            return ""
        return meaning(str(mupdf.fz_get_glyph_name2(self._font, glyph)))

    def draws(self, glyph: int) -> bool:
        """Whether a glyph is a letter or digit by its name, or, without one, has an outline."""
        if not self.key or (name := self.named(glyph)):
            return bool(self.key) and name.isalnum()
        box = mupdf.fz_bound_glyph(self._font, glyph, mupdf.FzMatrix())
        return bool(glyph) and box.x1 - box.x0 > _THIN and box.y1 - box.y0 > _THIN

    def mapped(self, glyph: int) -> set[str]:
        """The characters that the font's map has for a glyph."""
        return self._codes.get(glyph, set()) if self.key else set()


def meaning(name: str) -> str:
    """The character that the name of a glyph means; empty for names without a meaning (g12)."""
    bare = name.partition(".")[0]
    if code := _UNI.fullmatch(bare):
        value = int(code[1] or code[2], 16)
        return chr(value) if value < 0x110000 and value not in _PRIVATE else ""
    value = mupdf.fz_unicode_from_glyph_name_strict(bare)
    return chr(value) if value and value not in _PRIVATE else ""


class Glyph(NamedTuple):
    """A glyph, the character it is said to be, and where it begins."""

    text: str
    number: int
    font: Font
    at: tuple[float, float]


class _Device(mupdf.FzDevice2):  # type: ignore[misc]
    """Takes down text as it is painted."""

    def __init__(self, clip: Box) -> None:
        super().__init__()
        for kind in _KINDS:
            getattr(self, f"use_virtual_{kind}")()
        self._clip = clip
        self._fonts: dict[int, Font] = {}
        self.found: list[Glyph] = []

    def fill_text(self, _context: Any, text: Any, matrix: Any, *_: Any) -> None:
        """Text that is filled."""
        self._take(text, matrix)

    def stroke_text(self, _context: Any, text: Any, _stroke: Any, matrix: Any, *_: Any) -> None:
        """Text that is stroked."""
        self._take(text, matrix)

    def clip_text(self, _context: Any, text: Any, matrix: Any, *_: Any) -> None:
        """Text that clips."""
        self._take(text, matrix)

    def clip_stroke_text(self, _context: Any, text: Any, _stroke: Any, matrix: Any, *_: Any) -> None:
        """Text whose strokes clip."""
        self._take(text, matrix)

    def ignore_text(self, _context: Any, text: Any, matrix: Any) -> None:
        """Text that is not painted."""
        self._take(text, matrix)

    def _take(self, text: Any, matrix: Any) -> None:
        x0, y0, x1, y1 = self._clip
        a, b, c, d, e, f = matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f
        span = text.head
        while span:
            wrapped = mupdf.FzTextSpan(span)
            font = None
            for i in range(span.len):
                item = wrapped.items(i)
                x, y = item.x * a + item.y * c + e, item.x * b + item.y * d + f
                if x0 <= x <= x1 and y0 <= y <= y1 and item.gid >= 0:
                    font = font or self._font(wrapped)
                    self.found.append(Glyph(chr(max(item.ucs, 0)), item.gid, font, (x, y)))
            span = span.next

    def _font(self, span: Any) -> Font:
        font = span.font()
        return self._fonts.setdefault(font.m_internal_value(), Font(font))


def glyphs_near(painted: Any, boxes: Sequence[Box]) -> list[Glyph]:
    """The glyphs of a display list that begin within the bounds of `boxes`."""
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    clip = min(x0) - _MARGIN, min(y0) - _MARGIN, max(x1) + _MARGIN, max(y1) + _MARGIN
    device = _Device(clip)
    mupdf.fz_run_display_list(painted, device, mupdf.FzMatrix(), mupdf.FzRect(*clip), mupdf.FzCookie())
    mupdf.fz_close_device(device)
    return device.found
