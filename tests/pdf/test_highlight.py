"""One-page PDFs: the right words are yellow, and nothing else of the document travels along."""

from pathlib import Path
from typing import Any

import pytest

from adapters.pymupdf.toolkit import PyMuPdfToolkit
from core.domain.pages import Box, HighlightedPage
from tests.support.pdfs import (
    HEIGHT,
    WIDTH,
    decoded_objects,
    find,
    marks,
    picture,
    pymupdf,
    saved,
    written,
    yellow_rows,
)

TEXT = "Wir begrenzen die Mieten.\nDas gilt in allen Städten.\n\nUnd auf dem Land."
QUOTE = "die Mieten. Das gilt"


async def quoted(
    toolkit: PyMuPdfToolkit, path: Path, *, page: int = 1, phrase: str = QUOTE, raster: bool = False
) -> tuple[HighlightedPage, list[Box]]:
    read = (await toolkit.read(path)).pages[page - 1].page
    words = find(read, phrase)
    made = await toolkit.highlighted_page(
        path, page, marks(words), expected=[word.text for word in words], raster=raster
    )
    return made, marks(words)


def turned(box: Box, rotation: int, width: float, height: float) -> Box:
    """Where a box of the unrotated page is seen when the page is turned clockwise."""
    match rotation:
        case 90:
            return Box(height - box.y1, box.x0, height - box.y0, box.x1)
        case 180:
            return Box(width - box.x1, height - box.y1, width - box.x0, height - box.y0)
        case 270:
            return Box(box.y0, width - box.x1, box.y1, width - box.x0)
    return box


@pytest.mark.parametrize("raster", [False, True])
@pytest.mark.parametrize("cropped", [False, True])
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
async def test_the_words_are_yellow_where_they_are_seen(
    toolkit: PyMuPdfToolkit, tmp_path: Path, rotation: int, cropped: bool, raster: bool
) -> None:
    document = written("Seite davor", TEXT)
    width, height = float(WIDTH), float(HEIGHT)
    if cropped:
        document[1].set_cropbox(pymupdf.Rect(30, 20, WIDTH - 10, HEIGHT - 40))
        width, height = width - 40, height - 60
    document[1].set_rotation(rotation)
    made, boxes = await quoted(toolkit, saved(document, tmp_path / "a.pdf"), page=2, raster=raster)
    assert (made.marked, made.checked, made.rasterised) == (True, True, raster)
    seen = [turned(box, rotation, width, height) for box in boxes]
    png = await toolkit.preview(made.pdf)
    shown = pymupdf.Pixmap(png)
    assert max(shown.width, shown.height) <= 1600
    scale = shown.width / (width if rotation in (0, 180) else height)
    rows, columns = yellow_rows(png)
    for pixels, low, high in (
        (rows, min(b.y0 for b in seen), max(b.y1 for b in seen)),
        (columns, min(b.x0 for b in seen), max(b.x1 for b in seen)),
    ):
        assert min(pixels) == pytest.approx(low * scale, abs=4 * scale)
        assert max(pixels) == pytest.approx(high * scale, abs=4 * scale)
    assert pymupdf.open(stream=made.pdf).page_count == 1


async def test_a_mark_beside_the_words_is_not_shown(toolkit: PyMuPdfToolkit, tmp_path: Path) -> None:
    path = saved(written(TEXT), tmp_path / "a.pdf")
    words = find((await toolkit.read(path)).pages[0].page, QUOTE)
    moved = [Box(box.x0, box.y0 + 26, box.x1, box.y1 + 26) for box in marks(words)]
    for raster in (False, True):
        made = await toolkit.highlighted_page(
            path, 1, moved, expected=[word.text for word in words], raster=raster
        )
        assert (made.marked, made.checked) == (False, False)
        assert yellow_rows(await toolkit.preview(made.pdf)) == (set(), set())


async def test_one_annotation_holds_all_marks(toolkit: PyMuPdfToolkit, tmp_path: Path) -> None:
    made, boxes = await quoted(toolkit, saved(written(TEXT), tmp_path / "a.pdf"))
    page = pymupdf.open(stream=made.pdf)[0]
    (annotation,) = list(page.annots())
    assert annotation.type[1] == "Highlight"
    assert len(annotation.vertices) == 4 * len(boxes)
    assert page.get_text().split() == TEXT.split()


