"""Lists are numbered, tables laid out and sheets written as the author's program shows them."""

import io
import zipfile
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

import openpyxl
import pytest

from adapters.conversion.child import typeset
from adapters.conversion.converter import DocumentConverter
from adapters.conversion.readers import READERS, kind_of_text
from adapters.conversion.sheets import written
from core.ports.files import WarnedPdf
from tests.support.office_files import archive, docx, odt
from tests.support.pdfs import pymupdf

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
LEVELS = (  # format, text, what else there is
    ("decimal", "§ %1", ""),
    ("decimal", "(%2)", ""),
    ("lowerLetter", "%3)", ""),
    ("decimal", "%1.%4", "<w:isLgl/>"),
)


def lines_of(kind: str, data: bytes | str) -> list[str]:
    """The lines of the pages made of a file."""
    html, title, _ = READERS[kind](data if isinstance(data, bytes) else data.encode())
    with pymupdf.open(stream=typeset(html, title), filetype="pdf") as document:
        text = "\n".join(page.get_text() for page in document)
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def word(paragraphs: Sequence[tuple[str, str]], lists: str, styles: str = "") -> bytes:
    """A Word file of (list and level "1:0", text) with the lists of "numbering.xml"."""
    with zipfile.ZipFile(io.BytesIO(docx([("", "BODY")]))) as source:
        members = {name: source.read(name).decode() for name in source.namelist()}
    body = "".join(
        f"<w:p><w:pPr>{_properties(place)}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"
        for place, text in paragraphs
    )
    before, _, behind = members["word/document.xml"].partition("<w:p>")
    members["word/document.xml"] = before + body + behind.partition("</w:p>")[2]
    members["word/numbering.xml"] = f"<w:numbering {W}>{lists}</w:numbering>"
    return archive({**members, "word/styles.xml": f"<w:styles {W}>{styles}</w:styles>"})


def _properties(place: str) -> str:
    number, _, level = place.partition(":")
    if not level:
        return f'<w:pStyle w:val="{place}"/>' if place else ""
    return f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'


def abstract(number: int, levels: Sequence[tuple[str, str, str]]) -> str:
    inside = "".join(
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/>'
        f'<w:numFmt w:val="{kind}"/><w:lvlText w:val="{text}"/>{more}'
        "</w:lvl>"
        for at, (kind, text, more) in enumerate(levels)
    )
    return f'<w:abstractNum w:abstractNumId="{number}">{inside}</w:abstractNum>'


def test_word_numbers_by_level_and_begins_anew_below_each_item() -> None:
    lists = abstract(0, LEVELS) + '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    places = ("1:0", "1:1", "1:1", "1:2", "1:2", "", "1:0", "1:1", "1:3")
    made = word([(place, f"x{n}") for n, place in enumerate(places)], lists)
    assert lines_of("docx", made) == [
        *("§ 1 x0", "(1) x1", "(2) x2", "a) x3", "b) x4", "x5", "§ 2 x6", "(1) x7", "2.1 x8")
    ]


def test_word_goes_on_or_starts_where_a_list_says_so() -> None:
    numbers = (
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
        '<w:num w:numId="2"><w:abstractNumId w:val="0"/></w:num>'
        '<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0">'
        '<w:startOverride w:val="7"/></w:lvlOverride></w:num>'
    )
    lists = abstract(0, [("upperRoman", "%1.", "")]) + numbers
    made = word([("1:0", "a"), ("1:0", "b"), ("2:0", "c"), ("3:0", "d"), ("3:0", "e")], lists)
    assert lines_of("docx", made) == ["I. a", "II. b", "III. c", "VII. d", "VIII. e"]


def test_styles_of_word_number_what_has_them() -> None:
    lists = abstract(0, [("decimal", "Art. %1", '<w:pStyle w:val="Artikel"/>')]) + (
        '<w:num w:numId="4"><w:abstractNumId w:val="0"/></w:num>'
    )
    style = (
        '<w:style w:type="paragraph" w:styleId="Artikel"><w:name w:val="Artikel"/><w:pPr><w:numPr>'
        '<w:numId w:val="4"/></w:numPr></w:pPr></w:style><w:style w:type="paragraph" w:styleId="Kind">'
        '<w:name w:val="Kind"/><w:basedOn w:val="Artikel"/></w:style>'
    )
    made = word([("Artikel", "Ziel"), ("", "Text"), ("Kind", "Mittel"), ("0:0", "Ende")], lists, style)
    assert lines_of("docx", made) == ["Art. 1 Ziel", "Text", "Art. 2 Mittel", "Ende"]


def test_signs_of_word_stay_signs() -> None:
    lists = abstract(0, [("decimal", "%1.", ""), ("bullet", "-", "")]) + (
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    )
    made = word([("1:0", "a"), ("1:1", "b"), ("1:0", "c")], lists)
    assert lines_of("docx", made) == ["1. a", "• b", "2. c"]


STYLES = (
    '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" '
    'style:num-prefix="§ " text:start-value="3"/><text:list-level-style-number text:level="2" '
    'style:num-format="a" style:num-suffix=")"/><text:list-level-style-number text:level="3" '
    'style:num-format="i" style:num-suffix="." text:display-levels="2"/></text:list-style>'
)


