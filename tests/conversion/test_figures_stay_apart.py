"""What a file sets apart is never read as one number: a false figure would be quoted word for word."""

import codecs
import io
import re
import sys
import unicodedata
import zipfile

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont

from adapters.conversion.child import typeset
from adapters.conversion.formats import CODECS, codec_of
from adapters.conversion.readers import READERS, kind_of_text
from tests.support.office_files import archive, docx, odt, xlsx
from tests.support.pdfs import pymupdf

SPACES = [
    character
    for character in map(chr, range(sys.maxunicode + 1))
    if character.isspace() or unicodedata.category(character).startswith("Z")
]
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
MATH = '<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"/>'


def text_of(content: bytes | str, kind: str = "html") -> str:
    """The text of the pages that are made of a file."""
    data = content if isinstance(content, bytes) else content.encode()
    html, title, _ = READERS[kind](data)
    if not html.strip():
        return ""
    with pymupdf.open(stream=typeset(html, title), filetype="pdf") as document:
        return " ".join(" ".join(page.get_text() for page in document).split())


@pytest.mark.parametrize("space", SPACES, ids=lambda space: f"U+{ord(space):04X}")
@pytest.mark.parametrize("kind", ["html", "text", "markdown"])
def test_every_space_parts_numbers(space: str, kind: str) -> None:
    html, *_ = READERS[kind](f"Zwischen 10{space}20 und 5{space}7 Euro".encode())
    assert re.search(r"10\s20", re.sub(r"(?:<[^>]*>)+", " ", html))
    assert re.search(r"5\s7", re.sub(r"(?:<[^>]*>)+", " ", html))


@example("\r")
@given(st.text(st.characters(exclude_categories=["Nd", "Cs"]), min_size=1, max_size=4))
def test_nothing_between_two_numbers_joins_them(between: str) -> None:
    for kind in ("text", "csv"):
        html, *_ = READERS[kind](f"x{between}10{between}20".encode())
        assert "1020" not in re.sub(r"<[^>]*>", "", re.sub(r"<br/>|</p>", "\n", html))


@pytest.mark.parametrize(
    "between",
    [
        *("&ensp;", "&emsp;", "&thinsp;", "&nbsp;", "&#8203;", "&#12288;", "&#150;", "&#xFEFF;", "&#x85;"),
        *("<br>", "<br/>", "</br>", "<wbr>", "<hr>", "<img src=x>", "<input>", "\t", "\n", "\r\n", "\f"),
        *("<div>", "</p>", "<p>", "<center>", "<form>", "<h2>", "<details>", "<summary>", "<td>", "<li>"),
        *(
            "<script>1</script>",
            "<button>1</button>",
            "<svg><text>1</text></svg>",
            '<b style="opacity:0">1</b>',
            "<sub>",
        ),
        '<span style="display:block">',
    ],
)
def test_what_a_browser_sets_apart_stays_apart(between: str) -> None:
    assert "1020" not in text_of(f"<p>Der Satz ist 10{between}20 Prozent.</p>")


@pytest.mark.parametrize("style", ["display:none", "position:absolute;left:-999px"])
def test_what_takes_no_room_parts_no_number(style: str) -> None:
    assert "1020" in text_of(f'<p>Der Satz ist 10<b style="{style}">1</b>20 Prozent.</p>')


@pytest.mark.parametrize(
    "page",
    [
        "<table><tr><td>10</td><td>20</td></tr></table>",
        "<table><tr><td>10<td>20<tr><th>30<th>40</table>",
        "<table><td>10<td>20</table>",
        "<td>10</td><td>20</td>",
        "<table>10<tr>20<td>30</table>",
        "<ul><li>10<li>20</ul>",
        "<dl><dt>10<dd>20</dl>",
        "<div>10</div><div>20</div>",
        "<form>10</form>20",
        "<s>10</s>20",
        "<div>" * 80 + "<table><tr><td>10<td>20</table>",
    ],
)
def test_neighbours_stay_apart(page: str) -> None:
    assert re.search(r"10\W+20", text_of(page))


