"""What is struck out is marked as such, what is covered is not read, and nothing else suffers."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adapters.pymupdf.toolkit import PyMuPdfToolkit
from core.domain.pages import PageReading
from tests.support.pdfs import find, marks, picture, pymupdf, saved, written

TEXT = "Der Eintritt ist frei.\nDie Miete kostet 25 Euro je Stunde.\nKinder zahlen die Hälfte."
LINE = ["Die", "Miete", "kostet", "25", "Euro", "je", "Stunde."]
Draw = Callable[[Any], None]


def place(page: Any, text: str = "Die Miete kostet 25 Euro je Stunde.") -> Any:
    """The box of `text` on its page."""
    return page.search_for(text)[0]


def grown(page: Any, across: float, down: float) -> Any:
    """The box of the second line, larger by this much on each side."""
    box = place(page)
    return pymupdf.Rect(box.x0 - across, box.y0 - down, box.x1 + across, box.y1 + down)


def base(page: Any) -> float:
    """The base line of the second line."""
    return float(page.get_text("dict")["blocks"][0]["lines"][1]["spans"][0]["origin"][1])


def line(page: Any) -> None:
    box = place(page)
    page.draw_line((box.x0, base(page) - 2.8), (box.x1, base(page) - 2.8), width=0.7)


def thin_box(page: Any) -> None:
    box, y = place(page), base(page) - 3
    page.draw_rect((box.x0, y, box.x1, y + 0.8), color=None, fill=(0.8, 0, 0))


def dashed(page: Any) -> None:
    box = place(page)
    page.draw_line((box.x0, base(page) - 3), (box.x1, base(page) - 3), width=1, dashes="[3 2] 0")


def double(page: Any) -> None:
    box = place(page)
    for up in (2.2, 3.8):
        page.draw_line((box.x0, base(page) - up), (box.x1, base(page) - up), width=0.5)


def word_by_word(page: Any) -> None:
    for word in LINE:
        box = place(page, word)
        page.draw_line((box.x0, base(page) - 3), (box.x1, base(page) - 3), width=0.7)


def thick_and_long(page: Any) -> None:
    box = place(page)
    page.draw_line((box.x0 - 8, base(page) - 3), (box.x1 + 9, base(page) - 3), width=1.9, color=(0, 0, 1))


def annotation(page: Any) -> None:
    page.add_strikeout_annot(place(page).quad)


def ink(page: Any) -> None:
    box, y = place(page), base(page) - 3
    page.add_ink_annot([[(x, y + (x % 3) - 1) for x in range(int(box.x0), int(box.x1) + 2)]])


def pen_line(page: Any) -> None:
    box = place(page)
    page.add_line_annot((box.x0, base(page) - 1.5), (box.x1, base(page) - 5))


def cross(page: Any) -> None:
    box = place(page)
    page.draw_line(box.tl, box.br, width=1)
    page.draw_line(box.bl, box.tr, width=1)


def slanted(page: Any) -> None:
    box, y = place(page), base(page)
    page.draw_line((box.x0, y - 1.5), (box.x1, y - 5))


def curve(page: Any) -> None:
    box, y = place(page), base(page) - 3
    page.draw_bezier((box.x0, y), (box.x0 + 50, y - 3), (box.x0 + 120, y + 3), (box.x1, y))


def level_curve(page: Any) -> None:
    box, y = place(page), base(page) - 3
    page.draw_bezier((box.x0, y), (box.x0 + 50, y), (box.x0 + 120, y), (box.x1, y))


def squiggle(page: Any) -> None:
    box, y = place(page), base(page) - 3
    page.draw_squiggle((box.x0, y), (box.x1, y))


STRIKING: dict[str, Draw] = {
    each.__name__: each
    for each in (
        line,
        thin_box,
        dashed,
        double,
        word_by_word,
        thick_and_long,
        annotation,
        ink,
        pen_line,
        slanted,
        curve,
        level_curve,
        squiggle,
        cross,
    )
}


async def read(toolkit: PyMuPdfToolkit, document: Any, path: Path) -> PageReading:
    return (await toolkit.read(saved(document, path))).pages[0]


@pytest.mark.parametrize("rotation", [0, 90])
@pytest.mark.parametrize("way", STRIKING)
async def test_struck_words_are_known(
    toolkit: PyMuPdfToolkit, tmp_path: Path, way: str, rotation: int
) -> None:
    document = written(TEXT)
    STRIKING[way](document[0])
    document[0].set_rotation(rotation)
    words = (await read(toolkit, document, tmp_path / "a.pdf")).page.words
    assert [word.text for word in words if word.struck] == LINE
    assert [word.text for word in words] == TEXT.split()


async def test_words_of_text_that_runs_upwards_are_struck(toolkit: PyMuPdfToolkit, tmp_path: Path) -> None:
    document = written(TEXT)
    page = document[0]
    page.insert_text((300, 400), "Aufwärts gesetzte Zeile", fontsize=10, rotate=90)
    page.draw_line((297, 400), (297, 400 - pymupdf.get_text_length("Aufwärts gesetzte Zeile", fontsize=10)))
    words = (await read(toolkit, document, tmp_path / "a.pdf")).page.words
    assert [word.text for word in words if word.struck] == ["Aufwärts", "gesetzte", "Zeile"]


async def test_a_word_is_parted_where_its_strike_ends(toolkit: PyMuPdfToolkit, tmp_path: Path) -> None:
    document = written("Die Karte kostet 4560 Euro.")
    page = document[0]
    box = place(page, "45")
    page.draw_line((box.x0, 57), (box.x1, 57), width=0.7)
    words = (await read(toolkit, document, tmp_path / "a.pdf")).page.words
    assert [(word.text, word.struck) for word in words[3:5]] == [("45", True), ("60", False)]


async def test_characters_that_strike_are_no_letters(toolkit: PyMuPdfToolkit, tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_htmlbox((40, 40, 500, 200), "Das gilt n\u0336i\u0336c\u0336h\u0336t\u0336 mehr.")
    words = (await read(toolkit, document, tmp_path / "a.pdf")).page.words
    assert [(word.text, word.struck) for word in words if word.text.startswith("n")] == [("nicht", True)]


# What is no strike


def underline(page: Any) -> None:
    box = place(page)
    page.draw_line((box.x0, base(page) + 1.3), (box.x1, base(page) + 1.3), width=0.7)


def rules_between(page: Any) -> None:
    for n in (0, 1, 2):
        page.draw_line((30, base(page) - 9.4 + 12 * n), (390, base(page) - 9.4 + 12 * n), width=0.5)


def table(page: Any) -> None:
    for y in (48, 63.4, 75.4, 88):
        page.draw_line((36, y), (380, y), width=0.5)
    for x in (36, 380):
        page.draw_line((x, 48), (x, 88), width=0.5)


def white_line(page: Any) -> None:
    box = place(page)
    page.draw_line(
        (box.x0, base(page) - 3), (box.x1, base(page) - 3), width=0.7, color=(1, 1, 1), overlay=False
    )


def grid_of_a_chart(page: Any) -> None:
    page.insert_text((200, 200), "12,5", fontsize=8)
    page.draw_line((60, 197.5), (380, 197.5), width=0.4)


def marker(page: Any) -> None:
    page.add_highlight_annot(place(page).quad)


def marker_panel(page: Any) -> None:
    page.draw_rect(place(page), color=None, fill=(1, 1, 0.4), overlay=False)


def half_high_marker(page: Any) -> None:
    box = place(page)
    page.draw_rect(
        (box.x0, base(page) - 3.5, box.x1, base(page) + 1.5), color=None, fill=(1, 0.9, 0.2), overlay=False
    )


def wavy_underline(page: Any) -> None:
    page.add_squiggly_annot(place(page).quad)


def underline_annotation(page: Any) -> None:
    page.add_underline_annot(place(page).quad)


def link_border(page: Any) -> None:
    page.insert_link({"kind": pymupdf.LINK_URI, "uri": "https://example.org", "from": place(page)})
    page.draw_rect(place(page), color=(0, 0, 1), width=0.5)


def ink_beside(page: Any) -> None:
    page.add_ink_annot([[(20, y) for y in range(50, 90)], [(x, 100 + x % 4) for x in range(40, 200)]])


def circled(page: Any) -> None:
    page.add_circle_annot(grown(page, 4, 4))


def fraction(page: Any) -> None:
    page.insert_text((60, 200), "Anzahl der Stimmen", fontsize=8)
    page.draw_line((58, 202.5), (140, 202.5), width=0.5)
    page.insert_text((60, 211), "Anzahl der Sitze", fontsize=8)


def leader(page: Any) -> None:
    page.insert_text((40, 200), "Kapitel eins", fontsize=10)
    page.draw_line((100, 199), (330, 199), width=0.5, dashes="[1 2] 0")
    page.insert_text((335, 200), "12", fontsize=10)


def heading_between_lines(page: Any) -> None:
    page.insert_text((160, 200), "Kapitel eins", fontsize=10)
    page.draw_line((40, 197), (156, 197), width=0.5)
    page.draw_line((222, 197), (360, 197), width=0.5)


def small_type_on_a_form_line(page: Any) -> None:
    page.insert_text((60, 206), "(Ort, Datum, Unterschrift)", fontsize=5)
    page.draw_line((50, 200.5), (260, 200.5), width=0.4)


def letterspaced(page: Any) -> None:
    for n, letter in enumerate("HAUSHALT"):
        page.insert_text((60 + 14 * n, 200), letter, fontsize=10)
        page.draw_line((60 + 14 * n, 202), (68 + 14 * n, 202), width=0.5)


def note_beside(page: Any) -> None:
    page.add_freetext_annot((250, 100, 390, 130), "Bitte prüfen", fontsize=9)


def sticky_note(page: Any) -> None:
    page.add_text_annot((5, 5), "Eine Anmerkung")


def watermark_stamp(page: Any) -> None:
    page.insert_text((60, 180), "ENTWURF", fontsize=70, color=(0.9, 0.9, 0.9), overlay=False)


def field(page: Any) -> None:
    widget = pymupdf.Widget()
    widget.field_name, widget.field_type = "Ort", pymupdf.PDF_WIDGET_TYPE_TEXT
    widget.field_value, widget.rect = "Quellheim", pymupdf.Rect(40, 300, 200, 316)
    page.add_widget(widget)


def curve_below(page: Any) -> None:
    box, y = place(page), base(page) + 2.5
    page.draw_bezier((box.x0, y), (box.x0 + 50, y - 1), (box.x0 + 120, y + 2), (box.x1, y))


def slanted_below(page: Any) -> None:
    box, y = place(page), base(page)
    page.draw_line((box.x0, y + 1), (box.x1, y + 4))


def squiggle_below(page: Any) -> None:
    box, y = place(page), base(page) + 3
    page.draw_squiggle((box.x0, y), (box.x1, y))


def line_of_a_chart(page: Any) -> None:
    box, y = place(page), base(page)
    page.draw_polyline(
        [(box.x0 - 60, y + 8), (box.x0 + 40, y - 3), (box.x1 - 20, y - 4), (box.x1 + 90, y - 10)]
    )


def white_curve(page: Any) -> None:
    box, y = place(page), base(page) - 3
    page.draw_bezier((box.x0, y), (box.x0 + 50, y - 3), (box.x0 + 120, y + 3), (box.x1, y), color=(1, 1, 1))


def note_over(page: Any) -> None:
    box = place(page)
    page.add_text_annot((box.x1 - 8, box.y0 - 3), "gut")


HONEST: dict[str, Draw] = {
    each.__name__: each
    for each in (
        *(
            underline,
            rules_between,
            table,
            white_line,
            grid_of_a_chart,
            marker,
            marker_panel,
            half_high_marker,
        ),
        *(wavy_underline, underline_annotation, link_border, ink_beside, circled, fraction, leader, field),
        *(heading_between_lines, small_type_on_a_form_line, letterspaced, note_beside, sticky_note),
        *(curve_below, slanted_below, squiggle_below, line_of_a_chart, white_curve, note_over),
        watermark_stamp,
    )
}


@pytest.mark.parametrize("way", HONEST)
async def test_other_lines_strike_nothing_and_nothing_is_lost(
    toolkit: PyMuPdfToolkit, tmp_path: Path, way: str
) -> None:
    document = written(TEXT)
    HONEST[way](document[0])
    path = saved(document, tmp_path / "a.pdf")
    item = (await toolkit.read(path)).pages[0]
    assert not any(word.struck for word in item.page.words)
    assert set(TEXT.split()) <= {word.text for word in item.page.words}
    words = find(item.page, " ".join(LINE))
    made = await toolkit.highlighted_page(path, 1, marks(words), expected=LINE)
    assert made.marked
    assert made.checked


# What is covered


def comment(page: Any) -> None:
    page.add_freetext_annot(grown(page, 2, 2), "REJECTED", fontsize=9, fill_color=(1, 0.8, 0.8))


def bare_comment(page: Any) -> None:
    page.add_freetext_annot(place(page), "ABGELEHNT ABGELEHNT ABGELEHNT ABGELEHNT", fontsize=8)


def filled_square(page: Any) -> None:
    square = page.add_rect_annot(grown(page, 1, 1))
    square.set_colors(fill=(1, 1, 1), stroke=(1, 1, 1))
    square.update()


def white_box(page: Any) -> None:
    page.draw_rect(place(page), color=(1, 1, 1), fill=(1, 1, 1))


def photograph(page: Any) -> None:
    page.insert_image(grown(page, 2, 0), stream=picture(300, 20), keep_proportion=False)


COVERING: dict[str, Draw] = {
    each.__name__: each for each in (comment, bare_comment, filled_square, white_box, photograph)
}


@pytest.mark.parametrize("way", COVERING)
async def test_covered_words_are_not_read(toolkit: PyMuPdfToolkit, tmp_path: Path, way: str) -> None:
    document = written(TEXT)
    COVERING[way](document[0])
    item = await read(toolkit, document, tmp_path / "a.pdf")
    assert item.page.text.split() == [word for word in TEXT.split() if word not in LINE]
    assert item.hidden_characters >= len("".join(LINE))


async def test_a_single_covered_word_is_not_read(toolkit: PyMuPdfToolkit, tmp_path: Path) -> None:
    document = written("Der Rat hat dem Antrag nicht zugestimmt.")
    document[0].draw_rect(place(document[0], "nicht"), color=None, fill=(1, 1, 1))
    item = await read(toolkit, document, tmp_path / "a.pdf")
    assert "nicht" not in item.page.text


# The page that is sent


def shows(pdf: bytes, box: Any, colour: Callable[[int, int, int], bool]) -> bool:
    """Whether a pixel of `box` has the colour."""
    document = pymupdf.open(stream=pdf)
    pixmap = document[0].get_pixmap(dpi=144, clip=box, alpha=False)
    data = pixmap.samples
    return any(colour(*data[at : at + 3]) for at in range(0, len(data) - 2, 3))


@pytest.mark.parametrize("raster", [False, True])
async def test_what_annotations_and_fields_show_stays_and_what_acts_goes(
    toolkit: PyMuPdfToolkit, tmp_path: Path, raster: bool
) -> None:
    document = written(TEXT)
    page = document[0]
    annotation(page)
    page.add_freetext_annot((40, 200, 200, 230), "VERWORFEN", fontsize=12, fill_color=(0, 1, 0))
    field(page)
    page.insert_link({"kind": pymupdf.LINK_URI, "uri": "https://example.org/planted", "from": place(page)})
    page.add_file_annot((300, 300), b"planted content of a file", filename="planted.txt")
    stroke, box = place(page), pymupdf.Rect(40, 200, 200, 230)
    path = saved(document, tmp_path / "a.pdf")
    words = find((await toolkit.read(path)).pages[0].page, "Kinder zahlen die Hälfte.")
    made = await toolkit.highlighted_page(
        path, 1, marks(words), expected=[word.text for word in words], raster=raster
    )
    assert made.checked
    assert made.rasterised is raster
    assert shows(made.pdf, stroke, lambda r, g, b: r > 150 and g < 110 and b < 110)
    assert shows(made.pdf, box, lambda r, g, b: g > 200 and r < 90 and b < 90)
    assert shows(made.pdf, pymupdf.Rect(40, 300, 200, 316), lambda r, g, b: r + g + b < 250)
    sent = pymupdf.open(stream=made.pdf)
    assert not list(sent[0].links())
    assert not list(sent[0].widgets())
    assert not sent.embfile_count()
    assert [each.type[1] for each in sent[0].annots()] == ["Highlight"]
    assert b"planted" not in b"".join(
        [made.pdf, *(sent.xref_object(x).encode() for x in range(1, sent.xref_length()))]
    )


async def test_what_follows_a_strike_without_a_space_is_not_struck(
    toolkit: PyMuPdfToolkit, tmp_path: Path
) -> None:
    document = written("Der Eintritt kostet 4 Euro3 Euro.")
    box = place(document[0], "4 Euro")
    document[0].draw_line((box.x0, 57), (box.x1, 57), width=0.7)
    words = (await read(toolkit, document, tmp_path / "a.pdf")).page.words
    assert [word.text for word in words if word.struck] == ["4", "Euro"]
    assert [word.text for word in words if not word.struck] == ["Der", "Eintritt", "kostet", "3", "Euro."]
