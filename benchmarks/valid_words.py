"""How often struck, covered and other people's words are quoted as valid, and honest words refused.

    python -m benchmarks.valid_words [--half tuning|final]

Every item is a document made for it: a sentence that must not be quoted, or one that must. It is converted,
read and cut as documents are; the sentence counts as quoted where `verify` would call it verbatim, or where
an answer may be made of it. The templates are parted: rules were fitted on those of the half "tuning" alone.
"""

import argparse
import io
import random
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import cycle, islice
from typing import Any

import pymupdf

from adapters.conversion.child import answer
from adapters.pymupdf.protocol import decode_page, encode_page
from adapters.pymupdf.reading import read_page
from adapters.pymupdf.worker import open_pdf
from core.domain.answers import Verdict
from core.domain.documents import DocumentFields, DocumentType
from core.domain.ids import VersionId
from core.evidence.alignment import in_its_sentences
from core.evidence.index import DocumentIndex
from core.evidence.skeleton import skeleton
from core.language.sentences import sentences
from core.library.cutting import cut_document
from core.library.repairs import number

TUNING, FINAL = "tuning", "final"
_VALID = (Verdict.VERBATIM, Verdict.TYPO, Verdict.NEAR)
_SEED = 33


@dataclass(frozen=True)
class Item:
    """A document and a sentence in it."""

    group: str
    form: str
    half: str
    language: str
    pdf: Callable[[], bytes]
    sentence: str
    valid: bool
    template: str = ""

    @property
    def name(self) -> str:
        """What tells it from other items."""
        return " ".join(filter(None, (self.group, self.form, self.language, self.template[:40])))


class Sentences:
    """Sentences that nobody has written, each different."""

    _DE = (
        (
            *("Die Stadt Birkenau", "Der Kreis Lindach", "Das Wasserwerk Ost", "Die Fähre nach Holm"),
            *("Der Verein Morgenrot", "Die Schule am Wehr", "Das Hallenbad Nord", "Der Markt am Tor"),
        ),
        ("zahlt ab dem Jahr", "öffnet wieder im Jahr", "verzichtet bis zum Jahr", "spart bis zum Jahr"),
        ("auf neue Gebühren", "mit einem Zuschuss", "ohne weitere Kosten", "für alle Haushalte"),
    )
    _EN = (
        (
            *("The town of Birkenau", "The county of Lindach", "The eastern waterworks", "The ferry to Holm"),
            *("The club Morgenrot", "The school by the weir", "The northern pool", "The market at the gate"),
        ),
        (
            "pays from the year",
            "opens again in the year",
            "goes without until the year",
            "saves until the year",
        ),
        ("for new charges", "with a grant", "at no further cost", "for all households"),
    )

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._made: set[str] = set()

    def one(self, language: str) -> str:
        """A sentence of `language`."""
        parts = self._DE if language == "de" else self._EN
        while True:
            who, does, how = (self._rng.choice(part) for part in parts)
            year, share = self._rng.randrange(2027, 2060), self._rng.randrange(2, 99)
            rest = f"von {share} Prozent" if language == "de" else f"of {share} per cent in all"
            made = f"{who} {does} {year} {how} {rest}."
            if made not in self._made:
                self._made.add(made)
                return made


# Struck and covered


def _page(lines: list[str]) -> Any:
    document = pymupdf.open()
    page = document.new_page()
    for n, line in enumerate(lines):
        page.insert_text((60, 100 + 22 * n), line, fontsize=10)
    return page


def _drawn(draw: Callable[[Any, Any, float], None]) -> Callable[[list[str], int], bytes]:
    def made(lines: list[str], at: int) -> bytes:
        page = _page(lines)
        draw(page, page.search_for(lines[at])[0], 100.0 + 22 * at)
        return bytes(page.parent.tobytes())

    return made


def _grown(box: Any, across: float, down: float) -> Any:
    return pymupdf.Rect(box.x0 - across, box.y0 - down, box.x1 + across, box.y1 + down)


