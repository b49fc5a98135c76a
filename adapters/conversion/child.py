"""The contained process that reads one file of another format and writes its PDF.

The file is standard input, the answer standard output: one byte that says what it is, then the bytes; for a
spreadsheet with uncalculated formulas, their number precedes the PDF in a line. Everything is imported and
used once before the process drops its privileges.
"""

import codecs
import gc
import io
import json
import sys
import xml.dom.expatbuilder  # noqa: F401 - mammoth loads it when it reads
from typing import Any

import pymupdf

from adapters.containment import contain, limit_cpu
from adapters.conversion.formats import CODECS, ConversionError, kind_of_archive
from adapters.conversion.readers import FAILURES, READERS, decoded, kind_of_text
from core.domain.pages import QUOTATION_INK

PDF, WARNED, KIND, ERROR = b"P", b"W", b"K", b"E"
PICTURES = frozenset({"png", "jpeg", "gif", "tiff"})
OFFICE_ONLY = {"ole": "an old office file", "rtf": "an RTF file"}
OURS = frozenset({"text", "markdown", "csv", "html", "xlsx"})
"""Kinds never given to LibreOffice: it would fetch what a page refers to, and split rows."""
_MAX_INPUT = 256 << 20
MAX_PAGES = 3_000
MAX_AREA = 200_000_000
"""Maximum area of a picture in square points."""
_DPI = 300
_MARGIN = 56.0
_SAVE = {"garbage": 3, "deflate": True, "use_objstms": 1, "no_new_id": True}
_STYLE = f"""
body {{ font-family: sans-serif; font-size: 10.5pt; line-height: 1.35; }}
h1 {{ font-size: 17pt; margin: 0 0 10pt 0; }}
h2 {{ font-size: 14pt; margin: 14pt 0 6pt 0; }}
h3 {{ font-size: 12.5pt; margin: 12pt 0 5pt 0; }}
h4, h5, h6 {{ font-size: 12pt; margin: 10pt 0 4pt 0; }}
p, ul, ol, dl, blockquote, table {{ margin: 0 0 6pt 0; }}
td, th {{ border: 0.5pt solid #888; padding: 3pt; text-align: left; vertical-align: top; }}
table {{ width: 100%; border-collapse: collapse; }}
pre {{ font-size: 8.5pt; white-space: pre-wrap; }}
blockquote {{ margin-left: 18pt; color: #{QUOTATION_INK:06x}; }}
"""


def answer(data: bytes, kind: str, ending: str, *, office: bool) -> tuple[bytes, bytes]:
    """The answer to a file that begins as a `kind`. `office`: say only which kind it is where LibreOffice
    reads that kind. Raises ConversionError."""
    if kind in PICTURES:
        return PDF, _pictured(data, kind)
    exact = _exact(data, kind, ending)
    if office and exact not in OURS:
        return KIND, exact.encode()
    if exact not in READERS:
        what = OFFICE_ONLY.get(exact, f"a file of the kind {exact}")
        raise ConversionError("file.needs_office", f"{what} is only read with LibreOffice")
    html, title, uncalculated = READERS[exact](data)
    if not html.strip():
        raise ConversionError("file.empty", "the file holds no text")
    made = typeset(html, title)
    return (WARNED, b"%d\n%s" % (uncalculated, made)) if uncalculated else (PDF, made)


def _exact(data: bytes, kind: str, ending: str) -> str:
    if kind == "zip":
        return kind_of_archive(data)
    if kind == "text":
        return kind_of_text(decoded(data[:200_000]), ending)
    if kind == "html" or (kind == "xml" and b"<html" in data[:2000].lower()):
        return "html"
    if kind in OFFICE_ONLY:
        return kind
    raise ConversionError("file.unsupported", f"a file of the kind {kind} is no document")


def main() -> None:
    """Entry point: kind, ending, whether there is an office, address space and CPU seconds as JSON."""
    wanted = json.loads(sys.argv[1])
    _warm_up()
    contain(wanted["address_space"])
    limit_cpu(wanted["cpu_seconds"])
    gc.freeze()
    kind, content = _answered(wanted)
    sys.stdout.buffer.write(kind + content)
    sys.stdout.buffer.flush()


