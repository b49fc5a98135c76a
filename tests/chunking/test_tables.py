"""Tables: rows whole, columns' names in every heading, at their place, every word exact."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.documents import DocumentType
from core.domain.pages import Box, Page, Region, RegionKind
from core.domain.passages import PassageDraft, PassageKind
from core.evidence.skeleton import skeleton
from core.library.chunking.chunker import chunk
from core.library.chunking.text import page_spans
from core.library.furniture import mark_furniture
from tests.chunking.test_spans import assert_exact
from tests.support.typesetting import HEIGHT, Set, column, count_words, page

HEADER = ("Matter", "Fee in thalers", "Period")
ROWS = [
    ("Registration of a boat", "120", "thirty days"),
    ("Renewal in time", "60", "ninety days before expiry"),
    ("Change of ownership", "25", "fourteen days"),
]
BEFORE = "The fees for boats are laid down in the following table and are due with the application."
AFTER = "Whoever pays late owes a tenth more for every month that has begun since the day it was due."

Rows = Sequence[Sequence[str]]


def cells(rows: Rows, y: float, *, x: float = 60.0, block: int = 20) -> list[Set]:
    return [
        Set(cell, x + 160 * c, y + 20 * r, block=block + 3 * r + c)
        for r, row in enumerate(rows)
        for c, cell in enumerate(row)
    ]


def region(made: Page, rows: Rows, *, header_rows: int = 1, caption: str = "", x: float = 60.0) -> Region:
    """The table that stands on the page: its words are looked up."""
    texts = [word.text for word in made.words]

    def where(said: str) -> tuple[int, ...]:
        wanted = said.split()
        at = next(i for i in range(len(texts)) if texts[i : i + len(wanted)] == wanted)
        return tuple(range(at, at + len(wanted)))

    return Region(
        kind=RegionKind.TABLE,
        box=Box(x, 90, x + 480, HEIGHT - 90),
        rows=tuple(where(" ".join(row)) for row in rows),
        header_rows=header_rows,
        caption=where(caption) if caption else (),
    )


def cut(
    pages: Sequence[Page],
    regions: dict[int, list[Region]],
    doc_type: DocumentType = DocumentType.MANIFESTO,
    max_tokens: int = 480,
) -> list[PassageDraft]:
    marked = mark_furniture(pages, regions)
    made = chunk(
        marked,
        doc_type=doc_type,
        language="en",
        title="Boats",
        count_tokens=count_words,
        max_tokens=max_tokens,
        regions=regions,
    )
    for passage in made.passages:
        if passage.kind is PassageKind.TABLE:
            at = 0
            for row in passage.text.split("\n"):  # every row by itself
                spans = page_spans(passage, at, at + len(row), {p.number: p for p in marked})
                found = "".join(marked[s.page - 1].text[s.start : s.end] for s in spans)
                assert skeleton(found) == skeleton(row)
                at += len(row) + 1
        assert_exact(passage, {p.number: p for p in marked}, "en")
    return list(made.passages)


def tables(passages: Sequence[PassageDraft]) -> list[PassageDraft]:
    return [passage for passage in passages if passage.kind is PassageKind.TABLE]


def test_rows_are_whole_and_the_columns_names_stand_above() -> None:
    made = page(
        1, [*column([BEFORE], y=100), *cells([HEADER, *ROWS], 200), *column([AFTER], y=400, first_block=90)]
    )
    around, table = cut([made], {1: [region(made, [HEADER, *ROWS])]})
    assert table.text.split("\n") == [" ".join(row) for row in (HEADER, *ROWS)]
    assert table.heading == "Boats › Matter Fee in thalers Period"
    assert around.text == f"{BEFORE}\n{AFTER}"


def test_a_long_table_has_its_names_above_every_part() -> None:
    rows = [(f"Number {n}", "because of this and that and more", f"{n} days") for n in range(60)]
    made = page(1, [Set("Fees of the year", 60, 60, 14.0), *cells([HEADER, *rows], 90)])
    found = tables(cut([made], {1: [region(made, [HEADER, *rows])]}))
    assert len(found) > 2
    assert {passage.heading.rpartition(" › ")[2] for passage in found} == {"Matter Fee in thalers Period"}
    lines = [line for passage in found for line in passage.text.split("\n")]
    assert lines == [" ".join(row) for row in (HEADER, *rows)]


def test_a_passage_over_the_limit_is_cut_between_rows() -> None:
    rows = [(f"Number {n}", " ".join(["word"] * 30), "x") for n in range(4)]
    made = page(1, cells([HEADER, *rows], 90))
    found = tables(cut([made], {1: [region(made, [HEADER, *rows])]}, max_tokens=50))
    assert [passage.text.split("\n")[-1].split()[1] for passage in found] == ["0", "1", "2", "3"]
    assert all("Fee in thalers" in passage.heading for passage in found)


@pytest.mark.parametrize(
    ("rows", "x", "between", "goes_on"),
    [
        (ROWS, 60.0, "", True),
        ([HEADER, *ROWS], 60.0, "", True),
        (ROWS, 100.0, "", False),
        ([("Other", "Columns", "Here"), *ROWS], 60.0, "", False),
        (ROWS, 60.0, "A sentence that stands between the two.", False),
    ],
)
def test_a_table_goes_on_over_the_page(rows: Rows, x: float, between: str, goes_on: bool) -> None:
    caption = "Table 4: Fees"
    named = len(rows) - len(ROWS)
    first = page(1, [*column([BEFORE], y=60), Set(caption, 60, 170, block=9), *cells([HEADER, *ROWS], 200)])
    text = [Set(between, 60, 60, block=5)] if between else []
    second = page(2, [*text, *cells(rows, 100, x=x), *column([AFTER], y=400, first_block=90)])
    passages = cut(
        [first, second],
        {
            1: [region(first, [HEADER, *ROWS], caption=caption)],
            2: [region(second, rows, header_rows=named, x=x)],
        },
    )
    one, two = tables(passages)
    assert one.heading == "Boats › Table 4: Fees › Matter Fee in thalers Period"
    assert one.text.startswith(caption)
    assert (two.heading == one.heading) is goes_on
    assert ("Table 4" in two.heading) is goes_on


def test_a_table_belongs_to_the_section_it_stands_in() -> None:
    duty = "The holder of a permit shall keep the boat in good repair at any time and in full."
    texts = [f"{n}. Duty number {n}.- (1) {duty}" for n in range(1, 7)]
    above, below = column(texts[:3], y=60), column(texts[3:], y=400, first_block=90)
    made = page(1, [*above, *cells([HEADER, *ROWS], 250), *below])
    passages = cut([made], {1: [region(made, [HEADER, *ROWS])]}, DocumentType.RULES)
    (table,) = tables(passages)
    assert table.section is not None
    assert table.section.id == "rule:3"
    assert "Duty number 3" in table.heading
    assert passages.index(table) == 3
    sections = [p.section.id for p in passages if p.section and p.kind is PassageKind.SECTION]
    assert sections == [f"rule:{n}" for n in range(1, 7)]


def test_a_table_of_contents_is_none() -> None:
    names = ("Boats", "Moorings", "Fees", "Water", "Disputes", "Names", "Offices", "Duties")
    rows = [(f"{name} of the land . . . . . . . .", f"{5 * n}") for n, name in enumerate(names, start=1)]
    made = page(1, [Set("Contents", 60, 60, 14.0), *cells(rows, 100)])
    text = page(2, column([BEFORE, AFTER] * 3, y=100))
    passages = cut([made, text], {1: [region(made, rows, header_rows=0)]})
    assert tables(passages) == []
    assert not any("of the land" in passage.text for passage in passages)


AMOUNTS = {
    "price": st.integers(0, 99).map(lambda n: f"{n},00 €"),
    "price in front": st.integers(0, 99).map(lambda n: f"£{n}.00"),
    "euros": st.integers(1, 20).map(lambda n: f"{n} €"),
    "share": st.integers(1, 20).map(lambda n: f"{n} %"),
    "time": st.integers(8, 20).map(lambda n: f"{n}:00"),
    "number": st.integers(1, 20).map(str),
}


@pytest.mark.parametrize("amounts", AMOUNTS.values(), ids=AMOUNTS)
@given(data=st.data())
def test_a_table_of_increasing_numbers_is_no_table_of_contents(
    data: st.DataObject, amounts: st.SearchStrategy[str]
) -> None:
    numbers = sorted(
        data.draw(st.lists(amounts, min_size=5, max_size=12)), key=lambda each: (len(each), each)
    )
    rows = [(f"Kind {n} of boat", number) for n, number in enumerate(numbers, start=1)]
    lines = [
        Set(cell, 60 + 240 * c, 100 + 20 * r, block=20 + r)
        for r, row in enumerate([HEADER[:2], *rows])
        for c, cell in enumerate(row)
    ]
    made = page(1, [*column([BEFORE], y=60), *lines])
    passages = cut([made], {1: [region(made, [HEADER[:2], *rows])]})
    assert all(any(" ".join(row) in each.text for each in passages) for row in rows)


def test_a_short_document_with_contents_keeps_the_tables_below_them() -> None:
    entries = [(f"Part {n} of the rules . . . . . . . . .", str(n)) for n in range(1, 5)]
    rows = [(f"Fare {n} across the lake", str(3 * n)) for n in range(1, 5)]
    made = page(1, [Set("Contents", 60, 60, 14.0), *cells(entries, 100), *cells([HEADER[:2], *rows], 240)])
    passages = cut([made], {1: [region(made, [HEADER[:2], *rows])]})
    assert all(any(" ".join(row) in each.text for each in passages) for row in rows)


def test_rows_in_the_order_of_the_alphabet_are_an_index_only_at_the_end() -> None:
    names = sorted(f"{chr(65 + n)}stadt" for n in range(18))
    rows = [(name, str(10 + n)) for n, name in enumerate(names)]
    listing = [Set(f"{name} {number}", 60, 80 + 20 * n, block=n) for n, (name, number) in enumerate(rows)]
    for where, kept in ((20, True), (40, False)):
        pages = [page(n, listing if n == where else column([BEFORE, AFTER] * 3)) for n in range(1, 41)]
        text = " ".join(each.text for each in cut(pages, {}))
        assert ("Cstadt 12" in text) is kept


def test_a_document_may_be_nothing_but_a_table() -> None:
    made = page(1, cells([HEADER, *ROWS], 100))
    (table,) = cut([made], {1: [region(made, [HEADER, *ROWS])]})
    assert table.kind is PassageKind.TABLE


def test_a_table_without_a_letter_is_none() -> None:
    rows = [("\u00ad", "\u00ad")] * 3
    made = page(1, [*column([BEFORE], y=60), *cells(rows, 100)])
    at = len(BEFORE.split())
    indices = tuple((at + 2 * r, at + 2 * r + 1) for r in range(3))
    found = Region(kind=RegionKind.TABLE, box=Box(60, 90, 540, 300), rows=indices)
    assert [passage.kind for passage in cut([made], {1: [found]})] == [PassageKind.PROSE]


_word = st.sampled_from(["Wirt¬", "shaft-", "2025", "z.", "€", "und", "Euro.", "Ende!", "§", "5", "•", "–"])
_cell = st.lists(_word, min_size=1, max_size=6).map(" ".join)
_table = st.lists(st.tuples(_cell, _cell, _cell), min_size=2, max_size=12)


@given(st.lists(st.tuples(_table, st.integers(0, 2), st.booleans()), min_size=1, max_size=3))
def test_every_word_is_in_one_passage(layout: list[tuple[list[tuple[str, str, str]], int, bool]]) -> None:
    pages, regions = [], {}
    for number, (rows, header_rows, text) in enumerate(layout, start=1):
        around = column([f"{BEFORE} {number}"], y=200) if text else []
        sets = cells(rows, 300)
        made = page(number, [*around, *sets])
        at = sum(len(line.text.split(" ")) for line in around)
        indices = []
        for row in rows:
            size = sum(len(cell.split(" ")) for cell in row)
            indices.append(tuple(range(at, at + size)))
            at += size
        found = Region(
            kind=RegionKind.TABLE,
            box=Box(60, 150, 540, 700),
            rows=tuple(indices),
            header_rows=min(header_rows, len(rows) - 1),
        )
        pages.append(made)
        regions[number] = [found]
    held = [
        (span.page, word.start)
        for passage in cut(pages, regions)
        for span in passage.spans
        for word in pages[span.page - 1].words
        if span.start <= word.start < span.end
    ]
    assert len(held) == len(set(held))
    wanted = {
        (p.number, word.start) for p in mark_furniture(pages, regions) for word in p.words if word.is_text
    }
    assert set(held) == wanted