def _square(page: Any, box: Any, colour: tuple[float, float, float]) -> None:
    square = page.add_rect_annot(box)
    square.set_colors(stroke=colour, fill=colour)
    square.update()


def _picture() -> bytes:
    pixmap = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 90, 12), False)
    pixmap.set_rect(pixmap.irect, (180, 200, 160))
    return bytes(pixmap.tobytes("png"))


_PDF_STRUCK = {
    "line": (TUNING, lambda p, b, y: p.draw_line((b.x0, y - 3), (b.x1, y - 3), width=0.7)),
    "thin box": (
        TUNING,
        lambda p, b, y: p.draw_rect((b.x0, y - 3.4, b.x1, y - 2.6), color=None, fill=(1, 0, 0)),
    ),
    "annotation": (TUNING, lambda p, b, _y: p.add_strikeout_annot(b.quad)),
    "dashes": (TUNING, lambda p, b, y: p.draw_line((b.x0, y - 3), (b.x1, y - 3), dashes="[4 2] 0")),
    "high line": (FINAL, lambda p, b, y: p.draw_line((b.x0 - 2, y - 4.2), (b.x1 + 3, y - 4.2), width=0.5)),
    "low thick line": (FINAL, lambda p, b, y: p.draw_line((b.x0, y - 2.2), (b.x1, y - 2.2), width=1.6)),
    "grey line": (FINAL, lambda p, b, y: p.draw_line((b.x0, y - 3), (b.x1, y - 3), color=(0.5, 0.5, 0.5))),
    "pen": (
        FINAL,
        lambda p, b, y: p.add_ink_annot(
            [[(x, y - 3 + (x % 5) / 3) for x in range(int(b.x0), int(b.x1) + 3)]]
        ),
    ),
}
_PDF_COVERED = {
    "comment": (
        TUNING,
        lambda p, b, _y: p.add_freetext_annot(_grown(b, 2, 1), "ABGELEHNT", fill_color=(1, 1, 0.6)),
    ),
    "white box": (TUNING, lambda p, b, _y: p.draw_rect(b, color=None, fill=(1, 1, 1))),
    "square": (FINAL, lambda p, b, _y: _square(p, b, (0.2, 0.2, 0.2))),
    "picture": (FINAL, lambda p, b, _y: p.insert_image(b, stream=_picture(), keep_proportion=False)),
    "black bar": (FINAL, lambda p, b, _y: p.draw_rect(b, color=(0, 0, 0), fill=(0, 0, 0))),
}
_PDF_HONEST = {
    "underlined": (TUNING, lambda p, b, y: p.draw_line((b.x0, y + 1.4), (b.x1, y + 1.4), width=0.7)),
    "marked": (TUNING, lambda p, b, _y: p.add_highlight_annot(b.quad)),
    "panel": (
        TUNING,
        lambda p, b, _y: p.draw_rect(_grown(b, 4, 2), color=None, fill=(0.8, 0.9, 1), overlay=False),
    ),
    "rules": (TUNING, lambda p, _b, y: [p.draw_line((40, y + d), (560, y + d), width=0.4) for d in (-13, 7)]),
    "thick underline": (FINAL, lambda p, b, y: p.draw_line((b.x0, y + 2.2), (b.x1, y + 2.2), width=1.8)),
    "wavy": (FINAL, lambda p, b, _y: p.add_squiggly_annot(b.quad)),
    "box": (FINAL, lambda p, b, _y: p.draw_rect(_grown(b, 3, 3), width=0.7)),
    "comment beside": (
        FINAL,
        lambda p, _b, y: p.add_freetext_annot((60, y + 120, 260, y + 150), "Bitte prüfen"),
    ),
    "pen beside": (FINAL, lambda p, _b, y: p.add_ink_annot([[(30, y - 20), (34, y), (30, y + 20)]])),
}