async def test_large_pictures_are_made_smaller(toolkit: PyMuPdfToolkit, tmp_path: Path) -> None:
    document = written(TEXT)
    noise = pymupdf.Pixmap(
        pymupdf.csRGB, 1500, 1500, bytes(i * i * 7919 >> 5 & 255 for i in range(1500 * 1500 * 3)), False
    )
    document[0].insert_image(pymupdf.Rect(50, 200, 350, 480), stream=noise.tobytes("png"))
    path = saved(document, tmp_path / "a.pdf")
    assert path.stat().st_size > 1_500_000
    made, _ = await quoted(toolkit, path)
    assert made.marked
    assert len(made.pdf) < 700_000


MARKERS = [f"MARKE{n:02d}GEHEIM" for n in range(20)]


def planted() -> Any:
    """A file with a marker in every place that is not on its second page."""
    mark = iter(MARKERS)
    document = written(f"Erste Seite {next(mark)}", TEXT, f"Dritte Seite {next(mark)}")
    page = document[1]
    document.set_metadata({"title": next(mark), "author": next(mark), "keywords": next(mark)})
    document.set_xml_metadata(f"<x:xmpmeta xmlns:x='adobe:ns:meta/'>{next(mark)}</x:xmpmeta>")
    document.embfile_add(next(mark), next(mark).encode(), filename="a.txt")
    page.insert_link(
        {
            "kind": pymupdf.LINK_URI,
            "from": pymupdf.Rect(0, 0, 9, 9),
            "uri": f"https://example.org/{next(mark)}",
        }
    )
    page.add_text_annot((300, 300), next(mark))
    page.add_file_annot((300, 350), next(mark).encode(), next(mark))
    field = pymupdf.Widget()
    field.field_name, field.field_value = next(mark), "is shown"
    field.field_type, field.rect = pymupdf.PDF_WIDGET_TYPE_TEXT, pymupdf.Rect(40, 320, 200, 340)
    page.add_widget(field)
    document.set_toc([[1, next(mark), 1]])
    catalog = document.pdf_catalog()
    script = document.get_new_xref()
    document.update_object(script, f"<</S/JavaScript/JS(app.alert('{next(mark)}'))>>")
    document.xref_set_key(catalog, "OpenAction", f"{script} 0 R")
    tree = document.get_new_xref()
    document.update_object(tree, f"<</Type/StructTreeRoot/K<</S/P/Alt({next(mark)})>>>>")
    document.xref_set_key(catalog, "StructTreeRoot", f"{tree} 0 R")
    document.xref_set_key(page.xref, "PieceInfo", f"<</App<</Private({next(mark)})>>>>")
    document.xref_set_key(page.xref, "Own", f"({next(mark)})")
    share_resources(document)
    document.set_page_labels([{"startpage": 0, "style": "D", "prefix": next(mark)}])
    return document


def share_resources(document: Any) -> None:
    """Let the second page name a form that only the first one shows, as common resources do."""
    source = pymupdf.open()
    source.new_page(width=WIDTH, height=HEIGHT).insert_text((50, 400), MARKERS[0])
    document[0].show_pdf_page(document[0].rect, source)
    form = next(xref for xref, *_ in document.get_page_xobjects(0))
    kind, value = document.xref_get_key(document[1].xref, "Resources")
    holder, prefix = (int(value.split()[0]), "") if kind == "xref" else (document[1].xref, "Resources/")
    document.xref_set_key(holder, f"{prefix}XObject/Fremd", f"{form} 0 R")


@pytest.mark.parametrize("raster", [False, True])
async def test_nothing_planted_travels_along(toolkit: PyMuPdfToolkit, tmp_path: Path, raster: bool) -> None:
    path = saved(planted(), tmp_path / "a.pdf")
    whole = decoded_objects(path.read_bytes())
    assert sum(marker.encode() in whole for marker in MARKERS) >= 16  # the test itself can see them
    made, _ = await quoted(toolkit, path, page=2, raster=raster)
    assert made.marked
    assert made.rasterised is raster
    inside = decoded_objects(made.pdf)
    assert [marker for marker in MARKERS if marker.encode() in inside] == []


def in_comment(document: Any) -> None:
    replace_content(document, lambda content: b"% MARKE GEHEIM\n" + content)


