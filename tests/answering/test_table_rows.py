"""A row of a table is found, chosen and quoted whole."""

from dataclasses import replace

import pytest

from core.answering.extractive.statements import rows
from core.domain.answers import Verdict
from core.domain.pages import Box, DocumentReading, Region, RegionKind
from core.domain.passages import PassageKind
from core.domain.scope import Scope
from tests.support.fake_pdf import text_reading
from tests.support.world import World, request

ROWS = [
    "Matter Sum Period",
    "Oars of wood 7 a",  # too short to prove by itself
    "Registration of a boat. First time. A fee of 120 thalers thirty days",
    "Renewal in good time. Form B. 60 thalers ninety days",
]
TEXT = "Nobody sleeps ashore while storms blow over the lake at night.\n\n" + "\n\n".join(ROWS)


def with_table(text: str, rows: list[str]) -> DocumentReading:
    reading = text_reading(text)
    texts = [word.text for word in reading.pages[0].page.words]
    at = len(texts) - sum(len(row.split()) for row in rows)
    indices = []
    for row in rows:
        indices.append(tuple(range(at, at + len(row.split()))))
        at += len(row.split())
    table = Region(kind=RegionKind.TABLE, box=Box(40, 80, 500, 300), rows=tuple(indices), header_rows=1)
    return replace(reading, pages=(replace(reading.pages[0], regions=(table,)),))


async def test_a_row_is_quoted_whole() -> None:
    world = await World().with_registry()
    world.pdf.documents["fees.pdf"] = with_table(TEXT, ROWS)
    (receipt,) = await world.ingest(request("fees.pdf", title="Fees", language="en"))
    assert receipt.passages == 2
    asked = "What is the fee for the registration of a boat for the first time?"
    answer = (await world.app.asker.answered(asked, scope=Scope(collections=("public",)))).answer
    assert all(citation.verdict is Verdict.VERBATIM for citation in answer.citations)
    quotes = [citation.quote.text for citation in answer.citations]
    assert f"{ROWS[0]} [...] {ROWS[2]}" in quotes  # behind the columns' names, which say nothing alone
    assert ROWS[0] not in quotes
    version = answer.citations[0].edition.version.id
    (table,) = await world.library.passages_at(version, [1])
    assert table.kind is PassageKind.TABLE
    assert ROWS[0] in table.heading


async def test_rows_of_a_sheet_are_quoted_alone() -> None:
    world = await World().with_registry()
    sheet = [f"Item: {name}; Fee: {fee} thalers; Period: a day" for name, fee in (("oar", 7), ("boat", 60))]
    world.pdf.documents["fees.pdf"] = text_reading("\n\n".join([*sheet, "Swimmers pay no fee in this town."]))
    await world.ingest(request("fees.pdf", title="Fees", language="en"))
    scope = Scope(collections=("public",))
    answer = (await world.app.asker.answered("What is the fee for a boat?", scope=scope)).answer
    assert [citation.quote.text for citation in answer.citations] == [sheet[1]]


async def test_a_row_behind_dots_is_quoted_alone() -> None:
    world = await World().with_registry()
    listed = ["Boat with a sail, a day ......... 60 thalers", "Swimming in the lake ......... free"]
    world.pdf.documents["fees.pdf"] = text_reading("\n\n".join([*listed, "Dogs stay ashore in this town."]))
    await world.ingest(request("fees.pdf", title="Fees", language="en"))
    scope = Scope(collections=("public",))
    answer = (await world.app.asker.answered("What does swimming in the lake cost?", scope=scope)).answer
    assert [citation.quote.text for citation in answer.citations] == [listed[1]]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["Oar ...... 7", "Boat with a sail ......... 60"], ["Oar ...... 7\nBoat with a sail ......... 60"]),
        (["Boat with a sail ......... 60", "Oar ...... 7"], ["Boat with a sail ......... 60\nOar ...... 7"]),
        (["Boat with a sail ......... 60", "Nobody sleeps here.", "Oar ...... 7"], None),
    ],
)
def test_a_row_that_proves_nothing_goes_with_the_one_beside_it(
    lines: list[str], expected: list[str] | None
) -> None:
    text = "\n".join(lines)
    assert [text[start:end] for start, end in rows(text)] == (expected or [lines[0], lines[2]])