def _docx(paragraphs: list[str], styles: str = "") -> bytes:
    word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    types = "http://schemas.openxmlformats.org/package/2006/content-types"
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml"
    relations = "http://schemas.openxmlformats.org/package/2006/relationships"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{types}"><Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/word/document.xml" ContentType="{kind}.document.main+xml"/>'
            f'<Override PartName="/word/styles.xml" ContentType="{kind}.styles+xml"/></Types>',
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{relations}"><Relationship Id="r1" Type="{office}/officeDocument" '
            'Target="word/document.xml"/></Relationships>',
        )
        archive.writestr(
            "word/_rels/document.xml.rels",
            f'<Relationships xmlns="{relations}"><Relationship Id="r1" Type="{office}/styles" '
            'Target="styles.xml"/></Relationships>',
        )
        archive.writestr("word/styles.xml", f"<w:styles {word}>{styles}</w:styles>")
        body = "".join(f"<w:p>{paragraph}</w:p>" for paragraph in paragraphs)
        archive.writestr("word/document.xml", f"<w:document {word}><w:body>{body}</w:body></w:document>")
    return made.getvalue()


def odt(paragraphs: list[str], styles: str = "", changes: str = "") -> bytes:
    """An OpenDocument text of `paragraphs` (as XML), with styles and tracked changes."""
    space = "urn:oasis:names:tc:opendocument:xmlns:"
    names = " ".join(f'xmlns:{name}="{space}{name}:1.0"' for name in ("office", "text", "style"))
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        body = "".join(f"<text:p>{paragraph}</text:p>" for paragraph in paragraphs)
        archive.writestr(
            "content.xml",
            f"<office:document-content {names}><office:automatic-styles>{styles}</office:automatic-styles>"
            f"<office:body><office:text>{changes}{body}</office:text></office:body></office:document-content>",
        )
    return made.getvalue()


def _run(text: str, properties: str = "") -> str:
    return f"<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>"


_CSS = "<style>.alt, p .old { color: red; text-decoration: line-through }</style>"
_MARKED_UP: dict[str, tuple[str, str, Callable[[str], str]]] = {
    "<del>": (TUNING, ".html", "<del>{}</del>".format),
    "<s>": (TUNING, ".html", "<s>{}</s>".format),
    "css": (TUNING, ".html", '<span style="text-decoration:line-through">{}</span>'.format),
    "~~": (TUNING, ".md", "~~{}~~".format),
    "<strike>": (FINAL, ".html", "<b><strike>{}</strike></b>".format),
    "css class": (FINAL, ".html", lambda text: f'{_CSS}<em class="x alt">{text}</em>'),
    "css line": (
        FINAL,
        ".html",
        '<span style="text-decoration-line: line-through; color: gray">{}</span>'.format,
    ),
    "<del> in Markdown": (FINAL, ".md", "<del>{}</del>".format),
    "strike": (TUNING, ".docx", lambda text: _run(text, "<w:strike/>")),
    "dstrike": (FINAL, ".docx", lambda text: _run(text, '<w:dstrike w:val="true"/>')),
    "tracked": (
        FINAL,
        ".docx",
        lambda text: f'<w:del w:id="1" w:author="x"><w:r><w:delText>{text}</w:delText></w:r></w:del>',
    ),
    "style": (FINAL, ".docx", lambda text: _run(text, '<w:rStyle w:val="Alt"/>')),
    "line-through": (TUNING, ".odt", '<text:span text:style-name="T1">{}</text:span>'.format),
    "deletion": (FINAL, ".odt", lambda _text: '<text:change text:change-id="c1"/>'),
}
_HONEST_UP: dict[str, tuple[str, str, Callable[[str], str]]] = {
    "<u>": (TUNING, ".html", "<u>{}</u>".format),
    "<ins>": (FINAL, ".html", "<ins>{}</ins>".format),
    "<mark>": (FINAL, ".html", '<mark style="text-decoration: underline">{}</mark>'.format),
    "css none": (
        FINAL,
        ".html",
        '<span style="text-decoration: none; content: line-through">{}</span>'.format,
    ),
    "*": (TUNING, ".md", "*{}*".format),
    "**": (FINAL, ".md", "**{}**".format),
    "underline": (TUNING, ".docx", lambda text: _run(text, '<w:u w:val="single"/>')),
    "strike off": (FINAL, ".docx", lambda text: _run(text, '<w:strike w:val="0"/>')),
    "inserted": (FINAL, ".docx", lambda text: f'<w:ins w:id="1" w:author="x">{_run(text)}</w:ins>'),
    "odt underline": (TUNING, ".odt", '<text:span text:style-name="T2">{}</text:span>'.format),
}


