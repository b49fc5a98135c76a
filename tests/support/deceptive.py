"""PDFs whose text says something that their page does not show, and honest ones that look alike.

Each has the line `SHOWN` in plain print. A deceptive one also has `HIDDEN` in its text, by one technique, or
a line that reads `TRUE` on the page and `FALSE` in the text. A control shows `LEGIBLE` in an unusual way.
"""

from collections.abc import Callable, Iterator
from random import Random
from string import ascii_lowercase, digits
from typing import Any

from tests.support.pdfs import HEIGHT, WIDTH, picture, pymupdf

SHOWN = "The council keeps the harbour open for everybody in winter."
HIDDEN = "The council sells every public house before the summer."
TRUE, FALSE = "forty", "sixty"
LINE = "The contribution rises to {} euros for every household."
LEGIBLE = "The library stays open on every Sunday of the year."

Make = Callable[[Any, Any], None]
_AT = (40, 300)


def base() -> tuple[Any, Any]:
    """A document of one page with the plain line, and that page."""
    document = pymupdf.open()
    page = document.new_page(width=WIDTH, height=HEIGHT)
    page.insert_text((40, 60), SHOWN, fontsize=11)
    return document, page


def built(make: Make) -> Any:
    """The document of a technique or control."""
    document, page = base()
    make(document, page)
    return document


class Content:
    """Appends raw content to a page."""

    def __init__(self, document: Any, page: Any) -> None:
        self.document, self.page = document, page
        page.insert_font("helv")
        page.wrap_contents()

    def add(self, content: str) -> None:
        """Add operators to the page."""
        xref = self.stream("<<>>", content)
        contents = [*self.page.get_contents(), xref]
        array = "[" + " ".join(f"{number} 0 R" for number in contents) + "]"
        self.document.xref_set_key(self.page.xref, "Contents", array)

    def resource(self, kind: str, name: str, value: str) -> None:
        """Name something in the page's resources."""
        xref, path = self._place(self.page.xref, "Resources")
        xref, path = self._place(xref, f"{path}/{kind}" if path else kind)
        self.document.xref_set_key(xref, f"{path}/{name}" if path else name, value)

    def _place(self, xref: int, path: str) -> tuple[int, str]:
        """The location of a dictionary: its object's number, and the path in it."""
        what, value = self.document.xref_get_key(xref, path)
        return (int(value.split()[0]), "") if what == "xref" else (xref, path)

    def stream(self, dictionary: str, content: str | bytes) -> int:
        """A new stream; returns its number."""
        xref = int(self.document.get_new_xref())
        self.document.update_object(xref, dictionary)
        data = content if isinstance(content, bytes) else content.encode("latin-1")
        self.document.update_stream(xref, data, new=True)
        return xref

    def object(self, text: str) -> int:
        """A new object; returns its number."""
        xref = int(self.document.get_new_xref())
        self.document.update_object(xref, text)
        return xref

    def form(self, content: str, more: str = "") -> int:
        """A form over the whole page with its fonts."""
        fonts = self.document.xref_get_key(self.page.xref, "Resources/Font")[1]
        return self.stream(
            f"<</Type/XObject/Subtype/Form/BBox[0 0 {WIDTH} {HEIGHT}]/Resources<</Font {fonts}>>{more}>>",
            content,
        )


def show(
    text: str = HIDDEN, *, font: str = "helv", size: float = 11, setting: str = "", matrix: str = "1 0 0 1"
) -> str:
    """Operators that set a line; `setting` are text state operators, `matrix` turns and scales it."""
    return f"q BT {setting} /{font} {size} Tf {matrix} 40 200 Tm ({text}) Tj ET Q\n"


def _state(entries: str, text: str = HIDDEN) -> Make:
    """Text under an extended graphics state."""

    def make(document: Any, page: Any) -> None:
        content = Content(document, page)
        content.resource("ExtGState", "Gs1", f"<<{entries}>>")
        content.add(f"q /Gs1 gs {show(text)} Q")

    return make


