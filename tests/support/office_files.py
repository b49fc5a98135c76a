"""Small files of other formats, written by hand."""

import io
import zipfile
from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape

import openpyxl

_CONTENT_TYPES = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_RELATIONSHIPS = (
    '<?xml version="1.0"?>'
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="word/document.xml"/></Relationships>'
)
_ODT = "application/vnd.oasis.opendocument.text"
_ODT_NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "text", "table")
)


def archive(members: dict[str, str | bytes]) -> bytes:
    """A ZIP archive."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return made.getvalue()


def docx(blocks: Iterable[tuple[str, str]], hidden: str = "") -> bytes:
    """A Word file of (style, text) blocks; style "" is running text. `hidden` is text that Word hides."""
    body = "".join(
        f'<w:p>{f"""<w:pPr><w:pStyle w:val="{style}"/></w:pPr>""" if style else ""}'
        f'<w:r><w:t xml:space="preserve">{escape(text)}</w:t></w:r></w:p>'
        for style, text in blocks
    )
    if hidden:
        body += f"<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>{escape(hidden)}</w:t></w:r></w:p>"
    names = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    document = f'<?xml version="1.0"?><w:document {names}><w:body>{body}</w:body></w:document>'
    return archive(
        {
            "[Content_Types].xml": _CONTENT_TYPES,
            "_rels/.rels": _RELATIONSHIPS,
            "word/document.xml": document,
        }
    )


def odt(blocks: Iterable[tuple[str, str]]) -> bytes:
    """An OpenDocument text of (style, text) blocks; any style makes a heading."""
    body = "".join(
        f'<text:h text:outline-level="1">{escape(text)}</text:h>'
        if style
        else f"<text:p>{escape(text)}</text:p>"
        for style, text in blocks
    )
    content = (
        f'<?xml version="1.0"?><office:document-content {_ODT_NAMES} office:version="1.2"><office:body>'
        f"<office:text>{body}</office:text></office:body></office:document-content>"
    )
    manifest = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
    entries = "".join(
        f'<m:file-entry m:full-path="{path}" m:media-type="{kind}"/>'
        for path, kind in (("/", _ODT), ("content.xml", "text/xml"))
    )
    return archive(
        {
            "mimetype": _ODT,
            "content.xml": content,
            "META-INF/manifest.xml": f'<?xml version="1.0"?><m:manifest xmlns:m="{manifest}" m:version="1.2">'
            f"{entries}</m:manifest>",
        }
    )


def html(blocks: Iterable[tuple[str, str]]) -> bytes:
    """A web page of (style, text) blocks; any style makes a heading."""
    body = "".join(
        f"<h2>{escape(text)}</h2>" if style else f'<p class="x">{escape(text)}</p>' for style, text in blocks
    )
    return f"<!doctype html><html><head><title>Page</title></head><body>{body}</body></html>".encode()


def xlsx(rows: Sequence[Sequence[object]]) -> bytes:
    """A spreadsheet of one sheet."""
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()
