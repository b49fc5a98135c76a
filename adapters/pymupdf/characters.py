"""Builds words from the spans of a line: which characters are hidden, which are raised digits.

Words and spans of PyMuPDF come from the same characters in the same order, so a word is found in the text of
its line's spans from left to right. Text typed into form fields, which files keep apart, is made part of the
page when the file is opened, so that it is read, checked and marked like all other text. Runs in the worker.
"""

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from adapters.pages import words_of
from adapters.pymupdf.rectangles import Rect, holds
from core.domain.pages import Word
from core.evidence.skeleton import BULLETS, RAISED_DIGITS, TICKS, note_chars, raised

Place = tuple[int, int]  # block, line
Edge = tuple[int, float]  # characters before it, x

PLAIN, RAISED, HIDDEN = "pRH"
_WORD_BULLET = "◦"

_RAISED_RUN = re.compile(f"{RAISED}+")
_RAISABLE = re.compile(r"[+−–-]?\d[\d+−–-]*")
_LONE_MARK = re.compile(r"\W*\d{1,3}(?:[,;/–-]\d{1,3})*\W*")
_SIGNS = re.escape("".join(sorted(BULLETS | TICKS))) + "\uf000-\uf0ff"
_OPENING = re.compile(rf"^(?:[{_SIGNS}]+(?=[\w„“\"'(»‚‘])|[{RAISED_DIGITS}]+(?=[^\W\d_{RAISED_DIGITS}]))")
_SENTENCE = rf"(?<=[^\W\d_][.!?;:])[{RAISED_DIGITS}]+(?=[^\W\d_a-zß-ÿ{RAISED_DIGITS}])"
"""The number of a sentence that is set without a space behind the one before: "Boats.²They"."""
_SENTENCE_NUMBER = re.compile(_SENTENCE)
_LABEL = re.compile(
    r"(?:\(?(?:\d{1,3}[a-z]?|[ivx]{2,5}|[IVX]{2,5})\)|[^\W\d_]\)|\([^\W\d_]\)(?=[^a-zß-ÿ])"  # not "(k)eine"
    r"|(?:\d{1,3}|[A-Z]|[IVX]{2,5})\.)(?=[„“\"»«‚‘'(]?[^\W\d_]{2})"
)
"""The number of a list's item that is set without a space before its text."""
_ROMAN = re.compile(r"(?<=[^\W\d_]{3}|[^\W\d_]{2}[.,;:!?)»”])[ivx]{1,5}(?=\W*$)")
_RAISED_ROMAN = str.maketrans("ivx", "ⁱᵛˣ")
_SPACES = re.compile(r"[\s\x00-\x1f\x7f-\x9f]")
_UNUSUAL = re.compile(r"[\s\x7f-\x9f\u200b\u2060\ufeff\U000e0000-\U000e007f]")
_INVISIBLE = re.compile("[\u200b\u2060\ufeff\U000e0000-\U000e007f]")  # zero-width; look-alikes of ASCII


# The characters that the glyphs of symbol fonts look like, by their codes.
#
# ZapfDingbats and Symbol by Adobe's tables (unicode.org/Public/MAPPINGS/VENDORS/ADOBE: zdingbat.txt,
# symbol.txt), the Wingdings family and Webdings by Unicode's chart of them (document L2/12-368). Glyphs that
# no table here has become private-use characters, which are no text.

_PRIVATE = 0xF000


def _pairs(text: str) -> dict[int, int]:
    """Alternating codes and characters."""
    return dict(zip(map(ord, text[::2]), map(ord, text[1::2]), strict=True))


_ZAPF = (
    {code: 0x26E0 + code for code in range(0x21, 0x7F)}
    | {code: 0x26C0 + code for code in (*range(0xD8, 0xF0), *range(0xF1, 0xFF))}
    | _pairs("%☎*☛+☞H★l●n■s▲t▼u◆w◗¨♣©♦ª♥Ô➔Õ→Ö↔×↕")
)
_WINGDINGS = _pairs(
    "l●m❍n■o□q❑r❒s⬧t⧫u◆v❖w⬥\x9f•¡○¤◉¥◎§▪¨◻«★Ø➢ß←à→á↑â↓ã↖ä↗å↙æ↘ç⬅è➡é⬆ê⬇ï⇦ð⇨ñ⇧ò⇩ó⬄ô⇳ù▭ú▫û✗ü✓ý☒þ☑"
)
_WINGDINGS_2 = _pairs("O✗P✓Q☒R☑S☒T☒\x96•\x97●\x98●\x9f■£□")
_WINGDINGS_3 = _pairs("f←g→h↑i↓p▲q▼r△s▽t◀u▶|◀}▶")
_WEBDINGS = _pairs("4▶a✓c□g■n●r✗")
_SYMBOL = _pairs("-−£≤¥∞¬←\xad↑®→¯↓°°±±³≥´×·•¹≠»≈×⋅Þ⇒à◊")
_FONTS = {
    "zapfdingbats": _ZAPF,
    "dingbats": _ZAPF,
    "wingdings2": _WINGDINGS_2,
    "wingdings3": _WINGDINGS_3,
    "wingdings": _WINGDINGS,
    "webdings": _WEBDINGS,
    "symbol": _SYMBOL,
}
_NAME = re.compile(r"(zapfdingbats|dingbats|wingdings\s?[23]?|webdings|^symbol(?:mt|ps|std|-|,|$))")


