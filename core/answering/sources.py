"""The passages of an answer as a model sees them: labelled, fenced, and nothing but data."""

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.answering.labels import Labels, plain, without_labels
from core.domain.search import Hit

_LABEL = re.compile(r"\[\s*(?=[SF]\s*\d)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A passage with the label it has in the prompt: S for text, F for tables and figures."""

    label: str
    hit: Hit


def sources_of(hits: Sequence[Hit]) -> tuple[Source, ...]:
    """`hits` with their labels, in their order."""
    labels = Labels()
    return tuple(Source(label=labels.next(hit.passage.kind), hit=hit) for hit in hits)


def passage_block(sources: Sequence[Source], place: Callable[[str], str]) -> str:
    """All passages between two lines that no passage can hold: they end in a digest of what is between
    them. No line of a passage begins like a passage of its own."""
    body = "\n\n".join(f"[{s.label}] {_heading(s.hit, place)}\n{_text(s.hit.passage.text)}" for s in sources)
    return fenced(body)


def fenced(body: str) -> str:
    """`body` between two lines that end in a digest of it, so that nothing in it can be one of them."""
    fence = f"passages-{hashlib.sha256(body.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
    return f"<{fence}>\n{body}\n</{fence}>"


def _heading(hit: Hit, place: Callable[[str], str]) -> str:
    """Title, edition, jurisdiction, party, section, page."""
    fields, passage = hit.edition.document.fields, hit.passage
    pages = passage.pages
    parts = [
        fields.title,
        fields.valid_from.isoformat() if fields.valid_from else "",
        place(fields.jurisdiction) if fields.jurisdiction else "",
        " / ".join(fields.parties),
        passage.section.title if passage.section else "",
        (f"p. {pages[0]}" if len(pages) == 1 else f"pp. {pages[0]}-{pages[-1]}") if pages else "",
    ]
    return ", ".join(without_labels(data(part)) for part in parts if part)


def _text(text: str) -> str:
    """The paragraphs of a passage, a line each."""
    return "\n".join(line for paragraph in text.split("\n") if (line := data(paragraph)))


def data(text: str) -> str:
    """`text` as one line in which nothing looks like a label, a fence or the end of one. Only punctuation
    changes, which the alignment of quotes does not look at."""
    return _LABEL.sub("(", plain(text)).replace("<", "‹").replace(">", "›")