def _marked_up(ending: str, lines: list[str], at: int, mark: Callable[[str], str]) -> bytes:
    if ending == ".docx":
        styles = '<w:style w:type="character" w:styleId="Alt"><w:rPr><w:strike/></w:rPr></w:style>'
        data, kind = _docx([mark(x) if n == at else _run(x) for n, x in enumerate(lines)], styles), "zip"
    elif ending == ".odt":
        line = (
            '<style:style style:name="T{}" style:family="text">'
            '<style:text-properties style:text-{}-style="solid"/></style:style>'
        )
        changes = (
            '<text:tracked-changes><text:changed-region text:id="c1"><text:deletion>'
            f"<text:p>{lines[at]}</text:p></text:deletion></text:changed-region></text:tracked-changes>"
        )
        styles = line.format(1, "line-through") + line.format(2, "underline")
        data, kind = odt([mark(x) if n == at else x for n, x in enumerate(lines)], styles, changes), "zip"
    elif ending == ".md":
        data, kind = "\n\n".join(mark(x) if n == at else x for n, x in enumerate(lines)).encode(), "text"
    else:
        body = "".join(f"<p>{mark(x) if n == at else x}</p>" for n, x in enumerate(lines))
        data, kind = f"<html><body>{body}</body></html>".encode(), "html"
    return answer(data, kind, ending, office=False)[1]


# Whose words

