from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.pymupdf.toolkit import PyMuPdfToolkit
from core.domain.tables import Table


async def text_of(toolkit: PyMuPdfToolkit, table: Table, folder: Path) -> str:
    """The text of a table's PDF as our own reader sees it, without white space and break marks."""
    path = folder / "table.pdf"
    path.write_bytes(await toolkit.table(table))
    reading = await toolkit.read(path)
    return bare("".join(item.page.text for item in reading.pages))


def bare(text: str) -> str:
    return "".join(text.replace("\u200b", "").split())


async def test_all_of_a_table_is_on_its_pages(toolkit, tmp_path):
    rows = tuple((f"Partei {n}", f"„Satz {n} über Häuser & <b>Mieten</b>“ [S{n}]") for n in range(60))
    table = Table(title="Wer will was?", columns=("Partei", "Zitate"), rows=rows, notes=("[S1] Quelle",))
    text = await text_of(toolkit, table, tmp_path)
    for row in rows:
        assert bare(row[0]) in text
        assert bare(row[1]) in text
    assert "Werwillwas?" in text
    assert "[S1]Quelle" in text


async def test_markup_is_shown_not_read(toolkit, tmp_path):
    cell = '<img src="http://example.org/x.png"> <script>x</script> &amp; </td></tr></table>'
    table = Table(title="<h1>", columns=("<i>",), rows=((cell,),))
    assert bare(cell) in await text_of(toolkit, table, tmp_path)


async def test_what_is_longer_than_a_page_goes_on(toolkit, tmp_path):
    words = " ".join(f"Wort{n}" for n in range(4000))
    table = Table(title="Lang", columns=("A", "B"), rows=(("x", words), ("letzte", "Zeile")))
    text = await text_of(toolkit, table, tmp_path)
    assert all(f"Wort{n}" in text for n in range(4000))
    assert "letzteZeile" in text


async def test_a_word_wider_than_the_page_is_broken(toolkit, tmp_path):
    word = "abcdefghij" * 40
    text = await text_of(toolkit, Table(title="T", columns=("A", "B"), rows=((word, "Ende"),)), tmp_path)
    assert word in text
    assert "Ende" in text


@pytest.mark.parametrize("columns", [1, 3, 4])
async def test_any_number_of_columns_fits(toolkit, tmp_path, columns):
    row = tuple(f"Zelle{n}" for n in range(columns))
    text = await text_of(toolkit, Table(title="T", columns=row, rows=(row,)), tmp_path)
    assert all(text.count(cell) == 2 for cell in row)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cell=st.text(max_size=200))
async def test_any_text_makes_a_table(toolkit, cell):
    assert (await toolkit.table(Table(title=cell, columns=(cell,), rows=((cell,),)))).startswith(b"%PDF-")


def test_rows_have_as_many_cells_as_columns():
    with pytest.raises(ValueError, match="as many cells"):
        Table(title="", columns=("a", "b"), rows=(("x",),))
