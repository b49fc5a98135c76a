"""Hostile small PDFs, generated: each of a few kilobytes, each at a size and at any multiple of it."""

import random
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

Make = Callable[[int], bytes]
"""Makes a PDF of a multiple of the usual size."""

_FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
_PAGE = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>"
_FIRST = 10
"""The first object number that is free."""


def stream(content: bytes, entries: bytes = b"") -> bytes:
    """A compressed stream object."""
    packed = zlib.compress(content, 9)
    return b"<<%s/Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (entries, len(packed), packed)


def file_of(objects: dict[int, bytes], *, xref: bool = True, trailer: bytes = b"") -> bytes:
    """A PDF of these objects; 1 is the catalogue."""
    out = bytearray(b"%PDF-1.7\n")
    offsets = {}
    for number, body in objects.items():
        offsets[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    if xref:
        for number in sorted(offsets):
            head = b"xref\n" if number == min(offsets) else b""
            out += head + b"%d 1\n%010d 00000 n \n" % (number, offsets[number])
    out += b"trailer<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF" % (max(objects) + 1, trailer, start)
    return bytes(out)


def page(
    content: bytes,
    *,
    box: bytes = b"0 0 612 792",
    resources: bytes = b"",
    entries: bytes = b"",
    catalogue: bytes = b"",
    more: dict[int, bytes] | None = None,
) -> bytes:
    """A PDF of one page with this content."""
    objects = {
        1: b"<</Type/Catalog/Pages 2 0 R%s>>" % catalogue,
        2: b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        3: b"<</Type/Page/Parent 2 0 R/MediaBox[%s]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>%s>>%s>>"
        % (box, resources, entries),
        4: stream(content),
        5: _FONT,
        **(more or {}),
    }
    return file_of(objects)


def line(unit: bytes, count: int, *, size: float = 1.0) -> bytes:
    """Text in one line."""
    return b"BT /F1 %g Tf 20 700 Td (%s) Tj ET\n" % (size, _escaped(unit * count))


def lines(unit: bytes, count: int, *, step: float = 12.0) -> bytes:
    """Short lines below each other, in columns."""
    per_column = int(700 / step)
    shown = (
        b"1 0 0 1 %g %g Tm (%s) Tj\n"
        % (20 + 60 * (n // per_column) % 560, 740 - step * (n % per_column), _escaped(unit))
        for n in range(count)
    )
    return b"BT /F1 8 Tf\n" + b"".join(shown) + b"ET\n"


def _escaped(text: bytes) -> bytes:
    return text.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


def _drawn(step: Callable[[random.Random, int], bytes], count: int) -> Make:
    """A page on which `step` is repeated."""

    def make(times: int) -> bytes:
        numbers = random.Random(7)
        return page(
            b"BT /F1 8 Tf 20 700 Td (Text) Tj ET\n" + b"".join(step(numbers, n) for n in range(count * times))
        )

    return make


def _place(numbers: random.Random) -> tuple[int, int]:
    return numbers.randint(0, 600), numbers.randint(0, 790)


def _turn(numbers: random.Random) -> tuple[float, float, float, float]:
    a, b, c, d = (numbers.uniform(-1, 1) for _ in range(4))
    return a, b, c, d


def _pages(times: int) -> bytes:
    count = 200 * times
    kids = b" ".join(b"%d 0 R" % (_FIRST + n) for n in range(count))
    return file_of(
        {
            1: b"<</Type/Catalog/Pages 2 0 R>>",
            2: b"<</Type/Pages/Kids[%s]/Count %d/MediaBox[0 0 612 792]/Resources<</Font<</F1 5 0 R>>>>>>"
            % (kids, count),
            4: stream(lines(b"Wort und Wort.", 40)),
            5: _FONT,
            **{_FIRST + n: b"<</Type/Page/Parent 2 0 R/Contents 4 0 R>>" for n in range(count)},
        }
    )


def _same_page(times: int) -> bytes:
    count = 300 * times
    return file_of(
        {
            1: b"<</Type/Catalog/Pages 2 0 R>>",
            2: b"<</Type/Pages/Kids[%s]/Count %d>>" % (b"3 0 R " * count, count),
            3: _PAGE,
            4: stream(lines(b"Wort und Wort.", 40)),
            5: _FONT,
        }
    )


def _claimed_pages(times: int) -> bytes:
    """More pages are claimed than there are."""
    made = page(line(b"Text ", 20))
    return made.replace(b"/Count 1>>", b"/Count %d>>" % (9_000_000 * times))


def _deep_tree(times: int) -> bytes:
    depth = 500 * times
    objects = {
        _FIRST + n: b"<</Type/Pages/Parent %d 0 R/Kids[%d 0 R]/Count 1>>" % (_FIRST + n - 1, _FIRST + n + 1)
        for n in range(depth)
    }
    last = _FIRST + depth
    return file_of(
        {
            1: b"<</Type/Catalog/Pages %d 0 R>>" % _FIRST,
            4: stream(line(b"Text ", 20)),
            5: _FONT,
            **objects,
            last: b"<</Type/Page/Parent %d 0 R/MediaBox[0 0 612 792]/Contents 4 0 R"
            b"/Resources<</Font<</F1 5 0 R>>>>>>" % (last - 1),
        }
    )


def _cyclic_tree(times: int) -> bytes:
    kids = b"2 0 R " * (10 * times)
    return file_of(
        {
            1: b"<</Type/Catalog/Pages 2 0 R>>",
            2: b"<</Type/Pages/Kids[3 0 R %s]/Count %d>>" % (kids, 1 + 10 * times),
            3: _PAGE,
            4: stream(line(b"Text ", 20)),
            5: _FONT,
        }
    )


def _outline(times: int, *, cyclic: bool) -> bytes:
    count = 500 * times
    objects = {
        _FIRST + n: b"<</Title(T%d)/Parent 9 0 R/Next %d 0 R/Dest[3 0 R/Fit]>>"
        % (n, _FIRST + ((n + 1) % count if cyclic else n + 1))
        for n in range(count)
    }
    objects[9] = b"<</Type/Outlines/First %d 0 R/Last %d 0 R/Count %d>>" % (_FIRST, _FIRST + count - 1, count)
    return page(line(b"Text ", 20), catalogue=b"/Outlines 9 0 R", more=objects)


def _fonts(times: int) -> bytes:
    count = 300 * times
    names = b"".join(b"/G%d %d 0 R" % (n, _FIRST + n) for n in range(count))
    content = b"".join(
        b"BT /G%d 6 Tf %d %d Td (ab) Tj ET\n" % (n, 20 + n % 50 * 11, 740 - n // 50 * 8) for n in range(count)
    )
    return page(content, resources=b"/Font<<%s>>" % names, more={_FIRST + n: _FONT for n in range(count)})


def _forms(bodies: Sequence[bytes]) -> tuple[bytes, dict[int, bytes]]:
    """Forms X0, X1 and so on, each of which has all as resources."""
    names = b"/XObject<<%s>>" % b"".join(b"/X%d %d 0 R" % (n, _FIRST + n) for n in range(len(bodies)))
    head = b"/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<</Font<</F1 5 0 R>>%s>>" % names
    return names, {_FIRST + n: stream(body, head) for n, body in enumerate(bodies)}


def _recursive_form(times: int) -> bytes:
    names, objects = _forms([b"BT /F1 8 Tf 20 700 Td (a) Tj ET /X0 Do " * times])
    return page(b"/X0 Do", resources=names, more=objects)


def _forms_in_a_ring(times: int) -> bytes:
    count = 20 * times
    names, objects = _forms(
        [b"BT /F1 8 Tf 20 %d Td (a) Tj ET /X%d Do" % (n, (n + 1) % count) for n in range(count)]
    )
    return page(b"/X0 Do", resources=names, more=objects)


def _doubling_forms(depth: int) -> Make:
    """Each form shows the next one twice: the work doubles with every form."""

    def make(times: int) -> bytes:
        text = b"BT /F1 2 Tf 20 700 Td (aa bb) Tj ET"
        bodies = [b"/X%d Do /X%d Do" % (n + 1, n + 1) for n in range(depth + times - 1)]
        names, objects = _forms([*bodies, text])
        return page(b"/X0 Do", resources=names, more=objects)

    return make


def _nested(opening: bytes, closing: bytes, count: int) -> Make:
    def make(times: int) -> bytes:
        depth = count * times
        return page(opening * depth + line(b"Text ", 20) + closing * depth)

    return make


def _deep_object(opening: bytes, closing: bytes, count: int) -> Make:
    def make(times: int) -> bytes:
        depth = count * times
        return page(line(b"Text ", 20), entries=b"/PieceInfo " + opening * depth + b"null" + closing * depth)

    return make


def _bomb(content: bytes, count: int) -> Make:
    return lambda times: page(line(b"Text ", 20) + content * (count * times))


def _twice_packed(times: int) -> bytes:
    """A stream packed twice: a kilobyte becomes a thousand."""
    inner = zlib.compress(b" " * (4_000_000 * times), 9)
    outer = zlib.compress(inner, 9)
    made = b"<</Filter[/FlateDecode/FlateDecode]/Length %d>>stream\n%s\nendstream" % (len(outer), outer)
    return page(b"", more={4: made})


def _spelled_out(times: int) -> bytes:
    """Each code of the font stands for hundreds of letters."""
    long = b"0061" * (200 * times)
    head = b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <61> <"
    cmap = head + long + b"> endbfchar endcmap"
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 9 0 R>>"
    return page(line(b"a", 500), more={5: font, 9: stream(cmap)})


def _drawn_glyphs(times: int) -> bytes:
    """A Type 3 font whose glyphs show themselves."""
    glyph = b"500 0 d0 BT /F1 1 Tf (aa) Tj ET " * times
    font = (
        b"<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 97"
        b"/LastChar 97/Widths[500]/Encoding<</Differences[97/a]>>/CharProcs<</a 9 0 R>>"
        b"/Resources<</Font<</F1 5 0 R>>>>>>"
    )
    return page(line(b"a", 200, size=8), more={5: font, 9: stream(glyph)})


def _annotations(times: int) -> bytes:
    count = 300 * times
    objects = {
        _FIRST + n: b"<</Type/Annot/Subtype/FreeText/Rect[%d 10 %d 20]/Contents(a)/DA(/F1 8 Tf)>>"
        % (n % 500, n % 500 + 9)
        for n in range(count)
    }
    kids = b" ".join(b"%d 0 R" % number for number in objects)
    return page(line(b"Text ", 20), entries=b"/Annots[%s]" % kids, more=objects)


def _groups(times: int) -> bytes:
    count = 300 * times
    objects = {_FIRST + n: b"<</Type/OCG/Name(g)>>" for n in range(count)}
    kids = b" ".join(b"%d 0 R" % number for number in objects)
    names = b"".join(b"/o%d %d 0 R" % (n, _FIRST + n) for n in range(count))
    content = b"".join(
        b"/OC /o%d BDC BT /F1 6 Tf 20 %d Td (ab) Tj ET EMC\n" % (n, n % 700) for n in range(count)
    )
    catalogue = b"/OCProperties<</OCGs[%s]/D<</ON[%s]>>>>" % (kids, kids)
    return page(content, resources=b"/Properties<<%s>>" % names, catalogue=catalogue, more=objects)


def _without_table(times: int) -> bytes:
    """No table of objects: the file has to be searched for them."""
    objects = {_FIRST + n: b"<</a 1>>" for n in range(500 * times)}
    return file_of(
        {
            1: b"<</Type/Catalog/Pages 2 0 R>>",
            2: b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            3: _PAGE,
            4: stream(line(b"Text ", 20)),
            5: _FONT,
            **objects,
        },
        xref=False,
    )


def _tables_in_a_ring(times: int) -> bytes:
    made = page(line(b"Text ", 20 * times))
    start = made.rindex(b"startxref\n") + len(b"startxref\n")
    offset = made[start:].split(b"\n")[0]
    return made.replace(b"/Root 1 0 R", b"/Root 1 0 R/Prev " + offset)


def _packed_objects(times: int) -> bytes:
    """Streams of objects that extend each other in a ring."""
    made = {
        _FIRST + n: stream(
            b"99 0 null", b"/Type/ObjStm/N 1/First 5/Extends %d 0 R" % (_FIRST + (n + 1) % (20 * times))
        )
        for n in range(20 * times)
    }
    return page(line(b"Text ", 20), more=made)


def _boxed(box: bytes) -> Make:
    return lambda times: page(lines(b"Wort und Wort.", 200 * times), box=box)


def _lines_of(unit: bytes) -> Make:
    return lambda times: page(line(unit, 12_000 * times // len(unit)))


def _short_lines_of(unit: bytes) -> Make:
    return lambda times: page(lines(unit, 600 * times, step=0.9))


_WORDS = {
    "dots": b".",
    "spaced dots": b". ",
    "hyphens": b"-",
    "brackets": b"(",
    "pairs of brackets": b"()",
    "digits": b"7",
    "spaced digits": b"7 ",
    "letters": b"a",
    "one-letter words": b"a ",
    "capitals": b"A ",
    "underscores": b"_",
    "commas": b",",
    "quotes": b'"',
    "slashes": b"/",
    "points": b"1. ",
    "sections": b"1.1.",
    "abbreviations": b"z. B. ",
    "stops": b"Aa. ",
    "bullets": b"\x95 ",
    "spaces": b" ",
    "articles": b"art.1.",
    "semicolons": b"; a) ",
    "stars": b"*",
    "labels": b"[S1",
    "Roman": b"XVI ",
    "section signs": b"\xa7 1.",
}
_SHORT = {
    "one letter": b"a",
    "one digit": b"7",
    "a point": b"1.",
    "a heading": b"Aa Bb",
    "a rule": b"1. Aa.- Bb",
    "a stop": b"a.",
    "an article": b"Article 1",
    "a leader": b"Aa .... 1",
    "a schedule": b"Annex 1",
    "a bullet": b"\x95 a",
    "a hyphen": b"aa-",
    "a question": b"1. Aa?",
    "a page": b"Seite 7",
    "a caption": b"Abb. 1: Aa",
    "a table": b"Tabelle 1: Aa",
    "a part": b"Part I",
}
_BOXES = {
    "a box without end": b"0 0 1e9 1e9",
    "a box of a point": b"0 0 1 1",
    "a box of nothing": b"0 0 0 0",
    "a box upside down": b"612 792 0 0",
    "a box far away": b"1e6 1e6 1000612 1000792",
    "a wide box": b"0 0 14400 10",
    "a box of words": b"/a /b /c /d",
    "no box": b"",
}

PDFS: dict[str, Make] = {
    **{f"a line of {name}": _lines_of(unit) for name, unit in _WORDS.items()},
    **{f"lines of {name}": _short_lines_of(unit) for name, unit in _SHORT.items()},
    **{name: _boxed(box) for name, box in _BOXES.items()},
    "text in one place": _drawn(lambda _, __: b"BT /F1 8 Tf 20 600 Td (Aa bb) Tj ET\n", 800),
    "text anywhere": _drawn(lambda at, _: b"BT /F1 5 Tf %d %d Td (ab) Tj ET\n" % _place(at), 800),
    "text at every angle": _drawn(
        lambda at, _: b"BT /F1 5 Tf %.2f %.2f %.2f %.2f %d %d Tm (ab) Tj ET\n" % (*_turn(at), *_place(at)),
        400,
    ),
    "text of every size": _drawn(
        lambda _, n: b"BT /F1 %g Tf 20 %d Td (Aa Bb) Tj ET\n" % (1 + n / 50, n % 790), 400
    ),
    "text of no width": _drawn(
        lambda _, n: b"BT /F1 8 Tf 0.001 Tz 20 %d Td (Aa Bb) Tj ET\n" % (n % 790), 400
    ),
    "text of no size": _drawn(lambda _, n: b"BT /F1 0 Tf 20 %d Td (Aa Bb) Tj ET\n" % (n % 790), 400),
    "text far apart": _drawn(lambda _, n: b"BT /F1 8 Tf 9999 Tc 20 %d Td (Aa Bb) Tj ET\n" % (n % 790), 400),
    "hidden text": _drawn(lambda _, n: b"BT 3 Tr /F1 8 Tf 20 %d Td (Aa Bb) Tj ET\n" % (n % 790), 400),
    "lines across": _drawn(lambda _, n: b"0 %g m 612 %g l S\n" % (n * 0.7 % 792, n * 0.7 % 792), 600),
    "a grid": _drawn(
        lambda _, n: b"0 %d m 612 %d l S %d 0 m %d 792 l S\n" % (*2 * (n * 3 % 792,), *2 * (n * 2 % 612,)),
        150,
    ),
    "lines anywhere": _drawn(lambda at, _: b"%d %d m %d %d l S\n" % (*_place(at), *_place(at)), 500),
    "rectangles": _drawn(lambda at, _: b"%d %d 30 9 re S\n" % _place(at), 500),
    "rectangles in rectangles": _drawn(
        lambda _, n: b"%d %d %d %d re S\n" % (n % 300, n % 300, 612 - n % 300 * 2, 792 - n % 300 * 2), 300
    ),
    "curves": _drawn(lambda at, _: b"0 0 m %d 9 9 %d 99 99 c S\n" % _place(at), 500),
    "dashes": _drawn(lambda _, n: b"[1 1] 0 d 0 %d m 612 %d l S\n" % (n % 790, n % 790), 200),
    "one long path": _drawn(lambda at, n: b"%d %d %s\n" % (*_place(at), b"l" if n else b"m"), 800),
    "pictures": _drawn(
        lambda _, n: b"q 9 0 0 9 %d 9 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x00 EI Q\n" % (n % 600), 300
    ),
    "clipping": _drawn(
        lambda at, _: b"%d %d 300 300 re W n\n" % (at.randint(0, 300), at.randint(0, 400)), 400
    ),
    "comments": _drawn(lambda _, __: b"% nothing to see\n", 2000),
    "unknown signs": _drawn(lambda _, __: b"xyz ", 2000),
    "numbers and no more": _drawn(lambda _, n: b"%d " % n, 2000),
    "states in states": _nested(b"q ", b"Q ", 2000),
    "marked in marked": _nested(b"/P BMC ", b"EMC ", 2000),
    "texts in texts": _nested(b"BT ", b"ET ", 2000),
    "arrays in arrays": _deep_object(b"[", b"]", 300),
    "dictionaries in dictionaries": _deep_object(b"<</a ", b">>", 300),
    "pages": _pages,
    "one page many times": _same_page,
    "pages that are not there": _claimed_pages,
    "a deep tree of pages": _deep_tree,
    "a tree of pages in a ring": _cyclic_tree,
    "a long outline": lambda times: _outline(times, cyclic=False),
    "an outline in a ring": lambda times: _outline(times, cyclic=True),
    "fonts": _fonts,
    "a form that shows itself": _recursive_form,
    "forms in a ring": _forms_in_a_ring,
    "forms that double": _doubling_forms(8),
    "forms that double for good": _doubling_forms(40),
    "a bomb of spaces": _bomb(b" " * 1000, 1000),
    "a bomb of states": _bomb(b"q Q " * 100, 200),
    "a bomb of text": _bomb(b"BT /F1 8 Tf 20 600 Td (Aa bb cc dd ee) Tj ET\n" * 10, 40),
    "a bomb in a bomb": _twice_packed,
    "letters that are words": _spelled_out,
    "glyphs that show themselves": _drawn_glyphs,
    "annotations": _annotations,
    "layers": _groups,
    "no table of objects": _without_table,
    "tables of objects in a ring": _tables_in_a_ring,
    "packed objects in a ring": _packed_objects,
    "raised figures": _drawn(lambda _, n: b"BT /F1 8 Tf 20 %d Td (a) Tj 4 Ts (12) Tj ET\n" % (n % 790), 400),
    "half a file": lambda times: _pages(times)[:-2000],
}
"""What makes each, by name."""


def cpu_of(pids: Sequence[int]) -> float:
    """CPU seconds that these processes have used; those that have ended count nothing. Linux only."""
    used = 0.0
    for pid in pids:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
        except OSError:
            continue
        used += (int(fields[11]) + int(fields[12])) / 100
    return used
