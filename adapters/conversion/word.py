"""Text of a Word file that Word does not show. Runs in the child."""

import io
import zipfile
from xml.etree import ElementTree as Xml

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MAIN = "word/document.xml"
_OFF = frozenset({"0", "false", "off"})


def without_hidden_runs(data: bytes) -> bytes:
    """The file without its runs of hidden text (ECMA-376, 17.3.2.41 "vanish")."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        main = archive.read(_MAIN)
        if b"vanish" not in main.lower() and b"\0" not in main:
            return data
        tree = Xml.fromstring(main)  # noqa: S314 - archives with document types were refused before
        for parent in list(tree.iter()):
            for run in [child for child in parent if _is_hidden(child)]:
                parent.remove(run)
        changed = io.BytesIO()
        with zipfile.ZipFile(changed, "w") as copy:
            for member in archive.infolist():
                content = Xml.tostring(tree) if member.filename == _MAIN else archive.read(member)
                copy.writestr(member.filename, content)
    return changed.getvalue()


def _is_hidden(element: Xml.Element) -> bool:
    if element.tag != f"{_W}r":
        return False
    marks = element.findall(f"{_W}rPr/{_W}vanish")
    return any(mark.get(f"{_W}val", "1").lower() not in _OFF for mark in marks)