@lru_cache(maxsize=512)
def _table(font: str) -> dict[int, int] | None:
    """The table for single-byte and private-use codes of a symbol font, by `str.translate`; None for fonts
    of text."""
    name = _NAME.search(font.rpartition("+")[2].casefold().replace("itc", ""))
    if name is None:
        return None
    family = re.sub(r"[\s,-]|mt|ps|std", "", name[1])
    known = _FONTS[family]
    table = {_PRIVATE + code: shown for code, shown in known.items()}
    if family != "symbol":  # whose letters are Greek, and arrive as such
        codes = (*range(0x21, 0x7F), *range(0xA1, 0x100))
        table |= {code: known.get(code, _PRIVATE + code) for code in codes}
    return table


def is_symbol_font(font: str) -> bool:
    """Whether a font's glyphs are symbols rather than letters."""
    return _table(font) is not None


def as_shown(text: str, font: str) -> str:
    """`text` set in `font` as the characters its glyphs look like, one for one."""
    table = _table(font)
    return text if table is None else text.translate(table)


def is_word_bullet(text: str, font: str) -> bool:
    """Whether a span is the "o" in Courier that word processors set as a list sign."""
    return text.strip() == "o" and "courier" in font.casefold()


class WordDraft(NamedTuple):
    """A word before its offsets are known."""

    text: str
    box: Rect
    place: Place
    note_chars: int
    struck: bool = False
    set_off: bool = False


def marks(spans: list[dict[str, Any]], hidden_ids: set[int]) -> str:
    """One mark per character of the line, or "" where all are plain."""
    base = _base(spans) if len(spans) > 1 else None
    if not hidden_ids and base is None:
        return ""
    found = "".join(
        (HIDDEN if id(span) in hidden_ids else RAISED if base and _is_raised(span, base) else PLAIN)
        * len(span["text"])
        for span in spans
    )
    return "" if found.count(PLAIN) == len(found) else found


