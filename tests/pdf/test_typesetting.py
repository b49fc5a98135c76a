"""PDFs that we typeset: tables, and two pages beside each other."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.pymupdf.toolkit import PyMuPdfToolkit
from core.domain.pages import SheetSide
from core.domain.rich_text import Table
from tests.support.pdfs import decoded_objects, find, marks, pymupdf, saved, written, yellow_rows

OLD, NEW = "Wir bauen 4.000 Wohnungen.\nUnd Brücken.", "Wir bauen 6.000 Wohnungen.\nUnd Brücken."
SECRET = "Diese Zeile steht auf einer anderen Seite."


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


async def side(
    toolkit: PyMuPdfToolkit, folder: Path, text: str, caption: str, *, raster: bool = False
) -> SheetSide:
    path = saved(written(text, SECRET), folder / f"{caption.strip('<>')}.pdf")
    page = (await toolkit.read(path)).pages[0].page
    words = find(page, text.split("\n")[0])
    made = await toolkit.highlighted_page(
        path, 1, marks(words), expected=[word.text for word in words], raster=raster
    )
    assert made.marked
    return SheetSide(caption=caption, pdf=made.pdf)


@pytest.mark.parametrize("raster", [False, True])
async def test_both_are_there_and_marked(toolkit: PyMuPdfToolkit, tmp_path: Path, raster: bool) -> None:
    sides = [
        await side(toolkit, tmp_path, OLD, "<Fassung Ж 1>", raster=raster),
        await side(toolkit, tmp_path, NEW, "Fassung 2", raster=raster),
    ]
    pdf = await toolkit.sheet(sides)
    document = pymupdf.open(stream=pdf)
    assert document.page_count == 1
    page = document[0]
    middle = page.rect.width / 2
    left = page.get_text(clip=(0, 0, middle, page.rect.height))
    right = page.get_text(clip=(middle, 0, page.rect.width, page.rect.height))
    assert "<Fassung Ж 1>" in left
    assert "Fassung 2" in right
    assert ("4.000" in left, "6.000" in right) == (not raster, not raster)
    assert "6.000" not in left
    png = await toolkit.preview(pdf)
    _, columns = yellow_rows(png)
    width = pymupdf.Pixmap(png).width
    assert min(columns) < width / 2 < max(columns)
    assert SECRET.encode() not in decoded_objects(pdf)


async def test_a_place_may_stay_empty(toolkit: PyMuPdfToolkit, tmp_path: Path) -> None:
    sides = [SheetSide(caption="nichts", pdf=None), await side(toolkit, tmp_path, NEW, "Fassung 2")]
    png = await toolkit.preview(await toolkit.sheet(sides))
    _, columns = yellow_rows(png)
    assert min(columns) > pymupdf.Pixmap(png).width / 2


async def test_what_cannot_be_seen_does_not_come_along(toolkit: PyMuPdfToolkit) -> None:
    """A one-page PDF is made by a process that has read a hostile file; the sheet is checked once more."""
    document = written(OLD)
    document.set_metadata({"title": "Geheimer Titel"})
    document[0].insert_link(
        {"kind": pymupdf.LINK_URI, "from": pymupdf.Rect(0, 0, 90, 90), "uri": "https://example.org/spur"}
    )
    document[0].add_text_annot((50, 50), "geheime Notiz")
    hidden = SheetSide(caption="Fassung 1", pdf=document.tobytes())
    pdf = await toolkit.sheet([hidden, SheetSide(caption="", pdf=None)])
    found = decoded_objects(pdf)
    for text in ("Geheimer Titel", "example.org", "geheime Notiz"):
        assert text.encode() not in found