def in_property(document: Any) -> None:
    replace_content(document, lambda content: b"/P <</Alt (MARKE GEHEIM)>> BDC " + content + b" EMC")


def in_actual_text(document: Any) -> None:
    replace_content(
        document, lambda content: b"/Span <</ActualText (MARKE GEHEIM)>> BDC " + content + b" EMC"
    )


def in_white(document: Any) -> None:
    document[0].insert_text((40, 400), "MARKE GEHEIM", color=(1, 1, 1))


def off_page(document: Any) -> None:
    document[0].insert_text((-400, 400), "MARKE GEHEIM")


def on_hidden_layer(document: Any) -> None:
    document[0].insert_text((40, 400), "MARKE GEHEIM", oc=document.add_ocg("Ebene", on=False))


def in_font_dictionary(document: Any) -> None:
    document.xref_set_key(document.get_page_fonts(0)[0][0], "Vermerk", "(MARKE GEHEIM)")


def in_picture(document: Any) -> None:
    data = picture()
    note = b"Exif\0\0MARKE GEHEIM"
    with_note = data[:2] + b"\xff\xe1" + (len(note) + 2).to_bytes(2, "big") + note + data[2:]
    document[0].insert_image(pymupdf.Rect(40, 300, 100, 360), stream=with_note)


def replace_content(document: Any, change: Any) -> None:
    xref = document[0].get_contents()[-1]
    document.update_stream(xref, change(document.xref_stream(xref)))


@pytest.mark.parametrize(
    "plant",
    [
        in_comment,
        in_property,
        in_actual_text,
        in_white,
        off_page,
        on_hidden_layer,
        in_font_dictionary,
        in_picture,
    ],
)
async def test_what_cannot_be_taken_out_makes_a_picture(
    toolkit: PyMuPdfToolkit, tmp_path: Path, plant: Any
) -> None:
    document = written(TEXT)
    plant(document)
    made, _ = await quoted(toolkit, saved(document, tmp_path / "a.pdf"))
    assert (made.marked, made.rasterised) == (True, True)
    inside = decoded_objects(made.pdf)
    assert b"MARKE" not in inside
    assert b"GEHEIM" not in inside


async def test_resources_keep_names_that_look_private(toolkit: PyMuPdfToolkit, tmp_path: Path) -> None:
    document = written(TEXT)
    xref, _, _, _, name, _ = document.get_page_fonts(0)[0]
    document.xref_set_key(document[0].xref, "Resources", f"<</Font<</A {xref} 0 R>>>>")
    for content in document[0].get_contents():
        changed = document.xref_stream(content).replace(b"/" + name.encode(), b"/A")
        document.update_stream(content, changed)
    made, _ = await quoted(toolkit, saved(document, tmp_path / "a.pdf"))
    assert (made.marked, made.rasterised) == (True, False)
    assert pymupdf.open(stream=made.pdf)[0].get_text().split() == TEXT.split()


async def test_the_layer_names_go(toolkit: PyMuPdfToolkit, tmp_path: Path) -> None:
    document = written(TEXT)
    document[0].insert_text((40, 400), "Sichtbar", oc=document.add_ocg("MARKE GEHEIM", on=True))
    made, _ = await quoted(toolkit, saved(document, tmp_path / "a.pdf"))
    assert (made.marked, made.rasterised) == (True, False)
    assert b"GEHEIM" not in decoded_objects(made.pdf)
    assert "Sichtbar" in pymupdf.open(stream=made.pdf)[0].get_text()


@pytest.mark.parametrize("raster", [False, True])
async def test_what_answers_is_darker_than_what_surrounds_it(
    toolkit: PyMuPdfToolkit, tmp_path: Path, raster: bool
) -> None:
    path = saved(written(TEXT), tmp_path)
    page = (await toolkit.read(path)).pages[0].page
    words, answering = find(page, QUOTE), find(page, "Das gilt")
    made = await toolkit.highlighted_page(
        path, 1, marks(words), expected=[word.text for word in words], darker=marks(answering), raster=raster
    )
    assert made.checked
    shown = pymupdf.open(stream=made.pdf)
    page_shown = shown[0]
    light, dark = list(page_shown.annots())
    assert light.colors["stroke"] != dark.colors["stroke"]
    overlap = pymupdf.Rect(dark.rect)
    overlap.intersect(light.rect)
    assert overlap.get_area() > 0.9 * dark.rect.get_area()
