"""How a stretch names a topic, and the reader score it then needs.

A topic is named once all its words occur in a stretch or the headings above it, alone or inside longer words
("Mindestlohnkommission" for "Mindestlohn"), or another name of the same subject does ("Kernenergie" for
"Atomkraft"). Text under a heading with its name is about it whatever the wording. The same rule applies to
every speaker.
"""

from enum import IntEnum

from core.answering.extractive.extracts import Extract
from core.answering.extractive.statements import headings
from core.domain.passages import Passage
from core.language.terms import begun, held, is_about, joined, leads, terms
from core.library.chunking.prose import SEPARATOR
from core.question.subject import Subject

AKIN = 0.2
"""Cosine similarity (encoder B) above which a longer word containing a topic names the topic; below it may
mean something else: "Verkehrswert" is not "Verkehr"."""

SHORT = 3
"""Length in words of a topic whose words must all occur: one of them alone ("Ukraine" for arms deliveries)
says little."""


class Naming(IntEnum):
    """How a stretch names a topic: not at all; by the first part of one of its words ("Pelz" of
    "Pelztierhaltung", not "Tierhaltung"); by some of its words; completely; in the heading directly above
    it."""

    NOT = 0
    BEGUN = 1
    PARTLY = 2
    WHOLE = 3
    HEADED = 4


LEAST = {Naming.HEADED: -4.5, Naming.WHOLE: -2.5, Naming.PARTLY: -0.5, Naming.BEGUN: 1.2, Naming.NOT: 2.0}
"""Minimum reader score of a stretch. Fitted with `CLEAR_ACROSS` on 60 topics of eleven programmes and judged
by cross-validation over topics (docs/lab/comparisons.md); flat around these values."""


def naming(topic: Subject, extract: Extract) -> Naming:
    """How a stretch names `topic`; in another language words merely look alike."""
    own = extract.hit.edition.document.fields.language
    if own != topic.written:
        return Naming.NOT
    if any(_is_named_by(topic, heading) for heading in _above(extract)):
        return Naming.HEADED
    present = terms(f"{extract.hit.passage.heading} {extract.shown}", own)
    if any(way.search(extract.shown) for way in topic.ways) or any(name <= present for name in topic.names):
        return Naming.WHOLE
    if any(all(held(term, present) for term in name) for name in topic.names):
        return Naming.WHOLE if extract.similarity >= AKIN else Naming.PARTLY
    if not topic.names:
        return Naming.PARTLY
    if len(topic.terms) > SHORT:
        return Naming.PARTLY if is_about(topic.terms, present) else Naming.NOT
    if any(leads(term, present) for name in topic.names for term in name):
        return Naming.PARTLY
    return Naming.BEGUN if any(begun(t, present) for name in topic.names for t in name) else Naming.NOT


def is_named_in(topic: Subject, passage: Passage) -> bool:
    """Whether a passage in the topic's language, or the headings above it, names all of the topic."""
    passage_terms = terms(passage.embedded_text, topic.written)
    whole = any(all(held(term, passage_terms) for term in name) for name in topic.names)
    return whole or any(way.search(passage.embedded_text) for way in topic.ways)


def _is_named_by(topic: Subject, heading: str) -> bool:
    """Whether a heading names the topic: "Klima schützen" for "Klimaschutz"."""
    present = terms(heading, topic.written)
    whole = any(all(held(term, present) or joined(term, present) for term in name) for name in topic.names)
    return whole or any(way.search(heading) for way in topic.ways)


def _above(extract: Extract) -> list[str]:
    """The headings directly above a stretch: its section's, and the last one printed in its passage."""
    passage = extract.hit.passage
    first = min((start for start, _ in extract.parts), default=extract.start)
    printed = [
        passage.text[start:end] for start, end in headings(passage.text, numbers=True) if start < first
    ]
    _title, *sections = passage.heading.split(SEPARATOR)
    return [*sections[-1:], *printed[-1:]]