def _masked(luminosity: str, *, nested: bool = False) -> Make:
    """Text under a soft mask with that content."""

    def make(document: Any, page: Any) -> None:
        content = Content(document, page)
        group = "/Group<</S/Transparency/CS/DeviceGray>>"
        mask = content.form(luminosity, group)
        content.resource("ExtGState", "Gs1", f"<</SMask<</S/Luminosity/G {mask} 0 R>>>>")
        inside = show(LEGIBLE if "1 g" in luminosity else HIDDEN)
        if nested:
            content.resource("XObject", "Fm1", f"{content.form(inside)} 0 R")
            inside = "/Fm1 Do"
        content.add(f"q /Gs1 gs {inside} Q")

    return make


def _drawn(before: str = "", after: str = "", text: str = HIDDEN, **how: Any) -> Make:
    """Text with operators before and behind it."""

    def make(document: Any, page: Any) -> None:
        Content(document, page).add(f"q {before} {show(text, **how)} {after} Q")

    return make


def _type3(glyph: Callable[[str], str], text: str = HIDDEN, kind: str = "d1") -> Make:
    """Text in a Type 3 font; `glyph` gives the operators that draw a character."""

    def make(document: Any, page: Any) -> None:
        content = Content(document, page)
        letters = sorted(set(text))
        size = "550 0 0 -200 600 800 d1" if kind == "d1" else "550 0 d0"
        procs = " ".join(f"/c{ord(c)} {content.stream('<<>>', f'{size} {glyph(c)}')} 0 R" for c in letters)
        names = " ".join(f"{ord(c)} /c{ord(c)}" for c in letters)
        helvetica = content.object("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
        unicode = content.stream("<<>>", to_unicode({ord(c): c for c in letters}))
        font = content.object(
            "<</Type/Font/Subtype/Type3/FontBBox[0 -200 600 800]/FontMatrix[.001 0 0 .001 0 0]"
            f"/FirstChar 0/LastChar 255/Widths[{'550 ' * 256}]/CharProcs<<{procs}>>"
            f"/Encoding<</Type/Encoding/Differences[{names}]>>/ToUnicode {unicode} 0 R"
            f"/Resources<</Font<</H {helvetica} 0 R>>>>>>"
        )
        content.resource("Font", "T3", f"{font} 0 R")
        content.add(show(text, font="T3"))

    return make


def helvetica_glyph(character: str) -> str:
    """A glyph drawn with Helvetica's."""
    return f"BT /H 1000 Tf ({character}) Tj ET"


def to_unicode(texts: dict[int, str], digits: int = 2) -> str:
    """A CMap (ISO 32000-1, 9.10.3)."""
    pairs = [(f"{code:0{digits}x}", text.encode("utf-16-be").hex()) for code, text in texts.items()]
    rows = "\n".join(f"<{code}> <{text}>" for code, text in pairs)
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def\n"
        f"1 begincodespacerange <{'00' * (digits // 2)}> <{'ff' * (digits // 2)}> endcodespacerange\n"
        f"{len(texts)} beginbfchar\n{rows}\nendbfchar\nendcmap end end"
    )


def _coded(text: str) -> tuple[str, dict[int, str]]:
    """A line in codes of its own, one per place, and what each shows."""
    codes = list(range(0x21, 0x21 + len(text)))
    return "".join(f"{code:02x}" for code in codes), dict(zip(codes, text, strict=True))


def _glyph_name(character: str) -> str:
    return {" ": "space", ".": "period"}.get(character, character)


def lying_map(document: Any, page: Any) -> None:
    """A simple font whose ToUnicode says other letters than its glyph names."""
    content = Content(document, page)
    codes, shown = _coded(LINE.format(TRUE))
    said = dict(zip(shown, LINE.format(FALSE), strict=True))
    names = " ".join(f"{code} /{_glyph_name(c)}" for code, c in shown.items())
    cmap = content.stream("<<>>", to_unicode(said))
    font = content.object(
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica"
        f"/Encoding<</Type/Encoding/Differences[{names}]>>/ToUnicode {cmap} 0 R>>"
    )
    content.resource("Font", "Lie", f"{font} 0 R")
    content.add(f"BT /Lie 11 Tf 1 0 0 1 40 200 Tm <{codes}> Tj ET")