def _base(spans: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The span that sets the line's size and base line, if another one is smaller."""
    base = max(spans, key=lambda span: (span["size"] * len(span["text"]), span["size"]))
    return base if any(span["size"] < 0.9 * base["size"] for span in spans) else None


def _is_raised(span: dict[str, Any], base: dict[str, Any]) -> bool:
    small = span["size"] < 0.9 * base["size"]
    return bool(small and span["origin"][1] < base["origin"][1] - 0.1 * base["size"])


def drafts(
    words: list[tuple[Any, ...]], spans: list[dict[str, Any]], line_marks: str, place: Place
) -> Iterator[WordDraft]:
    """The visible words of a line. `words` are PyMuPDF's (x0, y0, x1, y1, text, ...)."""
    words = _without_label(words)
    symbols = any(is_symbol_font(span["font"]) for span in spans) or _has_word_bullet(spans)
    if not line_marks and not symbols and all(word[4].isascii() for word in words):
        for x0, y0, x1, y1, text, *_ in words:
            yield from _draft(text, "", (x0, y0, x1, y1), place, ())
        return
    written, at = "".join(span["text"] for span in spans), 0
    shown = "".join(map(_as_shown, spans)) if symbols else written
    edges = _edges(spans)
    for x0, y0, x1, y1, text, *_ in words:
        found = written.find(text, at)
        start = at if found < 0 else found
        at = start + len(text)
        seen = shown[start:at] if found >= 0 else text
        own = [(edge - start, x) for edge, x in edges if start < edge < at and x0 < x < x1]
        yield from _draft(seen, line_marks[start:at], (x0, y0, x1, y1), place, own)


def _without_label(words: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The words of a line, a number that stands right before the first as a word of its own."""
    x0, y0, x1, y1, text, *rest = words[0]
    label = _LABEL.match(text)
    if label is None or x1 - x0 < y1 - y0:
        return words
    cut = x0 + (x1 - x0) * label.end() / len(text)
    first = (x0, y0, cut, y1, label[0], *rest)
    return [first, (cut, y0, x1, y1, text[label.end() :], *rest), *words[1:]]


def _as_shown(span: dict[str, Any]) -> str:
    if is_word_bullet(span["text"], span["font"]):
        return str(span["text"].replace("o", _WORD_BULLET))
    return as_shown(span["text"], span["font"])


def _has_word_bullet(spans: list[dict[str, Any]]) -> bool:
    return bool(spans) and is_word_bullet(spans[0]["text"], spans[0]["font"])


def _edges(spans: list[dict[str, Any]]) -> list[tuple[int, float]]:
    """The start of each span: the number of characters before it, and its left edge."""
    found, at = [], 0
    for span in spans:
        found.append((at, span["bbox"][0]))
        at += len(span["text"])
    return found


def _draft(text: str, word_marks: str, box: Rect, place: Place, edges: Sequence[Edge]) -> Iterator[WordDraft]:
    if HIDDEN in word_marks:
        seen = [i for i, mark in enumerate(word_marks) if mark != HIDDEN]
        text, word_marks = "".join(text[i] for i in seen), "".join(word_marks[i] for i in seen)
        edges = ()
    if RAISED in word_marks:
        text = _with_raised(text, word_marks)
    if text.isascii():
        if text:
            yield WordDraft(text, box, place, note_chars(text))
    elif _UNUSUAL.search(text) or _OPENING.match(text) or _SENTENCE_NUMBER.search(text):
        yield from _parts(text, box, place, edges)
    else:
        yield WordDraft(text, box, place, note_chars(text))


def _with_raised(text: str, word_marks: str) -> str:
    """`text` with its raised digits, and the signs beside them, as superscript characters. A whole word set
    higher than its line is no mark, unless it is a short number."""
    if PLAIN not in word_marks and not _LONE_MARK.fullmatch(text):
        return text
    pieces: list[str] = []
    at = 0
    for run in _RAISED_RUN.finditer(word_marks):
        start, end = run.span()
        pieces += (text[at:start], _RAISABLE.sub(lambda match: raised(match[0]), text[start:end]))
        if _ROMAN.match(text, start):  # of an endnote
            pieces[-1] = pieces[-1].translate(_RAISED_ROMAN)
        at = end
    return "".join((*pieces, text[at:]))


def _parts(text: str, box: Rect, place: Place, edges: Sequence[Edge]) -> Iterator[WordDraft]:
    """A word with characters of no width, which go, with spaces PyMuPDF does not know, or with a list sign or
    a sentence's number before it: it is split there, its box where another span begins or in proportion."""
    if _INVISIBLE.search(text):
        text, edges = _INVISIBLE.sub("", text), ()
    text = _SPACES.sub(" ", text)
    known = dict(edges) if box[2] - box[0] > box[3] - box[1] else {}

    def place_of(at: int) -> float:
        return known.get(at, box[0] + (box[2] - box[0]) * at / len(text))

    for match in re.finditer(rf"{_OPENING.pattern}|{_SENTENCE}|\S+?(?={_SENTENCE}|\s|$)", text):
        start, end = match.span()
        left = box[0] if not start else place_of(start)
        right = box[2] if end == len(text) else place_of(end)
        yield WordDraft(match[0], (left, box[1], right, box[3]), place, note_chars(match[0]))


def compose(drafts: Iterable[WordDraft]) -> tuple[str, tuple[Word, ...]]:
    """Page text and words with offsets: a space between words of a line, a newline between lines of a
    block, an empty line between blocks. Boxes are as exact as MuPDF's (32 bits); lone surrogates become "?".
    """
    columns = list(zip(*drafts, strict=True))
    if not columns:
        return "", ()
    texts, boxes, places, note_counts, struck, set_off = columns
    parts: list[str] = []
    start, end = [], []
    at, before = 0, None
    for text, place in zip(texts, places, strict=True):
        separator = _separator(before, place)
        start.append(at + len(separator))
        at, before = start[-1] + len(text), place
        end.append(at)
        parts += (separator, text)
    sides = array("f", chain.from_iterable(boxes)).tolist()
    block, line = zip(*places, strict=True)
    no = [False] * len(texts)
    page_text = "".join(parts).encode("utf-8", "replace").decode()
    return page_text, words_of(
        page_text,
        [sides[side::4] for side in range(4)],
        start=start,
        end=end,
        block=block,
        line=line,
        note_chars=note_counts,
        struck=struck,
        set_off=set_off,
        furniture=no,
        bullet=no,
        reported=no,
    )


def _separator(before: Place | None, place: Place) -> str:
    if before is None:
        return ""
    if before == place:
        return " "
    return "\n" if before[0] == place[0] else "\n\n"


_FREE_TEXT = 2
_MOST_PAGES = 500
_HIDDEN = 2 | 32
"""Flags of fields that no viewer shows (ISO 32000-1, 12.5.3)."""
_BESIDE = 4.0
"""Maximum distance, in line heights, between a line and the typed text that continues it; unlimited after a
colon."""


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
        own = [draft for draft in found if holds(box, draft.box)]
        rest = [draft for draft in found if draft not in own]
        if not own:
            continue
        at, place = _where(rest, own[0])
        moved = [draft._replace(place=place) for draft in own] if place else own
        found = [*rest[:at], *moved, *rest[at:]]
    return found


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