# Each template: class, half, language, HTML with {x} (the sentence looked at) and {y} (another one).
_OTHERS = (
    (
        "quotation",
        TUNING,
        "de",
        "<p>Die Initiative Ufer schreibt: „{y} {x}“ Wir halten das für einen Fehler.</p>",
    ),
    ("quotation", TUNING, "en", "<p>The landlords’ league writes: “{y} {x}” We will not do that.</p>"),
    (
        "quotation",
        FINAL,
        "de",
        "<p>Im Aufruf der Hafenwirtschaft steht: »{y} {x}« So kommt die Stadt nicht voran.</p>",
    ),
    (
        "quotation",
        FINAL,
        "de",
        '<p>"{x} {y}" – so steht es im Papier des Senats. Wir gehen einen anderen Weg.</p>',
    ),
    (
        "quotation",
        FINAL,
        "en",
        '<p>A consultant put it like this: "{y} {x}" Our council did not follow him.</p>',
    ),
    ("quotation", FINAL, "en", "<p>The chamber’s paper reads:</p><p>“{x} {y}”</p><p>We think otherwise.</p>"),
    ("refuted", TUNING, "de", "<p>„{x}“ Das stimmt nicht. Wir haben nachgerechnet.</p>"),
    ("refuted", TUNING, "en", "<p>“{x}” That is simply not true. We have done the sums.</p>"),
    ("refuted", FINAL, "de", "<p>Immer wieder ist zu lesen: „{x}“ Doch das Gegenteil ist richtig.</p>"),
    ("refuted", FINAL, "de", "<p>„{x}“ Das trifft so nicht zu.</p>"),
    ("refuted", FINAL, "en", "<p>“{x}” This is false. Nobody has ever shown a single figure.</p>"),
    ("reported", TUNING, "de", "<p>Der Kämmerer sagt, das Bad sei zu teuer. {k} Wir sehen das anders.</p>"),
    ("reported", TUNING, "en", "<p>The treasurer said that the pool was too dear. {k} We disagree.</p>"),
    (
        "reported",
        FINAL,
        "de",
        "<p>Die Verwaltung erklärt, dass niemand die Halle brauche. Sie stehe meist leer. {k}</p>",
    ),
    (
        "reported",
        FINAL,
        "en",
        "<p>The board announced that the hall would be sold. {k} The vote was close.</p>",
    ),
    (
        "questionnaire",
        TUNING,
        "de",
        "<h2>Thesen</h2><p>These 4: {x}</p><p>Antwort: Stimme nicht zu.</p><p>{y}</p>",
    ),
    ("questionnaire", TUNING, "en", "<h2>Theses</h2><p>Thesis 4: {x}</p><p>Disagree.</p><p>{y}</p>"),
    (
        "questionnaire",
        FINAL,
        "de",
        "<h2>Wahl-Kompass</h2><p>{x}</p><p>Unsere Position: Ablehnung</p><p>{y}</p>",
    ),
    (
        "questionnaire",
        FINAL,
        "de",
        "<h2>Fragen der Verbände</h2><p>12. {x}</p><p>Wir stimmen nicht zu.</p><p>{y}</p>",
    ),
    ("questionnaire", FINAL, "en", "<h2>Voting advice</h2><p>{x}</p><p>Our position: Against</p><p>{y}</p>"),
    (
        "testimony",
        TUNING,
        "de",
        "<h2>Stimmen aus der Stadt</h2><p>{x} {y}</p><p>– Anna K., 34, Pflegerin</p>",
    ),
    ("testimony", TUNING, "en", "<h2>Voices from the city</h2><p>{x} {y}</p><p>– Anna K., 34, nurse</p>"),
    (
        "testimony",
        FINAL,
        "de",
        "<h2>Was die Leute uns erzählen</h2><p>„{x}“</p><p>Petra (51), Kreuzbruch</p>",
    ),
    (
        "testimony",
        FINAL,
        "de",
        "<h2>Verkehr</h2><p>»Ich pendle jeden Tag. {x}« Jens, 42, Schlosser aus Holm</p>",
    ),
    (
        "testimony",
        FINAL,
        "en",
        "<h2>Transport</h2><p>“I commute every day. {x}”</p><p>— Jane Miller, welder</p>",
    ),
    ("heading", TUNING, "de", "<h2>Was unsere Gegner planen</h2><ul><li>{x}</li><li>{y}</li></ul>"),
    ("heading", TUNING, "en", "<h2>Myths about the harbour</h2><ul><li>{x}</li><li>{y}</li></ul>"),
    ("heading", TUNING, "de", "<h2>Irrwege</h2><p>{x}</p><p>{y}</p>"),
    ("heading", FINAL, "de", "<h2>Die Pläne der Opposition</h2><p>{x} {y}</p>"),
    ("heading", FINAL, "de", "<h2>Fünf hartnäckige Irrtümer</h2><ol><li>{x}</li><li>{y}</li></ol>"),
    (
        "heading",
        FINAL,
        "de",
        "<h2>Das wollen wir nicht: was die Konkurrenz vorhat</h2><ul><li>{x}</li><li>{y}</li></ul>",
    ),
    ("heading", FINAL, "en", "<h2>What the other parties promise</h2><ul><li>{x}</li><li>{y}</li></ul>"),
    ("heading", FINAL, "en", "<h2>Rejected amendments</h2><p>{x}</p><p>{y}</p>"),
    ("label", TUNING, "de", "<p>Mythos: {x}</p><p>Fakt: {y}</p>"),
    ("label", TUNING, "en", "<p>Myth: {x}</p><p>Fact: {y}</p>"),
    ("label", FINAL, "de", "<p>Behauptung 3: {x}</p><p>Richtig ist: {y}</p>"),
    ("label", FINAL, "en", "<p>Claim 2: {x}</p><p>Truth: {y}</p>"),
    ("list", TUNING, "de", "<p>Die Gegner des Hafens behaupten:</p><ul><li>{x}</li><li>{y}</li></ul>"),
    ("list", FINAL, "de", "<p>Die Regierung will:</p><ul><li>{x}</li><li>{y}</li></ul>"),
    ("list", FINAL, "en", "<p>Our critics say:</p><ul><li>{x}</li><li>{y}</li></ul>"),
)
_OWN = (
    ("motto", TUNING, "de", "<p>Unser Motto lautet: „{y} {x}“ Danach handeln wir.</p>"),
    ("motto", FINAL, "de", "<p>Deshalb fordern wir: „{y} {x}“</p>"),
    ("motto", FINAL, "en", "<p>Our answer is: “{y} {x}” We stand by it.</p>"),
    ("scare quotes", TUNING, "de", "<p>{x} Die sogenannte „Reform“ lehnen wir ab.</p>"),
    (
        "scare quotes",
        FINAL,
        "en",
        "<p>The so-called “reform” ends. {x} The word “crisis” was never right.</p>",
    ),
    ("title", TUNING, "de", "<p>Das Programm „Mehr Ufer. Mehr Stadt.“ bauen wir aus. {x}</p>"),
    ("title", FINAL, "de", "<p>{x} Im Projekt „Stadt. Land. Fluss.“ arbeiten alle mit.</p>"),
    ("title", FINAL, "en", "<p>{x} The scheme “Cities. Rivers. People.” goes on.</p>"),
    ("definition", TUNING, "de", "<p>„Anlage“ bedeutet jedes Gerät am Ufer. {x}</p>"),
    ("definition", FINAL, "en", "<p>“Plant” means any device on the shore. {x}</p>"),
    ("amendment", TUNING, "de", "<p>§ 5 wird wie folgt gefasst: „{y} {x}“</p>"),
    ("amendment", FINAL, "en", "<p>Section 5 is replaced as follows: “{y} {x}”</p>"),
    ("plain heading", TUNING, "de", "<h2>Was wir planen</h2><ul><li>{x}</li><li>{y}</li></ul>"),
    ("plain heading", FINAL, "de", "<h2>Unsere Pläne für den Hafen</h2><ul><li>{x}</li><li>{y}</li></ul>"),
    ("plain heading", FINAL, "en", "<h2>What we want</h2><ul><li>{x}</li><li>{y}</li></ul>"),
    ("agreed", TUNING, "de", "<h2>Thesen</h2><p>These 4: {y}</p><p>Antwort: Stimme nicht zu.</p><p>{x}</p>"),
    ("agreed", FINAL, "en", "<h2>Theses</h2><p>Thesis 4</p><p>{x}</p><p>Agree.</p><p>{y}</p>"),
    ("foreword", TUNING, "de", "<h2>Vorwort</h2><p>Ich trete an, weil ich diese Stadt liebe. {x}</p>"),
    ("foreword", FINAL, "en", "<h2>Foreword</h2><p>I am standing because I love this city. {x}</p>"),
    (
        "after others",
        TUNING,
        "de",
        "<p>Der Kämmerer sagt, das Bad sei zu teuer. Wir sehen das anders. {x}</p>",
    ),
    (
        "after others",
        FINAL,
        "de",
        "<p>Die Initiative schreibt: „{y} Das muss sein.“ Wir widersprechen. {x}</p>",
    ),
    (
        "after others",
        FINAL,
        "de",
        "<h2>Was unsere Gegner planen</h2><ul><li>{y}</li></ul><h2>Hafen</h2><p>{x}</p>",
    ),
    ("after others", FINAL, "en", "<p>Myth: {y}</p><p>The facts are plain. {x}</p>"),
)


