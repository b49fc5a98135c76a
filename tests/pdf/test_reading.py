"""Words, places and labels of pages, through the contained worker."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from adapters.pymupdf import ink
from adapters.pymupdf.characters import drafts
from adapters.pymupdf.toolkit import PyMuPdfToolkit
from core.domain.pages import Page, PageTrouble, TextSource
from core.errors import Refused
from tests.support.pdfs import HEIGHT, WIDTH, picture, pymupdf, saved, written


async def first_page(toolkit: PyMuPdfToolkit, path: Path) -> Page:
    return (await toolkit.read(path)).pages[0].page


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
async def test_boxes_are_unrotated_and_relative_to_the_crop_box(
    toolkit: PyMuPdfToolkit, tmp_path: Path, rotation: int
) -> None:
    plain = await first_page(toolkit, saved(written("Ein kurzer Satz."), tmp_path / "a.pdf"))
    document = written("Ein kurzer Satz.")
    document[0].set_cropbox(pymupdf.Rect(30, 20, WIDTH - 10, HEIGHT - 40))
    document[0].set_rotation(rotation)
    page = await first_page(toolkit, saved(document, tmp_path / "b.pdf"))
    assert (page.width, page.height, page.rotation) == (WIDTH - 40, HEIGHT - 60, rotation)
    for before, after in zip(plain.words, page.words, strict=True):
        assert after.box.x0 == pytest.approx(before.box.x0 - 30, abs=0.01)
        assert after.box.y0 == pytest.approx(before.box.y0 - 20, abs=0.01)


async def test_printed_labels(toolkit: PyMuPdfToolkit, tmp_path: Path) -> None:
    document = written(*("Seite" for _ in range(5)))
    document.set_page_labels(
        [
            {"startpage": 0, "style": "r", "firstpagenum": 1},
            {"startpage": 2, "style": "D", "firstpagenum": 1, "prefix": "A-"},
        ]
    )
    reading = await toolkit.read(saved(document, tmp_path / "a.pdf"))
    assert [item.page.label for item in reading.pages] == ["i", "ii", "A-1", "A-2", "A-3"]
    unlabelled = await toolkit.read(saved(written("Seite"), tmp_path / "b.pdf"))
    assert unlabelled.pages[0].page.label is None


async def test_long_documents_come_in_order(toolkit: PyMuPdfToolkit, tmp_path: Path) -> None:
    texts = [f"Dies ist Seite {number}." for number in range(1, 70)]
    seen: list[int] = []
    path = saved(written(*texts), tmp_path / "long.pdf")
    reading = await toolkit.read(path, progress=lambda done, total: seen.append(done))
    assert [item.page.text for item in reading.pages] == texts
    assert seen == sorted(seen)
    assert seen[-1] == len(texts)


async def test_raised_roman_numbers_are_notes(toolkit: PyMuPdfToolkit, tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    x = 50.0
    for text, rise in (("Guests", 0), ("iv", 5), (" of the XVIII", 0), ("e", 5), (" fair.", 0), ("ii", 5)):
        page.insert_text((x, 100 - rise), text, fontsize=7 if rise else 12)
        x += pymupdf.get_text_length(text, fontsize=7 if rise else 12)
    read = await first_page(toolkit, saved(document, tmp_path / "a.pdf"))
    assert read.text == "Guestsⁱᵛ of the XVIIIe fair.ⁱⁱ"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("2.Obst wird geteilt", "2. Obst wird geteilt"),
        ("IV.Le silence", "IV. Le silence"),
        ("(3)Die Bank", "(3) Die Bank"),
        ("a)die Bank", "a) die Bank"),
        ("(k)eine Bank", "(k)eine Bank"),
        ("12.500 Euro", "12.500 Euro"),
        ("z.B. Hunde", "z.B. Hunde"),
        ("e.V. und U.S.", "e.V. und U.S."),
        ("am 1.Januar", "am 1.Januar"),
    ],
)
async def test_the_number_of_an_item_is_no_part_of_its_word(
    toolkit: PyMuPdfToolkit, tmp_path: Path, line: str, words: str
) -> None:
    document = pymupdf.open()
    document.new_page().insert_text((50, 100), line)
    assert (await first_page(toolkit, saved(document, tmp_path / "a.pdf"))).text == words


async def test_raised_digits_are_notes(toolkit: PyMuPdfToolkit, tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    x = 50.0
    for text, size, rise in (
        ("Text", 12, 0),
        ("12", 7, 5),
        (", mehr", 12, 0),
        ("3", 7, 5),
        (" im Jahr 2025", 12, 0),
    ):
        page.insert_text((x, 100 - rise), text, fontsize=size)
        x += pymupdf.get_text_length(text, fontsize=size)
    page.insert_text((50, 130), "zwei m² und Wort¹ und 2024", fontname="helv", fontsize=12)
    x = 50.0
    for text, size, rise in (
        ("5 m", 12, 0),
        ("2", 7, 5),
        (" und 10", 12, 0),
        ("-6", 7, 5),
        ("-fach, 15", 12, 0),
        ("3", 7, 5),
        (" Euro ", 12, 0),
        ("1", 7, 5),
        ("Die erste.", 12, 0),
        ("2", 7, 5),
        ("Zwei", 12, 0),
    ):
        page.insert_text((x, 160 - rise), text, fontsize=size)
        x += pymupdf.get_text_length(text, fontsize=size)
    read = await first_page(toolkit, saved(document, tmp_path / "a.pdf"))
    notes = {word.text: word.note_chars for word in read.words}
    assert notes["Text¹²,"] == 3
    assert notes["mehr³"] == notes["Wort¹"] == notes["15³"] == notes["¹"] == 1
    assert notes["²"] == 1
    assert notes["m²"] == notes["10⁻⁶-fach,"] == notes["Die"] == notes["erste."] == notes["Zwei"] == 0
    assert notes["2025"] == notes["2024"] == notes["Jahr"] == 0


async def test_a_text_printed_twice_is_read_once(toolkit: PyMuPdfToolkit, tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    for shift in (0.0, 0.4):
        page.insert_text((50 + shift, 100), "der Mann und der Hund und der Mann", fontsize=11)
    read = await first_page(toolkit, saved(document, tmp_path / "a.pdf"))
    assert read.text.split() == ["der", "Mann", "und", "der", "Hund", "und", "der", "Mann"]


async def test_line_end_hyphens_stay(toolkit: PyMuPdfToolkit, tmp_path: Path) -> None:
    read = await first_page(toolkit, saved(written("bezahlbare Woh-\nnung"), tmp_path / "a.pdf"))
    assert read.text == "bezahlbare Woh-\nnung"


def test_characters_of_no_width_go() -> None:
    word = (0.0, 0.0, 60.0, 10.0, "Bürger\u200bin\u2060nen", 0, 0, 0)
    assert [(draft.text, draft.box) for draft in drafts([word], [], "", (0, 0))] == [
        ("Bürgerinnen", (0.0, 0.0, 60.0, 10.0))
    ]


def test_unusual_spaces_part_words() -> None:
    word = (0.0, 0.0, 60.0, 10.0, "§\u202f5\u2009Abs", 0, 0, 0)
    sign, number, rest = drafts([word], [], "", (0, 0))
    assert (sign.text, number.text, rest.text) == ("§", "5", "Abs")
    assert sign.box[2] <= number.box[0] < number.box[2] <= rest.box[0] < rest.box[2] == 60.0


async def test_what_is_typed_into_fields_is_text_and_comments_are_none(
    toolkit: PyMuPdfToolkit, tmp_path: Path
) -> None:
    document = written("Der eigentliche Text.")
    page = document[0]
    page.add_freetext_annot(pymupdf.Rect(40, 200, 300, 230), "Anmerkung eines Lesers")
    page.add_text_annot((40, 300), "Notiz")
    field = pymupdf.Widget()
    field.field_name, field.field_value = "name", "Feldinhalt"
    field.field_type, field.rect = pymupdf.PDF_WIDGET_TYPE_TEXT, pymupdf.Rect(40, 320, 200, 340)
    page.add_widget(field)
    read = await first_page(toolkit, saved(document, tmp_path / "a.pdf"))
    assert read.text == "Der eigentliche Text.\n\nFeldinhalt"
    assert ("text_boxes", 1) in (await toolkit.read(tmp_path / "a.pdf")).warnings
    box = [word.box for word in read.words if word.text == "Feldinhalt"]
    assert await toolkit.doubt(tmp_path / "a.pdf", 1, box, scan=False) is None
    made = await toolkit.highlighted_page(tmp_path / "a.pdf", 1, box, expected=["Feldinhalt"])
    assert made.checked
    assert not made.rasterised


def test_letters_that_a_font_draws_as_one_stand_beside_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = (("o", 40.0, 50.0), ("f", 50.0, 80.0), ("f", 80.0, 84.0), ("i", 80.0, 83.0), ("c", 80.0, 86.0))
    characters = [{"c": c, "bbox": (x0, 0.0, x1, 10.0), "origin": (x0, 8.0)} for c, x0, x1 in drawn]
    span = {"chars": characters, "font": "Own", "size": 10.0, "ascender": 0.8, "descender": -0.2}
    raw = {"blocks": [{"lines": [{"dir": (1.0, 0.0), "spans": [span]}]}]}
    monkeypatch.setattr(ink, "structured", lambda *_: SimpleNamespace(extractRAWDICT=lambda: raw))
    found = ink.letters_near(None, [(0.0, 0.0, 100.0, 20.0)])
    assert [(each.text, each.box[0], each.box[2]) for each in found] == [
        ("o", 40.0, 50.0),
        ("f", 50.0, 60.0),
        ("f", 60.0, 70.0),
        ("i", 70.0, 80.0),
        ("c", 80.0, 86.0),
    ]


async def test_what_is_typed_far_behind_a_label_goes_on_with_it(
    toolkit: PyMuPdfToolkit, tmp_path: Path
) -> None:
    document = pymupdf.open()
    page = document.new_page()
    for y, label, value in ((100, "Boot:", "Kahn"), (130, "Liegeplatz am Steg:", "sieben")):
        page.insert_text((50, y), label, fontsize=11)
        field = pymupdf.Widget()
        field.field_name, field.field_value, field.text_fontsize = label, value, 11
        field.field_type, field.rect = pymupdf.PDF_WIDGET_TYPE_TEXT, pymupdf.Rect(260, y - 12, 400, y + 4)
        page.add_widget(field)
    read = await first_page(toolkit, saved(document, tmp_path / "a.pdf"))
    assert read.text.split() == ["Boot:", "Kahn", "Liegeplatz", "am", "Steg:", "sieben"]


@pytest.mark.parametrize(
    ("key", "value", "error"),
    [("Collection", "<</Type/Collection/View/D>>", "pdf.portfolio"), ("NeedsRendering", "true", "pdf.xfa")],
)
async def test_placeholders_are_refused(
    toolkit: PyMuPdfToolkit, tmp_path: Path, key: str, value: str, error: str
) -> None:
    def made() -> Any:
        document = written("Please wait for the document.")
        document.embfile_add("a.pdf", b"%PDF-", filename="a.pdf")
        if error == "pdf.xfa":
            document.xref_set_key(document.pdf_catalog(), "AcroForm", "<</Fields[1 0 R]/XFA(x)>>")
        return document

    plain, placeholder = made(), made()
    placeholder.xref_set_key(placeholder.pdf_catalog(), key, value)
    assert ("attachments", 1) in (await toolkit.read(saved(plain, tmp_path / "a.pdf"))).warnings
    with pytest.raises(Refused) as refused:
        await toolkit.read(saved(placeholder, tmp_path / "b.pdf"))
    assert refused.value.key == error


async def test_two_columns_keep_the_order_of_the_file(toolkit: PyMuPdfToolkit, tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    for x, name in ((50, "links"), (320, "rechts")):
        for row in range(6):
            page.insert_text((x, 100 + 14 * row), f"{name} Zeile {row}", fontsize=11)
    read = await first_page(toolkit, saved(document, tmp_path / "a.pdf"))
    sides = [word.text for word in read.words if word.text in ("links", "rechts")]
    assert sides == ["links"] * 6 + ["rechts"] * 6


async def test_a_picture_of_a_page_is_a_scan(toolkit: PyMuPdfToolkit, tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_image(page.rect, stream=picture())
    page = document.new_page()
    page.insert_image(pymupdf.Rect(50, 50, 150, 150), stream=picture())
    reading = await toolkit.read(saved(document, tmp_path / "a.pdf"))
    assert [item.trouble for item in reading.pages] == [PageTrouble.SCAN, PageTrouble.NO_TEXT]


async def test_a_scan_with_a_text_layer_is_read_as_ocr(toolkit: PyMuPdfToolkit, tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_image(page.rect, stream=picture())
    page.insert_text((50, 100), "Erkannter Text einer gescannten Seite", render_mode=3)
    item = (await toolkit.read(saved(document, tmp_path / "a.pdf"))).pages[0]
    assert item.page.text == "Erkannter Text einer gescannten Seite"
    assert item.page.text_source is TextSource.OCR
    assert item.hidden_characters == 0


async def test_facts_of_the_file(toolkit: PyMuPdfToolkit, tmp_path: Path) -> None:
    document = written("Text")
    document.set_metadata({"title": "Wahlprogramm 2025 "})
    path = saved(
        document, tmp_path / "a.pdf", encryption=pymupdf.PDF_ENCRYPT_AES_256, owner_pw="owner", permissions=0
    )
    reading = await toolkit.read(path)
    assert reading.title == "Wahlprogramm 2025"
    assert ("owner_locked", 1) in reading.warnings
    assert reading.pages[0].page.text == "Text"


async def test_refusals(toolkit: PyMuPdfToolkit, tmp_path: Path) -> None:
    locked = saved(
        written("Text"), tmp_path / "locked.pdf", encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="secret"
    )
    empty = tmp_path / "empty.pdf"
    empty.write_bytes(
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 0/Kids[]>>endobj\n"
        b"trailer<</Root 1 0 R>>\n"
    )
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7\n" + bytes(range(256)) * 20)
    nothing = tmp_path / "nothing.pdf"
    nothing.write_bytes(b"")
    for path, key in (
        (locked, "pdf.encrypted"),
        (empty, "pdf.empty"),
        (broken, "pdf.broken"),
        (nothing, "pdf.not_a_pdf"),
        (tmp_path / "missing.pdf", "pdf.broken"),
    ):
        with pytest.raises(Refused) as refused:
            await toolkit.read(path)
        assert (path.name, refused.value.key) == (path.name, key)
        assert refused.value.detail
