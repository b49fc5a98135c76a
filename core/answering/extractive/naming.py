"""How a stretch names a topic, and the reader score it then needs; and how clearly it says what its writers
want on it: the clearest comes first in the rows of comparisons.

A topic is named once all its words occur in a stretch or the headings above it, alone or inside longer words
("Mindestlohnkommission" for "Mindestlohn"), or another name of the same subject does ("Kernenergie" for
"Atomkraft"). Text under a heading with its name is about it whatever the wording. The same rule applies to
every speaker.
"""

import re
from collections.abc import Callable, Sequence
from enum import IntEnum

from core.answering.extractive.extracts import Extract
from core.answering.extractive.statements import commits, headings
from core.domain.passages import Passage
from core.evidence.contrasts import poles
from core.language.stated import holds_number
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
    present = shown_terms(extract)
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


def shown_terms(extract: Extract) -> frozenset[str]:
    """The terms of the shown part of a stretch, including the headings above it."""
    language = extract.hit.edition.document.fields.language
    return terms(f"{extract.hit.passage.heading} {extract.shown}", language)


def is_named_in(topic: Subject, passage: Passage) -> bool:
    """Whether a passage in the topic's language, or the headings above it, names all of the topic."""
    return _says(passage.embedded_text, topic, topic.written, held)


def _is_named_by(topic: Subject, heading: str) -> bool:
    """Whether a heading names the topic: "Klima schützen" for "Klimaschutz"."""
    return _says(heading, topic, topic.written, lambda term, said: held(term, said) or joined(term, said))


def _above(extract: Extract) -> list[str]:
    """The headings directly above a stretch: its section's, and the last one printed in its passage."""
    passage = extract.hit.passage
    first = min((start for start, _ in extract.parts), default=extract.start)
    printed = [
        passage.text[start:end] for start, end in headings(passage.text, numbers=True) if start < first
    ]
    _title, *sections = passage.heading.split(SEPARATOR)
    return [*sections[-1:], *printed[-1:]]


_OURSELVES = re.compile(r"\b(?:wir|uns|unser\w*|we|us|our|nous|notre|nos)\b", re.IGNORECASE)
WISHING = re.compile(
    r"\b(?:will|wollen|fordern|fordert|verlang(?:en|t)|plan(?:en|t)|möchten?|lehn(?:en|t)|wants?|demands?|calls?"
    r"|oppos\w+|reject\w*|veu(?:t|lent)|demandent|refusent)\b",
    re.IGNORECASE,
)
"""Phrases about what others want, without naming the writers."""
_CHANGES = ("opposites.existence", "opposites.side", "opposites.amount")
"""Phrases saying that a thing should change, or that somebody is for or against it."""

_REPORTED = re.compile(
    r"\b(?:laut|haben wir|wir haben|(?:schreib|seh|sieh)\w* (?:\S+ ){0,6}vor|according to|we have|requires?"
    r"|provides?|selon|nous avons|prévoi\w*|impose\w*)\b",
    re.IGNORECASE,
)
"""Phrases saying that others say or require so, or that it is done."""

TO_DO = re.compile(r"^(?!\W*(?:[a-zäöü]|Um\b|Ohne\b)).*\b[a-zäöüß]+n\W*$", re.DOTALL)
"""A main clause that ends with what should be done, without a subject: "X abschaffen!"."""

CLAUSES = re.compile(r"[,;:]\s|\s[–—]\s")


def rank(extract: Extract, naming: Naming, topic: Subject) -> tuple[int, int]:
    """How a sentence names `topic` and, if it names all of it, how clear it is: whether its writers say in
    their own voice what should be done, what should happen to the thing or what they think of it, and how
    much, which counts twice."""
    if naming < Naming.WHOLE:
        return naming, 0
    language = extract.hit.edition.document.fields.language
    clauses = CLAUSES.split(extract.text)
    said = [each for each in clauses if _says(each, topic, language, held)]
    exact = any(_says(each, topic, language, lambda term, words: term in words) for each in said)
    if naming is Naming.HEADED and not said:
        said = clauses
    return Naming.WHOLE, 2 * exact + bool(said) + max((_clearness(each, extract) for each in said), default=0)


def _clearness(clause: str, extract: Extract) -> int:
    """How much a clause states, 0 if it commits nobody to anything in the future."""
    fields, text = extract.hit.edition.document.fields, clause.casefold()
    done = poles("tense", text, fields.language) == {"done"} or _REPORTED.search(clause)
    own = is_own(clause, fields.parties)
    others = not own and WISHING.search(clause)
    changes = any(poles(axis, text, fields.language) for axis in _CHANGES)
    commit = commits(clause, present=True) or (changes and TO_DO.search(clause))
    return 0 if done or others or not commit else 1 + own + changes + 2 * holds_number(clause)


def _says(text: str, topic: Subject, language: str, has: Callable[[str, frozenset[str]], bool]) -> bool:
    """Whether a text contains all words of a topic."""
    present = terms(text, language)
    whole = any(all(has(term, present) for term in name) for name in topic.names)
    return whole or any(way.search(text) for way in topic.ways)


def is_own(sentence: str, speakers: Sequence[str]) -> bool:
    """Whether its writers speak about themselves."""
    named = any(re.search(rf"\b{re.escape(each)}\b", sentence) for each in speakers)
    return named or bool(_OURSELVES.search(sentence))