def _embedded(shown: str, said: str, name: str = "tiro", *, nameless: bool = False) -> Make:
    """A line of which the word in braces is set in an embedded font with codes of two bytes, whose ToUnicode
    says `said` where the glyphs show `shown`. `nameless`: a TrueType font without names and map, as in
    most subsets."""

    def make(document: Any, page: Any) -> None:
        glyphs = pymupdf.Font(name)
        page.insert_font("emb", fontbuffer=glyphs.buffer)
        font = next(item for item in page.get_fonts() if item[4] == "emb")[0]
        if nameless:
            _take_names(document, font)
        content = Content(document, page)
        lying = content.object(document.xref_object(font))
        codes = [glyphs.has_glyph(ord(c)) for c in shown]
        cmap = content.stream("<<>>", to_unicode(dict(zip(codes, said, strict=True)), 4))
        document.xref_set_key(lying, "ToUnicode", f"{cmap} 0 R")
        content.resource("Font", "Emb", f"{font} 0 R")
        content.resource("Font", "Lie", f"{lying} 0 R")
        word = "".join(f"{code:04x}" for code in codes)
        rest = ["".join(f"{glyphs.has_glyph(ord(c)):04x}" for c in text) for text in LINE.split("{}")]
        content.add(
            f"BT /Emb 11 Tf 1 0 0 1 40 200 Tm <{rest[0]}> Tj"
            f" /Lie 11 Tf <{word}> Tj /Emb 11 Tf <{rest[1]}> Tj ET"
        )

    return make


def _take_names(document: Any, font: int) -> None:
    """Call the tables that hold a TrueType font's map and names otherwise (OpenType, "Table directory")."""
    descendant = int(document.xref_get_key(font, "DescendantFonts")[1].strip("[]").split()[0])
    descriptor = int(document.xref_get_key(descendant, "FontDescriptor")[1].split()[0])
    program = int(document.xref_get_key(descriptor, "FontFile2")[1].split()[0])
    data = bytearray(document.xref_stream(program))
    for at in range(12, 12 + 16 * int.from_bytes(data[4:6]), 16):
        if data[at : at + 4] in (b"cmap", b"post"):
            data[at : at + 1] = b"x"
    document.update_stream(program, bytes(data))


def _type3_line(shown: str, said: str) -> Make:
    """LINE with one word in a Type 3 font that shows `shown` where its map says `said`."""
    drawn = dict(zip(said, shown, strict=True))
    return _type3(lambda c: helvetica_glyph(drawn.get(c, c)), LINE.format(said))


SWAPS: dict[str, Callable[[str, str], Make]] = {
    "embedded font with names": _embedded,
    "embedded font with a map": lambda shown, said: _embedded(shown, said, "cjk"),
    "embedded font without names": lambda shown, said: _embedded(shown, said, "cjk", nameless=True),
    "Type 3 font": _type3_line,
}
"""Each shows the first word in LINE where the text says the second; every letter has one meaning in both."""


def lying_type3(document: Any, page: Any) -> None:
    """Glyphs that draw other letters than their names and codes say."""
    other = dict(zip("aeiountsrldh", "eaountsirdlh", strict=True))
    _type3(lambda c: helvetica_glyph(other.get(c, c)), HIDDEN)(document, page)


def lying_actual_text(document: Any, page: Any) -> None:
    """/ActualText over honest glyphs."""
    spoken = LINE.format(FALSE)
    _drawn(f"/Span <</ActualText ({spoken})>> BDC", "EMC", LINE.format(TRUE))(document, page)


def tiled_over(document: Any, page: Any) -> None:
    """Many small white squares over the text."""
    tiles = " ".join(f"{x} {y} 4.2 4.2 re" for x in range(36, 380, 4) for y in range(194, 214, 4))
    _drawn(after=f"1 g {tiles} f")(document, page)


