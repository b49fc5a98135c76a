"""Pages as read from a PDF: text, words and their positions."""

from dataclasses import dataclass
from enum import StrEnum


class TextSource(StrEnum):
    """Where a page's text comes from."""

    NATIVE = "native"
    OCR = "ocr"


QUOTATION_INK = 0x000102
"""The sRGB colour that marks quotations in PDFs made from other formats, so that the reader of such a page
recognises them. It is indistinguishable from black to the eye."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in PDF points; the origin is the top left of the visible page (crop box), unrotated."""

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """One word of a page, in reading order.

    `start`/`end` are character offsets into `Page.text`: `page.text[start:end] == text`. `block` and `line`
    number the layout block and the line inside it. `note_chars` counts the trailing characters set as
    superscript digits (footnote marks, not numbers). `furniture` marks running headers and footers, page
    numbers and margin line numbers; `bullet` marks list signs and glyphs of symbol fonts; `struck` marks
    struck-out words; `set_off` marks what the source file sets off as a quotation; `reported` marks what the
    document attributes to somebody else.
    """

    text: str
    start: int
    end: int
    box: Box
    block: int
    line: int
    note_chars: int = 0
    furniture: bool = False
    bullet: bool = False
    struck: bool = False
    set_off: bool = False
    reported: bool = False

    @property
    def is_text(self) -> bool:
        """Whether the word is body text: neither furniture nor a list sign nor struck out."""
        return not (self.furniture or self.bullet or self.struck)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page. `number` is the 1-based PDF page, `label` the printed number if the file states it.

    `text` is the words in order: one space between words of a line, a newline between lines of a
    block, an empty line between blocks. `width` and `height` are PDF points, unrotated;
    `rotation` is 0, 90, 180 or 270 degrees clockwise.
    """

    number: int
    label: str | None
    width: float
    height: float
    rotation: int
    text: str
    words: tuple[Word, ...]
    text_source: TextSource = TextSource.NATIVE


@dataclass(frozen=True, slots=True, kw_only=True)
class PageNote:
    """A note over the words in `boxes` of 1-based `page`; `warns` of something wrong."""

    page: int
    boxes: tuple[Box, ...]
    text: str
    warns: bool


@dataclass(frozen=True, slots=True)
class WrittenPage:
    """The words on page `number` without their positions: the text, `note_chars` and `is_text` of each (see
    `Word`)."""

    number: int
    texts: tuple[str, ...]
    note_chars: tuple[int, ...]
    is_text: tuple[bool, ...]

    @classmethod
    def of(cls, page: Page) -> "WrittenPage":
        """The words on `page`."""
        words = page.words
        return cls(
            page.number,
            tuple(word.text for word in words),
            tuple(word.note_chars for word in words),
            tuple(word.is_text for word in words),
        )


class PageTrouble(StrEnum):
    """What is wrong with a page's text."""

    NO_TEXT = "no_text"  # nothing to read and no picture that could hold text
    SCAN = "scan"  # a picture of a page: needs OCR
    GARBLED = "garbled"  # a text layer that is not readable text: needs OCR


class RegionKind(StrEnum):
    """What a part of a page shows other than running text."""

    TABLE = "table"
    FIGURE = "figure"


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """A table or a figure of a page. `box` is in the words' coordinates.

    `rows` (of tables) are the words of each row, cell by cell, as indices into `Page.words`, preceded by
    words from above that belong to the row as well (cells spanning several rows, the name of a group); the
    first `header_rows` name the columns. `caption` are the words of the caption.
    """

    kind: RegionKind
    box: Box
    rows: tuple[tuple[int, ...], ...] = ()
    header_rows: int = 0
    caption: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PageReading:
    """A page with what was found on it; `regions` are ordered from top to bottom."""

    page: Page
    trouble: PageTrouble | None = None
    hidden_characters: int = 0
    regions: tuple[Region, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentReading:
    """A file as read: its pages (the first `max_pages`), and facts about the whole file.

    `total_pages` counts the file's own pages; `warnings` are message keys with a number each, such
    as ("owner_locked", 1).
    """

    pages: tuple[PageReading, ...]
    total_pages: int
    title: str | None = None
    warnings: tuple[tuple[str, int], ...] = ()


class Doubt(StrEnum):
    """Why words in a page's text are not what a reader sees."""

    NO_INK = "no_ink"  # nothing is visible in their place
    OTHER_LETTERS = "other_letters"  # the page shows other letters there
    COMPARE = "compare"  # the letters look unusual; the words may be quoted with a warning

    @property
    def refuses(self) -> bool:
        """Whether the words may not be quoted."""
        return self is not Doubt.COMPARE


@dataclass(frozen=True, slots=True, kw_only=True)
class HighlightedPage:
    """A one-page PDF. `marked` is false if no highlight could be proven and the page is plain.

    `checked`: the text under the marks was read back, equals the quote, and is visible. `doubt` says why it
    is not.
    """

    pdf: bytes
    marked: bool
    checked: bool
    rasterised: bool
    doubt: Doubt | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetSide:
    """A position on a sheet: a one-page PDF, or None to leave it empty, and the caption above it."""

    caption: str
    pdf: bytes | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecognisedText:
    """The result of text recognition (OCR) on the picture of a page. `layer` is a one-page PDF of the
    picture's shape that contains only the words, invisible, in their places; `confidence` is the mean over
    the words, 0 to 1; `sideways`: most words are taller than wide."""

    layer: bytes
    words: int
    confidence: float
    sideways: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Orientation:
    """The orientation of the text in a picture: the clockwise rotation (0, 90, 180 or 270 degrees) that sets
    it upright, and the name of its script, "" if unknown."""

    turn: int = 0
    script: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLayer:
    """Recognised text (`RecognisedText.layer`) of a page that was rendered with rotation `turn`."""

    layer: bytes
    turn: int = 0
