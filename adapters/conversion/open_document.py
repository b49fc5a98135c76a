"""OpenDocument texts (ISO/IEC 26300, "content.xml") as HTML. Runs in the child."""

import io
import zipfile
from collections.abc import Iterator
from xml.etree import ElementTree as Xml

from adapters.conversion.markup import shown

_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_BLOCKS = {
    f"{_TEXT}p": "p",
    f"{_TEXT}list": "ul",
    f"{_TEXT}list-item": "li",
    f"{_TABLE}table": "table",
    f"{_TABLE}table-row": "tr",
    f"{_TABLE}table-cell": "td",
}
_DROPPED = frozenset(
    {f"{_TEXT}tracked-changes", f"{_TEXT}hidden-text", f"{_TEXT}hidden-paragraph", f"{_OFFICE}annotation"}
)
_SPACES = {f"{_TEXT}s": " ", f"{_TEXT}tab": " ", f"{_TEXT}line-break": "<br/>"}


def read(data: bytes) -> str:
    """The body of the file as HTML. Raises xml.etree's ParseError."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        tree = Xml.fromstring(archive.read("content.xml"))  # noqa: S314 - document types were refused before
    body = tree.find(f"{_OFFICE}body")
    return "" if body is None else "".join(_html(body))


def _html(element: Xml.Element) -> Iterator[str]:
    if element.tag in _DROPPED:
        return
    if element.tag in _SPACES:
        yield _SPACES[element.tag]
        return
    name = _BLOCKS.get(element.tag) or (_heading(element) if element.tag == f"{_TEXT}h" else "")
    yield f"<{name}>" if name else ""
    yield shown(element.text or "") if _holds_text(element) else ""
    for child in element:
        yield from _html(child)
        yield shown(child.tail or "") if _holds_text(element) else ""
    yield f"</{name}>" if name else ""


def _heading(element: Xml.Element) -> str:
    level = element.get(f"{_TEXT}outline-level", "1")
    return f"h{min(6, max(1, int(level) if level.isdigit() else 1))}"


def _holds_text(element: Xml.Element) -> bool:
    """White space between blocks is layout of the file only."""
    return element.tag.startswith(_TEXT) and element.tag not in (f"{_TEXT}list", f"{_TEXT}list-item")
