"""What a file says of itself where nobody stated it: title and language."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath

from core.domain.documents import DocumentFields
from core.domain.pages import DocumentReading, Page
from core.language.identification import detect

_SAMPLE_CHARACTERS = 20_000
_POOR_TITLE = re.compile(
    r"^(untitled|unbenannt|document\d*|dokument\d*|microsoft word.*|.*\.(docx?|indd|qxd|pdf|odt|tex)"
    r"|[\W\d_]*)$",
    re.IGNORECASE,
)


def complete(fields: DocumentFields, file: str, reading: DocumentReading) -> DocumentFields:
    """`fields` with title and language filled in from the file where they are empty."""
    title = fields.title or guess_title(file, reading.title)
    language = fields.language or guess_language([reading.page for reading in reading.pages])
    return replace(fields, title=title, language=language)


def guess_title(file: str, stated: str | None) -> str:
    """The PDF's own title if it is one, else the file's name made readable."""
    title = " ".join((stated or "").split())
    if len(title) >= 4 and not _POOR_TITLE.match(title):
        return title[:200]
    return re.sub(r"[_\s]+", " ", PurePath(file).stem).strip() or file


def guess_language(pages: Sequence[Page]) -> str:
    """ISO 639-1 code of the language most of the text is in; English for a file without text."""
    sample, size = [], 0
    step = max(1, len(pages) // 12)
    for page in pages[::step]:
        sample.append(page.text[:2000])
        size += len(sample[-1])
        if size > _SAMPLE_CHARACTERS:
            break
    text = " ".join(sample).strip()
    return detect(text, among=())[0] if len(text) >= 40 else "en"