def test_open_document_lists_count_by_their_styles() -> None:
    names = 'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"'
    inner = (
        "<text:list><text:list-item><text:p>b</text:p><text:list><text:list-item><text:p>c</text:p>"
        "</text:list-item></text:list></text:list-item><text:list-item><text:p>d</text:p></text:list-item>"
        "</text:list>"
    )
    body = (
        f'<text:list text:style-name="L"><text:list-item><text:p>a</text:p>{inner}</text:list-item>'
        "<text:list-item><text:p>e</text:p><text:p>e2</text:p></text:list-item></text:list><text:p>between</text:p>"
        '<text:list text:style-name="L" text:continue-numbering="true"><text:list-item><text:p>f</text:p>'
        '</text:list-item><text:list-item text:start-value="9">'
        "<text:p>g</text:p></text:list-item></text:list>"
        '<text:list text:style-name="L"><text:list-item><text:p>h</text:p></text:list-item></text:list>'
    )
    with zipfile.ZipFile(io.BytesIO(odt([("", "BODY")]))) as source:
        members = {name: source.read(name).decode() for name in source.namelist()}
    content = members["content.xml"].replace("<text:p>BODY</text:p>", body)
    content = content.replace(
        "<office:body>", f"<office:automatic-styles {names}>{STYLES}</office:automatic-styles><office:body>"
    )
    assert lines_of("odt", archive({**members, "content.xml": content})) == [
        *("§ 3 a", "a) b", "a.i. c", "b) d", "§ 4 e", "e2", "between", "§ 5 f", "§ 9 g", "§ 3 h")
    ]


@pytest.mark.parametrize(
    ("page", "lines"),
    [
        ("<ol reversed><li>x<li>y</ol>", ["2. x", "1. y"]),
        ("<ol reversed start=9><li>x<li>y</ol>", ["9. x", "8. y"]),
        ("<ol start=0><li>x<li>y</ol>", ["0. x", "1. y"]),
        ("<ol type=A><li>x<li value=5>y<li>z</ol>", ["A. x", "E. y", "F. z"]),
        ("<style>ol {list-style: upper-roman inside}</style><ol><li>x<li>y</ol>", ["I. x", "II. y"]),
        ('<ol style="list-style-type: none"><li>§ 1 x<li>§ 2 y</ol>', ["§ 1 x", "§ 2 y"]),
        (
            "<style>ol {counter-reset: p; list-style: none} li::before {counter-increment: p; "
            'content: "(" counter(p, lower-alpha) ") "}</style><ol><li>x<li>y</ol><ol><li>z</ol>',
            ["(a) x", "(b) y", "(a) z"],
        ),
        (
            "<style>body {counter-reset: a} h2 {counter-increment: a; counter-reset: b} h3 {"
            "counter-increment: b}"
            'h2::before {content: "Art. " counter(a) " "} h3::before {content: counter(a) "." counter(b) " "}'
            'p::before {content: "→ "}</style><h2>x</h2><h3>y</h3><h3>z</h3><h2>x</h2><h3>y</h3><p>Text',
            ["Art. 1 x", "1.1 y", "1.2 z", "Art. 2 x", "2.1 y", "Text"],
        ),
    ],
)
def test_pages_are_numbered_as_browsers_do(page: str, lines: list[str]) -> None:
    assert lines_of("html", page) == lines


def test_cells_over_rows_and_columns_keep_the_others_in_place() -> None:
    page = (
        "<table><tr><th rowspan=2>Art<th colspan=2>Preis</tr><tr><th>ein<th>zwei</tr>"
        "<tr><td rowspan=0>Hund<td>1<td>2</tr><tr><td colspan=2>3</table>"
    )
    assert READERS["html"](page.encode()).html == (
        "<table><tr><th>Art</th><th>Preis</th><th></th></tr><tr><th>Art</th><th>ein</th><th>zwei</th></tr>"
        "<tr><td>Hund</td><td>1</td><td>2</td></tr><tr><td>Hund</td><td>3</td><td></td></tr></table>"
    )


def test_a_part_of_a_page_is_a_page() -> None:
    assert kind_of_text("<h2>Gebühren</h2><p>Zwölf Euro", "") == "html"
    assert kind_of_text("1 < 2, <h2> ist ein Tag", "") == "text"