def test_what_no_reader_sees_parts_no_word() -> None:
    assert (
        text_of("<p>Donau&#8203;dampf<wbr>schi&shy;ffer</p>").replace("\ufb00", "ff") == "Donaudampfschiffer"
    )
    assert text_of("<p>1<b>0</b>0 <i>Eu</i>ro</p>") == "100 Euro"


@pytest.mark.parametrize("label", ["ISO-8859-1", "latin1", "us-ascii", "windows-1252", "l1", " ISO8859-1 "])
@pytest.mark.parametrize(
    "head",
    [
        '<!doctype html><meta charset="{}">',
        "<!doctype html><!-- <meta charset=utf-8> --><META http-equiv=x content='text/html; charset={}'>",
        '<?xml version="1.0" encoding="{}"?><html>',
    ],
)
def test_latin_pages_are_read_as_browsers_read_them(label: str, head: str) -> None:
    page = head.format(label if "http" not in head else label.strip()) + "<p>10–20 Prozent „für“ 5 €"
    assert text_of(page.encode("cp1252")) == "10–20 Prozent „für“ 5 €"


def test_labels_are_those_of_the_standard() -> None:
    for codec in CODECS:
        codecs.lookup(codec)
    named = {
        "latin2": "iso-8859-2",
        "Latin5": "windows-1254",
        "iso-8859-9": "windows-1254",
        "iso-8859-11": "cp874",
        "tis-620": "cp874",
        "gb2312": "gb18030",
        "ks_c_5601-1987": "cp949",
        "sjis": "cp932",
        "x-user-defined": "windows-1252",
        "utf-16": "utf-8",
        "utf8": "utf-8",
    }
    assert {label: codec_of(label) for label in named} == named
    assert codec_of("latin-9000") is None
    assert codec_of("rot13") is None


@pytest.mark.parametrize("codec", sorted({"cp1252", "utf-8", "iso8859-15", "cp1250"}))
@pytest.mark.parametrize("byte", [0x81, 0x8D, 0x96, 0x9D, 0xA0, 0xAD, 0xFF])
def test_bytes_that_are_no_text_join_nothing(codec: str, byte: int) -> None:
    page = f"<!doctype html><meta charset={codec}><p>Satz 10X20".encode().replace(b"X", bytes([byte]))
    assert "1020" not in text_of(page)
    assert "1020" not in text_of(b"Satz 10" + bytes([byte]) + b"20", "text")


@pytest.mark.parametrize(
    ("page", "text", "title"),
    [
        ("<!doctype html><title>T</title><p>One<p>Two", "One Two", "T"),
        ("<!doctype html><html><head><title>T</title><body><p>One</body></html>", "One", "T"),
        ("<!doctype html><html><head><meta charset=utf-8><title>T</title><p>One", "One", "T"),
        ("<!doctype html><head><title>T</title>One", "One", "T"),
        ("<!doctype html><head><style>p{}</style><script>x</script><h1>One</h1>", "One", ""),
        ("<!doctype html>One", "One", ""),
        ("<!doctype html><body>One <head>Two", "One Two", ""),
        ("<!doctype html><p hidden>One<div>Two</div>", "Two", ""),
        ("<!doctype html><ul><li hidden>One<li>Two</ul>", "• Two", ""),
        ("<!doctype html><table><tr hidden><td>One<tr><td>Two<tbody><tr><td>Three</table>", "Two Three", ""),
        ("<!doctype html><div hidden><table><tr><td>One</div></table></div>Two", "Two", ""),
        ("<!doctype html><dl><dt hidden>One<dd>Two</dl>", "Two", ""),
    ],
)
def test_tags_may_be_left_out(page: str, text: str, title: str) -> None:
    assert text_of(page) == text
    assert READERS["html"](page.encode())[1] == title


def test_a_file_that_is_named_html_is_html() -> None:
    assert kind_of_text("<!-- saved --><p>One", ".html") == "html"


