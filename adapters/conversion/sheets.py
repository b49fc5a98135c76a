"""Spreadsheets: the visible cells as displayed. Runs in the child."""

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree as Xml

import openpyxl
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.utils import range_boundaries
from openpyxl.worksheet._reader import FORMULA_TAG, VALUE_TAG, WorkSheetParser

from adapters.conversion.formats import ConversionError
from adapters.conversion.markup import superscript

# Tables of numbers (XLSX, CSV) as text: a row stands for itself where it is searched, quoted and marked, so
# each of its cells has its column's heading, and the row the name of its group. Runs in the child.


MAX_CELLS = 500_000
"""Maximum number of non-empty cells."""
_GROUP_WORDS = 8
"""Words of the lone cell of a row up to which it names a group of the rows below."""
_SENTENCE_END = re.compile(r"[.!?;,]\s*$")
_TOTAL = re.compile(
    r"(?:zwischen|gesamt|end)?(?:summe|gesamt|insgesamt|total|sum|sous-total|ensemble)\b", re.I
)


@dataclass(slots=True)
class Row:
    """The texts of a row's cells by column. `above`: the columns of those that stand in it because a cell
    above spans it; `wide`: that span several columns, with the last of them; `gap`: an empty row stands
    above it."""

    cells: dict[int, str]
    above: set[int] = field(default_factory=set)
    wide: dict[int, int] = field(default_factory=dict)
    gap: bool = False

    def filled(self) -> dict[int, str]:
        """Its cells with text, with white space normalised."""
        texts = ((column, " ".join(text.split())) for column, text in self.cells.items())
        return {column: text for column, text in texts if text}

    def own(self) -> dict[int, str]:
        """The cells that don't come from a row above."""
        return {column: text for column, text in self.filled().items() if column not in self.above}


def paragraphs(rows: Iterable[Row]) -> Iterator[str]:
    """A paragraph a row: "Heading: cell; heading: cell". The first row with two or more cells heads, and with
    it those that stand under its merged cells; behind empty rows a row of words may begin another table."""
    kept = [row for row in rows if row.filled()]
    begins = [0, *(n for n in range(1, len(kept)) if _begins_anew(kept, n)), len(kept)]
    for begin, end in pairwise(begins):
        yield from _table(kept[begin:end])


def _begins_anew(rows: Sequence[Row], n: int) -> bool:
    """Whether another table begins with row `n`: its title, or the names of its columns."""
    if not rows[n].gap:
        return False
    head = n if len(rows[n].own()) > 1 else n + 1
    if head + 1 >= len(rows) or len(rows[head].own()) < 2:
        return False
    return _is_wordy(rows[head]) and not _is_wordy(rows[head + 1])


def _table(rows: Sequence[Row]) -> Iterator[str]:
    first = next((n for n, row in enumerate(rows) if len(row.own()) > 1), len(rows))
    yield from (" ".join(row.filled().values()) for row in rows[:first])
    heads, at = _heads(rows[first:])
    group, noted = "", False
    for n, row in enumerate(rows[first + at :], first + at):
        if name := _group(row, rows[n + 1 : n + 2]):
            group = name
            yield name
            continue
        cells = row.filled()
        begins = next(iter(cells.values()))
        noted = len(cells) == 1 and (noted or row.gap or _is_long(begins))
        if noted:
            yield begins
            continue
        named = [f"{heads[column]}: {text}" if column in heads else text for column, text in cells.items()]
        yield "; ".join((group, *named) if group and not _TOTAL.match(begins) else named)


def _is_long(text: str) -> bool:
    return len(text.split()) > _GROUP_WORDS or _SENTENCE_END.search(text) is not None


def _heads(rows: Sequence[Row]) -> tuple[dict[int, str], int]:
    """The name of each column, and the number of header rows."""
    if not rows:
        return {}, 0
    heads = _spread(rows[0])
    at = 1
    while at < len(rows) - 1 and (rows[at].above or rows[at - 1].wide) and _is_wordy(rows[at]):
        for column, text in _spread(rows[at]).items():
            if column not in rows[at].above:
                heads[column] = f"{heads[column]} {text}" if column in heads else text
        at += 1
    return heads, at


def _spread(row: Row) -> dict[int, str]:
    """A row's texts, those of wide cells in every column they span."""
    found = row.filled()
    for left, right in row.wide.items():
        for column in range(left + 1, right + 1):
            if left in found:
                found.setdefault(column, found[left])
    return found


def _is_wordy(row: Row) -> bool:
    return not any(character.isdigit() for text in row.own().values() for character in text)


