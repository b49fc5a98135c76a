"""Public links to cited pages."""

import hashlib
import json
from dataclasses import asdict, dataclass
from datetime import datetime

from core.domain.records import CitationRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLink:
    """A citation that whoever has its `id` may look at. `given_at`: when it was given last."""

    id: str
    given_at: datetime
    citation: CitationRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerLink:
    """Quotes of one answer, by their page links, that whoever has its `id` may open in a private chat, with
    our words in `language`. `given_at`: when it was given last."""

    id: str
    given_at: datetime
    links: tuple[str, ...]
    language: str


def link_digest(citation: CitationRecord) -> str:
    """The same for the same words on the same pages, whatever answer cites them."""
    return hashlib.sha256(json.dumps(asdict(citation), default=str, sort_keys=True).encode()).hexdigest()
