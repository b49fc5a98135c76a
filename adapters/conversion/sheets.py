"""Spreadsheets: the cells that are seen, as they are shown. Runs in the child."""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree as Xml

import openpyxl
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.utils import range_boundaries
from openpyxl.worksheet._reader import FORMULA_TAG, VALUE_TAG, WorkSheetParser

from adapters.conversion.formats import ConversionError
from adapters.conversion.markup import superscript
from adapters.conversion.number_formats import spoken, written
from adapters.conversion.rows import MAX_CELLS, Row

_NO_HEIGHT = re.compile(r"0(?:\.0*)?")
_MAX_MERGED = 2_000
_MAX_HEIGHT = 5_000


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet that is seen: its name and its rows, those without text left out."""

    title: str
    rows: list[Row]


class _Parser(WorkSheetParser):  # type: ignore[misc]  # openpyxl has no types
    """Reads a sheet's filled cells and counts its formulas that nobody has calculated."""

    uncalculated = 0

    def parse_cell(self, element: Xml.Element) -> dict[str, Any]:
        """A cell as openpyxl reads it."""
        if element.find(FORMULA_TAG) is not None and not element.findtext(VALUE_TAG):
            self.uncalculated += 1
        found: dict[str, Any] = super().parse_cell(element)
        return found


def read(data: bytes) -> tuple[list[Sheet], int]:
    """The sheets that are seen, and how many formulas have no result in the file. Raises ConversionError."""
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