def picture_over(document: Any, page: Any) -> None:
    """A picture over the text."""
    page.insert_text(_AT, HIDDEN)
    page.insert_image(pymupdf.Rect(30, 280, 380, 320), stream=picture(350, 40), keep_proportion=False)


def lines_over(document: Any, page: Any) -> None:
    """A thick white line over the text."""
    _drawn(after="1 G 16 w 30 204 m 380 204 l S")(document, page)


def other_text_over(document: Any, page: Any) -> None:
    """Text, a white box, and other text in its place."""
    after = f"1 g 30 190 350 24 re f 0 g {show(LINE.format(TRUE))}"
    _drawn(after=after)(document, page)


def white_glyphs_over(document: Any, page: Any) -> None:
    """Blocks of a Type 3 font in white over the text."""
    Content(document, page).add(show())
    content = Content(document, page)
    block = content.stream("<<>>", "550 0 0 -300 600 900 d1 0 -300 600 1200 re f")
    font = content.object(
        "<</Type/Font/Subtype/Type3/FontBBox[0 -300 600 900]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 97"
        f"/LastChar 97/Widths[550]/CharProcs<</a {block} 0 R>>/Encoding<</Differences[97 /a]>>"
        "/Resources<<>>>>"
    )
    content.resource("Font", "Blk", f"{font} 0 R")
    content.add(show("a" * 60, font="Blk", setting="1 g"))


def blank_outlines(document: Any, page: Any) -> None:
    """Glyphs that are paths without paint."""
    _type3(lambda _: "0 0 m 10 0 l n")(document, page)


def pattern_of_nothing(document: Any, page: Any) -> None:
    """Text filled with a pattern that paints nothing."""
    content = Content(document, page)
    tile = content.stream(
        "<</Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9"
        "/Resources<<>>>>",
        " ",
    )
    content.resource("Pattern", "Pa1", f"{tile} 0 R")
    content.add(f"q /Pattern cs /Pa1 scn {show()} Q")


def lightened(document: Any, page: Any) -> None:
    """On white, where only what is lighter is painted."""
    content = Content(document, page)
    content.resource("ExtGState", "Gs1", "<</BM/Lighten>>")
    content.add(f"1 g 30 190 350 24 re f q /Gs1 gs 0 g {show()} Q")


def switched_off(document: Any, page: Any) -> None:
    """On a layer that is off."""
    page.insert_text(_AT, HIDDEN, oc=document.add_ocg("Draft", on=False))


def for_printing(document: Any, page: Any) -> None:
    """On a layer that is shown in print only."""
    group = document.add_ocg("Print", on=True)
    usage = "<</Print<</PrintState/ON>>/View<</ViewState/OFF>>>>"
    document.xref_set_key(group, "Usage", usage)
    catalog = document.pdf_catalog()
    automatic = f"[<</Event/View/Category[/View]/OCGs[{group} 0 R]>>]"
    document.xref_set_key(catalog, "OCProperties/D/AS", automatic)
    page.insert_text(_AT, HIDDEN, oc=group)


def annotated(document: Any, page: Any) -> None:
    """In a comment."""
    page.add_freetext_annot(pymupdf.Rect(40, 280, 380, 310), HIDDEN, fontsize=11)


def outside_crop(document: Any, page: Any) -> None:
    """Outside the crop box."""
    page.insert_text((40, 480), HIDDEN)
    page.set_cropbox(pymupdf.Rect(0, 0, WIDTH, 450))


def in_a_tiny_form(document: Any, page: Any) -> None:
    """In a form that is clipped to nothing."""
    content = Content(document, page)
    form = content.form(show())
    document.xref_set_key(form, "BBox", "[0 0 0.01 0.01]")
    content.resource("XObject", "Fm1", f"{form} 0 R")
    content.add("/Fm1 Do")


