"""Pages as read from a PDF: text, words and where they stand."""

from dataclasses import dataclass
from enum import StrEnum


class TextSource(StrEnum):
    """Where a page's text comes from."""

    NATIVE = "native"
    OCR = "ocr"


QUOTATION_INK = 0x000102
"""The colour (sRGB) in which a file of another format has its quotations set off, so that whoever reads the
made page knows them. No eye tells it from black."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in PDF points; origin top left of the visible page (crop box), unrotated."""

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """One word of a page, in reading order.

    `start`/`end` are character offsets into `Page.text`: `page.text[start:end] == text`.
    `block` and `line` number the layout block and the line inside it. `note_chars` counts the
    trailing characters set as superscript digits (footnote marks, not numbers). `furniture` marks
    running headers and footers, page numbers and margin line numbers; `bullet` list signs and glyphs of
    symbol fonts; `struck` what is struck out; `set_off` what the file that the page was made from sets off as
    a quotation; `reported` what the document says in somebody else's name.
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
        """Whether the word is what a reader reads: neither furniture nor a list sign nor struck out."""
        return not (self.furniture or self.bullet or self.struck)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page. `number` is the 1-based PDF page, `label` the printed one where the file states it.

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


@dataclass(frozen=True, slots=True)
class WrittenPage:
    """What is written on page `number`, without the places: of each word its text, its `note_chars` and
    whether it `is_text` (see `Word`)."""

    number: int
    texts: tuple[str, ...]
    note_chars: tuple[int, ...]
    is_text: tuple[bool, ...]

    @classmethod
    def of(cls, page: Page) -> "WrittenPage":
        """What is written on `page`."""
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
    """What stands in a part of a page apart from running text."""

    TABLE = "table"
    FIGURE = "figure"


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """A table or a figure of a page. `box` is in the words' coordinates.

    `rows` (tables) are the words of each row, cell after cell, as indices into `Page.words`, behind those
    above that belong to it as well (cells that fill several rows, the name of a group); the first
    `header_rows` of them name the columns. `caption` are the words that name the table or figure.
    """

    kind: RegionKind
    box: Box
    rows: tuple[tuple[int, ...], ...] = ()
    header_rows: int = 0
    caption: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PageReading:
    """A page with what its reading found; `regions` from top to bottom."""

    page: Page
    trouble: PageTrouble | None = None
    hidden_characters: int = 0
    regions: tuple[Region, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentReading:
    """A file as read: its pages (first `max_pages`), and facts of the whole file.

    `total_pages` counts the file's own pages; `warnings` are message keys with a number each, such
    as ("owner_locked", 1).
    """

    pages: tuple[PageReading, ...]
    total_pages: int
    title: str | None = None
    warnings: tuple[tuple[str, int], ...] = ()


class Doubt(StrEnum):
    """Why words of a page's text are not what its reader sees."""

    NO_INK = "no_ink"  # nothing is to be seen where they stand
    OTHER_LETTERS = "other_letters"  # the page shows other letters there
    COMPARE = "compare"  # the letters look unusual and nobody can tell; they may be quoted with that said

    @property
    def refuses(self) -> bool:
        """Whether the words may not be quoted."""
        return self is not Doubt.COMPARE


@dataclass(frozen=True, slots=True, kw_only=True)
class HighlightedPage:
    """A one-page PDF. `marked` is false where no highlight could be proven and the page is plain.

    `checked`: the text under the marks was read back and is the quote's, and it can be seen. `doubt` says why
    it cannot.
    """

    pdf: bytes
    marked: bool
    checked: bool
    rasterised: bool
    doubt: Doubt | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetSide:
    """A place on a sheet: a one-page PDF, None where the place stays empty, and what stands above it."""

    caption: str
    pdf: bytes | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecognisedText:
    """What text recognition (OCR) found in the picture of a page. `layer` is a one-page PDF of the picture's
    shape with nothing but the words, invisible, at their places; `confidence` is the words' mean, 0 to 1;
    `sideways`: most words stand taller than wide."""

    layer: bytes
    words: int
    confidence: float
    sideways: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Orientation:
    """How the text of a picture lies: the degrees clockwise (0, 90, 180, 270) that set it upright, and the
    name of its script, "" where nobody can tell."""

    turn: int = 0
    script: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLayer:
    """Recognised text (`RecognisedText.layer`) of a page whose picture was taken with `turn`."""

    layer: bytes
    turn: int = 0