AFTERNOON = datetime(2026, 1, 5, 14, 3, tzinfo=UTC)
NUMBERS = [
    (0.125, "0.0%", "de", "12,5%"),
    (1250, "#,##0.00 EUR", "de", "1.250,00 EUR"),
    (1250.5, '_-* #,##0.00 "€"_-;-* #,##0.00 "€"_-;_-* "-"?? "€"_-', "de", "1.250,50 €"),
    (-3.5, "#,##0.00;[Red]-#,##0.00", "en", "-3.50"),
    (-3.5, "0.0;(0.0)", "en", "(3.5)"),
    (1234567, '0.0,,"M"', "en", "1.2M"),
    (7, "00000", "en", "00007"),
    (123456, "000-000", "en", "123-456"),
    (1.5, "# ?/?", "en", "1 1/2"),
    (3, ";;;", "en", ""),
    (50, '[>=100]0 "viel";0 "wenig"', "de", "50 wenig"),
    (0.3, "General", "fr", "0,3"),
    (0.075, "0.##%", "en", "7.5%"),
    (True, "General", "de", "WAHR"),
    (1e29, "0.00", "en", "1e+29"),
    (AFTERNOON, "DD.MM.YYYY", "en", "05.01.2026"),
    (AFTERNOON, "mm-dd-yy", "de", "05.01.2026"),
    (AFTERNOON, "d. mmmm yyyy", "de", "5. Januar 2026"),
    (AFTERNOON, "h:mm AM/PM", "en", "2:03 PM"),
    (date(2026, 3, 1), "[$-40C]d mmm yy", "fr", "1 mar 26"),
    (time(7, 5), 'hh:mm "Uhr"', "de", "07:05 Uhr"),
    (timedelta(hours=30, minutes=5), "[h]:mm", "de", "30:05"),
]


@pytest.mark.parametrize(("value", "code", "language", "text"), NUMBERS)
def test_numbers_are_written_in_their_formats(value: object, code: str, language: str, text: str) -> None:
    assert written(value, code, language) == text


async def test_what_a_sheet_hides_is_left_out_and_formulas_without_results_are_told(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (
        *(("Grab", "Dauer", "Gebühr", "intern"), ("Reihe", 10, 300.5, "x"), (None, 20, 520, "x")),
        *(("alt", 1, 2, "x"), ("Summe", None, "=SUM(C2:C4)", None)),
    ):
        sheet.append(row)
    sheet.merge_cells("A2:A3")
    sheet["C2"].number_format = '#,##0.00 "€"'
    sheet.row_dimensions[4].hidden = True
    sheet.column_dimensions["D"].hidden = True
    sheet["XFD1000000"].number_format = "0"
    book.save(tmp_path / "a.xlsx")
    made = await DocumentConverter().convert(tmp_path / "a.xlsx", "zip", "a.xlsx")
    assert isinstance(made, WarnedPdf)
    assert made.warnings == (("file.formulas", 1),)
    assert lines_of("xlsx", (tmp_path / "a.xlsx").read_bytes()) == [
        *("Sheet", "Grab: Reihe; Dauer: 10; Gebühr: 300,50 €", "Grab: Reihe; Dauer: 20; Gebühr: 520"),
        "Grab: Summe",
    ]


def test_rows_have_the_names_of_their_group_and_of_merged_heads() -> None:
    table = "Art;Preis\nKlavier;\neinzeln;62\nGeige;\neinzeln;71\nSumme;133\n"
    assert lines_of("csv", table) == [
        *("Klavier", "Klavier; Art: einzeln; Preis: 62", "Geige", "Geige; Art: einzeln; Preis: 71"),
        "Art: Summe; Preis: 133",
    ]


def test_titles_amounts_and_notes_do_not_change_what_parts_the_cells() -> None:
    table = (
        "Eintritt im Bad\n;;\nKarte;Groß;Klein\nTag;5,00;2,50\nAbend;3,00;1,50\n\nHunde frei\nStand: Mai\n"
    )
    assert lines_of("csv", table) == [
        *("Eintritt im Bad", "Karte: Tag; Groß: 5,00; Klein: 2,50", "Karte: Abend; Groß: 3,00; Klein: 1,50"),
        *("Hunde frei", "Stand: Mai"),
    ]


def test_what_forms_show_is_read() -> None:
    form = "<textarea>Shoes\nare needed.</textarea><select><option>No<option selected>Yes</select>"
    assert lines_of("html", form) == ["Shoes are needed.", "Yes"]


def test_terms_stand_in_rows_with_what_they_mean() -> None:
    pairs = "<dl><dt>Bond<dd>Money held.<dt>Guest<dt>Visitor<dd>Who comes.<dd>Who stays.</dl>"
    html = READERS["html"](pairs.encode()).html
    assert html == (
        "<table><tr><td>Bond</td><td>Money held.</td></tr>"
        "<tr><td>Guest<br/>Visitor</td><td>Who comes.<br/>Who stays.</td></tr></table>"
    )
    assert "<table>" not in READERS["html"](b"<dl>Before<dt>Bond<dd>Money</dl>").html


def test_columns_typed_with_spaces_are_read_as_columns_or_as_a_table() -> None:
    hours = "From        Departs  Price\nNorth pier  07:30    4.50\nOld town    11:45    8.20"
    assert "<td>Old town</td><td>11:45</td><td>8.20</td>" in READERS["text"](hours.encode()).html
    text = (
        "The hall opens at     Guests leave their\nten and closes on     coats at the desk\n"
        "every day at noon.    of the porter."
    )
    assert lines_of("text", text)[:3] == ["The hall opens at", "ten and closes on", "every day at noon."]
    for other in ("1.  One thing\n    goes on\n2.  Another\n    too", "So  it\n is not  here\nat  all"):
        assert READERS["text"](other.encode()).html.startswith("<p>")
