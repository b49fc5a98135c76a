"""What a document seems to be, from its title and its first pages; a guess for a person to confirm."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields

from core.domain.documents import DocumentType
from core.domain.pages import Page
from core.language.patterns import pattern
from core.language.words import DocumentTypeWords
from core.library.printed_dates import PrintedDate, date_of
from core.registry.detection import Detector
from core.registry.names import NameKind

FIRST_PAGES = 3
TITLE_WEIGHT = 3
_SAMPLE = 6_000
_TYPES = tuple(
    (DocumentType(field.name), pattern(f"{{document_types.{field.name}}}"))
    for field in fields(DocumentTypeWords)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """Guessed fields; None or empty where nothing speaks for one."""

    jurisdiction: str | None = None
    party: str | None = None
    doc_type: DocumentType | None = None
    valid_from: PrintedDate | None = None


def describe(title: str, pages: Sequence[Page], detector: Detector) -> Description:
    """What `title` and the first of `pages` say. A name counts where it is mentioned more often than every
    other; the title counts as several mentions."""
    opening = "\n".join(page.text for page in pages[:FIRST_PAGES])[:_SAMPLE]
    counts: dict[NameKind, Counter[str]] = {NameKind.PARTY: Counter(), NameKind.PLACE: Counter()}
    for line in (*(title,) * TITLE_WEIGHT, *opening.splitlines()):
        for mention in detector.detect(line).mentions:
            counts[mention.kind][mention.key] += 1
    return Description(
        jurisdiction=_leader(counts[NameKind.PLACE]),
        party=_leader(counts[NameKind.PARTY]),
        doc_type=_type(title) or _type(opening[:600]),
        valid_from=date_of(title, opening.splitlines()),
    )


def _leader(counts: Counter[str]) -> str | None:
    """The name that is mentioned most, unless another is as often."""
    first = counts.most_common(2)
    if not first or (len(first) == 2 and first[0][1] == first[1][1]):
        return None
    return first[0][0]


def _type(text: str) -> DocumentType | None:
    """The type whose word comes first in `text`."""
    found = [(match.start(), kind) for kind, words in _TYPES if (match := words().search(text.lower()))]
    return min(found, key=lambda item: item[0])[1] if found else None