def test_lists_keep_their_numbers() -> None:
    assert text_of("<ol start=5><li>One<li>Two<li value=9>Nine</ol>") == "5. One 6. Two 9. Nine"
    assert text_of("<ol type=a><li>One<li>Two</ol>") == "a. One b. Two"
    assert text_of("3. Three\n4. Four\n", "markdown") == "3. Three 4. Four"


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("5<sup>1</sup> Prozent", "5¹ Prozent"),
        ("5<sup><a href=#n>12</a></sup> Prozent", "5¹² Prozent"),
        ('5<span style="vertical-align: super">1</span> Prozent', "5¹ Prozent"),
        ("20 m<sup>2</sup>", "20 m²"),
        ("am 1<sup>st</sup> May", "am 1st May"),
        ("<del>5</del><ins>7</ins> Prozent", "5 7 Prozent"),
    ],
)
def test_marks_of_notes_in_pages(page: str, text: str) -> None:
    assert text_of(f"<p>{page}</p>") == text


def test_marks_of_notes_in_markdown() -> None:
    assert "51" not in text_of("Der Satz ist 5[^1] Prozent.\n\n[^1]: Siehe dort.\n", "markdown")


STYLES = """<office:automatic-styles xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0">
<style:style style:family="text" style:name="T1">
<style:text-properties style:text-position="super 58%"/></style:style>
<style:style style:family="text" style:name="T2" style:parent-style-name="T1"/>
<style:style style:family="text" style:name="T3">
<style:text-properties style:text-position="0% 100%"/></style:style>
<style:style style:family="text" style:name="T4"><style:text-properties text:display="none"/></style:style>
</office:automatic-styles>"""