def _indirect(language: str, sentence: str) -> str:
    """The sentence as indirect speech has it."""
    for direct, indirect in (
        *(
            (" zahlt ", " zahle "),
            (" öffnet ", " öffne "),
            (" verzichtet ", " verzichte "),
            (" spart ", " spare "),
        ),
        *(
            (" pays ", " would pay "),
            (" opens ", " would open "),
            (" goes ", " would go "),
            (" saves ", " would save "),
        ),
    ):
        sentence = sentence.replace(direct, indirect)
    return sentence.replace("Prozent.", "Prozent, das sei sicher.") if language == "de" else sentence


def _typeset(html: str, made: Sentences, language: str) -> Callable[[], bytes]:
    opening, closing = made.one(language), made.one(language)
    heading = (
        "<h1>Programm der Uferpartei</h1>" if language == "de" else "<h1>Programme of the Shore Party</h1>"
    )
    end = "<h2>Verkehr</h2>" if language == "de" else "<h2>Transport</h2>"
    page = f"<html><body>{heading}<p>{opening}</p>{html}{end}<p>{closing}</p></body></html>"
    return lambda: answer(page.encode(), "html", ".html", office=False)[1]


def _voices(templates: Any, group: str, made: Sentences, half: str) -> Iterator[Item]:
    for form, own, language, html in cycle([each for each in templates if half in ("", each[1])]):
        x = made.one(language)
        told = _indirect(language, x) if "{k}" in html else x
        pdf = _typeset(html.format(x=x, y=made.one(language), k=told), made, language)
        yield Item(f"{group}: {form}", form, own, language, pdf, told, group == "own words", html)


