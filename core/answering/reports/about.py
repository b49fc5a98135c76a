"""Whether a sentence found says something about a topic, judging by the topic's words, similarity, and the
reader's score.

The same rule applies to every speaker.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.answering.extractive.extracts import Extract
from core.answering.extractive.naming import LEAST, SHORT, Naming, rank
from core.answering.extractive.statements import is_slogan, states
from core.language.terms import is_about, shared, terms
from core.question.subject import Subject

SURE = 0.8
"""Confidence above which a close sentence answers without a word of the topic."""

CLOSE, CLOSE_ACROSS, SURELY_CLOSE_ACROSS = 0.5, 0.25, 0.3
"""Cosine similarity (encoder B) above which a sentence is close to a topic, in the topic's language and in
another one, and above which the confidence of an answer, fitted on questions, is ignored across languages.
The first was set by hand. The second was kept when the thresholds below were fitted. With the third, 78 % of
the sentences found for 69 English topics of German programmes pass (71 % without it), 90 % of 40 right
sentences (80 %), and 23 % for 69 topics of statutes (14 %)."""

CLEAR_ACROSS = 0.12
"""Minimum sum of similarity and a tenth of the reader's score for a stretch in another language to be about a
topic that is not in the languages' tables of subjects."""

A_NAME, WITH_WORDS = 2, 0.9
"""Without a reader: minimum sum of similarity and share of the words for a sentence to be about a topic that
it names only partly: one word ("motorway" of a speed limit on it) does not suffice."""

LONG_PARTLY = -2.0
"""Minimum reader score if only some words of a longer topic, a motion's sentence, occur."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSentence:
    """A sentence with its confidence (0 to 1), the reader's score (None without a reader), and how its
    stretch names the topic."""

    extract: Extract
    confidence: float
    read: float | None = None
    naming: Naming = Naming.NOT


def answers(found: FoundSentence, topic: Subject) -> bool:
    """Whether a quote, with its heading, says something about `topic`; in other words or another language,
    similarity decides. The same rule applies to every speaker."""
    extract = found.extract
    if is_slogan(extract.shown):
        return False
    if extract.hit.edition.document.fields.language != topic.written:
        clear = found.read is None or extract.similarity + found.read / 10 >= CLEAR_ACROSS
        return clear and extract.similarity >= CLOSE_ACROSS
    naming = found.naming
    surely_close = found.confidence >= SURE and extract.similarity >= CLOSE
    if found.read is None:
        return _by_words(extract, topic) if _has_words(extract, topic) else surely_close
    if naming is Naming.PARTLY and len(topic.terms) > SHORT:
        return found.read >= LONG_PARTLY
    if naming is Naming.NOT and surely_close:
        return found.read >= LEAST[Naming.WHOLE]
    return found.read >= LEAST[naming]


def best_first(found: Sequence[FoundSentence], topic: Subject) -> list[FoundSentence]:
    """The sentences that name the whole topic first, the clearest of them before the rest, otherwise in the
    given order; without a reader, sentences that commit somebody or state a number before those that only
    mention it."""
    if any(each.read is None for each in found):
        return sorted(found, key=lambda each: not states(each.extract.text))
    return sorted(found, key=lambda each: rank(each.extract, each.naming, topic), reverse=True)


def _has_words(extract: Extract, topic: Subject) -> bool:
    said = _said(extract)
    return not topic.names or any(is_about(name, said) for name in topic.names)


def _by_words(extract: Extract, topic: Subject) -> bool:
    few = len(topic.terms) <= A_NAME
    return not few or extract.similarity + shared(topic.terms, _said(extract)) >= WITH_WORDS


def _said(extract: Extract) -> frozenset[str]:
    language = extract.hit.edition.document.fields.language
    return terms(f"{extract.hit.passage.heading} {extract.shown}", language)
