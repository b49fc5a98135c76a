"""Tables of pages: rows whole, whatever the order of the file, and nothing that is no table."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.pymupdf.grid import MAX_RULES, Cell, grids
from adapters.pymupdf.toolkit import PyMuPdfToolkit
from core.domain.answers import Verdict
from core.domain.pages import PageReading, Region, RegionKind
from core.domain.passages import Span
from core.evidence.alignment import align, quote_from_spans
from core.evidence.index import DocumentIndex
from core.evidence.marks import marks
from tests.support.pdfs import pymupdf, saved

ROWS = [
    ["Offence", "Penalty", "Provision"],
    ["Building without\na permit", "5,000 thalers\nfor each day", "section 59"],
    ["Selling before\nregistration", "10,000 thalers", "section 60\nand rule 4"],
    ["False statements", "2,500 thalers\nor a warning", "section 61"],
]
PLAIN = [" ".join(" ".join(row).split()) for row in ROWS]
ABOVE, BELOW = (
    "The penalties are as follows for every offence.",
    "They are paid within thirty days of the order.",
)
LEFT, TOP, COLUMN, ROW, STEP = 60.0, 130.0, 120.0, 34.0, 12.0

Placed = tuple[int, int, int, str]  # row, column, line, text


def lines_of(rows: Sequence[Sequence[str]]) -> list[Placed]:
    return [
        (r, c, n, line)
        for r, row in enumerate(rows)
        for c, cell in enumerate(row)
        for n, line in enumerate(cell.split("\n"))
        if line
    ]


ORDERS: dict[str, Callable[[Placed], tuple[int, ...]]] = {
    "cell by cell": lambda item: item[:3],
    "line by line": lambda item: (item[0], item[2], item[1]),
    "column by column": lambda item: (item[1], item[0], item[2]),
    "from the bottom": lambda item: (-item[0], -item[1], item[2]),
}


def ruled(
    rows: Sequence[Sequence[str]], order: str = "cell by cell", *, top: float = TOP, bold: int = 1
) -> Any:
    """A page with a ruled table between two sentences, whose words are written in `order`."""
    document = pymupdf.open()
    page = document.new_page(width=500, height=700)
    page.insert_text((LEFT, top - 30), ABOVE, fontsize=10)
    width, height = COLUMN * len(rows[0]), ROW * len(rows)
    for r in range(len(rows) + 1):
        page.draw_line((LEFT, top + r * ROW), (LEFT + width, top + r * ROW), width=0.7)
    for c in range(len(rows[0]) + 1):
        page.draw_line((LEFT + c * COLUMN, top), (LEFT + c * COLUMN, top + height), width=0.7)
    for r, c, n, line in sorted(lines_of(rows), key=ORDERS[order]):
        at = (LEFT + c * COLUMN + 4, top + r * ROW + 13 + n * STEP)
        page.insert_text(at, line, fontsize=10, fontname="hebo" if r < bold else "helv")
    page.insert_text((LEFT, top + height + 40), BELOW, fontsize=10)
    return document


def turned(document: Any, rotation: int) -> Any:
    """The same page stored turned, to be looked at as it was."""
    source = document[0].rect
    size = (source.height, source.width) if rotation in {90, 270} else (source.width, source.height)
    made = pymupdf.open()
    page = made.new_page(width=size[0], height=size[1])
    page.show_pdf_page(page.rect, document, 0, rotate=rotation)
    page.set_rotation(rotation)
    return made


async def first(toolkit: PyMuPdfToolkit, document: Any, path: Path) -> PageReading:
    return (await toolkit.read(saved(document, path))).pages[0]


def said(reading: PageReading, indices: Sequence[int]) -> str:
    return " ".join(reading.page.words[i].text for i in indices)


def tables(reading: PageReading) -> list[Region]:
    return [region for region in reading.regions if region.kind is RegionKind.TABLE]


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("order", ORDERS)
async def test_rows_come_whole_in_whatever_order_the_file_has_them(
    toolkit: PyMuPdfToolkit, tmp_path: Path, order: str, rotation: int
) -> None:
    path = tmp_path / "table.pdf"
    reading = await first(toolkit, turned(ruled(ROWS, order), rotation), path)
    page = reading.page
    (table,) = tables(reading)
    assert [said(reading, row) for row in table.rows] == PLAIN
    assert table.header_rows == 1
    inside = [i for row in table.rows for i in row]
    assert inside == list(range(inside[0], inside[0] + len(inside)))
    rest = [word.text for i, word in enumerate(page.words) if i not in set(inside)]
    assert rest == f"{ABOVE} {BELOW}".split()
    assert all(table.box.x0 <= page.words[i].box.x0 <= table.box.x1 for i in inside)
    row = [page.words[i] for i in table.rows[2]]
    quote = quote_from_spans([page], [Span(1, row[0].start, row[-1].end)])
    assert quote.text == PLAIN[2]
    assert align(PLAIN[2], DocumentIndex([page])).verdict is Verdict.VERBATIM
    boxes, expected = marks(page, quote.spans)
    assert len(boxes) == len("\n".join(ROWS[2]).split("\n"))  # one per line of a cell
    made = await toolkit.highlighted_page(path, 1, boxes, expected=expected)
    assert (made.marked, made.checked) == (True, True)


async def test_columns_names_are_told_by_type_colour_or_numbers(
    toolkit: PyMuPdfToolkit, tmp_path: Path
) -> None:
    numbered = [["Length", "Fee", "With benefit"], ["10 metres", "120", "60"], ["15 metres", "180", "90"]]
    named = [["Name", "Party", "Seat"], ["Ada", "Greens", "East"], ["Bo", "Reds", "West"]]
    both = [["Fees", "", ""], *numbered]
    corner = [["", "Party", "Seat"], ["Ada", "Greens", "East"], ["Bo", "Reds", "West"]]
    cases = [
        (ruled(corner, bold=0), 1),
        (ruled(numbered, bold=0), 1),
        (ruled(numbered[1:] * 2, bold=0), 0),
        (ruled(named, bold=0), 1),  # the first row of a table that begins below text
        (ruled(named, bold=0, top=50), 0),  # it may go on from the page before
        (ruled(named, bold=1, top=50), 1),
        (ruled(both, bold=2), 2),
    ]
    for number, (document, expected) in enumerate(cases):
        (table,) = tables(await first(toolkit, document, tmp_path / f"{number}.pdf"))
        assert table.header_rows == expected, number


@pytest.mark.parametrize("y", [TOP - 8, TOP + ROW * len(ROWS) + 14])
async def test_captions_stand_above_or_below(toolkit: PyMuPdfToolkit, tmp_path: Path, y: float) -> None:
    document = ruled(ROWS)
    document[0].insert_text((LEFT, y), "Table 2: Penalties by offence", fontsize=9)
    reading = await first(toolkit, document, tmp_path / "a.pdf")
    (table,) = tables(reading)
    assert said(reading, table.caption) == "Table 2: Penalties by offence"


@pytest.mark.parametrize(
    ("line", "caption"),
    [
        ("The fee for late boats is as follows:", "The fee for late boats is as follows:"),
        ("Ask at the pier. Fees for late boats:", "Fees for late boats:"),
        ("(1) The fee for late boats is:", ""),
        ("The fee for late boats is below.", ""),
    ],
)
async def test_what_leads_into_a_table_names_it(
    toolkit: PyMuPdfToolkit, tmp_path: Path, line: str, caption: str
) -> None:
    document = ruled(ROWS)
    document[0].insert_text((LEFT, TOP - 8), line, fontsize=9)
    reading = await first(toolkit, document, tmp_path / "a.pdf")
    (table,) = tables(reading)
    assert said(reading, table.caption) == caption


OPEN = [["District", "Candidate", "Votes"], ["Old Town", "Ada Lovel", "1,204"], ["Harbour", "Bo Holm", "987"]]
OPEN += [["Lake side", "Cy Dahl", "1,530"], ["Hill", "Di Ek", "640"]]


def open_table(page: Any, at: Sequence[int], *, step: float = 16.0, top: float = 150.0) -> None:
    """A table with rules only above the rows `at`."""
    for r in at:
        page.draw_line((60, top + r * step), (420, top + r * step), width=0.6)
    for r, row in enumerate(OPEN):
        for c, cell in enumerate(row):
            page.insert_text((64 + 130 * c, top + r * step + 11), cell, fontsize=9)
    page.insert_text((60, top - 30), ABOVE, fontsize=9)
    page.insert_text((60, top + len(OPEN) * step + 30), BELOW, fontsize=9)


@pytest.mark.parametrize("at", [(0, 1, 5), (0, 1, 2, 3, 4, 5), (1, 2, 3, 4), (2, 3, 4, 5)], ids=str)
async def test_tables_with_horizontal_rules_only(
    toolkit: PyMuPdfToolkit, tmp_path: Path, at: Sequence[int]
) -> None:
    document = pymupdf.open()
    open_table(document.new_page(width=500, height=700), at)
    reading = await first(toolkit, document, tmp_path / "a.pdf")
    (table,) = tables(reading)
    assert [said(reading, row) for row in table.rows][-4:] == [" ".join(row) for row in OPEN[1:]]
    assert said(reading, [i for row in table.rows[: table.header_rows] for i in row]) == " ".join(OPEN[0])


def prose(words: int) -> str:
    return " ".join(["We", "will", "build", "homes", "that", "people", "can", "afford."] * (words // 8))


def boxed_prose(page: Any) -> None:
    """Four panels of running text side by side."""
    for x in (40, 250):
        for y in (60, 380):
            page.draw_rect((x, y, x + 200, y + 300), width=0.7)
            page.insert_textbox((x + 5, y + 5, x + 195, y + 295), prose(160), fontsize=9)
    page.draw_line((240, 60), (250, 60))


def grid_of_prose(page: Any) -> None:
    for x in (40, 250, 460):
        page.draw_line((x, 60), (x, 660))
    for y in (60, 260, 460, 660):
        page.draw_line((40, y), (460, y))
    for x in (40, 250):
        for y in (60, 260, 460):
            page.insert_textbox((x + 5, y + 5, x + 205, y + 195), prose(80), fontsize=9)


def marked_lines(page: Any) -> None:
    """Running text on panels of another colour, line by line, as a marker makes it."""
    for n in range(8):
        for part in range(3):
            x = 60 + part * 110 + n % 2 * 7
            page.draw_rect((x, 100 + n * 14, x + 110, 113 + n * 14), fill=(1, 1, 0), color=None)
        page.insert_text((60, 110 + n * 14), prose(16)[:78], fontsize=9)


def framed_page(page: Any) -> None:
    for inset in (20, 24):
        page.draw_rect((inset, inset, 500 - inset, 700 - inset), width=1)
    page.insert_textbox((40, 60, 460, 600), prose(240), fontsize=10)


def underlined(page: Any) -> None:
    for n in range(12):
        page.insert_text((60, 100 + n * 20), prose(8), fontsize=10)
        page.draw_line((60, 103 + n * 20), (260, 103 + n * 20))


def drawing(page: Any) -> None:
    page.insert_textbox((40, 60, 460, 300), prose(80), fontsize=10)
    shape = page.new_shape()
    for n in range(3000):
        shape.draw_line((40 + n % 60 * 7, 320 + n // 60 * 7), (46 + n % 60 * 7, 320 + n // 60 * 7))
        shape.draw_line((40 + n % 60 * 7, 320 + n // 60 * 7), (40 + n % 60 * 7, 326 + n // 60 * 7))
    shape.finish()
    shape.commit()


def prose_between_rules(page: Any) -> None:
    for y in (60, 200, 340, 480):
        page.draw_line((60, y), (420, y))
        page.insert_textbox((64, y + 5, 416, y + 130), prose(80), fontsize=9)


def columns_between_rules(page: Any) -> None:
    """Two columns of running text under one heading, parted by rules."""
    for y in (60, 260, 460, 660):
        page.draw_line((40, y), (460, y))
    for x in (40, 260):
        for y in (60, 260, 460):
            page.insert_textbox((x, y + 5, x + 200, y + 195), prose(80), fontsize=9)


def numbered_list(page: Any) -> None:
    for n in range(6):
        page.draw_line((60, 100 + n * 20), (460, 100 + n * 20))
        page.insert_text((64, 114 + n * 20), f"{n + 1}.", fontsize=9)
        page.insert_text((90, 114 + n * 20), prose(8), fontsize=9)
    page.draw_line((60, 220), (460, 220))


@pytest.mark.parametrize(
    "draw",
    [
        prose_between_rules,
        columns_between_rules,
        numbered_list,
        boxed_prose,
        grid_of_prose,
        marked_lines,
        framed_page,
        underlined,
        drawing,
    ],
)
async def test_what_is_no_table(toolkit: PyMuPdfToolkit, tmp_path: Path, draw: Callable[[Any], None]) -> None:
    document = pymupdf.open()
    draw(document.new_page(width=500, height=700))
    reading = await first(toolkit, document, tmp_path / "a.pdf")
    assert reading.page.words
    assert tables(reading) == []


@st.composite
def drawn(draw: st.DrawFn) -> tuple[list[tuple[float, ...]], set[Cell]]:
    """The rules of a table some of whose neighbouring fields are one cell, in pieces and any order."""
    columns, rows = draw(st.integers(2, 6)), draw(st.integers(2, 8))
    xs = [50.0]
    for _ in range(columns):
        xs.append(xs[-1] + draw(st.integers(12, 80)))
    ys = [70.0]
    for _ in range(rows):
        ys.append(ys[-1] + draw(st.integers(12, 40)))
    merged = {
        row: draw(st.integers(0, columns - 2))
        for row in range(1, rows)
        if columns > 2 and draw(st.booleans())
    }
    cells = set()
    shapes: list[tuple[float, ...]] = []
    for row in range(rows):
        column = 0
        while column < columns:
            wide = 2 if merged.get(row) == column else 1
            cells.add(Cell(row, row + 1, column, column + wide))
            column += wide
            if column < columns:
                shapes.append((xs[column] - 0.25, ys[row], xs[column] + 0.25, ys[row + 1]))
        shapes += [(x - 0.25, ys[row], x + 0.25, ys[row + 1]) for x in (xs[0], xs[-1])]
    for y in ys:
        shapes += [(a, y - 0.25, b, y + 0.25) for a, b in pairwise(xs)]
    return draw(st.permutations(shapes)), cells


@given(drawn())
def test_cells_are_what_the_rules_bound(case: tuple[list[tuple[float, ...]], set[Cell]]) -> None:
    shapes, cells = case
    (grid,) = grids(((a, b, c, d) for a, b, c, d in shapes), edges=False)
    assert set(grid.cells) == cells
    for number, cell in enumerate(grid.cells):
        x = (grid.xs[cell.left] + grid.xs[cell.right]) / 2
        y = (grid.ys[cell.top] + grid.ys[cell.bottom]) / 2
        assert grid.cell_at(x, y) == number
    assert grid.cell_at(grid.xs[0] - 5, grid.ys[0]) is None


boxes = st.tuples(*[st.floats(-1e3, 1e4, allow_nan=False)] * 4)


@given(st.lists(boxes, max_size=60), st.booleans())
def test_any_shapes_end_in_sound_grids(shapes: list[tuple[float, float, float, float]], edges: bool) -> None:
    for grid in grids(shapes, edges=edges):
        held = [
            (r, c)
            for cell in grid.cells
            for r in range(cell.top, cell.bottom)
            for c in range(cell.left, cell.right)
        ]
        assert len(held) == len(set(held)) == (len(grid.ys) - 1) * (len(grid.xs) - 1)


@pytest.mark.parametrize(("count", "found"), [(50, 1), (MAX_RULES, 0)])
def test_very_many_rules_are_a_drawing(count: int, found: int) -> None:
    across = [(0.0, 10.0 * n, 90.0, 10.0 * n + 0.5) for n in range(count)]
    down = [(x, 0.0, x + 0.5, 10.0 * count) for x in (0.0, 45.0, 89.5)]
    assert len(grids(across + down, edges=False)) == found


def grouped(*, spread: bool) -> Any:
    """A page with a ruled table of two groups, named by cells over several rows (`spread`) or by own rows."""
    document = pymupdf.open()
    page = document.new_page(width=500, height=400)
    xs, step, y = (60, 200, 320, 440), 20, 100
    rows: list[tuple[str, ...]] = [("Lesson", "Minutes", "Fee")]
    for name in ("Violin", "Organ"):
        if not spread:
            rows.append((name,))
        rows += [
            ((name if spread and not n else ""), *row) for n, row in enumerate((("30", "62"), ("45", "38")))
        ]
    for n, row in enumerate(rows):
        top = y + n * step
        inside = spread and n and not row[0]
        page.draw_line((xs[1 if inside else 0], top), (xs[-1], top))
        for x, text in zip(xs, row, strict=False):
            page.insert_text((x + 5, top + 14), text, fontsize=10)
    bottom = y + len(rows) * step
    page.draw_line((xs[0], bottom), (xs[-1], bottom))
    for x in xs:
        page.draw_line((x, y), (x, bottom))
    return document


@pytest.mark.parametrize("spread", [False, True])
async def test_a_row_is_read_with_its_group(toolkit: PyMuPdfToolkit, tmp_path: Path, spread: bool) -> None:
    reading = await toolkit.read(saved(grouped(spread=spread), tmp_path / "a.pdf"))
    (item,) = reading.pages
    (table,) = item.regions
    texts = [" ".join(item.page.words[i].text for i in row) for row in table.rows]
    rows = [f"{name} {rest}" for name in ("Violin", "Organ") for rest in ("30 62", "45 38")]
    assert [text for text in texts if text not in ("Violin", "Organ")] == ["Lesson Minutes Fee", *rows]


async def test_an_empty_first_cell_goes_on_with_the_group_above(
    toolkit: PyMuPdfToolkit, tmp_path: Path
) -> None:
    hire = [["Hall", "an hour", "12"], ["", "a day", "85"], ["Studio", "an hour", "7"], ["", "a day", "44"]]
    (table,) = tables(await first(toolkit, ruled([["Room", "Time", "Fee"], *hire]), tmp_path / "a.pdf"))
    assert table.header_rows == 1
    reading = await first(toolkit, ruled([["Room", "Time", "Fee"], *hire]), tmp_path / "b.pdf")
    assert [said(reading, row) for row in tables(reading)[0].rows[1:]] == [
        *("Hall an hour 12", "Hall a day 85"),
        *("Studio an hour 7", "Studio a day 44"),
    ]
    bill = [["Chairs", "oak", "12"], ["Tables", "ash", "85"], ["", "total", "97"]]
    reading = await first(toolkit, ruled([["Thing", "Wood", "Price"], *bill]), tmp_path / "c.pdf")
    assert said(reading, tables(reading)[0].rows[-1]) == "total 97"
