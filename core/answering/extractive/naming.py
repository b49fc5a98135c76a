"""How a stretch names a topic, and what the reader has to say of it then.

A topic is named as soon as all its words stand in a stretch, with the headings above it, alone or in longer
words ("Mindestlohnkommission" of "Mindestlohn"), or another name of the same subject ("Kernenergie" of
"Atomkraft"). What stands under a heading with its name is about it in whatever words. The same rule holds
for whoever says it.
"""

from enum import IntEnum

from core.answering.extractive.extracts import Extract
from core.answering.extractive.statements import headings
from core.domain.passages import Passage
from core.language.terms import begun, held, is_about, joined, leads, terms
from core.library.chunking.prose import SEPARATOR
from core.question.subject import Subject

AKIN = 0.2
"""Cosine similarity (encoder B) from which on a longer word with a topic in it names the topic; below it, it
may mean another thing: "Verkehrswert" is no "Verkehr"."""

SHORT = 3
"""Words of a topic that all count: one of them ("Ukraine" of arms deliveries) says little."""


class Naming(IntEnum):
    """How a stretch names a topic: not; with the determining part of one of its words ("Pelz" of
    "Pelztierhaltung", not "Tierhaltung"); with some of its words; whole; in the heading right above it."""

    NOT = 0
    BEGUN = 1
    PARTLY = 2
    WHOLE = 3
    HEADED = 4


LEAST = {Naming.HEADED: -4.5, Naming.WHOLE: -2.5, Naming.PARTLY: -0.5, Naming.BEGUN: 1.2, Naming.NOT: 2.0}
"""What the reader has to say at least of a stretch. Fitted with `CLEAR_ACROSS` on 60 topics of eleven
programmes and judged by cross-validation over topics (docs/lab/comparisons.md); flat round these values."""


def naming(topic: Subject, extract: Extract) -> Naming:
    """How a stretch names `topic`; words of another language only look alike."""
    own = extract.hit.edition.document.fields.language
    if own != topic.written:
        return Naming.NOT
    if any(_is_named_by(topic, heading) for heading in _above(extract)):
        return Naming.HEADED
    said = terms(f"{extract.hit.passage.heading} {extract.shown}", own)
    if any(way.search(extract.shown) for way in topic.ways) or any(name <= said for name in topic.names):
        return Naming.WHOLE
    if any(all(held(term, said) for term in name) for name in topic.names):
        return Naming.WHOLE if extract.similarity >= AKIN else Naming.PARTLY
    if not topic.names:
        return Naming.PARTLY
    if len(topic.terms) > SHORT:
        return Naming.PARTLY if is_about(topic.terms, said) else Naming.NOT
    if any(leads(term, said) for name in topic.names for term in name):
        return Naming.PARTLY
    return Naming.BEGUN if any(begun(t, said) for name in topic.names for t in name) else Naming.NOT


def is_named_in(topic: Subject, passage: Passage) -> bool:
    """Whether a passage in the topic's language names all of it, with the headings above it."""
    said = terms(passage.embedded_text, topic.written)
    whole = any(all(held(term, said) for term in name) for name in topic.names)
    return whole or any(way.search(passage.embedded_text) for way in topic.ways)


def _is_named_by(topic: Subject, heading: str) -> bool:
    """Whether a heading is the topic's: "Klima schützen" that of "Klimaschutz"."""
    said = terms(heading, topic.written)
    whole = any(all(held(term, said) or joined(term, said) for term in name) for name in topic.names)
    return whole or any(way.search(heading) for way in topic.ways)


def _above(extract: Extract) -> list[str]:
    """The headings right above a stretch: the one of its section, and the last that its passage prints."""
    passage = extract.hit.passage
    first = min((start for start, _ in extract.parts), default=extract.start)
    printed = [
        passage.text[start:end] for start, end in headings(passage.text, numbers=True) if start < first
    ]
    _title, *sections = passage.heading.split(SEPARATOR)
    return [*sections[-1:], *printed[-1:]]