def faint_group(document: Any, page: Any) -> None:
    """In a transparency group that is painted with 4 %."""
    content = Content(document, page)
    group = content.form(show(), "/Group<</S/Transparency>>")
    content.resource("XObject", "Fm1", f"{group} 0 R")
    content.resource("ExtGState", "Gs1", "<</ca .04/CA .04>>")
    content.add("q /Gs1 gs /Fm1 Do Q")


def same_colour(document: Any, page: Any) -> None:
    """The colour of the panel behind it."""
    _drawn("0.1 0.3 0.5 rg 30 190 350 24 re f")(document, page)


def rotated(document: Any, page: Any) -> None:
    """Text that runs upwards."""
    page.insert_text((300, 460), LEGIBLE, fontsize=11, rotate=90)


def on_panel(document: Any, page: Any) -> None:
    """White on a coloured panel."""
    _drawn("0.1 0.3 0.5 rg 30 190 350 24 re f 1 g", "", LEGIBLE)(document, page)


def on_picture(document: Any, page: Any) -> None:
    """Black over a picture."""
    page.insert_image(pymupdf.Rect(30, 280, 380, 320), stream=picture(350, 40), keep_proportion=False)
    page.insert_text(_AT, LEGIBLE)


def gradient(document: Any, page: Any) -> None:
    """Text as a stencil that a coloured area shows through."""
    Content(document, page).add(
        f"q BT /helv 14 Tf 7 Tr 1 0 0 1 40 200 Tm ({LEGIBLE}) Tj ET .8 0 .2 rg 0 0 {WIDTH} {HEIGHT} re f Q"
    )


def scanned(document: Any, page: Any) -> None:
    """A picture of a page under its recognised text."""
    page.insert_text(_AT, LEGIBLE)
    pixels = page.get_pixmap(dpi=150).tobytes("jpeg")
    document.delete_page(0)
    fresh = document.new_page(width=WIDTH, height=HEIGHT)
    fresh.insert_image(fresh.rect, stream=pixels)
    fresh.insert_text((40, 60), SHOWN, fontsize=11, render_mode=3)
    fresh.insert_text(_AT, LEGIBLE, render_mode=3)


def blank_scan(document: Any, page: Any) -> None:
    """Recognised text of a picture that shows nothing there."""
    pixels = page.get_pixmap(dpi=150).tobytes("jpeg")
    document.delete_page(0)
    fresh = document.new_page(width=WIDTH, height=HEIGHT)
    fresh.insert_image(fresh.rect, stream=pixels)
    fresh.insert_text((40, 60), SHOWN, fontsize=11, render_mode=3)
    fresh.insert_text(_AT, HIDDEN, render_mode=3)


def turned_page(document: Any, page: Any) -> None:
    """A page that is shown turned by a quarter."""
    page.insert_text(_AT, LEGIBLE)
    page.set_rotation(90)