def _group(row: Row, following: Sequence[Row]) -> str:
    """The name of a group of rows that stands alone above them; "" where the row is none."""
    own = row.own()
    if len(own) != 1 or row.above or not following or len(following[0].own()) < 2:
        return ""
    [(_, text)] = own.items()
    return (
        text
        if not _is_long(text) and any(map(str.isalpha, text)) and min(following[0].filled()) >= min(own)
        else ""
    )


_NO_HEIGHT = re.compile(r"0(?:\.0*)?")
_MAX_MERGED = 2_000
_MAX_HEIGHT = 5_000


@dataclass(frozen=True, slots=True)
class Sheet:
    """A visible sheet: its name and its rows with text."""

    title: str
    rows: list[Row]


class _Parser(WorkSheetParser):  # type: ignore[misc]  # openpyxl has no types
    """Reads a sheet's non-empty cells and counts its uncalculated formulas."""

    uncalculated = 0

    def parse_cell(self, element: Xml.Element) -> dict[str, Any]:
        """A cell as openpyxl reads it."""
        if element.find(FORMULA_TAG) is not None and not element.findtext(VALUE_TAG):
            self.uncalculated += 1
        found: dict[str, Any] = super().parse_cell(element)
        return found


def read(data: bytes) -> tuple[list[Sheet], int]:
    """The visible sheets, and the number of formulas without a result in the file. Raises ConversionError."""
    book = openpyxl.load_workbook(
        io.BytesIO(data), read_only=True, data_only=True, keep_links=False, rich_text=True
    )
    values: list[tuple[Any, dict[int, dict[int, tuple[Any, str]]], _Parser]] = []
    left, uncalculated = MAX_CELLS, 0
    for sheet in book.worksheets:
        if sheet.sheet_state != "visible":
            continue
        rows, parser = _values(book, sheet, left)
        left -= sum(map(len, rows.values()))
        uncalculated += parser.uncalculated
        values.append((sheet, rows, parser))
    every = [cell for _, rows, _ in values for row in rows.values() for cell in row.values()]
    language = spoken(
        (str(value) for value, _ in every if isinstance(value, str)), {code for _, code in every}
    )
    return [_sheet(sheet.title, rows, parser, language) for sheet, rows, parser in values], uncalculated


def _values(book: Any, sheet: Any, most: int) -> tuple[dict[int, dict[int, tuple[Any, str]]], _Parser]:
    """The values and formats of a sheet's filled cells, by row and column."""
    rows: dict[int, dict[int, tuple[Any, str]]] = {}
    with sheet._get_source() as source:
        parser = _Parser(
            source,
            sheet._shared_strings,
            data_only=True,
            epoch=book.epoch,
            date_formats=book._date_formats,
            timedelta_formats=book._timedelta_formats,
            rich_text=True,
        )
        for number, cells in parser.parse():
            filled = [cell for cell in cells if cell["value"] is not None]
            most -= len(filled)
            if most < 0:
                raise ConversionError(
                    "file.too_large", f"the table has more than {MAX_CELLS} filled cells; send a part of it"
                )
            if filled:
                rows[number] = {
                    cell["column"]: (cell["value"], _format(book, cell["style_id"])) for cell in filled
                }
    return rows, parser


def _format(book: Any, style: int) -> str:
    number = book._cell_styles[style].numFmtId
    if number < 164:
        return str(openpyxl.styles.numbers.BUILTIN_FORMATS.get(number, "General"))
    return str(book._number_formats[number - 164])


def _sheet(title: str, rows: dict[int, dict[int, tuple[Any, str]]], parser: _Parser, language: str) -> Sheet:
    """The rows that are seen, with what merged cells say of them."""
    unseen = {number for number, each in _sizes(parser.row_dimensions) if _is_unseen(each, "ht")}
    hidden: set[int] = set()
    for number, each in _sizes(parser.column_dimensions):
        if _is_unseen(each, "width"):
            hidden |= set(range(int(each.get("min", number)), min(int(each.get("max", number)), 20_000) + 1))
    made = {
        number: Row({column: _shown(*cell, language) for column, cell in sorted(cells.items())})
        for number, cells in sorted(rows.items())
    }
    for left, top, right, bottom in _merged(parser):
        text = made[top].cells.get(left, "") if top in made else ""
        if not text:
            continue
        if right > left:
            made[top].wide[left] = right
        for number in range(top + 1, min(bottom, top + _MAX_HEIGHT) + 1):
            if number in made:
                made[number].cells.setdefault(left, text)
                made[number].above.add(left)
    seen = []
    for number, row in made.items():
        row.gap = number - 1 not in made
        row.cells = {column: row.cells[column] for column in sorted(row.cells) if column not in hidden}
        if number not in unseen and any(text.strip() for text in row.cells.values()):
            seen.append(row)
    return Sheet(title, seen)