def _answered(wanted: dict[str, str]) -> tuple[bytes, bytes]:
    try:
        data = sys.stdin.buffer.read(_MAX_INPUT + 1)
        if len(data) > _MAX_INPUT:
            raise ConversionError("file.too_large", f"more than {_MAX_INPUT} bytes")
        return answer(data, wanted["kind"], wanted["ending"], office=bool(wanted["office"]))
    except ConversionError as error:
        return _error(error.key, error.detail)
    except MemoryError:
        return _error("file.too_large", "the file needs more memory than a file may have")
    except RecursionError:
        return _error("file.broken", "its elements stand too deep in one another; save it as PDF")
    except (*FAILURES, RuntimeError) as error:  # the boundary: libraries can fail in many ways
        return _error("file.broken", f"{type(error).__name__}: {error}"[:300] + "; save it as PDF")


def _error(key: str, detail: str) -> tuple[bytes, bytes]:
    return ERROR, json.dumps({"key": key, "detail": detail}).encode()


def _warm_up() -> None:
    """Use everything once that loads lazily: nothing can be opened later."""
    for encoding in ("utf-8-sig", "utf-16", "utf-32", "latin-1", "ascii", "cp437", "cp1252", *CODECS):
        codecs.lookup(encoding)
    typeset(
        "<p>\u201eFundstelle\u201c \u0416\u4e2d</p>", "\u0416"
    )  # a title that is not Latin alone is UTF-16
    READERS["markdown"](b"# Fundstelle")


def typeset(html: str, title: str) -> bytes:
    """The PDF of `html` on as many A4 pages as it needs. Raises ConversionError: file.too_large."""
    size = pymupdf.paper_rect("a4")
    inside = size + (_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)  # noqa: RUF005 - moves the corners
    story = pymupdf.Story(f"<body>{html}</body>", user_css=_STYLE)
    buffer = io.BytesIO()
    writer = pymupdf.DocumentWriter(buffer)
    for _ in range(MAX_PAGES):
        device = writer.begin_page(size)
        more, _filled = story.place(inside)
        story.draw(device)
        writer.end_page()
        if not more:
            break
    else:
        raise ConversionError("file.too_large", f"more than {MAX_PAGES} pages; split the file")
    writer.close()
    document = pymupdf.open(stream=buffer.getvalue(), filetype="pdf")
    document.subset_fonts()
    document.set_metadata({"title": title})
    return bytes(document.tobytes(**_SAVE))


def _pictured(data: bytes, kind: str) -> bytes:
    """The PDF of a picture, each of its frames on an A4 page. Raises ConversionError: file.too_large."""
    made = pymupdf.open()
    with pymupdf.open(stream=data, filetype=kind) as pictures:
        for frame in pictures:
            _place(made, frame)
    return bytes(made.tobytes(**_SAVE))


def _place(made: Any, frame: Any) -> None:
    """Place a frame as large as the page allows, at `_DPI`."""
    width, height = frame.rect.width, frame.rect.height
    if width * height > MAX_AREA:
        raise ConversionError("file.too_large", f"the picture is {width:.0f} x {height:.0f} points large")
    across, down = pymupdf.paper_size("a4-l" if width > height else "a4")
    page = made.new_page(width=across, height=down)
    zoom = _DPI / 72 * min(page.rect.width / width, page.rect.height / height)
    seen = frame.get_image_info()
    is_grey = bool(seen) and seen[0]["colorspace"] == 1
    if seen and width:  # no higher resolution than the picture has
        zoom = min(zoom, max(1.0, seen[0]["width"] / width))
    colours = pymupdf.csGRAY if is_grey else pymupdf.csRGB
    pixmap = frame.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), colorspace=colours, alpha=False)
    page.insert_image(page.rect, stream=pixmap.tobytes("jpeg", jpg_quality=90))
