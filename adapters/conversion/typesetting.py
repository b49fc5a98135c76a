"""HTML and pictures as pages. Runs in the child."""

import io
from typing import Any

import pymupdf

from adapters.conversion.errors import ConversionError
from core.domain.pages import QUOTATION_INK

MAX_PAGES = 3_000
MAX_AREA = 200_000_000
"""Square points of a picture."""
_DPI = 300
_MARGIN = 56.0
_SAVE = {"garbage": 3, "deflate": True, "use_objstms": 1, "no_new_id": True}
_STYLE = f"""
body {{ font-family: sans-serif; font-size: 10.5pt; line-height: 1.35; }}
h1 {{ font-size: 17pt; margin: 0 0 10pt 0; }}
h2 {{ font-size: 14pt; margin: 14pt 0 6pt 0; }}
h3, h4, h5, h6 {{ font-size: 11.5pt; margin: 10pt 0 4pt 0; }}
p, ul, ol, dl, blockquote, table {{ margin: 0 0 6pt 0; }}
td, th {{ border: 0.5pt solid #888; padding: 3pt; text-align: left; vertical-align: top; }}
table {{ width: 100%; border-collapse: collapse; }}
pre {{ font-size: 8.5pt; white-space: pre-wrap; }}
blockquote {{ margin-left: 18pt; color: #{QUOTATION_INK:06x}; }}
"""


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


def pictured(data: bytes, kind: str) -> bytes:
    """The PDF of a picture, each of its frames on an A4 page. Raises ConversionError: file.too_large."""
    made = pymupdf.open()
    with pymupdf.open(stream=data, filetype=kind) as pictures:
        for frame in pictures:
            _place(made, frame)
    return bytes(made.tobytes(**_SAVE))


def _place(made: Any, frame: Any) -> None:
    """A frame as large as the page allows, at `_DPI`."""
    width, height = frame.rect.width, frame.rect.height
    if width * height > MAX_AREA:
        raise ConversionError("file.too_large", f"the picture is {width:.0f} x {height:.0f} points large")
    across, down = pymupdf.paper_size("a4-l" if width > height else "a4")
    page = made.new_page(width=across, height=down)
    zoom = _DPI / 72 * min(page.rect.width / width, page.rect.height / height)
    seen = frame.get_image_info()
    is_grey = bool(seen) and seen[0]["colorspace"] == 1
    if seen and width:  # no more dots than the picture has
        zoom = min(zoom, max(1.0, seen[0]["width"] / width))
    colours = pymupdf.csGRAY if is_grey else pymupdf.csRGB
    pixmap = frame.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), colorspace=colours, alpha=False)
    page.insert_image(page.rect, stream=pixmap.tobytes("jpeg", jpg_quality=90))