def _sizes(dimensions: dict[str, dict[str, str]]) -> Iterator[tuple[int, dict[str, str]]]:
    for name, each in dimensions.items():
        number = each.get("min") or each.get("r") or name
        if number.isdecimal():
            yield int(number), each


def _is_unseen(dimension: dict[str, str], size: str) -> bool:
    return dimension.get("hidden") in ("1", "true") or bool(_NO_HEIGHT.fullmatch(dimension.get(size, "")))


def _merged(parser: _Parser) -> Iterator[tuple[int, int, int, int]]:
    ranges = parser.merged_cells.mergeCell if parser.merged_cells else ()
    for each in ranges[:_MAX_MERGED]:
        left, top, right, bottom = range_boundaries(each.ref)
        if None not in (left, top, right, bottom):
            yield left, top, right, bottom


def _shown(value: Any, code: str, language: str) -> str:
    if isinstance(value, CellRichText):
        return "".join(superscript(str(run)) if _is_raised(run) else str(run) for run in value)
    return written(value, code, language)


def _is_raised(run: Any) -> bool:
    return isinstance(run, TextBlock) and run.font.vertAlign == "superscript"


# Numbers and dates as spreadsheets show them (ECMA-376, 18.8.30 and 18.8.31). Runs in the child.

_SECTION = re.compile(r'(?:"[^"]*"|\\.|\[[^\]]*\]|[^;"\\\[])*')
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|\[\$(?P<currency>[^\]-]*)(?:-[^\]]*)?\]|\[(?P<elapsed>[hms]+)\]'
    r"|\[(?P<bracket>[^\]]*)\]|_(?P<blank>.)|\*(?P<filler>.)|(?P<noon>AM/PM|A/P)|(?P<general>General|Standard)"
    r"|(?P<power>E[+-]0+)|(?P<digits>[0#?]+)|(?P<date>y+|m+|d+|h+|s+)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(r"\[(<=|>=|<>|<|>|=)(-?\d+(?:\.\d+)?)\]")