def odt_of(body: str) -> bytes:
    """An OpenDocument text with one paragraph."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(odt([("", "BODY")]))) as source, zipfile.ZipFile(made, "w") as copy:
        for name in source.namelist():
            content = source.read(name).decode()
            content = content.replace("BODY", body).replace("<office:body>", f"{STYLES}<office:body>")
            copy.writestr(name, content)
    return made.getvalue()


def note(mark: str, text: str, kind: str = "footnote") -> str:
    return (
        f'<text:note text:note-class="{kind}"><text:note-citation>{mark}</text:note-citation>'
        f"<text:note-body><text:p>{text}</text:p></text:note-body></text:note>"
    )


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (f"5{note('1', 'Siehe 2 dort.')} Prozent", "5¹ Prozent ¹ Siehe 2 dort."),
        (f"5{note('1', 'A.')}{note('i', 'B.', 'endnote')} Prozent", "5¹[i] Prozent ¹ A. [i] B."),
        (f"5{note('*', 'A.')} Prozent", "5* Prozent * A."),
        ('5<text:span text:style-name="T1">1</text:span> Prozent', "5¹ Prozent"),
        ('5<text:span text:style-name="T2">1</text:span> Prozent', "5¹ Prozent"),
        ('5<text:span text:style-name="T3">0</text:span> Prozent', "50 Prozent"),
        ('5<text:span text:style-name="T4">0</text:span> Prozent', "5 Prozent"),
        ("5<office:annotation><text:p>0</text:p></office:annotation> Prozent", "5 Prozent"),
        ("10<text:tab/>20 Prozent", "10 20 Prozent"),
        ('10<text:s text:c="2"/>20 Prozent', "10 20 Prozent"),
        ("10<text:line-break/>20 Prozent", "10 20 Prozent"),
        ('10<x:frame xmlns:x="y"/>20 Prozent', "10 20 Prozent"),
        ("<text:number>3</text:number>10 Prozent", "3 10 Prozent"),
        ("<text:page-number>3</text:page-number> Seiten", "3 Seiten"),
        ('<text:variable-set text:display="none">3</text:variable-set>5 Prozent', "5 Prozent"),
    ],
)
def test_open_documents(body: str, text: str) -> None:
    assert text_of(odt_of(f"Der Satz ist {body}"), "odt") == f"Der Satz ist {text}"


def test_deleted_text_of_open_documents_is_gone() -> None:
    deleted = (
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>9</text:p></text:deletion>"
        '</text:changed-region></text:tracked-changes>5<text:change text:change-id="c"/> Prozent'
    )
    assert text_of(odt_of(deleted), "odt") == "5 Prozent"


def docx_of(runs: str, **parts: str) -> bytes:
    """A Word file with one paragraph of `runs`, and further parts."""
    with zipfile.ZipFile(io.BytesIO(docx([("", "BODY")]))) as source:
        members = {name: source.read(name).decode() for name in source.namelist()}
    members["word/document.xml"] = members["word/document.xml"].replace(
        '<w:r><w:t xml:space="preserve">BODY</w:t></w:r>', runs
    )
    return archive({**members, **{f"word/{name}.xml": text for name, text in parts.items()}})


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


@pytest.mark.parametrize(
    ("between", "text"),
    [
        (run("1", '<w:vertAlign w:val="superscript"/>'), "5¹ Prozent"),
        (run("1", '<w:position w:val="6"/>'), "5¹ Prozent"),
        (run("1", '<w:rStyle w:val="Zeichen"/>'), "5¹ Prozent"),
        (run("1", '<w:vertAlign w:val="baseline"/>'), "51 Prozent"),
        (run("1", "<w:vanish/>"), "5 Prozent"),
        (f"<w:del><w:r><w:delText>1</w:delText></w:r></w:del><w:ins>{run('0')}</w:ins>", "5 1 0 Prozent"),
        (f"<w:moveFrom>{run('1')}</w:moveFrom>", "5 Prozent"),
        ("<w:r><w:tab/></w:r>" + run("7"), "5 7 Prozent"),
        ("<w:r><w:br/></w:r>" + run("7"), "5 7 Prozent"),
        ('<w:r><w:br w:type="page"/></w:r>' + run("7"), "5 7 Prozent"),
        ("<w:r><w:cr/></w:r>" + run("7"), "5 7 Prozent"),
        ("<w:r><w:ptab/></w:r>" + run("7"), "5 7 Prozent"),
        ('<w:r><w:sym w:font="Unknown" w:char="F041"/></w:r>' + run("7"), "5 7 Prozent"),
        (MATH + run("7"), "5 7 Prozent"),
        (f'<w:fldSimple w:instr="REF x">{run("7")}</w:fldSimple>', "57 Prozent"),
        ("<w:r><w:noBreakHyphen/></w:r>" + run("7"), "5‑7 Prozent"),
    ],
)
def test_word_files(between: str, text: str) -> None:
    styles = (
        f'<w:styles {W}><w:style w:type="character" w:styleId="Hoch"><w:rPr>'
        '<w:vertAlign w:val="superscript"/></w:rPr></w:style>'
        '<w:style w:type="character" w:styleId="Zeichen"><w:basedOn w:val="Hoch"/></w:style></w:styles>'
    )
    made = docx_of(run("Der Satz ist 5") + between + run(" Prozent"), styles=styles)
    assert text_of(made, "docx") == f"Der Satz ist {text}"


@pytest.mark.parametrize(
    ("between", "text"),
    [
        ("<w:del><w:r><w:delText>er</w:delText></w:r></w:del>", "Mietpreise"),
        (f"<w:del><w:r><w:delText>e</w:delText></w:r></w:del><w:ins>{run('u')}</w:ins>", "Mietupreise"),
        ("<w:del><w:r><w:delText>er </w:delText></w:r></w:del>" + run(" "), "Mieter preise"),
    ],
)
def test_letters_deleted_from_within_a_word_leave_one_word(between: str, text: str) -> None:
    made = docx_of(run("Der Satz nennt Miet") + between + run("preise"))
    assert text_of(made, "docx") == f"Der Satz nennt {text}"


BARE, DARK = '<w:color w:val="FFFFFF"/>', '<w:shd w:val="clear" w:color="auto" w:fill="203040"/>'
THEMED = '<w:color w:val="FFFFFF" w:themeColor="background1"/>'


def cell(text: str, properties: str = "", row: str = "", table: str = "") -> str:
    return (
        f"</w:p><w:tbl><w:tblPr>{table}</w:tblPr><w:tr><w:trPr>{row}</w:trPr><w:tc><w:tcPr>{properties}</w:tcPr>"
        f"<w:p>{text}</w:p></w:tc></w:tr></w:tbl><w:p>"
    )


@pytest.mark.parametrize(
    ("part", "seen"),
    [
        (run("Y", BARE), False),
        (run("Y", THEMED), False),
        (run("Y", '<w:rStyle w:val="Leer"/>'), False),
        (run("Y", '<w:rStyle w:val="Weg"/>'), False),
        (cell(run("Y"), row="<w:hidden/>"), False),
        (cell(run("Y", THEMED), table='<w:tblStyle w:val="TableGrid"/>'), False),
        (run("Y", '<w:color w:val="D9D9D9" w:themeColor="background1" w:themeShade="D9"/>'), True),
        (run("Y", BARE + DARK), True),
        (run("Y", BARE + '<w:highlight w:val="blue"/>'), True),
        (run("Y", '<w:rStyle w:val="Weg"/><w:vanish w:val="0"/>'), True),
        (run("Y", '<w:rStyle w:val="Leer"/><w:color w:val="000000"/>'), True),
        (run("Y", '<w:color w:val="auto"/>'), True),
        (f"</w:p><w:p><w:pPr>{DARK}</w:pPr>{run('Y', BARE)}", True),
        (cell(run("Y", THEMED), DARK), True),
        (cell(run("Y", THEMED), table='<w:tblStyle w:val="GridTable5Dark"/>'), True),
        (cell(run("Y"), row='<w:hidden w:val="false"/>'), True),
    ],
)
def test_what_word_does_not_show_is_left_out(part: str, seen: bool) -> None:
    styles = (
        f'<w:styles {W}><w:style w:type="character" w:styleId="Leer"><w:rPr>{BARE}</w:rPr></w:style>'
        '<w:style w:type="character" w:styleId="Weg"><w:rPr><w:vanish/></w:rPr></w:style></w:styles>'
    )
    assert ("Y" in text_of(docx_of(run("Der Satz.") + part, styles=styles), "docx")) is seen


def test_notes_of_word_files() -> None:
    notes = (
        f'<w:footnotes {W}><w:footnote w:id="2"><w:p>{run("Siehe dort.")}</w:p></w:footnote></w:footnotes>'
    )
    made = docx_of(
        run("Der Satz ist 5") + '<w:r><w:footnoteReference w:id="2"/></w:r>' + run(" Prozent"),
        footnotes=notes,
    )
    text = text_of(made, "docx")
    assert "51" not in text
    assert text == "Der Satz ist 5¹ Prozent ¹ Siehe dort."
    assert "Siehe dort." in text


def test_cells_of_spreadsheets() -> None:
    marked = CellRichText("5", TextBlock(InlineFont(vertAlign="superscript"), "1"), " Euro")
    rows = [["Ort", "Satz"], ["Hochau", marked], ["Seemoor", 0.1 + 0.2], ["Altau", 0.00001]]
    text = text_of(xlsx(rows), "xlsx")
    assert text == "Sheet Ort: Hochau; Satz: 5¹ Euro Ort: Seemoor; Satz: 0.3 Ort: Altau; Satz: 0.00001"


def test_shared_strings_of_spreadsheets() -> None:
    """As Excel writes them; openpyxl writes a cell's own."""
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    shared = (
        '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><r><t>5</t></r>'
        '<r><rPr><vertAlign val="superscript"/></rPr><t>1</t></r><r><t> Euro</t></r></si></sst>'
    )
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(xlsx([["Satz", "TEXT"]]))) as source, zipfile.ZipFile(made, "w") as copy:
        for name in source.namelist():
            content = source.read(name).decode()
            content = content.replace('t="inlineStr"><is><t>TEXT</t></is>', 't="s"><v>0</v>')
            override = f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kind}"/></Types>'
            copy.writestr(name, content.replace("</Types>", override))
        copy.writestr("xl/sharedStrings.xml", shared)
    html, *_ = READERS["xlsx"](made.getvalue())
    assert "51" not in html