def _lined(forms: Any, group: str, made: Sentences, half: str, *, valid: bool) -> Iterator[Item]:
    languages = cycle(("de", "en", "en", "de"))
    for form, (own, *how) in cycle([each for each in forms.items() if half in ("", each[1][0])]):
        language = next(languages)
        lines, at = [made.one(language) for _ in range(4)], 1
        parts = (lines, at)
        pdf = (
            partial(_marked_up, how[0], *parts, how[1]) if len(how) == 2 else partial(_drawn(how[0]), *parts)
        )
        yield Item(group, form, own, language, pdf, lines[at], valid)


def items(half: str = "") -> Iterator[Item]:
    """All items, or those of one half of the templates."""
    made = Sentences(random.Random(_SEED))
    struck = _PDF_STRUCK | _MARKED_UP
    yield from islice(_lined(struck, "struck", made, half, valid=False), 120)
    yield from islice(_lined(_PDF_COVERED, "covered", made, half, valid=False), 40)
    yield from islice(_voices(_OTHERS, "others' words", made, half), 140)
    yield from islice(_lined(_PDF_HONEST | _HONEST_UP, "other lines", made, half, valid=True), 160)
    yield from islice(_voices(_OWN, "own words", made, half), 140)


def outcome(item: Item) -> tuple[Verdict, bool]:
    """What `verify` says of the sentence, and whether an answer may be made of it."""
    document = open_pdf(item.pdf())
    readings = [decode_page(encode_page(read_page(document, n + 1))) for n in range(document.page_count)]
    fields = DocumentFields(title="Uferpartei", language=item.language, doc_type=DocumentType.MANIFESTO)
    pages, cut = cut_document(readings, fields, lambda texts: [len(text) // 4 for text in texts])
    verdict = in_its_sentences(item.sentence, DocumentIndex(pages)).verdict
    wanted = skeleton(item.sentence)
    return verdict, any(
        wanted in skeleton(passage.text[start:end]) and not passage.says_of_others(start, end)
        for passage in number(cut.passages, VersionId("v"), "")
        for start, end in sentences(passage.text, item.language)
    )


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=(TUNING, FINAL), default="")
    parser.add_argument("--show", action="store_true", help="print every item that came out wrong")
    asked = parser.parse_args()
    count: Counter[tuple[str, str]] = Counter()
    for item in items(asked.half):
        verdict, quotable = outcome(item)
        quoted = verdict in _VALID or quotable
        wrong = quoted is not item.valid if not item.valid else not (verdict in _VALID and quotable)
        count.update([(item.group, "n"), (item.group, f"n {item.half}"), (item.group, str(verdict))])
        count.update([(item.group, f"wrong {item.half}")] * wrong)
        if wrong and asked.show:
            print("WRONG", item.group, "|", item.form, item.language, verdict, quotable, item.sentence)
    print(f"{'class':<30}{'n':>5}{'wrong: tuning':>15}{'final':>14}   verdicts")
    for group in dict.fromkeys(group for group, _ in count):
        halves = [f"{count[group, f'wrong {half}']}/{count[group, f'n {half}']}" for half in (TUNING, FINAL)]
        verdicts = ", ".join(f"{v} {count[group, v]}" for v in map(str, Verdict) if count[group, v])
        print(f"{group:<30}{count[group, 'n']:>5}{halves[0]:>15}{halves[1]:>14}   {verdicts}")


if __name__ == "__main__":
    main()