_LONGEST = 255
"""Maximum characters of a number format, as in spreadsheet programs."""
_BUILT_IN_DATE = "mm-dd-yy"
_DAY = {"de": "dd.mm.yyyy", "ch": "dd.mm.yyyy", "fr": "dd/mm/yyyy"}
_NAMES = {
    "de": (
        "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
    ),
    "fr": (
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "lundi mardi mercredi jeudi vendredi samedi dimanche",
    ),
    "en": (
        "January February March April May June July August September October November December",
        "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    ),
}
_TRUE = {"de": ("WAHR", "FALSCH"), "fr": ("VRAI", "FAUX"), "en": ("TRUE", "FALSE")}
_SIGNS = {"de": (",", "."), "fr": (",", "\u202f"), "ch": (".", "’"), "en": (".", ",")}
"""Decimal and thousands separators."""
_LOCALES = {
    **dict.fromkeys(("407", "c07", "1407", "1007"), "de"),
    **dict.fromkeys(("40c", "80c", "140c"), "fr"),
    **dict.fromkeys(("807", "100c"), "ch"),
    **dict.fromkeys(("409", "809", "1809", "c09", "1009", "4009"), "en"),
}
_LOCALE = re.compile(r"\[\$[^\]]*-([0-9A-Fa-f]+)\]")
_SPOKEN = {
    "de": re.compile(
        r"[äöüß]|\b(?:und|der|die|das|je|pro|von|bis|ab|mit|jahr|preis|anteil|summe|datum|betrag|euro|eur|kosten)\b"
    ),
    "fr": re.compile(r"[éèàçêù]|\b(?:et|le|la|les|des|du|par|pour|prix|montant|tarif|nombre)\b"),
    "en": re.compile(r"\b(?:and|the|of|per|for|fee|price|year|cost|amount|rate|from|by|share|date)\b"),
}


def spoken(texts: Iterable[str], formats: Iterable[str]) -> str:
    """Whose signs a sheet is shown with ("de", "fr", "ch", "en"): those of its formats, else of its words."""
    stated = [code for each in formats for code in _LOCALE.findall(each)]
    for code in stated:
        if found := _LOCALES.get(code.casefold().lstrip("0")):
            return found
    text = " ".join(texts).casefold()
    counts = {language: len(words.findall(text)) for language, words in _SPOKEN.items()}
    most = max(counts, key=counts.__getitem__)
    return most if counts[most] else "en"


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str


def written(value: object, code: str, language: str) -> str:
    """A cell's value as it is shown in a format, with the signs of a language (see `spoken`)."""
    code = code[:_LONGEST]
    if isinstance(value, bool):
        return _TRUE.get(language, _TRUE["de" if language == "ch" else "en"])[not value]
    if isinstance(value, str):
        sections = _sections(code)
        if len(sections) == 4:
            return "".join(value if each.text == "@" else _literal(each) for each in _tokens(sections[3]))
        return value
    if isinstance(value, datetime | date | time | timedelta):
        return _dated(value, code, language)
    if isinstance(value, int | float):
        try:
            return _numbered(value, code, language)
        except (ArithmeticError, ValueError):  # more digits than a spreadsheet keeps
            return str(value)
    return str(value)


def _sections(code: str) -> list[str]:
    parts, at = [], 0
    while at <= len(code):
        found = _SECTION.match(code, at)
        end = found.end() if found else at
        parts.append(code[at:end])
        at = end + 1
    return parts[:4]


def _tokens(section: str) -> list[_Token]:
    return [_Token(found.lastgroup or "", found[found.lastgroup or 0]) for found in _TOKEN.finditer(section)]


def _literal(token: _Token) -> str:
    if token.kind in ("quoted", "escaped", "other", "currency", "date"):
        return token.text
    return " " if token.kind == "blank" else ""


def _plain(value: float, language: str) -> str:
    """A number with as many digits as a spreadsheet keeps, without an exponent."""
    if isinstance(value, int) or float(value).is_integer():
        return str(int(value))
    return format(Decimal(f"{value:.15g}"), "f").replace(".", _SIGNS[language][0])


def _numbered(value: float, code: str, language: str) -> str:
    section, value = _chosen(value, _sections(code))
    tokens = _tokens(section)
    kinds = {each.kind for each in tokens}
    if "general" in kinds or not section.strip() or section == "@":
        shown = _plain(value, language) if section.strip() else ""
        whole = "".join(shown if each.kind == "general" else _literal(each) for each in tokens)
        return shown if section == "@" else whole.strip()
    if "power" in kinds:
        places = sum(len(each.text) for each in tokens[1:] if each.kind == "digits")
        return f"{value:.{places}E}".replace(".", _SIGNS[language][0])
    if "digits" not in kinds:
        return "".join(map(_literal, tokens)).strip()
    if any(each.kind == "other" and each.text == "/" for each in tokens):
        return _fraction(value, tokens)
    return _placed(value, tokens, language)


def _chosen(value: float, sections: Sequence[str]) -> tuple[str, float]:
    """The section that a number is written in, and what is written there."""
    for section in sections[:2]:
        if condition := _CONDITION.search(section):
            limit = float(condition[2])
            holds = {
                "<": value < limit,
                ">": value > limit,
                "=": value == limit,
                "<=": value <= limit,
                ">=": value >= limit,
                "<>": value != limit,
            }
            if holds[condition[1]]:
                return section, abs(value) if value < 0 and "-" in section else value
    if any(map(_CONDITION.search, sections[:2])):
        return sections[-1], value
    if value < 0 and len(sections) > 1:
        return sections[1], -value
    if value == 0 and len(sections) > 2:
        return sections[2], value
    return sections[0], value


def _placed(value: float, tokens: Sequence[_Token], language: str) -> str:
    """A number in the places of its format: whole ones before the point, parts behind it."""
    decimal, thousands = _SIGNS[language]
    places = [n for n, each in enumerate(tokens) if each.kind == "digits"]
    point = next((n for n, each in enumerate(tokens) if each.text == "." and each.kind == "other"), None)
    whole = [n for n in places if point is None or n < point]
    parts = [n for n in places if point is not None and n > point]
    commas = [n for n, each in enumerate(tokens) if each.text == "," and each.kind == "other"]
    grouped = any(whole and whole[0] < n < whole[-1] for n in commas)
    scaled = [n for n in commas if n > places[-1] and n - places[-1] <= len(commas)]
    percent = sum(each.text == "%" and each.kind == "other" for each in tokens)
    number = Decimal(f"{value:.15g}") * 100**percent / 1000 ** len(scaled)
    pattern = "".join(tokens[n].text for n in parts)
    exact = abs(number).quantize(Decimal(1).scaleb(-len(pattern)), rounding=ROUND_HALF_UP)
    figures, _, rest = f"{exact:f}".partition(".")
    while rest and pattern[len(rest) - 1] != "0" and rest.endswith("0"):
        rest = rest[:-1]
    least = sum(tokens[n].text.count("0") for n in whole)
    figures = figures.lstrip("0").rjust(least, "0")
    if grouped:
        figures = re.sub(r"(?<=\d)(?=(?:\d{3})+$)", thousands, figures)
    made = ["" if n in commas else _literal(each) for n, each in enumerate(tokens)]
    for n in reversed(whole[1:]):  # "000-000": the last placeholders take the last digits
        if grouped or not figures:
            break
        size = len(tokens[n].text)
        made[n], figures = figures[-size:], figures[:-size]
    if whole:
        made[whole[0]] = figures
    if parts:
        made[parts[0]] = rest
    if point is not None:
        made[point] = decimal if rest or (parts and "0" in pattern) else ""
    sign = "-" if number < 0 and exact else ""
    return f"{sign}{''.join(made).strip()}"


def _fraction(value: float, tokens: Sequence[_Token]) -> str:
    digits = [each.text for each in tokens if each.kind == "digits"]
    near = Fraction(abs(value)).limit_denominator(10 ** min(4, len(digits[-1])) - 1)
    whole, rest = divmod(near, 1) if len(digits) > 2 else (0, near)
    sign = "-" if value < 0 else ""
    if not rest:
        return f"{sign}{whole}"
    return f"{sign}{f'{whole} ' if whole else ''}{rest.numerator}/{rest.denominator}"


def _dated(value: datetime | date | time | timedelta, code: str, language: str) -> str:
    section = _DAY.get(language, "yyyy-mm-dd") if code.casefold() == _BUILT_IN_DATE else _sections(code)[0]
    tokens = _tokens(section)
    if not any(each.kind in ("date", "elapsed") for each in tokens):
        return str(value).removesuffix(" 00:00:00")
    half = any(each.kind == "noon" for each in tokens)
    clock = [
        n for n, each in enumerate(tokens) if each.text[:1] in "hHsS" and each.kind in ("date", "elapsed")
    ]
    dates = [n for n, each in enumerate(tokens) if each.kind in ("date", "elapsed")]
    parts = []
    for n, each in enumerate(tokens):
        at = dates.index(n) if n in dates else -1
        beside = {dates[at - 1] if at else -1, dates[at + 1] if at + 1 < len(dates) else -1}
        minutes = each.text[:1] in "mM" and any(
            tokens[m].text[:1] in ("hH" if m < n else "sS") for m in beside if m in clock
        )
        parts.append(_part(value, each, language, half=half, minutes=minutes))
    return "".join(parts).strip()


def _part(value: object, token: _Token, language: str, *, half: bool, minutes: bool) -> str:
    kind, size = token.text[:1].casefold(), len(token.text)
    if token.kind == "noon":
        return "AM" if getattr(value, "hour", 0) < 12 else "PM"
    if token.kind not in ("date", "elapsed"):
        return _literal(token)
    if isinstance(value, timedelta) or token.kind == "elapsed":
        return _elapsed(value, kind, size, whole=token.kind == "elapsed")
    months, days = (each.split() for each in _NAMES.get(language, _NAMES["en"]))
    if kind == "y" and isinstance(value, date):
        return f"{value.year:04d}" if size > 2 else f"{value.year % 100:02d}"
    if kind == "m" and not minutes and isinstance(value, date):
        name = months[value.month - 1]
        return f"{value.month:0{size}d}" if size < 3 else name[:3] if size == 3 else name
    if kind == "d" and isinstance(value, date):
        name = days[value.weekday()]
        short = name[:2] if language == "de" else name[:3]
        return f"{value.day:0{size}d}" if size < 3 else short if size == 3 else name
    clock = {"h": "hour", "m": "minute", "s": "second"}.get(kind, "")
    number = getattr(value, clock, 0) if clock else 0
    if kind == "h" and half:
        number = number % 12 or 12
    return f"{number:0{min(size, 2)}d}"


def _elapsed(value: object, kind: str, size: int, *, whole: bool) -> str:
    """A component of a duration; `whole`: all of it in that unit ("[h]")."""
    if isinstance(value, timedelta):
        seconds = int(value.total_seconds())
    else:
        seconds = sum(
            getattr(value, name, 0) * each for name, each in (("hour", 3600), ("minute", 60), ("second", 1))
        )
    unit, turn = {"h": (3600, 24), "m": (60, 60), "s": (1, 60)}.get(kind, (1, 60))
    number = seconds // unit
    return f"{number if whole else number % turn:0{min(size, 2)}d}"