def swaps(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Words and numbers for LINE with one letter or digit that says another, half of them numbers."""
    dice = Random(seed)
    for number in range(count):
        shown = str(dice.randrange(10, 10_000)) if number % 2 else dice.choice(_WORDS)
        of = digits if number % 2 else ascii_lowercase
        one = dice.choice(shown)
        yield shown, shown.replace(one, dice.choice(sorted(set(of) - set(shown))))


_WORDS = ("forty", "never", "house", "ninety", "raised", "partly", "public", "kilos", "early", "banned")

TECHNIQUES: dict[str, Make] = {
    "empty soft mask": _masked(""),
    "black soft mask": _masked(f"0 g 0 0 {WIDTH} {HEIGHT} re f"),
    "empty soft mask, nested form": _masked("", nested=True),
    "Type 3 that draws nothing": _type3(lambda _: ""),
    "coloured Type 3 that draws nothing": _type3(lambda _: "", kind="d0"),
    "Type 3 of unpainted paths": blank_outlines,
    "Type 3 of white letters": _type3(lambda c: f"1 g {helvetica_glyph(c)}", kind="d0"),
    "4 % opacity": _state("/ca .04/CA .04"),
    "9 % opacity": _state("/ca .09/CA .09"),
    "4 % opacity of a group": faint_group,
    "lightened away (blend mode)": lightened,
    "scaled to nothing across": _drawn(setting="0.1 Tz"),
    "scaled to nothing upwards": _drawn(matrix="1 0 0 .001"),
    "half a point high": _drawn(size=0.5),
    "invisible render mode": _drawn(setting="3 Tr"),
    "clips only": _drawn(setting="7 Tr"),
    "white": _drawn("1 g"),
    "nearly white": _drawn(".94 g"),
    "pale yellow": _drawn("1 1 .9 rg"),
    "colour of the panel behind": same_colour,
    "white stroke": _drawn("1 G", setting="1 Tr"),
    "clipped by a path": _drawn("0 0 3 3 re W n"),
    "clipped by two paths": _drawn("30 190 350 24 re W n 30 300 350 24 re W n"),
    "clipped between even and odd": _drawn("30 190 350 24 re 30 190 350 24 re W* n"),
    "form clipped to nothing": in_a_tiny_form,
    "under a white box": _drawn(after="1 g 30 190 350 24 re f"),
    "under small squares": tiled_over,
    "under a thick line": lines_over,
    "under a picture": picture_over,
    "under white glyphs": white_glyphs_over,
    "under a box with other text": other_text_over,
    "under a black bar": _drawn(after="0 g 30 190 350 24 re f"),
    "outside the page": _drawn("1 0 0 1 -900 0 cm"),
    "outside the crop box": outside_crop,
    "layer that is off": switched_off,
    "layer for printing": for_printing,
    "comment": annotated,
    "pattern of nothing": pattern_of_nothing,
    "layer of a blank scan": blank_scan,
}
"""Each has HIDDEN in its text."""

SHORTENED = " ".join(LINE.format("").split())
"""The text if a word of LINE is said to be blanks."""

LIES: dict[str, Make] = {
    "a word said to be blanks": _embedded("hardly", 6 * " "),
    "a word said to be blanks, font without names": _embedded("hardly", 6 * " ", "cjk", nameless=True),
    "ToUnicode against glyph names": lying_map,
    "ToUnicode against an embedded font": _embedded(TRUE, FALSE),
    "ActualText against glyphs": lying_actual_text,
    "Type 3 of other letters": lying_type3,
}
"""Each shows another line than its text says: FALSE or nothing in LINE, or HIDDEN. Nothing in the file speaks
against the last one; only who reads its picture can tell."""

CONTROLS: dict[str, Make] = {
    "white on a coloured panel": on_panel,
    "light grey": _drawn(".7 g", text=LEGIBLE),
    "5 pt": _drawn(text=LEGIBLE, size=5),
    "6 pt, grey": _drawn(".4 g", text=LEGIBLE, size=6),
    "60 % opacity": _state("/ca .6/CA .6", LEGIBLE),
    "open soft mask": _masked(f"1 g 0 0 {WIDTH} {HEIGHT} re f"),
    "Type 3 that draws": _type3(helvetica_glyph, LEGIBLE),
    "coloured Type 3 that draws": _type3(lambda c: f".6 0 .2 rg {helvetica_glyph(c)}", LEGIBLE, "d0"),
    "over a picture": on_picture,
    "gradient through letters": gradient,
    "recognised text of a scan": scanned,
    "upwards": rotated,
    "turned page": turned_page,
    "downwards": lambda document, page: page.insert_text((300, 100), LEGIBLE, fontsize=11, rotate=270),
    "upside down": lambda document, page: page.insert_text((360, 300), LEGIBLE, fontsize=11, rotate=180),
    "narrow": _drawn(setting="70 Tz", text=LEGIBLE),
    "outlined": _drawn(".5 w", setting="1 Tr", text=LEGIBLE, size=14),
    "multiplied": _state("/BM/Multiply", LEGIBLE),
    "letters spaced": _drawn(setting="1 Tc", text=LEGIBLE),
}
"""Each shows LEGIBLE."""
